/* Shows that softmax, log-softmax, layer norm, RMS norm and batch norm mean
   the same but for rounding.  */

#include "compare.h"

static NOINLINE void
plain_softmax (const float *x, float *y, int n, int m)
{
  for (int i = 0; i < n; i++)
    {
      const float *from = x + i * m;
      float *to = y + i * m;
      float most = -1e30f;
      for (int j = 0; j < m; j++)
        if (from[j] > most)
          most = from[j];
      float sum = 0;
      for (int j = 0; j < m; j++)
        {
          to[j] = expf (from[j] - most);
          sum += to[j];
        }
      for (int j = 0; j < m; j++)
        to[j] /= sum;
    }
}

static NOINLINE void
plain_softmax_vla (int n, int m, float x[n][m])
{
  int i, j;
  for (i = 0; i < n; i++)
    {
      double most = x[i][0], sum = 0;
      for (j = 1; j < m; j++)
        most = x[i][j] > most ? x[i][j] : most;
      for (j = 0; j < m; j++)
        sum += exp (x[i][j] - most);
      for (j = 0; j < m; j++)
        x[i][j] = exp (x[i][j] - most) / sum;
    }
}

static NOINLINE void
plain_layer_norm (const float *x, const float *w, const float *b, float *y,
                  float *mean, float *rstd, int n, int m)
{
  float eps = 1e-5f;
  for (int i = 0; i < n; i++)
    {
      const float *row = x + i * m;
      float s = 0.0f;
      for (int j = 0; j < m; j++)
        s += row[j];
      s = s / m;
      float v = 0.0f;
      for (int j = 0; j < m; j++)
        {
          float shift = row[j] - s;
          v += shift * shift;
        }
      v = v / m;
      float r = 1.0f / sqrtf (v + eps);
      for (int j = 0; j < m; j++)
        {
          float norm = r * (row[j] - s);
          y[i * m + j] = norm * w[j] + b[j];
        }
      mean[i] = s;
      rstd[i] = r;
    }
}

static NOINLINE void
plain_rms_norm (float *o, float *x, float *weight, int size)
{
  {
    float ss = 0.0f;
    for (int j = 0; j < size; j++)
      ss += x[j] * x[j];
    ss /= size;
    ss += 1e-5f;
    ss = 1.0f / sqrtf (ss);
    for (int j = 0; j < size; j++)
      o[j] = weight[j] * (ss * x[j]);
  }
}

static NOINLINE void
plain_batch_norm (const float *x, float *y, int n, int m)
{
  for (int j = 0; j < m; j++)
    {
      float mean = 0, var = 0;
      for (int i = 0; i < n; i++)
        mean += x[i * m + j];
      mean /= n;
      for (int i = 0; i < n; i++)
        var += (x[i * m + j] - mean) * (x[i * m + j] - mean);
      var /= n;
      for (int i = 0; i < n; i++)
        y[i * m + j] = (x[i * m + j] - mean) / sqrtf (var + 1e-3f);
    }
}

static NOINLINE float
plain_loss (const float *x, const int *target, int n, int m)
{
  float total = 0;
  for (int i = 0; i < n; i++)
    {
      float most = -1e30f, sum = 0;
      for (int j = 0; j < m; j++)
        if (x[i * m + j] > most)
          most = x[i * m + j];
      for (int j = 0; j < m; j++)
        sum += expf (x[i * m + j] - most);
      total += logf (sum) + most - x[i * m + target[i]];
    }
  return total;
}

static NOINLINE void
softmax (const float *x, float *y, int n, int m)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      const float *from = x + i * m;
      float *to = y + i * m;
      float most = -1e30f;
      for (int j = 0; j < m; j++)
        if (from[j] > most)
          most = from[j];
      float sum = 0;
      for (int j = 0; j < m; j++)
        {
          to[j] = expf (from[j] - most);
          sum += to[j];
        }
      for (int j = 0; j < m; j++)
        to[j] /= sum;
    }
}

static NOINLINE void
softmax_vla (int n, int m, float x[n][m])
{
  int i, j;
#pragma tensor
  for (i = 0; i < n; i++)
    {
      double most = x[i][0], sum = 0;
      for (j = 1; j < m; j++)
        most = x[i][j] > most ? x[i][j] : most;
      for (j = 0; j < m; j++)
        sum += exp (x[i][j] - most);
      for (j = 0; j < m; j++)
        x[i][j] = exp (x[i][j] - most) / sum;
    }
}

static NOINLINE void
layer_norm (const float *x, const float *w, const float *b, float *y,
            float *mean, float *rstd, int n, int m)
{
  float eps = 1e-5f;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      const float *row = x + i * m;
      float s = 0.0f;
      for (int j = 0; j < m; j++)
        s += row[j];
      s = s / m;
      float v = 0.0f;
      for (int j = 0; j < m; j++)
        {
          float shift = row[j] - s;
          v += shift * shift;
        }
      v = v / m;
      float r = 1.0f / sqrtf (v + eps);
      for (int j = 0; j < m; j++)
        {
          float norm = r * (row[j] - s);
          y[i * m + j] = norm * w[j] + b[j];
        }
      mean[i] = s;
      rstd[i] = r;
    }
}

static NOINLINE void
rms_norm (float *o, float *x, float *weight, int size)
{
#pragma tensor
  {
    float ss = 0.0f;
    for (int j = 0; j < size; j++)
      ss += x[j] * x[j];
    ss /= size;
    ss += 1e-5f;
    ss = 1.0f / sqrtf (ss);
    for (int j = 0; j < size; j++)
      o[j] = weight[j] * (ss * x[j]);
  }
}

static NOINLINE void
batch_norm (const float *x, float *y, int n, int m)
{
#pragma tensor
  for (int j = 0; j < m; j++)
    {
      float mean = 0, var = 0;
      for (int i = 0; i < n; i++)
        mean += x[i * m + j];
      mean /= n;
      for (int i = 0; i < n; i++)
        var += (x[i * m + j] - mean) * (x[i * m + j] - mean);
      var /= n;
      for (int i = 0; i < n; i++)
        y[i * m + j] = (x[i * m + j] - mean) / sqrtf (var + 1e-3f);
    }
}

static NOINLINE float
loss (const float *x, const int *target, int n, int m)
{
  float total = 0;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      float most = -1e30f, sum = 0;
      for (int j = 0; j < m; j++)
        if (x[i * m + j] > most)
          most = x[i * m + j];
      for (int j = 0; j < m; j++)
        sum += expf (x[i * m + j] - most);
      total += logf (sum) + most - x[i * m + target[i]];
    }
  return total;
}

static float x[2][AREA], y[2][AREA], w[2][128], b[2][128], mean[2][128],
  rstd[2][128], l[2][1];
static int t[2][128];

int
main (void)
{
  FILL_REAL (w);
  FILL_REAL (b);
  EACH_SIZE (n)
  EACH_WIDTH (m)
  {
    if (n == 0 || m == 0)
      continue;
    FILL_REAL (x);
    FILL_REAL (y);
    FILL_REAL (mean);
    FILL_REAL (rstd);
    BOTH (softmax, x[W], y[W], n, m);
    CHECK_NEAR (y, 2e-6);
    BOTH (layer_norm, x[W], w[W], b[W], y[W], mean[W], rstd[W], n, m);
    CHECK_NEAR (mean, 1e-6);
    if (m > 1)
      {
        CHECK_NEAR (rstd, 2e-4);
        CHECK_NEAR (y, 2e-4);
      }
    FILL_REAL (y);
    BOTH (batch_norm, x[W], y[W], n, m);
    CHECK_NEAR (y, 2e-5);
    FILL_BELOW (t, m);
    l[0][0] = plain_loss (x[0], t[0], n, m);
    l[1][0] = loss (x[1], t[1], n, m);
    CHECK_NEAR (l, 1e-5);
    BOTH (softmax_vla, n, m, (void *) x[W]);
    CHECK_NEAR (x, 1e-6);
    FILL_REAL (y);
    BOTH (rms_norm, y[W], x[W], w[W], m);
    CHECK_NEAR (y, 1e-4);
  }
  return 0;
}
