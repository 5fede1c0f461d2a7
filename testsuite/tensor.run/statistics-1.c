/* Shows that covariance, correlation and pairwise distances mean the same.  */

#include "compare.h"

static NOINLINE void
plain_covariance (int n, int m, double data[n][m], double c[m][m], double *mean)
{
  {
    for (int j = 0; j < m; j++)
      {
        mean[j] = 0.0;
        for (int i = 0; i < n; i++)
          mean[j] += data[i][j];
        mean[j] /= n;
      }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        data[i][j] -= mean[j];
    for (int i = 0; i < m; i++)
      for (int j = i; j < m; j++)
        {
          c[i][j] = 0.0;
          for (int k = 0; k < n; k++)
            c[i][j] += data[k][i] * data[k][j];
          c[i][j] /= n - 1.0;
          c[j][i] = c[i][j];
        }
  }
}

static NOINLINE void
plain_deviation (int n, int m, double data[n][m], double *mean, double *dev)
{
  for (int j = 0; j < m; j++)
    {
      dev[j] = 0;
      for (int i = 0; i < n; i++)
        dev[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
      dev[j] = sqrt (dev[j] / n);
      dev[j] = dev[j] <= 0.1 ? 1.0 : dev[j];
    }
}

static NOINLINE void
plain_pairwise (const float *a, const float *b, float *out, int n, int m, int d)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        float s = 0;
        for (int k = 0; k < d; k++)
          {
            float t = a[i * d + k] - b[j * d + k];
            s += t * t;
          }
        out[i * m + j] = s;
      }
}

static NOINLINE void
plain_assign (const float *restrict x, const float *restrict c,
              int *restrict label, int n, int k, int d)
{
  for (int i = 0; i < n; i++)
    {
      float best = 1e30f;
      int at = 0;
      for (int q = 0; q < k; q++)
        {
          float s = 0;
          for (int e = 0; e < d; e++)
            {
              float t = x[i * d + e] - c[q * d + e];
              s += t * t;
            }
          if (s < best)
            {
              best = s;
              at = q;
            }
        }
      label[i] = at;
    }
}

static NOINLINE void
covariance (int n, int m, double data[n][m], double c[m][m], double *mean)
{
#pragma tensor
  {
    for (int j = 0; j < m; j++)
      {
        mean[j] = 0.0;
        for (int i = 0; i < n; i++)
          mean[j] += data[i][j];
        mean[j] /= n;
      }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        data[i][j] -= mean[j];
    for (int i = 0; i < m; i++)
      for (int j = i; j < m; j++)
        {
          c[i][j] = 0.0;
          for (int k = 0; k < n; k++)
            c[i][j] += data[k][i] * data[k][j];
          c[i][j] /= n - 1.0;
          c[j][i] = c[i][j];
        }
  }
}

static NOINLINE void
deviation (int n, int m, double data[n][m], double *mean, double *dev)
{
#pragma tensor
  for (int j = 0; j < m; j++)
    {
      dev[j] = 0;
      for (int i = 0; i < n; i++)
        dev[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
      dev[j] = sqrt (dev[j] / n);
      dev[j] = dev[j] <= 0.1 ? 1.0 : dev[j];
    }
}

static NOINLINE void
pairwise (const float *a, const float *b, float *out, int n, int m, int d)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        float s = 0;
        for (int k = 0; k < d; k++)
          {
            float t = a[i * d + k] - b[j * d + k];
            s += t * t;
          }
        out[i * m + j] = s;
      }
}

static NOINLINE void
assign (const float *restrict x, const float *restrict c, int *restrict label,
        int n, int k, int d)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      float best = 1e30f;
      int at = 0;
      for (int q = 0; q < k; q++)
        {
          float s = 0;
          for (int e = 0; e < d; e++)
            {
              float t = x[i * d + e] - c[q * d + e];
              s += t * t;
            }
          if (s < best)
            {
              best = s;
              at = q;
            }
        }
      label[i] = at;
    }
}

static double x[2][AREA], c[2][AREA], mean[2][128], dev[2][128];
static float a[2][AREA], b[2][AREA], o[2][AREA];
static int l[2][128];

int
main (void)
{
  EACH_SMALL (n)
  EACH_SMALL_TOO (m)
  {
    FILL (a);
    FILL (b);
    FILL (o);
    FILL (l);
    BOTH (pairwise, a[W], b[W], o[W], n, m, 7);
    CHECK (o);
    BOTH (pairwise, a[W], b[W], o[W], 5, m, n);
    CHECK (o);
    BOTH (assign, a[W], b[W], l[W], n, 10, m);
    CHECK (l);
    if (n < 2)
      continue;
    FILL_REAL (x);
    FILL_REAL (c);
    BOTH (covariance, n, m, (void *) x[W], (void *) c[W], mean[W]);
    CHECK_NEAR (c, 1e-12);
    FILL_REAL (x);
    BOTH (deviation, n, m, (void *) x[W], mean[W], dev[W]);
    CHECK_NEAR (dev, 1e-12);
  }
  return 0;
}
