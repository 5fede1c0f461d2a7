/* Shows that loops over no elements do nothing with any size of 64 bits, however
   the loops over them are tiled and exchanged.  */

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
    }
  same &= !memcmp (a, none, sizeof a) && !memcmp (c, zero, sizeof c);
  rows (a, 3, 4);
  for (int k = 0; k < 64; k++)
    same &= a[k] == (k < 12);
  return !same;
}
