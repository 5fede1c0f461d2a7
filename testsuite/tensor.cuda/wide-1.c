/* Shows that a thread's neighbouring iterations, read and written 16 bytes at a
   time where arrays begin alike, mean the same: any length, any first element,
   all kinds of numbers, conditions, neighbours, rows of all lengths.  */

#include "device.h"

#define LONG_ONE 9000

KERNEL (scale, (int n, const float *x, float *y),
        for (int i = 0; i < n; i++) y[i] = 2 * x[i] + x[i] * x[i];)

KERNEL (
  chosen,
  (int n, const float *x, const float *z, const int *e, double *d, float *y),
  for (int i = 0; i < n; i++) {
    float u = x[i] > 0 ? x[i] * z[i] : z[i] - 1;
    if (e[i] % 3 == 0)
      u += 1;
    if (e[i] > 0)
      d[i] = u;
    y[i] = y[i] + u;
    if (u > 2)
      y[i] = 0;
  })

KERNEL (
  kinds,
  (int n, signed char *a, short *c, const int *e, const double *d, long *g),
  for (int i = 0; i < n; i++) {
    c[i] = (short) (c[i] + e[i] * 3);
    a[i] = (signed char) (a[i] ^ e[i]);
    g[i] = (long) (d[i] * 4) + c[i] + a[i];
  })

KERNEL (bytes, (int n, const unsigned char *a, unsigned char *b),
        for (int i = 0; i < n; i++) b[i] = (unsigned char) (a[i] * 3 + 1);)

KERNEL (doubles, (int n, const double *x, double *y),
        for (int i = 1; i < n; i++) y[i] += x[i] - x[i - 1];)

KERNEL (neighbours, (int n, const float *x, float *y),
        for (int i = 2; i < n - 2; i++) y[i]
        = x[i - 2] + 2 * x[i - 1] + 3 * x[i] + x[i + 1] * x[i + 2];)

KERNEL (behind, (int n, const float *x, float *y),
        for (int i = 0; i < n - 1; i++) y[i] = 2 * x[i + 1];)

KERNEL (grid, (int n, int m, const float *x, const float *b, float *y),
        for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++)
          y[i * m + j]
        = x[(i - 1) * m + j] + x[(i + 1) * m + j] + x[i * m + j - 1]
          + x[i * m + j + 1] * b[j];)

KERNEL (box, (int n, int m, float x[n][4][m], const float b[m]),
        for (int i = 0; i < n; i++) for (int k = 0; k < 4; k++) for (int j = 0;
                                                                     j < m; j++)
          x[i][k][j]
        += b[j] * (k + 1);)

KERNEL (
  hashed, (int n, const float *x, const float *z, float *y),
  for (int i = 0; i < n; i++) {
    unsigned h = (unsigned) i * 2654435761u;
    h = (h ^ (h >> 15)) * 2246822519u;
    y[i] = z[i] + (h < 429496729u ? 0 : x[i] * 2);
  })

/* What is stored begins between groups.  */
KERNEL (
  shifted, (int n, const double *x, double *restrict y, double *restrict z),
  for (int i = 0; i + 1 < n; i++) {
    y[i] += 2 * x[i];
    z[i + 1] = x[i] - 1;
  })

/* A pointer may be none.  */
KERNEL (perhaps, (int n, const float *x, float *y),
        for (int i = 0; i < n; i++) y[i] += x ? x[i] : 1;)

static float x[2][LONG_ONE + 8], y[2][LONG_ONE + 8], z[2][LONG_ONE + 8];
static double d[2][LONG_ONE + 8], r[2][LONG_ONE + 8], s[2][LONG_ONE + 8];
static int e[2][LONG_ONE + 8];
static long g[2][LONG_ONE + 8];
static short c[2][LONG_ONE + 8];
static signed char a[2][LONG_ONE + 8];
static unsigned char b[2][LONG_ONE + 8], f[2][LONG_ONE + 8];

static const int lengths[]
  = { 0, 1, 3, 4, 5, 7, 8, 31, 127, 1000, 1024, 1025, LONG_ONE };

/* N elements, the arrays beginning at FIRST and SECOND.  */
static void
check_length (int n, int first, int second)
{
  FILL (x);
  FILL (y);
  FILL (z);
  FILL (d);
  FILL (e);
  BOTH (scale, n, x[W] + first, y[W] + second);
  CHECK (y);
  BOTH (chosen, n, x[W] + first, z[W] + first, e[W] + second, d[W] + second,
        y[W] + first);
  CHECK (y);
  CHECK (d);
  FILL (r);
  FILL (s);
  BOTH (shifted, n, d[W], s[W] + first, r[W] + first);
  CHECK (s);
  CHECK (r);
  BOTH (neighbours, n, x[W] + first, y[W] + second);
  BOTH (behind, n, x[W] + first, z[W] + second);
  BOTH (hashed, n, x[W] + first, z[W] + second, y[W] + first);
  BOTH (perhaps, n, first ? x[W] : NULL, y[W] + second);
  CHECK (y);
  CHECK (z);
}

/* The same of other kinds of numbers.  */
static void
check_kinds (int n, int first, int second)
{
  FILL (a);
  FILL (c);
  FILL (d);
  FILL (e);
  FILL (g);
  FILL (r);
  FILL_BELOW (b, 256);
  BOTH (kinds, n, a[W] + first, c[W] + second, e[W] + first, d[W] + second,
        g[W] + first);
  CHECK (a);
  CHECK (c);
  CHECK (g);
  BOTH (bytes, n, b[W] + first, f[W] + second);
  CHECK (f);
  BOTH (doubles, n, d[W] + first, r[W] + second);
  CHECK (r);
}

/* N rows of M.  */
static void
check_rows (int n, int m)
{
  FILL (x);
  FILL (y);
  FILL (z);
  BOTH (grid, n, m, x[W], z[W], y[W]);
  CHECK (y);
  BOTH (grid, n, m, x[W] + 1, z[W] + 1, y[W] + 1);
  CHECK (y);
  BOTH (box, n / 4, m, (void *) x[W], z[W]);
  CHECK (x);
}

int
main (void)
{
  EACH_OF (n, lengths, 0)
  for (int k = 0; k < 4; k++)
    {
      check_length ((int) n, k, k);
      check_length ((int) n, k, 0);
      if (n < LONG_ONE)
        check_kinds ((int) n, k, k % 2 * k);
    }
  EACH_LENGTH (n)
  {
    check_rows ((int) n, 4);
    check_rows ((int) n, 7);
    check_rows ((int) n, 32);
    check_rows (5, (int) n);
  }
  check_rows (3, 1024);
  check_rows (4, 1023);
  return 0;
}
