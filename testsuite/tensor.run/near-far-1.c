/* Shows that values which mean "never", as far from 0 as 64 bits go, do so in
   conditions, in the ends of loops and as the place that all iterations
   read.  */

#include <limits.h>

#include "compare.h"

#define N 40

static NOINLINE void
plain_choose (int *a, long n, long k)
{
  for (long i = 0; i < n; i++)
    if (i > k)
      a[i] += 1;
    else
      a[i] += 2;
}

static NOINLINE void
choose (int *a, long n, long k)
{
#pragma tensor
  for (long i = 0; i < n; i++)
    if (i > k)
      a[i] += 1;
    else
      a[i] += 2;
}

static NOINLINE void
plain_stand (int *a, int *b, long n, long k)
{
  for (long i = 0; i < n; i++)
    {
      b[i] += 1;
      if (b[i] > 1000)
        a[i] -= a[k];
    }
}

static NOINLINE void
stand (int *restrict a, int *restrict b, long n, long k)
{
#pragma tensor
  for (long i = 0; i < n; i++)
    {
      b[i] += 1;
      if (b[i] > 1000)
        a[i] -= a[k];
    }
}

static NOINLINE void
plain_reach (int *a, long n, long k)
{
  for (long i = 0; i < n; i++)
    for (long j = i < k ? 0 : i - k; j < n && j < i + 1; j++)
      a[i] += j;
}

static NOINLINE void
reach (int *a, long n, long k)
{
#pragma tensor
  for (long i = 0; i < n; i++)
    for (long j = i < k ? 0 : i - k; j < n && j < i + 1; j++)
      a[i] += j;
}

int
main (void)
{
  static const long far[] = { LONG_MAX,
                              LONG_MAX - 1,
                              LONG_MIN,
                              LONG_MIN + 1,
                              LONG_MAX / 2,
                              1L << 60,
                              -1,
                              0,
                              7,
                              N - 1,
                              N };
  for (int k = 0; k < (int) (sizeof far / sizeof *far); k++)
    {
      int a[N + 1] = { 3 }, b[N + 1] = { 5 }, c[N + 1] = { 3 },
                d[N + 1] = { 5 };
      plain_choose (a, N, far[k]);
      choose (c, N, far[k]);
      plain_stand (a, b, N, far[k]);
      stand (c, d, N, far[k]);
      if (far[k] >= 0)
        {
          plain_reach (a, N, far[k]);
          reach (c, N, far[k]);
        }
      for (int i = 0; i <= N; i++)
        if (a[i] != c[i] || b[i] != d[i])
          return 1;
    }
  return 0;
}
