/* Shows that sums over rows which stay in lanes from row to row mean the same:
   those of a convolution's weights, rows of any length, none, and sums that are
   read between.  */

#include "compare.h"

static NOINLINE void
plain_taps (int p, int e, const float x[restrict p][e + 2][e + 2],
            const float y[restrict p][e][e], float w[restrict p][p][3][3])
{
  for (int o = 0; o < p; o++)
    for (int c = 0; c < p; c++)
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
          for (int i = 0; i < e; i++)
            for (int j = 0; j < e; j++)
              w[o][c][k][l] += y[o][i][j] * x[c][i + k][j + l];
}

static NOINLINE void
taps (int p, int e, const float x[restrict p][e + 2][e + 2],
      const float y[restrict p][e][e], float w[restrict p][p][3][3])
{
#pragma tensor
  for (int o = 0; o < p; o++)
    for (int c = 0; c < p; c++)
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
          for (int i = 0; i < e; i++)
            for (int j = 0; j < e; j++)
              w[o][c][k][l] += y[o][i][j] * x[c][i + k][j + l];
}

static NOINLINE void
plain_running (int n, int m, const float x[restrict n][m], float *restrict s,
               float *restrict y)
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < m; j++)
        s[3] += x[i][j];
      y[i] = s[3];
      for (int j = 0; j < m; j++)
        s[i % 2] += x[i][j];
    }
}

static NOINLINE void
running (int n, int m, const float x[restrict n][m], float *restrict s,
         float *restrict y)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < m; j++)
        s[3] += x[i][j];
      y[i] = s[3];
      for (int j = 0; j < m; j++)
        s[i % 2] += x[i][j];
    }
}

static float x[2][8 * 36 * 36], y[2][AREA], w[2][8 * 8 * 9], s[2][4];

int
main (void)
{
  FILL (x);
  for (int p = 0; p < 8; p += 1 + 2 * (p > 1))
    EACH_SMALL (e)
    {
      FILL (y);
      FILL (w);
      BOTH (taps, p, (int) e, (void *) x[W], (void *) y[W], (void *) w[W]);
      CHECK (w);
    }
  EACH_SMALL (n)
  EACH_SMALL_TOO (m)
  {
    FILL (y);
    FILL (s);
    BOTH (running, (int) n, (int) m, (void *) x[W], s[W], y[W]);
    CHECK (y);
    CHECK (s);
  }
  return 0;
}
