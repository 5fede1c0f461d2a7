/* Shows that LU, Cholesky, triangular solutions and Floyd-Warshall mean the
   same.  */
/* { dg-additional-options "-ffp-contract=off" } */

#include "compare.h"

static NOINLINE void
plain_lu (int n, double a[n][n])
{
  for (int k = 0; k < n; k++)
    {
      for (int i = k + 1; i < n; i++)
        a[i][k] /= a[k][k];
      for (int i = k + 1; i < n; i++)
        for (int j = k + 1; j < n; j++)
          a[i][j] -= a[i][k] * a[k][j];
    }
}

static NOINLINE void
plain_cholesky (int n, double a[n][n])
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < i; j++)
        {
          for (int k = 0; k < j; k++)
            a[i][j] -= a[i][k] * a[j][k];
          a[i][j] /= a[j][j];
        }
      for (int k = 0; k < i; k++)
        a[i][i] -= a[i][k] * a[i][k];
      a[i][i] = sqrt (a[i][i]);
    }
}

static NOINLINE void
plain_solve (int n, const double *l, const double *b, double *x)
{
  for (int i = 0; i < n; i++)
    {
      x[i] = b[i];
      for (int j = 0; j < i; j++)
        x[i] -= l[i * n + j] * x[j];
      x[i] = x[i] / l[i * n + i];
    }
}

static NOINLINE void
plain_solve_back (int n, const double *l, double *x)
{
  for (int i = n - 1; i >= 0; i--)
    {
      double s = x[i];
      for (int j = i + 1; j < n; j++)
        s -= l[j * n + i] * x[j];
      x[i] = s / l[i * n + i];
    }
}

static NOINLINE void
plain_shortest (int n, int d[n][n])
{
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        d[i][j] = d[i][j] < d[i][k] + d[k][j] ? d[i][j] : d[i][k] + d[k][j];
}

static NOINLINE void
plain_shortest_flat (int *d, int n)
{
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        if (d[i * n + k] + d[k * n + j] < d[i * n + j])
          d[i * n + j] = d[i * n + k] + d[k * n + j];
}

static NOINLINE void
plain_gram_schmidt (int n, int m, double a[n][m], double r[m][m],
                    double q[n][m])
{
  for (int k = 0; k < m; k++)
    {
      double norm = 0;
      for (int i = 0; i < n; i++)
        norm += a[i][k] * a[i][k];
      r[k][k] = sqrt (norm);
      for (int i = 0; i < n; i++)
        q[i][k] = a[i][k] / r[k][k];
      for (int j = k + 1; j < m; j++)
        {
          r[k][j] = 0;
          for (int i = 0; i < n; i++)
            r[k][j] += q[i][k] * a[i][j];
          for (int i = 0; i < n; i++)
            a[i][j] = a[i][j] - q[i][k] * r[k][j];
        }
    }
}

static NOINLINE void
lu (int n, double a[n][n])
{
#pragma tensor
  for (int k = 0; k < n; k++)
    {
      for (int i = k + 1; i < n; i++)
        a[i][k] /= a[k][k];
      for (int i = k + 1; i < n; i++)
        for (int j = k + 1; j < n; j++)
          a[i][j] -= a[i][k] * a[k][j];
    }
}

static NOINLINE void
cholesky (int n, double a[n][n])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < i; j++)
        {
          for (int k = 0; k < j; k++)
            a[i][j] -= a[i][k] * a[j][k];
          a[i][j] /= a[j][j];
        }
      for (int k = 0; k < i; k++)
        a[i][i] -= a[i][k] * a[i][k];
      a[i][i] = sqrt (a[i][i]);
    }
}

static NOINLINE void
solve (int n, const double *l, const double *b, double *x)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      x[i] = b[i];
      for (int j = 0; j < i; j++)
        x[i] -= l[i * n + j] * x[j];
      x[i] = x[i] / l[i * n + i];
    }
}

static NOINLINE void
solve_back (int n, const double *l, double *x)
{
#pragma tensor
  for (int i = n - 1; i >= 0; i--)
    {
      double s = x[i];
      for (int j = i + 1; j < n; j++)
        s -= l[j * n + i] * x[j];
      x[i] = s / l[i * n + i];
    }
}

static NOINLINE void
shortest (int n, int d[n][n])
{
#pragma tensor
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        d[i][j] = d[i][j] < d[i][k] + d[k][j] ? d[i][j] : d[i][k] + d[k][j];
}

static NOINLINE void
shortest_flat (int *d, int n)
{
#pragma tensor
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        if (d[i * n + k] + d[k * n + j] < d[i * n + j])
          d[i * n + j] = d[i * n + k] + d[k * n + j];
}

static NOINLINE void
gram_schmidt (int n, int m, double a[n][m], double r[m][m], double q[n][m])
{
#pragma tensor
  for (int k = 0; k < m; k++)
    {
      double norm = 0;
      for (int i = 0; i < n; i++)
        norm += a[i][k] * a[i][k];
      r[k][k] = sqrt (norm);
      for (int i = 0; i < n; i++)
        q[i][k] = a[i][k] / r[k][k];
      for (int j = k + 1; j < m; j++)
        {
          r[k][j] = 0;
          for (int i = 0; i < n; i++)
            r[k][j] += q[i][k] * a[i][j];
          for (int i = 0; i < n; i++)
            a[i][j] = a[i][j] - q[i][k] * r[k][j];
        }
    }
}

static double a[2][AREA], b[2][128], x[2][128], q[2][AREA], r[2][AREA];
static int d[2][AREA];

static void
fill (int n)
{
  FILL_REAL (a);
  for (int w = 0; w < 2; w++)
    {
      for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
          a[w][i * n + j] = a[w][j * n + i];
      for (int i = 0; i < n; i++)
        a[w][i * n + i] = n + 2;
    }
}

int
main (void)
{
  EACH_SIZE (n)
  {
    fill (n);
    BOTH (lu, n, (void *) a[W]);
    CHECK_NEAR (a, 1e-12);
    fill (n);
    BOTH (cholesky, n, (void *) a[W]);
    CHECK_NEAR (a, 1e-12);
    fill (n);
    FILL_REAL (b);
    FILL_REAL (x);
    BOTH (solve, n, a[W], b[W], x[W]);
    CHECK_NEAR (x, 1e-12);
    BOTH (solve_back, n, a[W], x[W]);
    CHECK_NEAR (x, 1e-12);
    FILL_BELOW (d, 1000);
    BOTH (shortest, n, (void *) d[W]);
    CHECK (d);
    FILL_BELOW (d, 1000);
    BOTH (shortest_flat, d[W], n);
    CHECK (d);
    fill (n);
    FILL_REAL (q);
    FILL_REAL (r);
    BOTH (gram_schmidt, n, n / 2, (void *) a[W], (void *) r[W], (void *) q[W]);
    CHECK_NEAR (q, 1e-7);
    CHECK_NEAR (r, 1e-7);
  }
  return 0;
}
