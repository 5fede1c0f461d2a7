/* Shows that tests of whether an element is inside which ask once, of an
   unsigned number, mean the same: by casts, of unsigned counters that wrap
   around, of size_t, of constants, turned about, and with sizes below 0.  */

#include "compare.h"

#define CASTS                                                                  \
  for (int i = 0; i < n; i++)                                                  \
    for (int j = 0; j < m; j++)                                                \
      {                                                                        \
        float s = 0;                                                           \
        for (int p = 0; p < 4; p++)                                            \
          for (int q = -2; q < 3; q++)                                         \
            if ((unsigned) (i - p) < (unsigned) n                              \
                && (unsigned) (j - q) < (unsigned) m)                          \
              s += x[(i - p) * m + j - q] * (p + 3 * q);                       \
        y[i * m + j] = s;                                                      \
      }

#define WRAPS                                                                  \
  for (unsigned i = 0; i < n; i++)                                             \
    {                                                                          \
      y[i] = 0;                                                                \
      for (unsigned p = 0; p < m; p++)                                         \
        {                                                                      \
          if (i - p < n)                                                       \
            y[i] += x[i - p];                                                  \
          if (i - 3 <= p)                                                      \
            y[i] += 2;                                                         \
          if (p - 2 != i - 5)                                                  \
            y[i] -= p;                                                         \
        }                                                                      \
    }

#define LONGS                                                                  \
  for (size_t i = 0; i < n; i++)                                               \
    {                                                                          \
      y[i] = i - 2 < n ? x[i - 2] : 1;                                         \
      y[i] += n <= i + 2 ? 0 : x[i + 2];                                       \
      if (!(i - 1 >= m))                                                       \
        y[i] += x[i - 1];                                                      \
    }

#define CONSTANTS                                                              \
  for (int i = 0; i < 40; i++)                                                 \
    for (int p = 0; p < 3; p++)                                                \
      if (i + p - 1 >= 0 && i + p - 1 < 40)                                    \
        y[i] += x[i + p - 1] * p;

#define BELOW                                                                  \
  for (int i = -5; i < n; i++)                                                 \
    y[i + 5] = ((unsigned) i < (unsigned) m) + 2 * ((unsigned) m > i - 7u)     \
               + 4 * ((unsigned) i >= (unsigned) -m);

static NOINLINE void
plain_casts (int n, int m, const float *restrict x, float *restrict y)
{
  CASTS
}

static NOINLINE void
casts (int n, int m, const float *restrict x, float *restrict y)
{
#pragma tensor
  CASTS
}

static NOINLINE void
plain_wraps (unsigned n, unsigned m, const float *restrict x, float *restrict y)
{
  WRAPS
}

static NOINLINE void
wraps (unsigned n, unsigned m, const float *restrict x, float *restrict y)
{
#pragma tensor
  WRAPS
}

static NOINLINE void
plain_longs (size_t n, size_t m, const float *restrict x, float *restrict y)
{
  LONGS
}

static NOINLINE void
longs (size_t n, size_t m, const float *restrict x, float *restrict y)
{
#pragma tensor
  LONGS
}

static NOINLINE void
plain_constants (const float *restrict x, float *restrict y)
{
  CONSTANTS
}

static NOINLINE void
constants (const float *restrict x, float *restrict y)
{
#pragma tensor
  CONSTANTS
}

static NOINLINE void
plain_below (int n, int m, float *restrict y)
{
  BELOW
}

static NOINLINE void
below (int n, int m, float *restrict y)
{
#pragma tensor
  BELOW
}

static float x[AREA];
static float y[2][AREA];

int
main (void)
{
  for (size_t k = 0; k < AREA; k++)
    x[k] = (int) (next () % 15) - 7;
  FILL (y);
  for (size_t s = 0; s < LENGTH (sizes); s++)
    for (size_t t = 0; t < LENGTH (small_sizes); t++)
      {
        int n = current[0] = sizes[s];
        int m = current[1] = small_sizes[t];
        BOTH (casts, n, m, x, y[W]);
        CHECK (y);
        BOTH (wraps, n, m, x, y[W]);
        CHECK (y);
        BOTH (longs, n, m < n ? m : n, x, y[W]);
        CHECK (y);
        BOTH (below, n, m, y[W]);
        CHECK (y);
        BOTH (below, n, -m, y[W]);
        CHECK (y);
      }
  BOTH (constants, x, y[W]);
  CHECK (y);
  return 0;
}
