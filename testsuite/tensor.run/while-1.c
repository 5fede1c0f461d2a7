/* Shows loops that are counted without saying so: while, do, a for with its
   condition in a break, with pointers, with two iterators that meet, with a
   step that is a variable; and pointers stepped where they are used, in the
   initialiser of another variable, too; two that one value is given to.  */

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

static NOINLINE void
plain_ends (int *x, const int *y, const int *end)
{
  int *q = x;
  const int *from = y;
  while (y < end)
    *q++ += *y++;
  for (q = x; from != end; from += 1)
    *q++ ^= *from;
}

static NOINLINE void
plain_to_middle (int *x, int n)
{
  for (int i = 0, j = n - 1; i < j; i++, j--)
    {
      int t = x[i];
      x[i] = x[j];
      x[j] = t;
    }
  for (int *p = x, *q = x + n; p < q; p++)
    *p -= *--q;
}

static NOINLINE void
plain_steps (int *x, int n, int by)
{
  for (int i = 0; i < n; i += 2 * by)
    for (int j = 0; j < by; j++)
      {
        int t = x[i + j];
        x[i + j] += x[i + j + by];
        x[i + j + by] -= t;
      }
  for (int i = n; i >= by; i -= by)
    {
      x[i] += i;
      i--;
    }
}

static NOINLINE void
plain_windows (const int *x, int *y, int n)
{
  const int *first = x;
  int k = 0, *end = y + n / 2;
  {
    while (y < end)
      {
        const int *p = first++;
        int sum = *p++, at = k++;
        for (int j = 1; j < 3; j++)
          sum += j * *p++ + at;
        *y++ = sum;
      }
  }
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
  do
    x[k] += 2;
  while (--k > 3);
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

static NOINLINE void
ends (int *x, const int *y, const int *end)
{
  int *q = x;
  const int *from = y;
#pragma tensor
  {
    while (y < end)
      *q++ += *y++;
  }
#pragma tensor
  for (q = x; from != end; from += 1)
    *q++ ^= *from;
}

static NOINLINE void
windows (const int *x, int *y, int n)
{
  const int *first = x;
  int k = 0, *end = y + n / 2;
#pragma tensor
  {
    while (y < end)
      {
        const int *p = first++;
        int sum = *p++, at = k++;
        for (int j = 1; j < 3; j++)
          sum += j * *p++ + at;
        *y++ = sum;
      }
  }
}

static NOINLINE void
to_middle (int *x, int n)
{
#pragma tensor
  for (int i = 0, j = n - 1; i < j; i++, j--)
    {
      int t = x[i];
      x[i] = x[j];
      x[j] = t;
    }
#pragma tensor
  for (int *p = x, *q = x + n; p < q; p++)
    *p -= *--q;
}

static NOINLINE void
plain_both (int *x, const int *y, int n)
{
  const int *p, *q;
  for (int i = 0; i < n; i++)
    {
      q = p = y + i;
      for (int j = 0; i + 2 * j < n; j++)
        {
          x[i] += *p * *q;
          p++;
          q += 2;
        }
    }
}

static NOINLINE void
both (int *x, const int *y, int n)
{
  const int *p, *q;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      q = p = y + i;
      for (int j = 0; i + 2 * j < n; j++)
        {
          x[i] += *p * *q;
          p++;
          q += 2;
        }
    }
}

static NOINLINE void
steps (int *x, int n, int by)
{
#pragma tensor
  for (int i = 0; i < n; i += 2 * by)
    for (int j = 0; j < by; j++)
      {
        int t = x[i + j];
        x[i + j] += x[i + j + by];
        x[i + j + by] -= t;
      }
#pragma tensor
  for (int i = n; i >= by; i -= by)
    {
      x[i] += i;
      i--;
    }
}

static int a[2][4 * MOST], b[2][MOST + 1];

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
    BOTH (ends, a[W], b[W], b[W] + n);
    BOTH (ends, a[W] + 1, a[W], a[W] + n);
    BOTH (windows, b[W], a[W], n);
    BOTH (both, a[W], b[W], n);
    BOTH (to_middle, a[W], n);
    for (int by = 1; by < 70; by = 2 * by + 1)
      BOTH (steps, a[W], n, by);
    CHECK (a);
    CHECK (b);
    FILL (a);
  }
  return 0;
}
