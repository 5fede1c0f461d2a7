/* Shows that divisors which leave sums mean the same but for rounding: in place
   and beside the cell, without iterations, in products and extrema.  */

#include "compare.h"

#define MEAN                                                                   \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      float s = 0;                                                             \
      for (int j = 0; j < m; j++)                                              \
        s += x[i][j] / m;                                                      \
      float v = 0;                                                             \
      for (int j = 0; j < m; j++)                                              \
        v += (x[i][j] - s) * (x[i][j] - s) / m;                                \
      y[i][0] = s;                                                             \
      y[i][1] = v;                                                             \
    }

#define ADD                                                                    \
  for (int i = 0; i < n; i++)                                                  \
    for (int j = 0; j < m; j++)                                                \
      {                                                                        \
        y[i] -= -2 * (x[i][j] / z[i]) * w[j];                                  \
        u[i] = u[i] > x[i][j] / 3 ? u[i] : x[i][j] / 3;                        \
      }

#define PRODUCT                                                                \
  for (int i = 0; i < n; i++)                                                  \
    for (int j = 0; j < m; j++)                                                \
      {                                                                        \
        c[i][j] = 0;                                                           \
        for (int k = 0; k < l; k++)                                            \
          c[i][j] += a[i][k] / z[i] * b[k][j];                                 \
      }

#define ADDED                                                                  \
  for (int i = 0; i < n; i++)                                                  \
    for (int j = 0; j < m; j++)                                                \
      for (int k = l; k > 0; k--)                                              \
        c[i][j] += a[i][k - 1] * b[k - 1][j] / z[i];

#define TRIANGLE                                                               \
  for (int i = 0; i < n; i++)                                                  \
    for (int j = 0; j < i; j++)                                                \
      s -= x[i] * y[j] / z / (n + 1);

static NOINLINE void
plain_mean (int n, int m, float x[n][m], float y[n][2])
{
  MEAN
}

static NOINLINE void
plain_add (int n, int m, float x[n][m], float *z, float *w, float *y, float *u)
{
  ADD
}

static NOINLINE void
plain_product (int n, int m, int l, float a[n][l], float b[l][m], float *z,
               float c[n][m])
{
  PRODUCT
}

static NOINLINE void
plain_added (int n, int m, int l, double a[n][l], double b[l][m], double *z,
             double c[n][m])
{
  ADDED
}

static NOINLINE double
plain_triangle (int n, double *x, double *y, double z, double s)
{
  TRIANGLE
  return s;
}

static NOINLINE void
mean (int n, int m, float x[restrict n][m], float y[restrict n][2])
{
#pragma tensor
  MEAN
}

static NOINLINE void
add (int n, int m, float x[restrict n][m], float *restrict z, float *restrict w,
     float *restrict y, float *restrict u)
{
#pragma tensor
  ADD
}

static NOINLINE void
product (int n, int m, int l, float a[restrict n][l], float b[restrict l][m],
         float *restrict z, float c[restrict n][m])
{
#pragma tensor
  PRODUCT
}

static NOINLINE void
added (int n, int m, int l, double a[restrict n][l], double b[restrict l][m],
       double *restrict z, double c[restrict n][m])
{
#pragma tensor
  ADDED
}

static NOINLINE double
triangle (int n, double *x, double *y, double z, double s)
{
#pragma tensor
  TRIANGLE
  return s;
}

/* The sum of N quotients by Z on top of S.  */
static NOINLINE float
sum (int n, const float *x, float z, float s)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    s += x[i] / z;
  return s;
}

/* The same under the bits of C.  */
static NOINLINE float
plain_strict (int n, const float *x, float z, float s)
{
  for (int i = 0; i < n; i++)
    s += x[i] / z;
  return s;
}

static NOINLINE float
strict (int n, const float *x, float z, float s)
{
#pragma tensor fp(strict)
  for (int i = 0; i < n; i++)
    s += x[i] / z;
  return s;
}

/* A zero divisor and a negative zero are left alone where nothing is
   summed.  */
static void
check_nothing (void)
{
  float none = 0;
  float y[2][2] = { { 3, 3 }, { 3, 3 } };
  if (!signbit (sum (0, &none, 0, -0.0f)) || sum (0, &none, 0, 5) != 5)
    differ ("sum", 0, -0.0, 0);
  mean (2, 0, (void *) &none, y);
  if (y[0][0] != 0 || signbit (y[0][0]) || y[1][1] != 0)
    differ ("mean", 0, 0, y[0][0]);
}

static float x[2][AREA], y[2][AREA], z[2][MOST], w[2][MOST], u[2][MOST];
static float a[2][AREA], b[2][AREA], c[2][AREA];
static double d[2][AREA], e[2][AREA], f[2][AREA], g[2][MOST], s[2][1];

int
main (void)
{
  check_nothing ();
  EACH_SIZE (n)
  {
    FILL_REAL (d);
    FILL_REAL (e);
    for (int k = 0; k < 2; k++)
      s[k][0] = k ? triangle (n, d[1], e[1], 7, 2)
                  : plain_triangle (n, d[0], e[0], 7, 2);
    CHECK_NEAR (s, 1e-12);
    FILL_REAL (x);
    BOTH_EQUAL (strict, n, x[W], 3, 0.1f);
    EACH_WIDTH (m)
    {
      FILL_REAL (x);
      FILL_REAL (y);
      FILL_REAL (w);
      FILL_REAL (u);
      FILL_WITH (z, 1 + next () % 5);
      BOTH (mean, n, m, (void *) x[W], (void *) y[W]);
      CHECK_NEAR (y, 1e-5);
      BOTH (add, n, m, (void *) x[W], z[W], w[W], y[W], u[W]);
      CHECK_NEAR (y, 1e-4);
      CHECK_NEAR (u, 1e-6);
    }
  }
  EACH_SMALL (n)
  EACH_SMALL_TOO (m)
  for (int l = 0; l < 130; l = 3 * l + 1)
    {
      FILL_REAL (a);
      FILL_REAL (b);
      FILL_REAL (c);
      FILL_WITH (z, 1 + next () % 5);
      BOTH (product, n, m, l, (void *) a[W], (void *) b[W], z[W],
            (void *) c[W]);
      CHECK_NEAR (c, 1e-4);
      FILL_REAL (d);
      FILL_REAL (e);
      FILL_REAL (f);
      FILL_WITH (g, 1 + next () % 5);
      BOTH (added, n, m, l, (void *) d[W], (void *) e[W], g[W], (void *) f[W]);
      CHECK_NEAR (f, 1e-12);
    }
  return 0;
}
