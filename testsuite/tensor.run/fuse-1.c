/* Shows that producers and consumers that differ in range, shift and order
   mean the same when fused.  */

#include "compare.h"

static NOINLINE void
plain_shifted (const int *x, int *t, int *y, int n)
{
  {
    for (int i = 0; i < n; i++)
      t[i] = x[i] * 2;
    for (int i = 0; i < n - 1; i++)
      y[i] = t[i + 1] - t[i];
  }
}

static NOINLINE void
plain_backward (const int *x, int *t, int *y, int n)
{
  {
    for (int i = 0; i < n; i++)
      t[i] = x[i] + 1;
    for (int i = n - 1; i >= 0; i--)
      y[i] = t[i] * t[n - 1 - i];
  }
}

static NOINLINE void
plain_different_ranges (int *restrict a, int *restrict b, int n, int m)
{
  {
    for (int i = 0; i < n; i++)
      a[i] += 3;
    for (int i = 0; i < m; i++)
      b[i] += a[i];
    for (int i = 1; i < n; i++)
      a[i] -= b[i - 1];
  }
}

static NOINLINE void
plain_anti (int *x, int *y, int n)
{
  {
    for (int i = 0; i < n; i++)
      y[i] = x[n - 1 - i];
    for (int i = 0; i < n; i++)
      x[i] = y[i] + 1;
    for (int i = 0; i < n; i++)
      y[i] = 0;
  }
}

static NOINLINE void
plain_rows_then_columns (int n, int a[n][n], int *r, int *c)
{
  {
    for (int i = 0; i < n; i++)
      r[i] = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        r[i] += a[i][j];
    for (int j = 0; j < n; j++)
      {
        c[j] = 0;
        for (int i = 0; i < n; i++)
          c[j] += a[i][j] - r[i];
      }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        a[i][j] -= r[i] + c[j];
  }
}

static NOINLINE int
plain_scalar_between (int *x, int n)
{
  int s = 0, m;
  {
    for (int i = 0; i < n; i++)
      s += x[i];
    m = s / 2;
    for (int i = 0; i < n; i++)
      x[i] -= m;
  }
  return m;
}

static NOINLINE void
shifted (const int *x, int *t, int *y, int n)
{
#pragma tensor
  {
    for (int i = 0; i < n; i++)
      t[i] = x[i] * 2;
    for (int i = 0; i < n - 1; i++)
      y[i] = t[i + 1] - t[i];
  }
}

static NOINLINE void
backward (const int *x, int *t, int *y, int n)
{
#pragma tensor
  {
    for (int i = 0; i < n; i++)
      t[i] = x[i] + 1;
    for (int i = n - 1; i >= 0; i--)
      y[i] = t[i] * t[n - 1 - i];
  }
}

static NOINLINE void
different_ranges (int *restrict a, int *restrict b, int n, int m)
{
#pragma tensor
  {
    for (int i = 0; i < n; i++)
      a[i] += 3;
    for (int i = 0; i < m; i++)
      b[i] += a[i];
    for (int i = 1; i < n; i++)
      a[i] -= b[i - 1];
  }
}

static NOINLINE void
anti (int *x, int *y, int n)
{
#pragma tensor
  {
    for (int i = 0; i < n; i++)
      y[i] = x[n - 1 - i];
    for (int i = 0; i < n; i++)
      x[i] = y[i] + 1;
    for (int i = 0; i < n; i++)
      y[i] = 0;
  }
}

static NOINLINE void
rows_then_columns (int n, int a[n][n], int *r, int *c)
{
#pragma tensor
  {
    for (int i = 0; i < n; i++)
      r[i] = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        r[i] += a[i][j];
    for (int j = 0; j < n; j++)
      {
        c[j] = 0;
        for (int i = 0; i < n; i++)
          c[j] += a[i][j] - r[i];
      }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        a[i][j] -= r[i] + c[j];
  }
}

static NOINLINE int
scalar_between (int *x, int n)
{
  int s = 0, m;
#pragma tensor
  {
    for (int i = 0; i < n; i++)
      s += x[i];
    m = s / 2;
    for (int i = 0; i < n; i++)
      x[i] -= m;
  }
  return m;
}

static int a[2][AREA], b[2][128], c[2][128];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (a);
    FILL (b);
    FILL (c);
    BOTH (shifted, a[W], b[W], c[W], n);
    CHECK (b);
    CHECK (c);
    BOTH (backward, a[W], b[W], c[W], n);
    CHECK (b);
    CHECK (c);
    BOTH (anti, b[W], c[W], n);
    CHECK (b);
    CHECK (c);
    BOTH (rows_then_columns, n, (void *) a[W], b[W], c[W]);
    CHECK (a);
    CHECK (b);
    CHECK (c);
    BOTH_EQUAL (scalar_between, a[W], n);
    CHECK (a);
    EACH_WIDTH (m)
    {
      BOTH (different_ranges, b[W], c[W], n, m);
      FILL (b);
      FILL (c);
    }
  }
  return 0;
}
