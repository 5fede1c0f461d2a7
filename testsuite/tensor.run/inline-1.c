/* Shows that calls of small functions, macros, typedefs, enumerators and
   constant arrays mean the same.  */

#include "compare.h"

typedef float real;
enum
{
  RADIUS = 2,
  WIDTH = 2 * RADIUS + 1
};
static const real weight[WIDTH] = { 1, 4, 6, 4, 1 };
static const int table[8] = { 3, 1, 4, 1, 5, 9, 2, 6 };
#define SQUARE(x)   ((x) * (x))
#define AT(a, i, j) ((a)[(i) *m + (j)])

static inline real
clamp (real x, real lo, real hi)
{
  return x < lo ? lo : x > hi ? hi : x;
}

static real
smooth (real x)
{
  real t = clamp (x / 4, 0, 1);
  return t * t * (3 - 2 * t);
}

static int
sign (int x)
{
  if (x > 0)
    return 1;
  if (x < 0)
    return -1;
  return 0;
}

static void
axpy (int n, real s, const real *x, real *y)
{
  for (int i = 0; i < n; i++)
    y[i] += s * x[i];
}

static real
dot (int n, const real *x, const real *y)
{
  real s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * y[i];
  return s;
}

static NOINLINE void
plain_smoothed (const real *x, real *y, int n)
{
  for (int i = 0; i < n; i++)
    y[i] = smooth (x[i]) + SQUARE (x[i] - 1);
}

static NOINLINE void
plain_signs (const int *x, int *y, int n)
{
  for (int i = 0; i < n; i++)
    y[i] = sign (x[i]) * table[i & 7];
}

static NOINLINE void
plain_weighted (const real *x, real *y, int n)
{
  for (int i = RADIUS; i < n - RADIUS; i++)
    {
      real s = 0;
      for (int k = -RADIUS; k <= RADIUS; k++)
        s += weight[k + RADIUS] * x[i + k];
      y[i] = s / 16;
    }
}

static NOINLINE void
plain_rows (const real *a, const real *x, real *y, int n, int m)
{
  for (int i = 0; i < n; i++)
    {
      y[i] = dot (m, a + i * m, x);
      axpy (1, 2, x, y + i);
    }
}

static NOINLINE void
plain_macro (real *a, int n, int m)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      AT (a, i, j) = SQUARE (AT (a, i, j)) - clamp (AT (a, i, j), -2, 2);
}

static NOINLINE void
smoothed (const real *x, real *y, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    y[i] = smooth (x[i]) + SQUARE (x[i] - 1);
}

static NOINLINE void
signs (const int *x, int *y, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    y[i] = sign (x[i]) * table[i & 7];
}

static NOINLINE void
weighted (const real *x, real *y, int n)
{
#pragma tensor
  for (int i = RADIUS; i < n - RADIUS; i++)
    {
      real s = 0;
      for (int k = -RADIUS; k <= RADIUS; k++)
        s += weight[k + RADIUS] * x[i + k];
      y[i] = s / 16;
    }
}

static NOINLINE void
rows (const real *a, const real *x, real *y, int n, int m)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      y[i] = dot (m, a + i * m, x);
      axpy (1, 2, x, y + i);
    }
}

static NOINLINE void
macro (real *a, int n, int m)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      AT (a, i, j) = SQUARE (AT (a, i, j)) - clamp (AT (a, i, j), -2, 2);
}

static real a[2][AREA], b[2][128], c[2][128];
static int p[2][128], q[2][128];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (a);
    FILL (b);
    FILL (c);
    FILL (p);
    FILL (q);
    BOTH (smoothed, b[W], c[W], n);
    CHECK_NEAR (c, 1e-6);
    BOTH (signs, p[W], q[W], n);
    CHECK (q);
    FILL (b);
    FILL (c);
    BOTH (weighted, b[W], c[W], n);
    CHECK (c);
    EACH_WIDTH (m)
    {
      FILL (a);
      BOTH (rows, a[W], b[W], c[W], n, m);
      CHECK (c);
      BOTH (macro, a[W], n, m);
      CHECK (a);
    }
  }
  return 0;
}
