/* Shows that elements that ints name under a condition are gathered right: in
   front of a pointer into the middle, by sums and products, with constants
   beside, in float, double and int; where the subscript is a long, or unsigned
   and wraps around, it is not taken for an int.  */

#include "compare.h"

#define WARP(t)                                                                \
  for (int y = 0; y < n; y++)                                                  \
    for (int x = 0; x < n; x++)                                                \
      {                                                                        \
        int u = (3 * x - y + 5) / 2 - 4, v = (2 * y + x) / 2 - 3;              \
        t r = 0;                                                               \
        if (u >= 0 && u < n - 1 && v >= 0 && v < n - 1)                        \
          r = s[v * n + u] + 2 * s[v * n + u + 1] + 3 * s[(v + 1) * n + u]     \
              - s[(v + 1) * n + u + 1];                                        \
        d[y * n + x] = r;                                                      \
      }

#define MIDDLE                                                                 \
  for (int i = 0; i < n; i++)                                                  \
    d[i] = at[i] > -n && at[i] < n ? m[at[i] * 1 + 3] - m[3 - at[i]] : 7;

#define WIDE                                                                   \
  for (int i = 0; i < n; i++)                                                  \
    d[i] = w[i] >= 0 && w[i] < n ? s[w[i]] + s[(unsigned) w[i] + 1u] : -1;

static NOINLINE void
plain_floats (int n, const float *restrict s, float *restrict d)
{
  WARP (float)
}

static NOINLINE void
floats (int n, const float *restrict s, float *restrict d)
{
#pragma tensor
  WARP (float)
}

static NOINLINE void
plain_doubles (int n, const double *restrict s, double *restrict d)
{
  WARP (double)
}

static NOINLINE void
doubles (int n, const double *restrict s, double *restrict d)
{
#pragma tensor
  WARP (double)
}

static NOINLINE void
plain_ints (int n, const int *restrict s, int *restrict d)
{
  WARP (int)
}

static NOINLINE void
ints (int n, const int *restrict s, int *restrict d)
{
#pragma tensor
  WARP (int)
}

static NOINLINE void
plain_middle (int n, const float *restrict m, const int *restrict at,
              float *restrict d)
{
  MIDDLE
}

static NOINLINE void
middle (int n, const float *restrict m, const int *restrict at,
        float *restrict d)
{
#pragma tensor
  MIDDLE
}

static NOINLINE void
plain_wide (int n, const float *restrict s, const long *restrict w,
            float *restrict d)
{
  WIDE
}

static NOINLINE void
wide (int n, const float *restrict s, const long *restrict w, float *restrict d)
{
#pragma tensor
  WIDE
}

static float f[2][AREA], g[2][AREA];
static double a[2][AREA], b[2][AREA];
static int u[2][AREA], v[2][AREA];
static int at[2][MOST];
static long w[2][MOST];

int
main (void)
{
  FILL (f);
  FILL (a);
  FILL (u);
  FILL_WITH (at, (int) (next () % 260) - 130);
  FILL_WITH (w, (int) (next () % 300) - 100 + ((long) (next () % 2) << 32));
  for (size_t k = 0; k < LENGTH (sizes); k++)
    {
      int n = sizes[k];
      current[0] = n;
      FILL (g);
      FILL (b);
      FILL (v);
      BOTH (floats, n, f[W], g[W]);
      CHECK (g);
      BOTH (doubles, n, a[W], b[W]);
      CHECK (b);
      BOTH (ints, n, u[W], v[W]);
      CHECK (v);
      BOTH (middle, n, f[W] + 500, at[W], g[W]);
      CHECK (g);
      BOTH (wide, n, f[W], w[W], g[W]);
      CHECK (g);
    }
  return 0;
}
