/* Shows that arrays are taken, without restrict, whose subscripts conditions,
   clamps and roundings keep inside, and that they mean the same: also where they
   overlap, lie side by side, or the clamp has nothing to clamp to.  */

#include "compare.h"

#include <math.h>

#define LONG (3 * MOST * 8)

#define COLUMNS                                                                \
  int rows = (h + 2 * pad - k) / by + 1, across = (w + 2 * pad - k) / by + 1;  \
  for (int c = 0; c < 2 * k * k; c++)                                          \
    {                                                                          \
      int b = c % k, a = (c / k) % k, plane = c / k / k;                       \
      for (int i = 0; i < rows; i++)                                           \
        for (int j = 0; j < across; j++)                                       \
          {                                                                    \
            int at = a + i * by - pad, to = b + j * by - pad;                  \
            y[(c * rows + i) * across + j]                                     \
              = at < 0 || to < 0 || at >= h || to >= w                         \
                  ? 0                                                          \
                  : x[(plane * h + at) * w + to];                              \
          }                                                                    \
    }

#define STRETCH                                                                \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      float at = (i + .5f) * by - .5f;                                         \
      int k = (int) floorf (at), l = k + 1;                                    \
      float part = at - k;                                                     \
      if (k < 0)                                                               \
        k = 0;                                                                 \
      if (l < 0)                                                               \
        l = 0;                                                                 \
      if (k > m - 1)                                                           \
        k = m - 1;                                                             \
      if (l > m - 1)                                                           \
        l = m - 1;                                                             \
      y[i] = x[k] + (x[l] - x[k]) * part;                                      \
    }

#define TURN                                                                   \
  for (int i = 0; i < h; i++)                                                  \
    for (int j = 0; j < w; j++)                                                \
      {                                                                        \
        int p = (int) floorf (by * i + j), q = (int) floorf (i - by * j);      \
        float value = .5f;                                                     \
        if (p >= 0 && p + 1 < w && q >= 0 && q < h - 1)                        \
          value = x[q * w + p] + x[q * w + p + 1] + x[(q + 1) * w + p];        \
        y[i * w + j] = value;                                                  \
      }

#define DRIFT                                                                  \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      float at = i + 9 * v[i];                                                 \
      if (at < .5)                                                             \
        at = .5;                                                               \
      if (at > n - 1.5)                                                        \
        at = n - 1.5;                                                          \
      int k = (int) at;                                                        \
      y[i] = x[k] + x[k + 1];                                                  \
    }

static NOINLINE void
plain_columns (const float *x, float *y, int h, int w, int k, int by, int pad)
{
  COLUMNS
}

static NOINLINE void
columns (const float *x, float *y, int h, int w, int k, int by, int pad)
{
#pragma tensor
  {
    COLUMNS
  }
}

static NOINLINE void
plain_stretch (const float *x, float *y, int n, int m, float by)
{
  STRETCH
}

static NOINLINE void
stretch (const float *x, float *y, int n, int m, float by)
{
#pragma tensor fp(strict) require(transform)
  {
    STRETCH
  }
}

static NOINLINE void
plain_turn (const float *x, float *y, int h, int w, float by)
{
  TURN
}

static NOINLINE void
turn (const float *x, float *y, int h, int w, float by)
{
#pragma tensor fp(strict) require(transform)
  {
    TURN
  }
}

static NOINLINE void
plain_drift (const float *x, float *y, const float *v, int n)
{
  DRIFT
}

static NOINLINE void
drift (const float *x, float *y, const float *v, int n)
{
#pragma tensor fp(strict) require(transform)
  {
    DRIFT
  }
}

static float a[2][LONG], b[2][9 * LONG];

int
main (void)
{
  FILL_REAL (a);
  FILL_REAL (b);
  for (int by = 1; by < 4; by++)
    for (int pad = 0; pad < 3; pad++)
      {
        BOTH (columns, a[W], b[W], 13, 21, 3, by, pad);
        BOTH (columns, b[W], b[W] + 2 * 13 * 21, 13, 21, 2, by, pad);
        BOTH (columns, b[W] + 99, b[W], 13, 21, 2, by, pad);
        CHECK (b);
      }
  EACH_SIZE (n)
  {
    if (n > 0)
      {
        BOTH (stretch, a[W], b[W], n, n, 1.0f);
        BOTH (stretch, b[W], b[W] + n, 2 * n, n, .5f);
        BOTH (stretch, b[W] + 1, b[W], n, (n + 1) / 2, -.75f);
      }
    BOTH (turn, a[W], b[W], 9, n, .25f);
    BOTH (turn, b[W], b[W] + 9 * n, 9, n, -.25f);
    BOTH (turn, b[W] + n, b[W], 9, n, .1f);
    if (n > 2)
      {
        BOTH (drift, a[W], b[W], a[W] + LONG / 2, n);
        BOTH (drift, b[W], b[W] + n, a[W], n);
        BOTH (drift, b[W] + 1, b[W], a[W], n);
      }
    CHECK (b);
  }
  return 0;
}
