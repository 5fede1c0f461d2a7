/* Shows that under fp (strict) every sum keeps its order, bit for bit.  */
/* { dg-additional-options "-ffp-contract=off -fno-fast-math" } */

#include "compare.h"

static NOINLINE float
plain_sum (const float *x, int n)
{
  float s = 0;
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}

static NOINLINE void
plain_product (int n, int m, const float a[n][m], const float b[m][n],
               float c[n][n])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
        c[i][j] = 0;
        for (int k = 0; k < m; k++)
          c[i][j] += a[i][k] * b[k][j];
      }
}

static NOINLINE void
plain_columns (const float *x, float *s, int n, int m)
{
  {
    for (int j = 0; j < m; j++)
      s[j] = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        s[j] += x[i * m + j];
  }
}

static NOINLINE void
plain_norm (const double *x, double *y, int n, int m)
{
  for (int i = 0; i < n; i++)
    {
      double s = 0;
      for (int j = 0; j < m; j++)
        s += x[i * m + j] * x[i * m + j];
      for (int j = 0; j < m; j++)
        y[i * m + j] = x[i * m + j] / sqrt (s + 1);
    }
}

static NOINLINE float
sum (const float *x, int n)
{
  float s = 0;
#pragma tensor fp(strict)
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}

static NOINLINE void
product (int n, int m, const float a[n][m], const float b[m][n], float c[n][n])
{
#pragma tensor fp(strict)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
        c[i][j] = 0;
        for (int k = 0; k < m; k++)
          c[i][j] += a[i][k] * b[k][j];
      }
}

static NOINLINE void
columns (const float *x, float *s, int n, int m)
{
#pragma tensor fp(strict)
  {
    for (int j = 0; j < m; j++)
      s[j] = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        s[j] += x[i * m + j];
  }
}

static NOINLINE void
norm (const double *x, double *y, int n, int m)
{
#pragma tensor fp(strict)
  for (int i = 0; i < n; i++)
    {
      double s = 0;
      for (int j = 0; j < m; j++)
        s += x[i * m + j] * x[i * m + j];
      for (int j = 0; j < m; j++)
        y[i * m + j] = x[i * m + j] / sqrt (s + 1);
    }
}

static float a[2][AREA], b[2][AREA], c[2][AREA];
static double x[2][AREA], y[2][AREA];

int
main (void)
{
  EACH_SIZE (n)
  EACH_WIDTH (m)
  {
    FILL_REAL (a);
    FILL_REAL (b);
    FILL_REAL (c);
    BOTH_EQUAL (sum, a[W], n * m);
    BOTH (columns, a[W], b[W], n, m);
    CHECK (b);
    BOTH (product, n < 33 ? n : 33, m, (void *) a[W], (void *) b[W],
          (void *) c[W]);
    CHECK (c);
    FILL_REAL (x);
    BOTH (norm, x[W], y[W], n, m);
    CHECK (y);
  }
  return 0;
}
