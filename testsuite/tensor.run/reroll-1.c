/* Shows that loops that were unrolled by hand mean the same when they are
   rolled up: by step, with the rest before or behind, over records, in groups
   of statements, sums with the cell at either end, and through indices.  */

#include "compare.h"

static NOINLINE void
plain_scaled (int n, float *x, const float *y)
{
  int i;
  for (i = 0; i < n - 3; i += 4)
    {
      x[i] += 2 * y[i];
      x[i + 1] += 2 * y[i + 1];
      x[i + 2] += 2 * y[i + 2];
      x[i + 3] += 2 * y[i + 3];
    }
  for (; i < n; i++)
    x[i] += 2 * y[i];
}

static NOINLINE double
plain_product (int n, const float *x, const float *y)
{
  float s = 1;
  int m = n % 5;
  for (int i = 0; i < m; i++)
    s = s + x[i] * y[i];
  for (int i = m; i < n; i += 5)
    s = s + x[i] * y[i] + x[i + 1] * y[i + 1] + x[i + 2] * y[i + 2]
        + x[i + 3] * y[i + 3] + x[i + 4] * y[i + 4];
  return s;
}

static NOINLINE double
plain_integers (int n, const int *p, const int *q)
{
  int s = 0;
  for (int i = 0; i < n; i += 2)
    {
      s += p[i] * q[i];
      s += p[i + 1] * q[i + 1];
    }
  return s;
}

static NOINLINE void
plain_records (int n, float *x, const float *y)
{
  for (int i = 0; i < n; i++)
    {
      x[3 * i] = y[3 * i] - 1;
      x[3 * i + 1] = y[3 * i + 1] - 1;
      x[3 * i + 2] = y[3 * i + 2] - 1;
    }
}

static NOINLINE void
plain_groups (int n, float *x, float *y)
{
  for (int i = 1; i < n; i += 2)
    {
      x[i] = x[i - 1] + y[i];
      y[i] = x[i] * 2;
      x[i + 1] = x[i] + y[i + 1];
      y[i + 1] = x[i + 1] * 2;
    }
}

static NOINLINE void
plain_indices (int n, float *x, const float *y, const int *at)
{
  for (int i = 0; i < n; i += 2)
    {
      x[i] = y[at[i]];
      x[i + 1] = y[at[i + 1]];
    }
}

static NOINLINE void
plain_different (int n, float *x, const float *y)
{
  for (int i = 0; i < n; i += 2)
    {
      x[i] = y[i];
      x[i + 1] = y[i + 2];
    }
}

static NOINLINE void
scaled (int n, float *x, const float *y)
{
#pragma tensor
  {
    int i;
    for (i = 0; i < n - 3; i += 4)
      {
        x[i] += 2 * y[i];
        x[i + 1] += 2 * y[i + 1];
        x[i + 2] += 2 * y[i + 2];
        x[i + 3] += 2 * y[i + 3];
      }
    for (; i < n; i++)
      x[i] += 2 * y[i];
  }
}

static NOINLINE double
product (int n, const float *x, const float *y)
{
  float s = 1;
#pragma tensor
  {
    int m = n % 5;
    for (int i = 0; i < m; i++)
      s = s + x[i] * y[i];
    for (int i = m; i < n; i += 5)
      s = s + x[i] * y[i] + x[i + 1] * y[i + 1] + x[i + 2] * y[i + 2]
          + x[i + 3] * y[i + 3] + x[i + 4] * y[i + 4];
  }
  return s;
}

static NOINLINE double
integers (int n, const int *p, const int *q)
{
  int s = 0;
#pragma tensor
  for (int i = 0; i < n; i += 2)
    {
      s += p[i] * q[i];
      s += p[i + 1] * q[i + 1];
    }
  return s;
}

static NOINLINE void
records (int n, float *x, const float *y)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      x[3 * i] = y[3 * i] - 1;
      x[3 * i + 1] = y[3 * i + 1] - 1;
      x[3 * i + 2] = y[3 * i + 2] - 1;
    }
}

static NOINLINE void
groups (int n, float *x, float *y)
{
#pragma tensor
  for (int i = 1; i < n; i += 2)
    {
      x[i] = x[i - 1] + y[i];
      y[i] = x[i] * 2;
      x[i + 1] = x[i] + y[i + 1];
      y[i + 1] = x[i + 1] * 2;
    }
}

static NOINLINE void
indices (int n, float *x, const float *y, const int *at)
{
#pragma tensor
  for (int i = 0; i < n; i += 2)
    {
      x[i] = y[at[i]];
      x[i + 1] = y[at[i + 1]];
    }
}

static NOINLINE void
different (int n, float *x, const float *y)
{
#pragma tensor
  for (int i = 0; i < n; i += 2)
    {
      x[i] = y[i];
      x[i + 1] = y[i + 2];
    }
}

static float x[2][3 * MOST + 8], y[2][3 * MOST + 8];
static int p[2][3 * MOST + 8], q[2][3 * MOST + 8];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (x);
    FILL (y);
    FILL (p);
    FILL_BELOW (q, MOST);
    BOTH (scaled, n, x[W], y[W]);
    CHECK (x);
    BOTH_EQUAL (product, n, x[W], y[W]);
    BOTH_EQUAL (integers, n, p[W], q[W]);
    BOTH (records, n, x[W], y[W]);
    CHECK (x);
    BOTH (indices, n, x[W], y[W], q[W]);
    CHECK (x);
    BOTH (different, n, x[W], y[W]);
    CHECK (x);
    if (n < 17)
      BOTH (groups, n, x[W], y[W]);
    CHECK (x);
    CHECK (y);
  }
  return 0;
}
