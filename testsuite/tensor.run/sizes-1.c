/* Shows that flat arrays whose sizes are sums, h - 2 beside h, and sums that
   a short window adds up over channels, mean the same.  */

#include "compare.h"

#define CONVOLVE                                                               \
  for (int i = 0; i < h - 2; i++)                                              \
    for (int j = 0; j < h - 2; j++)                                            \
      for (int o = 0; o < l; o++)                                              \
        {                                                                      \
          float s = 0;                                                         \
          for (int p = 0; p < 3; p++)                                          \
            for (int q = 0; q < 3; q++)                                        \
              for (int k = 0; k < 4; k++)                                      \
                s += x[((i + p) * h + j + q) * 4 + k]                          \
                     * w[((p * 3 + q) * 4 + k) * l + o];                       \
          y[(i * (h - 2) + j) * l + o] = s;                                    \
        }

#define PLANES                                                                 \
  for (int o = 0; o < l; o++)                                                  \
    for (int i = 0; i < h - 2; i++)                                            \
      for (int j = 0; j < v - 1; j++)                                          \
        {                                                                      \
          float s = 0;                                                         \
          for (int k = 0; k < 3; k++)                                          \
            for (int p = 0; p < 3; p++)                                        \
              for (int q = 0; q < 2; q++)                                      \
                s += x[(k * h + i + p) * v + j + q]                            \
                     * w[((o * 3 + k) * 3 + p) * 2 + q];                       \
          y[(o * (h - 2) + i) * (v - 1) + j] = s;                              \
        }

#define PAD                                                                    \
  for (int k = 0; k < l; k++)                                                  \
    for (int i = 0; i < h; i++)                                                \
      for (int j = 0; j < v; j++)                                              \
        y[(k * (h + 2) + i + 1) * (v + 2) + j + 1] = x[(k * h + i) * v + j];

#define DIAGONAL                                                               \
  for (int i = 0; i < h; i++)                                                  \
    {                                                                          \
      x[i * (h + 1)] += 3;                                                     \
      for (int j = 0; j < h; j++)                                              \
        y[i * h + j] = x[i * h + j] + x[j * (h + 1)];                          \
    }

#define HALVE                                                                  \
  for (int i = 0; i < h / 2 - 1; i++)                                          \
    for (int j = 0; j < h / 2 - 1; j++)                                        \
      y[i * (h / 2 - 1) + j] = x[2 * i * h + 2 * j] + x[(2 * i + 3) * h + 1];

static NOINLINE void
plain_convolve (int h, int l, const float *restrict x,
                const float *restrict w, float *restrict y)
{
  CONVOLVE
}

static NOINLINE void
convolve (int h, int l, const float *restrict x, const float *restrict w,
          float *restrict y)
{
#pragma tensor
  CONVOLVE
}

static NOINLINE void
plain_planes (int h, int v, int l, const float *restrict x,
              const float *restrict w, float *restrict y)
{
  PLANES
}

static NOINLINE void
planes (int h, int v, int l, const float *restrict x, const float *restrict w,
        float *restrict y)
{
#pragma tensor
  PLANES
}

static NOINLINE void
plain_pad (int h, int v, int l, const float *restrict x, float *restrict y)
{
  PAD
}

static NOINLINE void
pad (int h, int v, int l, const float *restrict x, float *restrict y)
{
#pragma tensor
  PAD
}

static NOINLINE void
plain_diagonal (int h, float *restrict x, float *restrict y)
{
  DIAGONAL
}

static NOINLINE void
diagonal (int h, float *restrict x, float *restrict y)
{
#pragma tensor
  DIAGONAL
}

static NOINLINE void
plain_halve (int h, const float *restrict x, float *restrict y)
{
  HALVE
}

static NOINLINE void
halve (int h, const float *restrict x, float *restrict y)
{
#pragma tensor
  HALVE
}

static float x[2][40 * 40 * 17], y[2][40 * 40 * 35], w[2][36 * 40];

int
main (void)
{
  EACH_SMALL (h)
  EACH_SMALL_TOO (l)
  {
    FILL (x);
    FILL (y);
    FILL (w);
    BOTH (convolve, h, l, x[W], w[W], y[W]);
    CHECK (y);
    BOTH (planes, h, l, 17, x[W], w[W], y[W]);
    CHECK (y);
    BOTH (pad, h, l, 3, x[W], y[W]);
    CHECK (y);
    BOTH (halve, h, x[W], y[W]);
    CHECK (y);
    BOTH (diagonal, h, x[W], y[W]);
    CHECK (x);
    CHECK (y);
  }
  return 0;
}
