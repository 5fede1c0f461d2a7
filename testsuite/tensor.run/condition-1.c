/* Shows that continue, nested if and else on data and on iterators, and ?:
   mean the same.  */

#include "compare.h"

static NOINLINE void
plain_skip (int *x, const int *y, int n)
{
  for (int i = 0; i < n; i++)
    {
      if (y[i] < 0)
        continue;
      x[i] += y[i];
      if (i == 3)
        continue;
      x[i] *= 2;
    }
}

static NOINLINE void
plain_nested (int *x, int *y, const int *z, int n)
{
  for (int i = 0; i < n; i++)
    {
      if (x[i] > 0)
        {
          if (z[i] > 0)
            y[i] = x[i] + z[i];
          else
            x[i] = z[i];
        }
      else if (x[i] == -3)
        y[i] = -1;
      else
        {
          y[i] = 0;
          x[i]--;
        }
    }
}

static NOINLINE void
plain_guarded (int *x, const int *y, int n)
{
  for (int i = 0; i < n; i++)
    if (y[i] != 0 && x[i] / y[i] > 1)
      x[i] = x[i] % y[i];
}

static NOINLINE void
plain_shared (int *x, const int *y, int n, int m)
{
  for (int i = 0; i < n; i++)
    if (y[i] * m > 0)
      x[i] = y[i] / m + y[i] % m;
}

static NOINLINE void
plain_slanted (int *x, int n, int m)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (3 * j > 2 * i + m || i == j + 2 || (i + 5 * j) % 7 == 2)
        x[i * m + j] += 1;
}

static NOINLINE void
plain_affine (int *x, int n, int m)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        if (i == j)
          x[i * m + j] = 1;
        else if (i < j && j < 2 * i)
          x[i * m + j] = 0;
        if (i + j == n || j % 3 == 1)
          x[i * m + j] += 4;
      }
}

static NOINLINE void
plain_borders (const int *x, int *y, int n, int m)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      y[i * m + j] = (i > 0 ? x[(i - 1) * m + j] : 0)
                     + (j + 1 < m ? x[i * m + j + 1] : -1);
}

static NOINLINE void
plain_by_parameter (float *x, int n, int mode, float s)
{
  for (int i = 0; i < n; i++)
    {
      if (mode == 0)
        x[i] += s;
      else if (mode == 1)
        x[i] *= s;
      else
        x[i] = x[i] > s ? s : x[i] < -s ? -s : x[i];
    }
}

static NOINLINE int
plain_only_if (int *x, int n)
{
  int k = 0;
  for (int i = 0; i < n; i++)
    {
      if (x[i] > 2 && x[i] < 6)
        k += x[i];
      if (!(x[i] & 1) || x[i] == 7)
        x[i] = ~x[i];
    }
  return k;
}

static NOINLINE void
plain_choose (const float *a, const float *b, const int *c, float *out, int n)
{
  for (int i = 0; i < n; i++)
    {
      float t;
      switch (c[i] > 0)
        {
        case 1:
          t = a[i];
          break;
        default:
          t = b[i];
        }
      out[i] = t;
    }
}

static NOINLINE void
skip (int *x, const int *y, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      if (y[i] < 0)
        continue;
      x[i] += y[i];
      if (i == 3)
        continue;
      x[i] *= 2;
    }
}

static NOINLINE void
nested (int *x, int *y, const int *z, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      if (x[i] > 0)
        {
          if (z[i] > 0)
            y[i] = x[i] + z[i];
          else
            x[i] = z[i];
        }
      else if (x[i] == -3)
        y[i] = -1;
      else
        {
          y[i] = 0;
          x[i]--;
        }
    }
}

static NOINLINE void
guarded (int *x, const int *y, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    if (y[i] != 0 && x[i] / y[i] > 1)
      x[i] = x[i] % y[i];
}

static NOINLINE void
shared (int *x, const int *y, int n, int m)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    if (y[i] * m > 0)
      x[i] = y[i] / m + y[i] % m;
}

static NOINLINE void
slanted (int *x, int n, int m)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (3 * j > 2 * i + m || i == j + 2 || (i + 5 * j) % 7 == 2)
        x[i * m + j] += 1;
}

static NOINLINE void
affine (int *x, int n, int m)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        if (i == j)
          x[i * m + j] = 1;
        else if (i < j && j < 2 * i)
          x[i * m + j] = 0;
        if (i + j == n || j % 3 == 1)
          x[i * m + j] += 4;
      }
}

static NOINLINE void
borders (const int *x, int *y, int n, int m)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      y[i * m + j] = (i > 0 ? x[(i - 1) * m + j] : 0)
                     + (j + 1 < m ? x[i * m + j + 1] : -1);
}

static NOINLINE void
by_parameter (float *x, int n, int mode, float s)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      if (mode == 0)
        x[i] += s;
      else if (mode == 1)
        x[i] *= s;
      else
        x[i] = x[i] > s ? s : x[i] < -s ? -s : x[i];
    }
}

static NOINLINE int
only_if (int *x, int n)
{
  int k = 0;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      if (x[i] > 2 && x[i] < 6)
        k += x[i];
      if (!(x[i] & 1) || x[i] == 7)
        x[i] = ~x[i];
    }
  return k;
}

static NOINLINE void
choose (const float *a, const float *b, const int *c, float *out, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      float t;
      switch (c[i] > 0)
        {
        case 1:
          t = a[i];
          break;
        default:
          t = b[i];
        }
      out[i] = t;
    }
}

static int a[2][AREA], b[2][AREA], c[2][128];
static float x[2][128], y[2][128], z[2][128];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (a);
    FILL (b);
    FILL (c);
    BOTH (skip, a[W], b[W], n);
    CHECK (a);
    BOTH (nested, a[W], b[W], c[W], n);
    CHECK (a);
    CHECK (b);
    BOTH (guarded, b[W], c[W], n);
    CHECK (b);
    for (int m = -2; m <= 4; m += 2)
      {
        BOTH (shared, b[W], c[W], n, m);
        CHECK (b);
      }
    BOTH_EQUAL (only_if, c[W], n);
    CHECK (c);
    FILL (x);
    FILL (y);
    FILL (z);
    for (int mode = 0; mode < 3; mode++)
      {
        BOTH (by_parameter, x[W], n, mode, 3);
        CHECK (x);
      }
    BOTH (choose, x[W], y[W], c[W], z[W], n);
    CHECK (z);
    EACH_WIDTH (m)
    {
      BOTH (affine, a[W], n, m);
      CHECK (a);
      BOTH (slanted, a[W], n, m);
      CHECK (a);
      BOTH (borders, a[W], b[W], n, m);
      CHECK (b);
    }
  }
  return 0;
}
