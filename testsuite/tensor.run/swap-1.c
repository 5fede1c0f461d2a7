/* Shows that values which conditions put in order are the same as their
   extremes: medians of a window of bytes, three numbers in order, of all kinds,
   zeros of both signs and what is no number among them, a network.  */

#include "compare.h"

#define ORDER(type, op, x, y)                                                  \
  if (x op y)                                                                  \
    {                                                                          \
      type t = x;                                                              \
      x = y;                                                                   \
      y = t;                                                                   \
    }

#define MEDIAN                                                                 \
  for (int i = 1; i < n - 1; i++)                                              \
    for (int j = 1; j < m - 1; j++)                                            \
      {                                                                        \
        uint8_t v[9];                                                          \
        for (int a = 0; a < 3; a++)                                            \
          for (int b = 0; b < 3; b++)                                          \
            v[a * 3 + b] = x[(i + a - 1) * m + j + b - 1];                     \
        for (int a = 0; a < 5; a++)                                            \
          for (int b = a + 1; b < 9; b++)                                      \
            ORDER (uint8_t, >, v[a], v[b])                                     \
        y[i * m + j] = v[4];                                                   \
      }

#define THREE                                                                  \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      float a = x[3 * i], b = x[3 * i + 1], c = x[3 * i + 2];                  \
      int u = i * 7 % 5, v = i % 4, w = 2 - i % 6;                             \
      ORDER (float, <, b, a)                                                   \
      ORDER (float, >, b, c)                                                   \
      ORDER (float, <, b, a)                                                   \
      ORDER (int, <=, u, v)                                                    \
      ORDER (int, >=, w, u)                                                    \
      y[3 * i] = a;                                                            \
      y[3 * i + 1] = b;                                                        \
      y[3 * i + 2] = c;                                                        \
      z[i] = u * 9 + v * 3 + w;                                                \
    }

#define NETWORK                                                                \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      double v[4];                                                             \
      for (int k = 0; k < 4; k++)                                              \
        v[k] = x[4 * i + k];                                                   \
      for (int k = 0; k < 3; k++)                                              \
        for (int j = 0; j < 3 - k; j++)                                        \
          ORDER (double, >, v[j], v[j + 1])                                    \
      for (int k = 0; k < 4; k++)                                              \
        y[4 * i + k] = v[k];                                                   \
    }

static NOINLINE void
plain_median (int n, int m, const uint8_t *restrict x, uint8_t *restrict y)
{
  MEDIAN
}

static NOINLINE void
plain_three (int n, const float *restrict x, float *restrict y, int *restrict z)
{
  THREE
}

static NOINLINE void
plain_network (int n, const double *restrict x, double *restrict y)
{
  NETWORK
}

static NOINLINE void
median (int n, int m, const uint8_t *restrict x, uint8_t *restrict y)
{
#pragma tensor
  MEDIAN
}

static NOINLINE void
three (int n, const float *restrict x, float *restrict y, int *restrict z)
{
#pragma tensor
  THREE
}

static NOINLINE void
network (int n, const double *restrict x, double *restrict y)
{
#pragma tensor
  NETWORK
}

static uint8_t b[2][AREA], c[2][AREA];
static float x[2][AREA], y[2][AREA];
static double p[2][AREA], q[2][AREA];
static int z[2][AREA];

int
main (void)
{
  FILL_BELOW (b, 256);
  FILL (x);
  FILL (p);
  x[0][4] = x[1][4] = -0.0f;
  x[0][5] = x[1][5] = 0;
  EACH_SIZE (n)
  {
    FILL (c);
    FILL (y);
    FILL (z);
    FILL (q);
    BOTH (three, n, x[W], y[W], z[W]);
    CHECK (z);
    if (memcmp (y[0], y[1], sizeof y[0]))
      differ ("bits of y", 0, 0, 0);
    BOTH (network, n, p[W], q[W]);
    CHECK (q);
    EACH_WIDTH (m)
    {
      BOTH (median, n, m, b[W], c[W]);
      CHECK (c);
    }
  }
  x[0][7] = x[1][7] = NAN;
  BOTH (three, 3, x[W], y[W], z[W]);
  for (int k = 0; k < 9; k++)
    if (memcmp (&y[0][k], &y[1][k], sizeof y[0][k])
        && !(isnan (y[0][k]) && isnan (y[1][k])))
      differ ("y", k, y[0][k], y[1][k]);
  return 0;
}
