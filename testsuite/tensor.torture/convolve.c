/* A convolution with borders, then the greatest of each square.  */

#include "../tensor.run/compare.h"

static NOINLINE void
plain_convolve (int n, const float *restrict x, const float k[3][3],
                float *restrict y, float *restrict z)
{
  {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        {
          float s = 0;
          for (int p = -1; p <= 1; p++)
            for (int q = -1; q <= 1; q++)
              if (i + p >= 0 && i + p < n && j + q >= 0 && j + q < n)
                s += x[(i + p) * n + j + q] * k[p + 1][q + 1];
          y[i * n + j] = s;
        }
    for (int i = 0; i < n / 2; i++)
      for (int j = 0; j < n / 2; j++)
        {
          float most = y[2 * i * n + 2 * j];
          for (int p = 0; p < 2; p++)
            for (int q = 0; q < 2; q++)
              if (y[(2 * i + p) * n + 2 * j + q] > most)
                most = y[(2 * i + p) * n + 2 * j + q];
          z[i * (n / 2) + j] = most;
        }
  }
}

static NOINLINE void
convolve (int n, const float *restrict x, const float k[3][3],
          float *restrict y, float *restrict z)
{
#pragma tensor
  {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        {
          float s = 0;
          for (int p = -1; p <= 1; p++)
            for (int q = -1; q <= 1; q++)
              if (i + p >= 0 && i + p < n && j + q >= 0 && j + q < n)
                s += x[(i + p) * n + j + q] * k[p + 1][q + 1];
          y[i * n + j] = s;
        }
    for (int i = 0; i < n / 2; i++)
      for (int j = 0; j < n / 2; j++)
        {
          float most = y[2 * i * n + 2 * j];
          for (int p = 0; p < 2; p++)
            for (int q = 0; q < 2; q++)
              if (y[(2 * i + p) * n + 2 * j + q] > most)
                most = y[(2 * i + p) * n + 2 * j + q];
          z[i * (n / 2) + j] = most;
        }
  }
}

static float x[2][33 * 33], y[2][33 * 33], z[2][17 * 17], k[2][9];

int
main (void)
{
  EACH_SMALL (n)
  {
    FILL (x);
    FILL (y);
    FILL (z);
    FILL (k);
    BOTH (convolve, n, x[W], (void *) k[W], y[W], z[W]);
    CHECK (y);
    CHECK (z);
  }
  return 0;
}
