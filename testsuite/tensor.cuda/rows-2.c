/* Shows that rows that are kept in registers mean the same: of any length, at
   any first element, of two kinds of numbers, changed in place, with conditions,
   with neighbours, with sums that other rows share.  */

#include "device.h"

#define MOST_ROW 9100

KERNEL (
  softmax, (long n, long c, const float *restrict x, float *restrict y),
  for (long i = 0; i < n; i++) {
    float most = x[i * c], sum = 0;
    for (long j = 1; j < c; j++)
      most = fmaxf (most, x[i * c + j]);
    for (long j = 0; j < c; j++)
      sum += y[i * c + j] = expf (x[i * c + j] - most);
    for (long j = 0; j < c; j++)
      y[i * c + j] /= sum;
  })

KERNEL (
  norm,
  (long n, long c, const float *restrict x, const float *restrict g,
   const float *restrict b, float *restrict y),
  for (long i = 0; i < n; i++) {
    float mean = 0, var = 0;
    for (long j = 0; j < c; j++)
      mean += x[i * c + j];
    mean /= (float) c;
    for (long j = 0; j < c; j++)
      var += (x[i * c + j] - mean) * (x[i * c + j] - mean);
    float s = 1 / sqrtf (var / (float) c + 1e-5f);
    for (long j = 0; j < c; j++)
      y[i * c + j] = (x[i * c + j] - mean) * s * g[j] + b[j];
  })

KERNEL (
  inplace, (long n, long c, double *restrict x), for (long i = 0; i < n; i++) {
    double s = 0;
    for (long j = 0; j < c; j++)
      s += x[i * c + j];
    for (long j = 0; j < c; j++)
      x[i * c + j] -= s;
    double t = 0;
    for (long j = 1; j < c - 1; j++)
      if (x[i * c + j] > 0)
        t += x[i * c + j];
    for (long j = 0; j < c; j++)
      x[i * c + j] += t;
  })

KERNEL (
  meet,
  (long n, long c, const int *restrict x, int *restrict y, int *restrict z),
  for (long i = 0; i < n; i++) {
    int s = 0;
    for (long j = 0; j < c; j++)
      {
        y[i * c + j] = x[i * c + j] * 2;
        s += x[i * c + j];
      }
    for (long j = 0; j < c - 1; j++)
      z[i * c + j] = y[i * c + j + 1] + y[i * c + j] + s;
    for (long j = 0; j < c; j++)
      z[i * c + j] += y[i * c + (c - 1 - j)];
  })

KERNEL (
  kinds,
  (long n, long c, const short *restrict x, const double *restrict w,
   double *restrict y, long *restrict count),
  for (long i = 0; i < n; i++) {
    long k = 0;
    double s = 0;
    for (long j = 0; j < c; j++)
      {
        k += x[i * c + j] > 0;
        s += x[i * c + j] * w[j];
      }
    for (long j = 0; j < c; j++)
      y[i * c + j] = x[i * c + j] > 3 ? s : y[i * c + j] + k;
    count[i] = k;
  })

static float x[2][3 * MOST_ROW], y[2][3 * MOST_ROW], g[2][MOST_ROW],
  b[2][MOST_ROW];
static double d[2][3 * MOST_ROW], w[2][MOST_ROW];
static int e[2][3 * MOST_ROW], f[2][3 * MOST_ROW], h[2][3 * MOST_ROW];
static short a[2][3 * MOST_ROW];
static long count[2][3];

static const int lengths[]
  = { 1, 2, 3, 4, 5, 31, 127, 128, 500, 509, 1000, 1024, 1025, 9000, 9001 };

/* N rows of M, from FIRST on.  */
static void
check_reals (int n, int m, int first)
{
  FILL_REAL (x);
  FILL_REAL (y);
  FILL_REAL (g);
  FILL_REAL (b);
  BOTH (softmax, n, m, x[W] + first, y[W] + first);
  CHECK_NEAR (y, 1e-5);
  BOTH (norm, n, m, x[W] + first, g[W], b[W] + first, y[W]);
  CHECK_NEAR (y, 1e-4);
}

/* The same of numbers that are added exactly.  */
static void
check_whole (int n, int m, int first)
{
  FILL (a);
  FILL (d);
  FILL (e);
  FILL (f);
  FILL (h);
  FILL (w);
  BOTH (inplace, n, m, d[W] + first);
  CHECK (d);
  BOTH (meet, n, m, e[W] + first, f[W] + first, h[W] + first);
  CHECK (f);
  CHECK (h);
  BOTH (kinds, n, m, a[W] + first, w[W], d[W], count[W]);
  CHECK (d);
  CHECK (count);
}

int
main (void)
{
  EACH_OF (m, lengths, 1)
  for (int first = 0; first < (m < 9000 ? 4 : 1); first++)
    {
      check_reals (3, (int) m, first);
      check_whole (3, (int) m, first);
    }
  check_reals (0, 100, 0);
  check_whole (0, 100, 0);
  return 0;
}
