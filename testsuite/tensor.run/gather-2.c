/* Shows that elements are the same when subscripts that are computed find them:
   remainders, quotients, bits and products of the iterator, of floats, doubles
   and ints, in order and backwards.  */

#include "compare.h"

static NOINLINE void
plain_pick (int n, float *restrict a, const float *restrict b)
{
  for (int i = 0; i < n; i++)
    a[i] = b[i % 8] + b[i / 2] - b[i & 31] * b[(i ^ 5) & 63];
}

static NOINLINE void
plain_pick_double (int n, double *restrict a, const double *restrict b)
{
  for (int i = 0; i < n; i++)
    a[i] = b[i % 3] - b[(n - 1 - i) / 4];
}

static NOINLINE void
plain_pick_int (int n, int *restrict a, const int *restrict b)
{
  for (int i = 0; i < n; i++)
    a[i] = b[i * 7 % 16] + b[i >> 1];
}

static NOINLINE void
pick (int n, float *restrict a, const float *restrict b)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    a[i] = b[i % 8] + b[i / 2] - b[i & 31] * b[(i ^ 5) & 63];
}

static NOINLINE void
pick_double (int n, double *restrict a, const double *restrict b)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    a[i] = b[i % 3] - b[(n - 1 - i) / 4];
}

static NOINLINE void
pick_int (int n, int *restrict a, const int *restrict b)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    a[i] = b[i * 7 % 16] + b[i >> 1];
}

static float a[2][AREA], b[2][AREA];
static double c[2][AREA], d[2][AREA];
static int e[2][AREA], f[2][AREA];

int
main (void)
{
  FILL (b);
  FILL (d);
  FILL (f);
  EACH_SIZE (n)
  {
    FILL (a);
    FILL (c);
    FILL (e);
    BOTH (pick, n, a[W], b[W]);
    BOTH (pick_double, n, c[W], d[W]);
    BOTH (pick_int, n, e[W], f[W]);
    CHECK (a);
    CHECK (c);
    CHECK (e);
  }
  return 0;
}
