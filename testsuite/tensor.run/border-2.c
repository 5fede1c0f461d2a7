/* Shows that loops whose inner loops go over borders, clamped, mirrored, left
   out, wrapped around, mean the same when their borders are taken off: windows
   of unknown length, longer than rows, of none; in one and two dimensions; up
   to what data says, which stays.  */

#include "compare.h"

static NOINLINE void
plain_clamp (int n, int m, int r, const float *restrict x,
             const float *restrict g, float *restrict y)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        float t = 0;
        for (int k = -r; k <= r; k++)
          {
            int q = j + k;
            q = q < 0 ? 0 : q >= m ? m - 1 : q;
            t += g[k + r] * x[i * m + q];
          }
        y[i * m + j] = t;
      }
}

static NOINLINE void
plain_mirror (int n, int m, int r, const float *restrict x,
              const float *restrict g, float *restrict y)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        float t = 0;
        for (int k = 0; k < r; k++)
          {
            int q = j - k;
            if (q < 0)
              q = -q;
            t += g[k] * x[i * m + q];
          }
        y[i * m + j] += t;
      }
}

static NOINLINE void
plain_pad (int n, int m, int r, const float *restrict x,
           const float *restrict g, float *restrict y)
{
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m; j++)
      {
        float t = 0;
        for (int k = -r; k < r; k++)
          t += g[k + r] * (j + k >= 0 && j + k < m ? x[i * m + j + k] : 2);
        y[i * m + j] = t;
      }
}

static NOINLINE void
plain_ring (int n, int m, int r, const int *restrict x, int *restrict y)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        int t = 0;
        for (int k = -r; k <= r; k++)
          t += (k + 9) * x[i * m + (j + k + 2 * m) % m];
        y[i * m + j] = t;
      }
}

static NOINLINE void
plain_square (int n, int m, int r, const uint8_t *restrict x,
              uint8_t *restrict y)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        uint8_t least = 255;
        for (int u = -r; u <= r; u++)
          for (int v = -5; v <= 5; v++)
            {
              int p = i + u < 0 ? 0 : i + u > n - 1 ? n - 1 : i + u;
              int q = j + v > 0 ? j + v : 0;
              q = q < m - 1 ? q : m - 1;
              least = x[p * m + q] < least ? x[p * m + q] : least;
            }
        y[i * m + j] = least;
      }
}

static NOINLINE void
plain_mixed (int n, int m, const int *restrict least, const float *restrict x,
             float *restrict y)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = -7; k <= least[i]; k++)
        {
          int q = j + k < 0 ? 0 : j + k;
          y[i * m + j] += x[i * m + (q > m - 1 ? m - 1 : q)] * (j > k);
        }
}

static NOINLINE void
clamp (int n, int m, int r, const float *restrict x, const float *restrict g,
       float *restrict y)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        float t = 0;
        for (int k = -r; k <= r; k++)
          {
            int q = j + k;
            q = q < 0 ? 0 : q >= m ? m - 1 : q;
            t += g[k + r] * x[i * m + q];
          }
        y[i * m + j] = t;
      }
}

static NOINLINE void
mirror (int n, int m, int r, const float *restrict x, const float *restrict g,
        float *restrict y)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        float t = 0;
        for (int k = 0; k < r; k++)
          {
            int q = j - k;
            if (q < 0)
              q = -q;
            t += g[k] * x[i * m + q];
          }
        y[i * m + j] += t;
      }
}

static NOINLINE void
pad (int n, int m, int r, const float *restrict x, const float *restrict g,
     float *restrict y)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m; j++)
      {
        float t = 0;
        for (int k = -r; k < r; k++)
          t += g[k + r] * (j + k >= 0 && j + k < m ? x[i * m + j + k] : 2);
        y[i * m + j] = t;
      }
}

static NOINLINE void
ring (int n, int m, int r, const int *restrict x, int *restrict y)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        int t = 0;
        for (int k = -r; k <= r; k++)
          t += (k + 9) * x[i * m + (j + k + 2 * m) % m];
        y[i * m + j] = t;
      }
}

static NOINLINE void
square (int n, int m, int r, const uint8_t *restrict x, uint8_t *restrict y)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        uint8_t least = 255;
        for (int u = -r; u <= r; u++)
          for (int v = -5; v <= 5; v++)
            {
              int p = i + u < 0 ? 0 : i + u > n - 1 ? n - 1 : i + u;
              int q = j + v > 0 ? j + v : 0;
              q = q < m - 1 ? q : m - 1;
              least = x[p * m + q] < least ? x[p * m + q] : least;
            }
        y[i * m + j] = least;
      }
}

static NOINLINE void
mixed (int n, int m, const int *restrict least, const float *restrict x,
       float *restrict y)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = -7; k <= least[i]; k++)
        {
          int q = j + k < 0 ? 0 : j + k;
          y[i * m + j] += x[i * m + (q > m - 1 ? m - 1 : q)] * (j > k);
        }
}

static const int radii[] = { -1, 0, 1, 4, 19, 40 };

static float x[2][AREA], y[2][AREA], g[2][128];
static int p[2][AREA], q[2][AREA], least[2][128];
static uint8_t b[2][AREA], c[2][AREA];

/* All kernels on N rows of M elements, windows of radius R.  */
static void
compare (int n, int m, int r)
{
  BOTH (clamp, n, m, r, x[W], g[W], y[W]);
  CHECK (y);
  BOTH (mirror, n, m, r < m ? r : m, x[W], g[W], y[W]);
  CHECK (y);
  BOTH (pad, n, m, r, x[W], g[W], y[W]);
  CHECK (y);
  BOTH (ring, n, m, r < 2 * m ? r : 2 * m, p[W], q[W]);
  CHECK (q);
  BOTH (square, n, m, r < 4 ? r : 4, b[W], c[W]);
  CHECK (c);
  BOTH (mixed, n, m, least[W], x[W], y[W]);
  CHECK (y);
}

int
main (void)
{
  FILL (x);
  FILL (y);
  FILL (g);
  FILL (p);
  FILL (q);
  FILL_BELOW (least, 9);
  FILL_BELOW (b, 256);
  FILL (c);
  for (size_t k = 0; k < LENGTH (radii); k++)
    for (size_t j = 0; j < LENGTH (sizes); j++)
      {
        current[0] = radii[k];
        current[1] = sizes[j];
        compare (3, sizes[j], radii[k]);
        compare (17, sizes[j] % 70, radii[k]);
      }
  return 0;
}
