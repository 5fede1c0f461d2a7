/* Shows loops that are counted without saying so: while, do, a for with its
   condition in a break; and pointers stepped where they are used.  */

#include "compare.h"

static NOINLINE int
plain_loops (int *x, int *y, int n)
{
  int i = 0;
  while (i < n)
    {
      int j = 0;
      while (j <= i)
        {
          y[i] += x[j];
          j++;
        }
      i += 1;
    }
  for (;;)
    {
      if (--i < 1)
        break;
      x[i] -= y[i - 1];
    }
  for (i = i < 0 ? 0 : i;; i++)
    {
      if (i >= n)
        break;
      x[i] ^= 1;
    }
  return i;
}

static NOINLINE int
plain_once (int *x, int n)
{
  int i = 0;
  do
    {
      x[i] += 5;
      i++;
    }
  while (i < n);
  unsigned k = n;
  do
    x[k] += 2;
  while (--k > 3);
  return i + (int) k;
}

static NOINLINE void
plain_walk (int *x, const int *y, int n)
{
  int m = n;
  int *p = x;
  while (m--)
    *p++ += *y++;
  for (p = x, m = 0; m < n; m++)
    *p++ *= 3;
}

static NOINLINE int
loops (int *x, int *y, int n)
{
  int i = 0;
#pragma tensor
  {
    while (i < n)
      {
        int j = 0;
        while (j <= i)
          {
            y[i] += x[j];
            j++;
          }
        i += 1;
      }
  }
  for (;;)
    {
      if (--i < 1)
        break;
      x[i] -= y[i - 1];
    }
  i = i < 0 ? 0 : i;
#pragma tensor
  for (;; i++)
    {
      if (i >= n)
        break;
      x[i] ^= 1;
    }
  return i;
}

static NOINLINE int
once (int *x, int n)
{
  int i = 0;
#pragma tensor
  {
    do
      {
        x[i] += 5;
        i++;
      }
    while (i < n);
  }
  unsigned k = n;
#pragma tensor
  {
    do
      x[k] += 2;
    while (--k > 3);
  }
  return i + (int) k;
}

static NOINLINE void
walk (int *x, const int *y, int n)
{
  int m = n;
  int *p = x;
#pragma tensor
  {
    while (m--)
      *p++ += *y++;
    for (p = x, m = 0; m < n; m++)
      *p++ *= 3;
  }
}

static int a[2][MOST + 1], b[2][MOST + 1];

int
main (void)
{
  FILL (a);
  FILL (b);
  EACH_SIZE (n)
  {
    BOTH_EQUAL (loops, a[W], b[W], n);
    if (n > 0)
      BOTH_EQUAL (once, a[W], n);
    BOTH (walk, a[W], b[W], n);
    CHECK (a);
    CHECK (b);
    FILL (a);
  }
  return 0;
}
