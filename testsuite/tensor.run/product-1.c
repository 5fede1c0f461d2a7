/* Shows that matrix products in all loop orders and transpositions, batched
   and with an epilogue, mean the same.  */

#include "compare.h"

static NOINLINE void
plain_orders (const float *a, const float *b, float *c, int n, int m, int l)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < l; k++)
        c[i * m + j] += a[i * l + k] * b[k * m + j];
  for (int i = 0; i < n; i++)
    for (int k = 0; k < l; k++)
      for (int j = 0; j < m; j++)
        c[i * m + j] += a[i * l + k] * b[j * l + k];
  for (int k = 0; k < l; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        c[i * m + j] += a[k * n + i] * b[k * m + j];
  for (int k = 0; k < l; k++)
    for (int j = 0; j < m; j++)
      for (int i = 0; i < n; i++)
        c[i * m + j] -= a[k * n + i] * b[j * l + k];
}

static NOINLINE void
plain_scalar_form (const float *a, const float *b, const float *bias, float *c,
                   int n, int m, int l, float alpha)
{
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++)
      {
        float s = bias ? bias[j] : 0.0f;
        for (int k = 0; k < l; k++)
          s += a[i * l + k] * b[j * l + k];
        s *= alpha;
        c[i * m + j] = s > 0 ? s : 0;
      }
}

static NOINLINE void
plain_scaled (int n, int m, int l, float alpha, float beta, float c[n][m],
              float a[n][l], float b[l][m])
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < m; j++)
        c[i][j] *= beta;
      for (int k = 0; k < l; k++)
        for (int j = 0; j < m; j++)
          c[i][j] += alpha * a[i][k] * b[k][j];
    }
}

static NOINLINE void
plain_batched (const double *a, const double *b, double *c, int n)
{
  for (int p = 0; p < 3; p++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        {
          double s = 0;
          for (int k = 0; k < n; k++)
            s += a[(p * n + i) * n + k] * b[(p * n + k) * n + j];
          c[(p * n + i) * n + j] = s;
        }
}

static NOINLINE void
plain_integers (const signed char *a, const signed char *b, int *c, int n)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
        int s = 0;
        for (int k = 0; k < n; k++)
          s += a[i * n + k] * b[j * n + k];
        c[i * n + j] = s;
      }
}

static NOINLINE void
orders (const float *a, const float *b, float *c, int n, int m, int l)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < l; k++)
        c[i * m + j] += a[i * l + k] * b[k * m + j];
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int k = 0; k < l; k++)
      for (int j = 0; j < m; j++)
        c[i * m + j] += a[i * l + k] * b[j * l + k];
#pragma tensor
  for (int k = 0; k < l; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        c[i * m + j] += a[k * n + i] * b[k * m + j];
#pragma tensor
  for (int k = 0; k < l; k++)
    for (int j = 0; j < m; j++)
      for (int i = 0; i < n; i++)
        c[i * m + j] -= a[k * n + i] * b[j * l + k];
}

static NOINLINE void
scalar_form (const float *a, const float *b, const float *bias, float *c, int n,
             int m, int l, float alpha)
{
#pragma tensor
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++)
      {
        float s = bias ? bias[j] : 0.0f;
        for (int k = 0; k < l; k++)
          s += a[i * l + k] * b[j * l + k];
        s *= alpha;
        c[i * m + j] = s > 0 ? s : 0;
      }
}

static NOINLINE void
scaled (int n, int m, int l, float alpha, float beta, float c[n][m],
        float a[n][l], float b[l][m])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < m; j++)
        c[i][j] *= beta;
      for (int k = 0; k < l; k++)
        for (int j = 0; j < m; j++)
          c[i][j] += alpha * a[i][k] * b[k][j];
    }
}

static NOINLINE void
batched (const double *a, const double *b, double *c, int n)
{
#pragma tensor
  for (int p = 0; p < 3; p++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        {
          double s = 0;
          for (int k = 0; k < n; k++)
            s += a[(p * n + i) * n + k] * b[(p * n + k) * n + j];
          c[(p * n + i) * n + j] = s;
        }
}

static NOINLINE void
integers (const signed char *a, const signed char *b, int *c, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
        int s = 0;
        for (int k = 0; k < n; k++)
          s += a[i * n + k] * b[j * n + k];
        c[i * n + j] = s;
      }
}

static float a[2][AREA], b[2][AREA], c[2][AREA], bias[2][128];
static double d[2][3 * 33 * 33], e[2][3 * 33 * 33], f[2][3 * 33 * 33];
static signed char p[2][AREA], q[2][AREA];
static int r[2][AREA];

static void
check (int n, int m, int l)
{
  FILL (a);
  FILL (b);
  FILL (c);
  FILL (bias);
  BOTH (orders, a[W], b[W], c[W], n, m, l);
  CHECK (c);
  BOTH (scalar_form, a[W], b[W], bias[W], c[W], n, m, l, 2);
  CHECK (c);
  BOTH (scaled, n, m, l, 2, 3, (void *) c[W], (void *) a[W], (void *) b[W]);
  CHECK (c);
}

int
main (void)
{
  EACH_SMALL (n)
  {
    EACH_SMALL_TOO (m)
    {
      check (n, m, 5);
      check (7, n, m);
      check (m, 17, n);
    }
    FILL (d);
    FILL (e);
    FILL (f);
    BOTH (batched, d[W], e[W], f[W], n);
    CHECK (f);
  }
  EACH_SIZE (n)
  {
    check (n, n, n);
    FILL (p);
    FILL (q);
    FILL (r);
    BOTH (integers, p[W], q[W], r[W], n);
    CHECK (r);
  }
  return 0;
}
