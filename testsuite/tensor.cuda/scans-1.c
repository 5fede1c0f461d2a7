/* Shows that scans mean the same by threads that share them: sums, products and
   maxima of rows and of all, in place, from the element before, seen before and
   behind the sum, of numbers that are computed, to memory that is there before;
   rows of all lengths; that a short one takes one launch.  */

#include "device.h"

#define MOST_SCANNED 20000

KERNEL (
  rows, (long n, long m, const float *restrict x, float *restrict y),
  for (long i = 0; i < n; i++) {
    float s = 0;
    for (long j = 0; j < m; j++)
      {
        s += x[i * m + j];
        y[i * m + j] = s;
      }
  })

KERNEL (
  before,
  (long n, long m, const float *restrict x, float *restrict y,
   double *restrict last),
  for (long i = 0; i < n; i++) {
    double s = 1;
    for (long j = 0; j < m; j++)
      {
        y[i * m + j] = (float) s + y[i * m + j];
        s += x[i * m + j] * 2;
      }
    last[i] = s;
  })

KERNEL (
  normal, (long n, long m, const float *restrict x, float *restrict y),
  for (long i = 0; i < n; i++) {
    float s = 0, sum = 0;
    for (long j = 0; j < m; j++)
      sum += fabsf (x[i * m + j]);
    for (long j = 0; j < m; j++)
      {
        s += fabsf (x[i * m + j]);
        y[i * m + j] = s - sum;
      }
    for (long j = 1; j < m; j++)
      y[i * m + j] += x[i * m + j - 1];
  })

KERNEL (neighbours, (long n, long m, int *restrict y),
        for (long i = 0; i < n; i++) for (long j = 1; j < m; j++) y[i * m + j]
        += y[i * m + j - 1];)

REGION (prefix, (long n, const float *restrict x, float *restrict y), {
  float s = 3;
  for (long j = 0; j < n; j++)
    {
      s += x[j];
      y[j] = s;
    }
})

REGION (highest, (long n, float *restrict x, float *restrict top), {
  float s = x[0];
  for (long j = 0; j < n; j++)
    {
      s = x[j] > s ? x[j] : s;
      x[j] = s;
    }
  for (long j = 0; j < n; j++)
    top[j] = s;
})

#define GOES_ON(NAME, DIRECTIVE)                                               \
  static int __attribute__ ((noipa))                                           \
  NAME (long n, const int *restrict x, int *restrict y)                        \
  {                                                                            \
    int s = 5;                                                                 \
    DIRECTIVE                                                                  \
    for (long j = 0; j < n; j++)                                               \
      {                                                                        \
        s += x[j];                                                             \
        y[j] = s;                                                              \
      }                                                                        \
    return s;                                                                  \
  }
GOES_ON (goes_on, PRAGMA (tensor target(cuda)))
GOES_ON (plain_goes_on, )

REGION (running, (long n, int *restrict y), {
  for (long j = 1; j < n; j++)
    y[j] += y[j - 1];
})

static float x[2][MOST_SCANNED], y[2][MOST_SCANNED];
static double last[2][3];
static int z[2][MOST_SCANNED], w[2][MOST_SCANNED], sum[2][1];

/* N rows of M.  */
static void
check_rows (long n, long m)
{
  FILL (x);
  FILL (y);
  FILL (z);
  BOTH (rows, n, m, x[W], y[W]);
  CHECK (y);
  BOTH (before, n, m, x[W], y[W], last[W]);
  CHECK (y);
  CHECK (last);
  BOTH (normal, n, m, x[W], y[W]);
  CHECK (y);
  BOTH (neighbours, n, m, z[W]);
  CHECK (z);
}

/* M numbers.  */
static void
check_all (long m)
{
  FILL (x);
  FILL (y);
  FILL (z);
  BOTH (prefix, m, x[W], y[W]);
  CHECK (y);
  BOTH (highest, m, x[W], y[W]);
  CHECK (x);
  CHECK (y);
  BOTH (running, m, z[W]);
  CHECK (z);
  sum[0][0] = goes_on (m, z[0], w[0]);
  sum[1][0] = plain_goes_on (m, z[1], w[1]);
  CHECK (w);
  CHECK (sum);
}

static const int lengths[]
  = { 1, 2, 3, 4, 31, 127, 128, 129, 500, 513, 1024, 1500 };

int
main (void)
{
  EACH_OF (m, lengths, 1)
  {
    check_rows (3, (long) m);
    check_all ((long) m);
  }
  check_rows (0, 9);
  check_rows (3, 0);
  check_rows (1, 6001);
  check_all (0);
  check_all (8191);
  check_all (8192);
  check_all (MOST_SCANNED);
  LAUNCHES (1, prefix (8191, x[1], y[1]));
  LAUNCHES (3, prefix (8192, x[1], y[1]));
  LAUNCHES (1, running (500, z[1]));
  return 0;
}
