/* Norms of rows: a mean, a variance, a root.  */

#include "../tensor.run/compare.h"

static NOINLINE void
plain_norm (float *restrict out, const float *restrict in,
            const float *restrict weight, int n, int m)
{
  for (int i = 0; i < n; i++)
    {
      const float *row = in + i * m;
      float mean = 0, variance = 0;
      for (int j = 0; j < m; j++)
        mean += row[j];
      mean /= m;
      for (int j = 0; j < m; j++)
        variance += (row[j] - mean) * (row[j] - mean);
      float scale = 1 / sqrtf (variance / m + 1e-2f);
      for (int j = 0; j < m; j++)
        out[i * m + j] = (row[j] - mean) * scale * weight[j];
    }
}

static NOINLINE void
norm (float *restrict out, const float *restrict in,
      const float *restrict weight, int n, int m)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      const float *row = in + i * m;
      float mean = 0, variance = 0;
      for (int j = 0; j < m; j++)
        mean += row[j];
      mean /= m;
      for (int j = 0; j < m; j++)
        variance += (row[j] - mean) * (row[j] - mean);
      float scale = 1 / sqrtf (variance / m + 1e-2f);
      for (int j = 0; j < m; j++)
        out[i * m + j] = (row[j] - mean) * scale * weight[j];
    }
}

static float x[2][33 * 33], y[2][33 * 33], w[2][33];

int
main (void)
{
  EACH_SMALL (n)
  EACH_SMALL_TOO (m)
  {
    FILL_REAL (x);
    FILL_REAL (y);
    FILL_REAL (w);
    BOTH (norm, y[W], x[W], w[W], n, m);
    CHECK_NEAR (y, 4e-6);
  }
  return 0;
}
