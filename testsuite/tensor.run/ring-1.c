/* Shows that rings mean the same: neighbours by remainders, up and down, by one
   step and by more, in one and two dimensions, in place, in bytes, with signed
   and unsigned iterators.  */

#include "compare.h"

#define SMOOTH(n, y, x)                                                        \
  for (int i = 0; i < n; i++)                                                  \
    y[i] = x[(i + 1) % n] + x[(i - 1 + n) % n] - 2 * x[i];

#define DRIFT(n, y, x)                                                         \
  for (size_t i = 0; i < n; i++)                                               \
    y[(i + n - 1) % n] = x[i] + x[(i + 2) % n] * x[(i + n + 1) % n];

#define SPREAD(n, x)                                                           \
  for (int i = 0; i < n; i++)                                                  \
    x[(i + 1) % n] += 2 * x[i] - x[(i + n - 1) % n];

#define PLATE(n, m, y, x)                                                      \
  for (int i = 0; i < n; i++)                                                  \
    for (int j = 0; j < m; j++)                                                \
      {                                                                        \
        int up = (i + n - 1) % n, down = (i + 1) % n;                          \
        int left = (j + m - 1) % m, right = (j + 1) % m;                       \
        y[i * m + j] = x[up * m + j] + x[down * m + j] + x[i * m + left]       \
                       + x[i * m + right] - 4 * x[i * m + j];                  \
      }

#define LIVE(n, m, y, x)                                                       \
  for (int i = 0; i < n; i++)                                                  \
    for (int j = 0; j < m; j++)                                                \
      {                                                                        \
        int alive = 0;                                                         \
        for (int a = -1; a <= 1; a++)                                          \
          for (int b = -1; b <= 1; b++)                                        \
            if (a || b)                                                        \
              alive += x[((i + a + n) % n) * m + (j + b + m) % m];             \
        y[i * m + j] = alive == 3 || (alive == 2 && x[i * m + j]);             \
      }

#define DECADE(y, x)                                                           \
  for (int i = 0; i < 10; i++)                                                 \
    y[i] = x[(i + 7) % 10] - x[(i + 33) % 10] * x[(i + 9) % 4];

static NOINLINE void
plain_smooth (int n, float *restrict y, const float *restrict x)
{
  SMOOTH (n, y, x)
}

static NOINLINE void
smooth (int n, float *restrict y, const float *restrict x)
{
#pragma tensor
  SMOOTH (n, y, x)
}

static NOINLINE void
plain_drift (size_t n, float *restrict y, const float *restrict x)
{
  DRIFT (n, y, x)
}

static NOINLINE void
drift (size_t n, float *restrict y, const float *restrict x)
{
#pragma tensor
  DRIFT (n, y, x)
}

static NOINLINE void
plain_spread (int n, int *restrict x)
{
  SPREAD (n, x)
}

static NOINLINE void
spread (int n, int *restrict x)
{
#pragma tensor
  SPREAD (n, x)
}

static NOINLINE void
plain_plate (int n, int m, double *restrict y, const double *restrict x)
{
  PLATE (n, m, y, x)
}

static NOINLINE void
plate (int n, int m, double *restrict y, const double *restrict x)
{
#pragma tensor
  PLATE (n, m, y, x)
}

static NOINLINE void
plain_live (int n, int m, uint8_t *restrict y, const uint8_t *restrict x)
{
  LIVE (n, m, y, x)
}

static NOINLINE void
live (int n, int m, uint8_t *restrict y, const uint8_t *restrict x)
{
#pragma tensor
  LIVE (n, m, y, x)
}

static NOINLINE void
plain_decade (float *restrict y, const float *restrict x)
{
  DECADE (y, x)
}

static NOINLINE void
decade (float *restrict y, const float *restrict x)
{
#pragma tensor
  DECADE (y, x)
}

static float x[2][AREA], y[2][AREA];
static double p[2][AREA], q[2][AREA];
static int s[2][AREA];
static uint8_t a[2][AREA], b[2][AREA];

/* Rings of two lengths.  */
static void
check (int n, int m)
{
  current[0] = n;
  current[1] = m;
  FILL_WITH (a, next () % 3 == 0);
  FILL_WITH (b, 2);
  FILL (p);
  FILL (q);
  BOTH (live, n, m, b[W], a[W]);
  CHECK (b);
  BOTH (plate, n, m, q[W], p[W]);
  CHECK (q);
}

int
main (void)
{
  EACH_SIZE (n)
  {
    current[0] = n;
    FILL (x);
    FILL (y);
    FILL (s);
    BOTH (smooth, n, y[W], x[W]);
    CHECK (y);
    BOTH (drift, n, y[W], x[W]);
    CHECK (y);
    BOTH (spread, n, s[W]);
    CHECK (s);
    BOTH (decade, y[W], x[W]);
    CHECK (y);
    for (size_t k = 0; k < LENGTH (small_sizes); k++)
      check (n, small_sizes[k]);
  }
  return 0;
}
