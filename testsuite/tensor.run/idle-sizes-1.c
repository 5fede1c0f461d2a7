/* Shows that loops with ends of 64 bits do what they say, however they are tiled
   and exchanged: nothing, or the first or last few elements of all.  */

#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include "compare.h"

static NOINLINE void
rows (int *a, long n, long m)
{
#pragma tensor
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      a[i * 4 + j] += 1;
}

static NOINLINE void
products (double *restrict c, const double *restrict a,
          const double *restrict b, long n, long m, long k)
{
#pragma tensor
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      for (long l = 0; l < k; l++)
        c[i * 8 + j] += a[i * 8 + l] * b[l * 8 + j];
}

static NOINLINE void
between (double *restrict x, long first, long end)
{
#pragma tensor
  for (long i = first; i < end; i++)
    x[i - first] += 1;
}

static NOINLINE void
one_after_the_other (double *restrict x, double *restrict y, long n, long m)
{
#pragma tensor
  {
    for (long i = 0; i < n; i++)
      x[i] += 1;
    for (long i = 0; i < m; i++)
      y[i] += 2;
  }
}

static NOINLINE double
beside (double *restrict x, long n, long m)
{
  double last;
#pragma tensor
  {
    for (long i = 0; i < n; i++)
      for (long j = 0; j < m; j++)
        x[j * 8 + i] += 1;
    last = x[3];
  }
  return last;
}

/* Whether few elements at either end of the type are all done.  */
static bool
ends (double *x)
{
  bool same = true;
  between (x, LONG_MIN, LONG_MIN + 5);
  between (x, LONG_MAX - 5, LONG_MAX);
  for (int k = 0; k < 64; k++)
    {
      same &= x[k] == (k < 5 ? 2 : 0);
      x[k] = 0;
    }
  return same;
}

int
main (void)
{
  static const long size[] = { LONG_MIN, LONG_MIN + 1, -1, 0 };
  int a[64] = { 0 }, none[64] = { 0 };
  double b[64], c[64] = { 0 }, zero[64] = { 0 };
  bool same = true;
  for (int k = 0; k < 64; k++)
    b[k] = k + 1;
  for (int k = 0; k < 4; k++)
    {
      rows (a, size[k], 4);
      rows (a, 4, size[k]);
      rows (a, size[k], LONG_MAX);
      products (c, b, b, size[k], 4, 4);
      products (c, b, b, 4, size[k], 4);
      products (c, b, b, 4, 4, size[k]);
      between (c, 0, size[k]);
      between (c, -1, LONG_MIN);
      between (c, LONG_MAX, size[k]);
      one_after_the_other (c, c + 32, size[k], size[3 - k]);
      same &= beside (c, size[k], 4) == 0 && beside (c, 4, size[k]) == 0;
    }
  same &= !memcmp (a, none, sizeof a) && !memcmp (c, zero, sizeof c);
  same &= ends (c);
  rows (a, 3, 4);
  for (int k = 0; k < 64; k++)
    same &= a[k] == (k < 12);
  return !same;
}
