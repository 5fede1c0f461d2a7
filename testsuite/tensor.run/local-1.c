/* Shows that local arrays in the nest, of fixed and of variable size, mean
   the same.  */

#include "compare.h"

static NOINLINE void
plain_small (const int *x, int *y, int n)
{
  for (int i = 0; i < n; i++)
    {
      int t[4];
      for (int k = 0; k < 4; k++)
        t[k] = x[i] * k;
      for (int k = 0; k < 4; k++)
        y[i] += t[3 - k] - t[k] * k;
    }
}

static NOINLINE void
plain_row (int n, int m, const float x[n][m], float y[n][m])
{
  for (int i = 0; i < n; i++)
    {
      float t[m + 1];
      for (int j = 0; j < m; j++)
        t[j] = x[i][m - 1 - j];
      for (int j = 0; j < m; j++)
        y[i][j] += t[j] * 2;
    }
}

static NOINLINE void
plain_outside (int n, const float *x, float *y)
{
  float t[MOST], s = 0;
  {
    for (int i = 0; i < n; i++)
      {
        t[i] = x[i] * 3;
        s += t[i];
      }
    for (int i = 0; i < n; i++)
      y[i] = t[i] - s;
  }
}

static NOINLINE void
plain_accumulators (const float *x, float *y, int n, int m)
{
  for (int i = 0; i < n; i++)
    {
      float part[8] = { 0 };
      for (int j = 0; j + 8 <= m; j += 8)
        for (int k = 0; k < 8; k++)
          part[k] += x[i * m + j + k];
      float s = 0;
      for (int k = 0; k < 8; k++)
        s += part[k];
      y[i] = s;
    }
}

static NOINLINE void
plain_unwritten (int *x, int n)
{
  for (int i = 0; i < n; i++)
    {
      int t[2];
      t[i % 2] = x[i];
      x[i] = t[i % 2] + 1;
    }
}

static NOINLINE void
small (const int *x, int *y, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      int t[4];
      for (int k = 0; k < 4; k++)
        t[k] = x[i] * k;
      for (int k = 0; k < 4; k++)
        y[i] += t[3 - k] - t[k] * k;
    }
}

static NOINLINE void
row (int n, int m, const float x[n][m], float y[n][m])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      float t[m + 1];
      for (int j = 0; j < m; j++)
        t[j] = x[i][m - 1 - j];
      for (int j = 0; j < m; j++)
        y[i][j] += t[j] * 2;
    }
}

static NOINLINE void
outside (int n, const float *x, float *y)
{
  float t[MOST], s = 0;
#pragma tensor
  {
    for (int i = 0; i < n; i++)
      {
        t[i] = x[i] * 3;
        s += t[i];
      }
    for (int i = 0; i < n; i++)
      y[i] = t[i] - s;
  }
}

static NOINLINE void
accumulators (const float *x, float *y, int n, int m)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      float part[8] = { 0 };
      for (int j = 0; j + 8 <= m; j += 8)
        for (int k = 0; k < 8; k++)
          part[k] += x[i * m + j + k];
      float s = 0;
      for (int k = 0; k < 8; k++)
        s += part[k];
      y[i] = s;
    }
}

static NOINLINE void
unwritten (int *x, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      int t[2];
      t[i % 2] = x[i];
      x[i] = t[i % 2] + 1;
    }
}

static int p[2][128], q[2][128];
static float a[2][AREA], b[2][AREA], c[2][128], d[2][128];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (p);
    FILL (q);
    FILL (c);
    FILL (d);
    BOTH (small, p[W], q[W], n);
    CHECK (q);
    BOTH (outside, n, c[W], d[W]);
    CHECK (d);
    BOTH (unwritten, p[W], n);
    CHECK (p);
    EACH_WIDTH (m)
    {
      FILL (a);
      FILL (b);
      BOTH (row, n, m, (void *) a[W], (void *) b[W]);
      CHECK (b);
      BOTH (accumulators, a[W], d[W], n, m);
      CHECK (d);
    }
  }
  return 0;
}
