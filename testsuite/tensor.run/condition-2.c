/* Shows that regions with statements that are never executed, under
   conditions that exclude each other, are still taken, and that a number
   above 2^63 is no negative one.  */

#include "compare.h"

static int
limited (int a, int most)
{
  int r = a;
  if (r > most)
    r = most;
  else if (r < -most)
    r = -most;
  return r;
}

static NOINLINE void
plain_skip (int *p, int *q, int n)
{
  for (int i = 0; i < n; i++)
    {
      if (i == 8)
        {
          if (i > 4)
            continue;
          q[i] += 3;
        }
      p[i] = limited (2 * p[i], 9);
    }
}

static NOINLINE void
plain_never (int *p, int *q, int n)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      {
        int t = p[j];
        if (j > i)
          {
            int u = t + 1;
            q[j] = limited (u, 3) + u;
          }
        q[i] += t;
      }
}

static NOINLINE void
plain_huge (int *p, size_t m, int n)
{
  for (int i = 0; i < n; i++)
    {
      int t = m > -1000ul && m < 1000 ? (int) m : 3;
      if (t > 7 || m >= -5ul)
        p[i] += 1;
      else
        p[i] += 2;
      if (m - 20 < -10ul)
        p[i] *= 2;
    }
}

static NOINLINE void
skip (int *p, int *q, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      if (i == 8)
        {
          if (i > 4)
            continue;
          q[i] += 3;
        }
      p[i] = limited (2 * p[i], 9);
    }
}

static NOINLINE void
never (int *p, int *q, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      {
        int t = p[j];
        if (j > i)
          {
            int u = t + 1;
            q[j] = limited (u, 3) + u;
          }
        q[i] += t;
      }
}

static NOINLINE void
huge (int *p, size_t m, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      int t = m > -1000ul && m < 1000 ? (int) m : 3;
      if (t > 7 || m >= -5ul)
        p[i] += 1;
      else
        p[i] += 2;
      if (m - 20 < -10ul)
        p[i] *= 2;
    }
}

static int p[2][MOST], q[2][MOST];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (p);
    FILL (q);
    BOTH (skip, p[W], q[W], n);
    CHECK (p);
    CHECK (q);
    BOTH (never, p[W], q[W], n);
    CHECK (q);
    BOTH (huge, p[W], n, (int) n);
    CHECK (p);
    BOTH (huge, p[W], -(size_t) n, (int) n);
    CHECK (p);
  }
  return 0;
}
