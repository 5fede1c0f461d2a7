/* Shows that pointers that a loop swaps mean the same: two by turns, three by
   turns, in a function that is read, in while loops, read behind the loop; and
   parameters of the function itself, by a variable that stands in front.  */

#include "compare.h"

#define SMOOTH(to, from)                                                       \
  for (int i = 1; i < n - 1; i++)                                              \
  (to)[i] = (from)[i - 1] + 2 * (from)[i] - (from)[i + 1]

static inline void
smooth (int n, int *to, const int *from)
{
  SMOOTH (to, from);
}

static inline void
steps (int n, int times, int *to, int *from)
{
  while (times-- > 0)
    {
      smooth (n, to, from);
      int *t = to;
      to = from;
      from = t;
    }
  for (int i = 0; i < n; i++)
    from[i] += to[i];
}

static NOINLINE int
plain_two (int n, int times, int *x, int *y)
{
  int *a = x, *b = y, sum = 0;
  for (int t = 0; t < times; t++)
    {
      SMOOTH (b, a);
      b[0] = t;
      int *s = a;
      a = b;
      b = s;
    }
  for (int i = 0; i < n; i++)
    {
      sum += a[i] - 3 * b[i];
      a[i] = i;
    }
  return sum;
}

static NOINLINE void
plain_three (int n, int times, int *x, int *y, int *z)
{
  int *prev = x, *cur = y, *next = z;
  for (int t = times; t > 0; t--)
    {
      for (int i = 1; i < n - 1; i++)
        next[i] = 2 * cur[i] - prev[i] + cur[i - 1] - cur[i + 1];
      int *s = prev;
      prev = cur;
      cur = next;
      next = s;
    }
  for (int i = 0; i < n; i++)
    cur[i] += 5 * prev[i];
}

static NOINLINE void
plain_called (int n, int times, int *x, int *y)
{
  steps (n, times, x, y);
  steps (n, 3, y, x);
}

static NOINLINE int
two (int n, int times, int *x, int *y)
{
  int sum = 0;
#pragma tensor
  {
    int *a = x, *b = y;
    for (int t = 0; t < times; t++)
      {
        SMOOTH (b, a);
        b[0] = t;
        int *s = a;
        a = b;
        b = s;
      }
    for (int i = 0; i < n; i++)
      {
        sum += a[i] - 3 * b[i];
        a[i] = i;
      }
  }
  return sum;
}

static NOINLINE void
three (int n, int times, int *x, int *y, int *z)
{
#pragma tensor
  {
    int *prev = x, *cur = y, *next = z;
    for (int t = times; t > 0; t--)
      {
        for (int i = 1; i < n - 1; i++)
          next[i] = 2 * cur[i] - prev[i] + cur[i - 1] - cur[i + 1];
        int *s = prev;
        prev = cur;
        cur = next;
        next = s;
      }
    for (int i = 0; i < n; i++)
      cur[i] += 5 * prev[i];
  }
}

static NOINLINE void
called (int n, int times, int *x, int *y)
{
#pragma tensor
  {
    steps (n, times, x, y);
    steps (n, 3, y, x);
  }
}

#define OWN                                                                    \
  for (int t = 0; t < times; t++)                                              \
    {                                                                          \
      SMOOTH (y, x);                                                           \
      y[0] = t;                                                                \
      s = x;                                                                   \
      x = y;                                                                   \
      y = s;                                                                   \
    }

#define OWN_THREE                                                              \
  for (int t = 0; t < times; t++)                                              \
    {                                                                          \
      for (int i = 0; i < n; i++)                                              \
        z[i] = 2 * y[i] - x[i] + t;                                            \
      int *p = x;                                                              \
      x = y;                                                                   \
      y = z;                                                                   \
      z = p;                                                                   \
    }

static NOINLINE void
plain_own (int n, int times, int *x, int *y)
{
  int *s;
  OWN
}

static NOINLINE void
own (int n, int times, int *x, int *y)
{
  int *s;
#pragma tensor
  OWN
}

static NOINLINE void
plain_own_three (int n, int times, int *x, int *y, int *z)
{
  OWN_THREE
}

static NOINLINE void
own_three (int n, int times, int *x, int *y, int *z)
{
#pragma tensor
  OWN_THREE
}

static int a[2][MOST + 1], b[2][MOST + 1], c[2][MOST + 1];

int
main (void)
{
  for (int times = 0; times < 8; times++)
    EACH_SIZE (n)
    {
      if (n == 0)
        continue;
      FILL (a);
      FILL (b);
      FILL (c);
      BOTH_EQUAL (two, n, times, a[W], b[W]);
      BOTH (three, n, times, a[W], b[W], c[W]);
      CHECK (a);
      CHECK (b);
      CHECK (c);
      FILL (a);
      FILL (b);
      BOTH (called, n, times, a[W], b[W]);
      CHECK (a);
      CHECK (b);
      FILL (a);
      FILL (b);
      FILL (c);
      BOTH (own, n, times, a[W], b[W]);
      BOTH (own, n - 1, times, a[W], a[W] + 1);
      BOTH (own_three, n, times, a[W], b[W], c[W]);
      BOTH (own_three, n, times, a[W], b[W], a[W]);
      CHECK (a);
      CHECK (b);
      CHECK (c);
    }
  return 0;
}
