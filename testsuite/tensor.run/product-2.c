/* Shows that triangular products and products with vectors mean the same.  */

#include "compare.h"

static NOINLINE void
plain_syrk (int n, int m, double alpha, double beta, double c[n][n],
            double a[n][m])
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j <= i; j++)
        c[i][j] *= beta;
      for (int k = 0; k < m; k++)
        for (int j = 0; j <= i; j++)
          c[i][j] += alpha * a[i][k] * a[j][k];
    }
}

static NOINLINE void
plain_trmm (int n, int m, float alpha, float a[n][n], float b[n][m])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        for (int k = i + 1; k < n; k++)
          b[i][j] += a[k][i] * b[k][j];
        b[i][j] = alpha * b[i][j];
      }
}

static NOINLINE void
plain_symm (int n, int m, double alpha, double beta, double c[n][m],
            double a[n][n], double b[n][m])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        double t = 0;
        for (int k = 0; k < i; k++)
          {
            c[k][j] += alpha * b[i][j] * a[i][k];
            t += b[k][j] * a[i][k];
          }
        c[i][j] = beta * c[i][j] + alpha * b[i][j] * a[i][i] + alpha * t;
      }
}

static NOINLINE void
plain_gemver (int n, float a[n][n], float *u, float *v, float *w, float *x,
              float *y, float *z)
{
  {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        a[i][j] = a[i][j] + u[i] * v[j] + w[i] * z[j];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        x[i] = x[i] + 2 * a[j][i] * y[j];
    for (int i = 0; i < n; i++)
      x[i] = x[i] + z[i];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        w[i] = w[i] + a[i][j] * x[j];
  }
}

static NOINLINE void
plain_bicg (int n, int m, float a[n][m], float *s, float *q, float *p, float *r)
{
  {
    for (int i = 0; i < m; i++)
      s[i] = 0;
    for (int i = 0; i < n; i++)
      {
        q[i] = 0;
        for (int j = 0; j < m; j++)
          {
            s[j] = s[j] + r[i] * a[i][j];
            q[i] = q[i] + a[i][j] * p[j];
          }
      }
  }
}

static NOINLINE void
plain_atax (int n, int m, float a[n][m], float *x, float *y, float *t)
{
  {
    for (int i = 0; i < m; i++)
      y[i] = 0;
    for (int i = 0; i < n; i++)
      {
        t[i] = 0;
        for (int j = 0; j < m; j++)
          t[i] = t[i] + a[i][j] * x[j];
        for (int j = 0; j < m; j++)
          y[j] = y[j] + a[i][j] * t[i];
      }
  }
}

static NOINLINE void
plain_by_columns (const float *a, const float *x, float *y, int n, int m)
{
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++)
      y[i] += a[i * m + j] * x[j];
}

static NOINLINE void
syrk (int n, int m, double alpha, double beta, double c[n][n], double a[n][m])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j <= i; j++)
        c[i][j] *= beta;
      for (int k = 0; k < m; k++)
        for (int j = 0; j <= i; j++)
          c[i][j] += alpha * a[i][k] * a[j][k];
    }
}

static NOINLINE void
trmm (int n, int m, float alpha, float a[n][n], float b[n][m])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        for (int k = i + 1; k < n; k++)
          b[i][j] += a[k][i] * b[k][j];
        b[i][j] = alpha * b[i][j];
      }
}

static NOINLINE void
symm (int n, int m, double alpha, double beta, double c[n][m], double a[n][n],
      double b[n][m])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        double t = 0;
        for (int k = 0; k < i; k++)
          {
            c[k][j] += alpha * b[i][j] * a[i][k];
            t += b[k][j] * a[i][k];
          }
        c[i][j] = beta * c[i][j] + alpha * b[i][j] * a[i][i] + alpha * t;
      }
}

static NOINLINE void
gemver (int n, float a[n][n], float *u, float *v, float *w, float *x, float *y,
        float *z)
{
#pragma tensor
  {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        a[i][j] = a[i][j] + u[i] * v[j] + w[i] * z[j];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        x[i] = x[i] + 2 * a[j][i] * y[j];
    for (int i = 0; i < n; i++)
      x[i] = x[i] + z[i];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        w[i] = w[i] + a[i][j] * x[j];
  }
}

static NOINLINE void
bicg (int n, int m, float a[n][m], float *s, float *q, float *p, float *r)
{
#pragma tensor
  {
    for (int i = 0; i < m; i++)
      s[i] = 0;
    for (int i = 0; i < n; i++)
      {
        q[i] = 0;
        for (int j = 0; j < m; j++)
          {
            s[j] = s[j] + r[i] * a[i][j];
            q[i] = q[i] + a[i][j] * p[j];
          }
      }
  }
}

static NOINLINE void
atax (int n, int m, float a[n][m], float *x, float *y, float *t)
{
#pragma tensor
  {
    for (int i = 0; i < m; i++)
      y[i] = 0;
    for (int i = 0; i < n; i++)
      {
        t[i] = 0;
        for (int j = 0; j < m; j++)
          t[i] = t[i] + a[i][j] * x[j];
        for (int j = 0; j < m; j++)
          y[j] = y[j] + a[i][j] * t[i];
      }
  }
}

static NOINLINE void
by_columns (const float *a, const float *x, float *y, int n, int m)
{
#pragma tensor
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++)
      y[i] += a[i * m + j] * x[j];
}

static float a[2][AREA], b[2][AREA], u[2][128], v[2][128], w[2][128], x[2][128],
  y[2][128], z[2][128];
static double c[2][AREA], d[2][AREA], e[2][AREA];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (a);
    FILL (u);
    FILL (v);
    FILL_BELOW (w, 3);
    FILL_BELOW (x, 3);
    FILL_BELOW (y, 3);
    FILL_BELOW (z, 3);
    FILL_BELOW (u, 2);
    FILL_BELOW (v, 2);
    BOTH (gemver, n, (void *) a[W], u[W], v[W], w[W], x[W], y[W], z[W]);
    CHECK (a);
    CHECK (x);
    CHECK_NEAR (w, 1e-5);
    EACH_WIDTH (m)
    {
      FILL (a);
      FILL (b);
      FILL (x);
      FILL (y);
      FILL (c);
      FILL (d);
      FILL (e);
      BOTH (syrk, n, m, 2, 3, (void *) c[W], (void *) d[W]);
      CHECK (c);
      BOTH (symm, n, m, 2, 3, (void *) c[W], (void *) d[W], (void *) e[W]);
      CHECK (c);
      BOTH (bicg, n, m, (void *) a[W], u[W], v[W], x[W], y[W]);
      CHECK (u);
      CHECK (v);
      BOTH (atax, n, m, (void *) a[W], x[W], u[W], v[W]);
      CHECK_NEAR (u, 1e-5);
      CHECK (v);
      BOTH (by_columns, a[W], x[W], y[W], n, m);
      CHECK (y);
      FILL_BELOW (a, 2);
      FILL_BELOW (b, 2);
      BOTH (trmm, n < 20 ? n : 20, m, 1, (void *) a[W], (void *) b[W]);
      CHECK (b);
    }
  }
  return 0;
}
