/* Shows that prefix sums, recurrences and scalars that live on after the
   region mean the same.  */

#include "compare.h"

static NOINLINE void
plain_prefix (const int *x, int *y, int n)
{
  {
    int s = 0;
    for (int i = 0; i < n; i++)
      {
        s += x[i];
        y[i] = s;
      }
  }
}

static NOINLINE void
plain_prefix_in_place (long *x, int n)
{
  for (int i = 1; i < n; i++)
    x[i] += x[i - 1];
}

static NOINLINE unsigned
plain_filter (const unsigned *x, unsigned *y, int n)
{
  unsigned p = 1, q = 2;
  for (int i = 0; i < n; i++)
    {
      unsigned t = x[i] + 3 * p + 5 * q;
      q = p;
      p = t;
      y[i] = t;
    }
  return p + 7 * q;
}

static NOINLINE int
plain_last (const int *x, int n)
{
  int t = -1, u = 5, k;
  for (k = 0; k < n; k++)
    {
      t = x[k] * 2;
      if (x[k] > 3)
        u = t;
    }
  return t + 3 * u + 100 * k;
}

static NOINLINE int
plain_finals (int *x, int n, int m)
{
  int i, j = -7, k = 3;
  for (i = 0; i < n; i += 2)
    {
      for (j = m; j > 0; j -= 3)
        x[i] += j;
      k = i;
    }
  return i + 1000 * j + 100000 * k;
}

static NOINLINE int
plain_compact (const int *x, int *y, int n)
{
  int k = 0;
  for (int i = 0; i < n; i++)
    if (x[i] > 0)
      y[k++] = x[i];
  return k;
}

static NOINLINE int
plain_counter (int *y, const int *x, int n)
{
  int k = 5;
  for (int i = 0; i < n; i++)
    {
      y[k] = x[i];
      y[k + 1] = -x[i];
      k += 2;
    }
  return k;
}

static NOINLINE unsigned
plain_generator (unsigned *x, int n)
{
  unsigned s = 42;
  for (int i = 0; i < n; i++)
    {
      s = s * 1664525u + 1013904223u;
      x[i] = s >> 8;
    }
  return s;
}

static NOINLINE void
prefix (const int *x, int *y, int n)
{
#pragma tensor
  {
    int s = 0;
    for (int i = 0; i < n; i++)
      {
        s += x[i];
        y[i] = s;
      }
  }
}

static NOINLINE void
prefix_in_place (long *x, int n)
{
#pragma tensor
  for (int i = 1; i < n; i++)
    x[i] += x[i - 1];
}

static NOINLINE unsigned
filter (const unsigned *x, unsigned *y, int n)
{
  unsigned p = 1, q = 2;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      unsigned t = x[i] + 3 * p + 5 * q;
      q = p;
      p = t;
      y[i] = t;
    }
  return p + 7 * q;
}

static NOINLINE int
last (const int *x, int n)
{
  int t = -1, u = 5, k;
#pragma tensor
  for (k = 0; k < n; k++)
    {
      t = x[k] * 2;
      if (x[k] > 3)
        u = t;
    }
  return t + 3 * u + 100 * k;
}

static NOINLINE int
finals (int *x, int n, int m)
{
  int i, j = -7, k = 3;
#pragma tensor
  for (i = 0; i < n; i += 2)
    {
      for (j = m; j > 0; j -= 3)
        x[i] += j;
      k = i;
    }
  return i + 1000 * j + 100000 * k;
}

static NOINLINE int
compact (const int *x, int *y, int n)
{
  int k = 0;
#pragma tensor /* { dg-missed "x and y may overlap" } */
  for (int i = 0; i < n; i++)
    if (x[i] > 0)
      y[k++] = x[i];
  return k;
}

static NOINLINE int
counter (int *y, const int *x, int n)
{
  int k = 5;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      y[k] = x[i];
      y[k + 1] = -x[i];
      k += 2;
    }
  return k;
}

static NOINLINE unsigned
generator (unsigned *x, int n)
{
  unsigned s = 42;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      s = s * 1664525u + 1013904223u;
      x[i] = s >> 8;
    }
  return s;
}

static int a[2][300], b[2][300];
static long l[2][128];
static unsigned u[2][128], v[2][128];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (a);
    FILL (b);
    FILL (l);
    FILL (u);
    FILL (v);
    BOTH (prefix, a[W], b[W], n);
    CHECK (b);
    BOTH (prefix_in_place, l[W], n);
    CHECK (l);
    BOTH_EQUAL (filter, u[W], v[W], n);
    CHECK (v);
    BOTH_EQUAL (last, a[W], n);
    EACH_WIDTH (m)
    {
      BOTH_EQUAL (finals, a[W], n, m);
      CHECK (a);
    }
    BOTH_EQUAL (compact, a[W], b[W], n);
    CHECK (b);
    BOTH_EQUAL (counter, b[W], a[W], n);
    CHECK (b);
    BOTH_EQUAL (generator, u[W], n);
    CHECK (u);
  }
  return 0;
}
