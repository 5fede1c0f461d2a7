/* Shows that loops of which the iterations are cut out where a condition may
   hold mean the same: windows with steps that are known, unknown, negative and
   0, in rows that are outside, shifts either way, stores under a condition,
   parts that depend on data; and loops with several such conditions: windows
   that reach beyond both borders by as much as the caller says, sums and
   extreme values of them, of several channels, stores into them.  */

#include "compare.h"

#define CONVOLVE(h, n, p, x, k, y)                                             \
  for (int i = 0; i < h; i++)                                                  \
    for (int j = 0; j < n; j++)                                                \
      {                                                                        \
        float s = 0;                                                           \
        for (int a = 0; a < 3; a++)                                            \
          for (int b = 0; b < 3; b++)                                          \
            {                                                                  \
              int at = i + a - p, to = j + b - p;                              \
              if (at >= 0 && at < h && to >= 0 && to < n)                      \
                s += x[at * n + to] * k[a * 3 + b];                            \
            }                                                                  \
        y[i * n + j] = s;                                                      \
      }

#define POOL(h, n, p, x, y)                                                    \
  for (int i = 0; i < h; i++)                                                  \
    for (int j = 0; j < n; j++)                                                \
      {                                                                        \
        int most = -100, some = 0;                                             \
        for (int a = 0; a < 2; a++)                                            \
          for (int b = -1; b < 2; b++)                                         \
            if (i + a >= p && i + a - p < h && j + b >= p && j + b < n + p)    \
              {                                                                \
                int v = x[(i + a - p) * n + j + b - p];                        \
                most = v > most ? v : most;                                    \
                if (v > 2)                                                     \
                  some += v;                                                   \
              }                                                                \
        y[i * n + j] = most + some;                                            \
      }

#define SPREAD(n, p, q, x, y)                                                  \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      if (i >= p)                                                              \
        y[i] += x[i - p];                                                      \
      if (i < n - q && q > -2)                                                 \
        y[i] -= 2 * x[i + 1];                                                  \
      if (x[i] > 0 && i + q > 3)                                               \
        y[i] *= 2;                                                             \
    }

static NOINLINE void
plain_convolve (int h, int n, int p, const float *restrict x,
                const float *restrict k, float *restrict y)
{
  CONVOLVE (h, n, p, x, k, y)
}

static NOINLINE void
convolve (int h, int n, int p, const float *restrict x, const float *restrict k,
          float *restrict y)
{
#pragma tensor
  CONVOLVE (h, n, p, x, k, y)
}

static NOINLINE void
plain_pool (int h, int n, int p, const int *restrict x, int *restrict y)
{
  POOL (h, n, p, x, y)
}

static NOINLINE void
pool (int h, int n, int p, const int *restrict x, int *restrict y)
{
#pragma tensor
  POOL (h, n, p, x, y)
}

static NOINLINE void
plain_spread (int n, int p, int q, const int *restrict x, int *restrict y)
{
  SPREAD (n, p, q, x, y)
}

static NOINLINE void
spread (int n, int p, int q, const int *restrict x, int *restrict y)
{
#pragma tensor
  SPREAD (n, p, q, x, y)
}

static NOINLINE void
plain_window (int n, int s, int q, int r, const float *restrict x,
              float *restrict y)
{
  for (int w = 0; w < n; w++)
    y[w]
      = r >= 0 && w * s + q >= 0 && r < 4 && w * s + q < n ? x[w * s + q] : 3;
}

static NOINLINE void
plain_pads (int n, int k, int p, const float *restrict x, float *restrict y)
{
  for (int c = 0; c < k * k; c++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        {
          int t = i + c / k - p, l = j + c % k - p;
          y[(c * n + i) * n + j]
            = t < 0 || l < 0 || t >= n || l >= n ? 0 : x[t * n + l];
        }
}

static NOINLINE void
plain_back (int n, int k, const int *restrict x, int *restrict y)
{
  for (int i = 0; i < n; i++)
    y[i] = k - 3 * i > 0 ? x[k - 3 * i] : -x[i];
}

static NOINLINE void
plain_stored (int n, int k, const int *restrict x, int *restrict y)
{
  for (int i = 0; i < n; i++)
    if (i >= k % 11 && i <= k && x[i] > 0)
      y[i] += x[i - k % 11];
}

static NOINLINE void
window (int n, int s, int q, int r, const float *restrict x, float *restrict y)
{
#pragma tensor
  for (int w = 0; w < n; w++)
    y[w]
      = r >= 0 && w * s + q >= 0 && r < 4 && w * s + q < n ? x[w * s + q] : 3;
}

static NOINLINE void
pads (int n, int k, int p, const float *restrict x, float *restrict y)
{
#pragma tensor
  for (int c = 0; c < k * k; c++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        {
          int t = i + c / k - p, l = j + c % k - p;
          y[(c * n + i) * n + j]
            = t < 0 || l < 0 || t >= n || l >= n ? 0 : x[t * n + l];
        }
}

static NOINLINE void
back (int n, int k, const int *restrict x, int *restrict y)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    y[i] = k - 3 * i > 0 ? x[k - 3 * i] : -x[i];
}

static NOINLINE void
stored (int n, int k, const int *restrict x, int *restrict y)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    if (i >= k % 11 && i <= k && x[i] > 0)
      y[i] += x[i - k % 11];
}

static float x[2][AREA], y[2][AREA];
static int p[2][AREA], q[2][AREA];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (x);
    FILL (y);
    FILL (p);
    FILL (q);
    for (int s = -3; s <= 3; s++)
      for (int k = -9; k < 140; k += 13)
        {
          BOTH (window, n, s, k, s == -2 ? k : s, x[W], y[W]);
          CHECK (y);
        }
    for (int k = -9; k < 140; k += 13)
      {
        BOTH (stored, n, k, p[W], q[W]);
        CHECK (q);
        BOTH (back, n, k, p[W], q[W]);
        CHECK (q);
        for (int l = -3; l < 9; l += 4)
          {
            BOTH (spread, n, l, k, p[W], q[W]);
            CHECK (q);
            BOTH (spread, n, k, l, p[W], q[W]);
            CHECK (q);
          }
      }
    for (int l = -2; l < 5; l++)
      for (int h = 1; h < 10; h += 4)
        {
          FILL (q);
          BOTH (convolve, h, n, l, x[W], x[W] + 5, y[W]);
          CHECK (y);
          BOTH (pool, h, n, l, p[W], q[W]);
          CHECK (q);
        }
    for (int k = 0; k < 5 && n <= 31; k++)
      {
        BOTH (pads, n, k, k / 2, x[W], y[W]);
        CHECK (y);
      }
  }
  return 0;
}
