/* Shows that loops over a window around those over an image mean the same, where
   several conditions make its borders: windows larger than the image, and
   windows that are turned round.  */

#include "compare.h"

#define COLUMNS(U, V)                                                          \
  for (int u = 0; u < k; u++)                                                  \
    for (int v = 0; v < k; v++)                                                \
      for (int i = 0; i < n; i++)                                              \
        for (int j = 0; j < m; j++)                                            \
          {                                                                    \
            int a = i + (U), b = j + (V);                                      \
            int inside = a >= 0 && b >= 0 && a < n && b < m;                   \
            y[((u * k + v) * n + i) * m + j] = inside ? x[a * m + b] : 0;      \
          }

static NOINLINE void
plain_columns (int n, int m, int k, const float *x, float *y)
{
  COLUMNS (u - 1, v - 1)
}

static NOINLINE void
columns (int n, int m, int k, const float *x, float *y)
{
#pragma tensor
  COLUMNS (u - 1, v - 1)
}

static NOINLINE void
plain_turned (int n, int m, int k, const float *x, float *y)
{
  COLUMNS (k - 2 - u, k - 2 - v)
}

static NOINLINE void
turned (int n, int m, int k, const float *x, float *y)
{
#pragma tensor
  COLUMNS (k - 2 - u, k - 2 - v)
}

static float x[2][33 * 33], y[2][36 * 33 * 33];

int
main (void)
{
  FILL (x);
  for (size_t a = 0; a < LENGTH (small_sizes); a++)
    for (size_t b = 0; b < LENGTH (small_sizes); b++)
      for (int k = 0; k <= 6; k++)
        {
          int n = current[0] = small_sizes[a], m = current[1] = small_sizes[b];
          FILL (y);
          BOTH (columns, n, m, k, x[W], y[W]);
          CHECK (y);
          FILL (y);
          BOTH (turned, n, m, k, x[W], y[W]);
          CHECK (y);
        }
  return 0;
}
