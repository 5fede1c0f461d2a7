/* Shows that loops of which the iterations are cut out where a condition may
   hold mean the same: windows with steps that are known, unknown, negative and
   0, in rows that are outside, shifts either way, stores under a condition,
   parts that depend on data.  */

#include "compare.h"

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
      }
    for (int k = 0; k < 5 && n <= 31; k++)
      {
        BOTH (pads, n, k, k / 2, x[W], y[W]);
        CHECK (y);
      }
  }
  return 0;
}
