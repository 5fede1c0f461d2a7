/* Shows that values which mean "never", as far from 0 as 64 bits go, do so in
   conditions, in the ends of loops, as the place that all iterations read and
   where a loop begins.  */

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

/* An iterator that is so far itself.  */
static NOINLINE void
plain_begin (long *a, unsigned n)
{
  for (unsigned i = 0; i < n; i += 3)
    {
      for (long j = LONG_MAX - 7; j < LONG_MAX; j++)
        {
          a[j & 31] = 7;
          if (i > (j & 31))
            a[2] = i;
        }
      for (int j = 0; j < 7; j++)
        a[32 + j] += i;
    }
}

static NOINLINE void
begin (long *a, unsigned n)
{
#pragma tensor
  for (unsigned i = 0; i < n; i += 3)
    {
      for (long j = LONG_MAX - 7; j < LONG_MAX; j++)
        {
          a[j & 31] = 7;
          if (i > (j & 31))
            a[2] = i;
        }
      for (int j = 0; j < 7; j++)
        a[32 + j] += i;
    }
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
  static long x[2][N] = { { 0 } };
  plain_begin (x[0], 37);
  begin (x[1], 37);
  CHECK (x);
  return 0;
}
