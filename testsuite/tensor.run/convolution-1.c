/* Shows that convolutions in one and two dimensions, with borders, and
   pooling mean the same.  */

#include "compare.h"

static NOINLINE void
plain_one (const float *restrict x, const float *restrict w, float *restrict y,
           int n, int taps)
{
  for (int i = 0; i < n - taps + 1; i++)
    {
      float s = 0;
      for (int k = 0; k < taps; k++)
        s += x[i + k] * w[k];
      y[i] = s;
    }
}

static NOINLINE void
plain_same_size (const int *x, const int *w, int *y, int n)
{
  for (int i = 0; i < n; i++)
    {
      int s = 0;
      for (int k = -2; k <= 2; k++)
        if (i + k >= 0 && i + k < n)
          s += x[i + k] * w[k + 2];
      y[i] = s;
    }
}

static NOINLINE void
plain_clamped (const float *x, float *y, int n)
{
  for (int i = 0; i < n; i++)
    {
      int l = i > 0 ? i - 1 : 0;
      int r = i < n - 1 ? i + 1 : n - 1;
      y[i] = x[l] + 2 * x[i] + x[r];
    }
}

/* The size of what is left is a sum.  */
static NOINLINE void
plain_flat (const float *x, const float *w, float *y, int layers, int n, int k)
{
  int m = n - k + 1;
  for (int o = 0; o < 3; o++)
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++)
        {
          float s = 0;
          for (int l = 0; l < layers; l++)
            for (int u = 0; u < k; u++)
              for (int v = 0; v < k; v++)
                s += x[(l * n + i + u) * n + j + v]
                     * w[((o * layers + l) * k + u) * k + v];
          y[(o * m + i) * m + j] = s;
        }
}

static NOINLINE void
plain_layers (int n, int m, float x[3][n][m], float w[4][3][3][3],
              float y[4][n][m])
{
  for (int o = 0; o < 4; o++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        {
          float s = 0;
          for (int c = 0; c < 3; c++)
            for (int u = 0; u < 3; u++)
              for (int v = 0; v < 3; v++)
                s += x[c][i + u - 1][j + v - 1] * w[o][c][u][v];
          y[o][i][j] = s;
        }
}

static NOINLINE void
plain_flat_strided (const float *restrict x, const float *restrict w,
                    float *restrict y, int n, int m)
{
  int oh = (n - 3) / 2 + 1, ow = (m - 3) / 2 + 1;
  for (int i = 0; i < oh; i++)
    for (int j = 0; j < ow; j++)
      {
        float s = 0;
        for (int u = 0; u < 3; u++)
          for (int v = 0; v < 3; v++)
            s += x[(2 * i + u) * m + 2 * j + v] * w[u * 3 + v];
        y[i * ow + j] = s;
      }
}

static NOINLINE void
plain_pool (int n, float x[2 * n][2 * n], float y[n][n], float z[n][n])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
        float most = -100, sum = 0;
        for (int u = 0; u < 2; u++)
          for (int v = 0; v < 2; v++)
            {
              float a = x[2 * i + u][2 * j + v];
              if (a > most)
                most = a;
              sum += a;
            }
        y[i][j] = most;
        z[i][j] = sum / 4;
      }
}

static NOINLINE void
one (const float *restrict x, const float *restrict w, float *restrict y, int n,
     int taps)
{
#pragma tensor
  for (int i = 0; i < n - taps + 1; i++)
    {
      float s = 0;
      for (int k = 0; k < taps; k++)
        s += x[i + k] * w[k];
      y[i] = s;
    }
}

static NOINLINE void
same_size (const int *x, const int *w, int *y, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      int s = 0;
      for (int k = -2; k <= 2; k++)
        if (i + k >= 0 && i + k < n)
          s += x[i + k] * w[k + 2];
      y[i] = s;
    }
}

static NOINLINE void
clamped (const float *x, float *y, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      int l = i > 0 ? i - 1 : 0;
      int r = i < n - 1 ? i + 1 : n - 1;
      y[i] = x[l] + 2 * x[i] + x[r];
    }
}

static NOINLINE void
flat (const float *x, const float *w, float *y, int layers, int n, int k)
{
  int m = n - k + 1;
#pragma tensor
  for (int o = 0; o < 3; o++)
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++)
        {
          float s = 0;
          for (int l = 0; l < layers; l++)
            for (int u = 0; u < k; u++)
              for (int v = 0; v < k; v++)
                s += x[(l * n + i + u) * n + j + v]
                     * w[((o * layers + l) * k + u) * k + v];
          y[(o * m + i) * m + j] = s;
        }
}

static NOINLINE void
layers (int n, int m, float x[3][n][m], float w[4][3][3][3], float y[4][n][m])
{
#pragma tensor
  for (int o = 0; o < 4; o++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        {
          float s = 0;
          for (int c = 0; c < 3; c++)
            for (int u = 0; u < 3; u++)
              for (int v = 0; v < 3; v++)
                s += x[c][i + u - 1][j + v - 1] * w[o][c][u][v];
          y[o][i][j] = s;
        }
}

static NOINLINE void
flat_strided (const float *restrict x, const float *restrict w,
              float *restrict y, int n, int m)
{
  int oh = (n - 3) / 2 + 1, ow = (m - 3) / 2 + 1;
#pragma tensor
  for (int i = 0; i < oh; i++)
    for (int j = 0; j < ow; j++)
      {
        float s = 0;
        for (int u = 0; u < 3; u++)
          for (int v = 0; v < 3; v++)
            s += x[(2 * i + u) * m + 2 * j + v] * w[u * 3 + v];
        y[i * ow + j] = s;
      }
}

static NOINLINE void
pool (int n, float x[2 * n][2 * n], float y[n][n], float z[n][n])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
        float most = -100, sum = 0;
        for (int u = 0; u < 2; u++)
          for (int v = 0; v < 2; v++)
            {
              float a = x[2 * i + u][2 * j + v];
              if (a > most)
                most = a;
              sum += a;
            }
        y[i][j] = most;
        z[i][j] = sum / 4;
      }
}

static float a[2][3 * 33 * 33], w[2][4 * 27], b[2][4 * 33 * 33], c[2][AREA];
static int p[2][128], q[2][5], r[2][128];

int
main (void)
{
  FILL (w);
  FILL (q);
  EACH_SIZE (n)
  {
    FILL (a);
    FILL (b);
    FILL (p);
    FILL (r);
    for (int taps = 1; taps < 8; taps++)
      BOTH (one, a[W], w[W], b[W], n, taps);
    CHECK (b);
    BOTH (clamped, a[W], b[W], n);
    CHECK (b);
    BOTH (same_size, p[W], q[W], r[W], n);
    CHECK (r);
  }
  EACH_SMALL (n)
  {
    FILL (c);
    FILL (a);
    FILL (b);
    if (n > 0)
      BOTH (pool, n < 28 ? n : 28, (void *) a[W], (void *) b[W], (void *) c[W]);
    CHECK (b);
    CHECK (c);
    EACH_SMALL_TOO (m)
    {
      FILL (b);
      BOTH (layers, n, m, (void *) a[W], (void *) w[W], (void *) b[W]);
      CHECK (b);
      FILL (b);
      if (n >= m && m < 4)
        BOTH (flat, a[W], w[W], b[W], 2, n, m);
      CHECK (b);
      FILL (b);
      if (n > 2 && m > 2)
        BOTH (flat_strided, a[W], w[W], b[W], n, m);
      CHECK (b);
    }
  }
  return 0;
}
