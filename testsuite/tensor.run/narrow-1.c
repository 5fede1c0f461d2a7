/* Shows that rounding to float stays in lanes: a double made a float and
   wide again, in one expression, through a variable, in a sum, of floats
   that are computed in double, and of integers.  */

#include "compare.h"

#define AGAIN                                                                  \
  for (int i = 0; i < n; i++)                                                  \
    y[i] = (float) (x[i] * 1.1) - x[i + 1];

#define NAMED                                                                  \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      float t = x[i] * 1.1;                                                    \
      double u = t;                                                            \
      y[i] = u * 3.3;                                                          \
    }

#define SUMMED                                                                 \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      y[i] = 0;                                                                \
      for (int j = 0; j < 20; j++)                                             \
        y[i] += (float) (x[i + j] / 3);                                        \
    }

#define FLOATS                                                                 \
  for (int i = 0; i < n; i++)                                                  \
    z[i] = (float) (z[i + 1] * 1.1) * 3.3 - (double) (float) (z[i] * 0.7);

#define BYTES                                                                  \
  for (int i = 0; i < n; i++)                                                  \
    c[i] = (int) (double) (float) (c[i] * 1e7 / 3) % 251;

static NOINLINE void
plain_again (double *y, const double *x, int n)
{
  AGAIN
}

static NOINLINE void
again (double *y, const double *x, int n)
{
#pragma tensor fp(strict)
  AGAIN
}

static NOINLINE void
plain_named (double *y, const double *x, int n)
{
  NAMED
}

static NOINLINE void
named (double *y, const double *x, int n)
{
#pragma tensor fp(strict)
  NAMED
}

static NOINLINE void
plain_summed (double *y, const double *x, int n)
{
  SUMMED
}

static NOINLINE void
summed (double *y, const double *x, int n)
{
#pragma tensor fp(strict)
  SUMMED
}

static NOINLINE void
plain_floats (float *z, int n)
{
  FLOATS
}

static NOINLINE void
floats (float *z, int n)
{
#pragma tensor fp(strict)
  FLOATS
}

static NOINLINE void
plain_bytes (int *c, int n)
{
  BYTES
}

static NOINLINE void
bytes (int *c, int n)
{
#pragma tensor fp(strict)
  BYTES
}

int
main (void)
{
  static double x[2][MOST + 20], y[2][MOST];
  static float z[2][MOST + 1];
  static int c[2][MOST];
  EACH_SIZE (n)
  {
    FILL_WITH (x, (int) next () / 7.0);
    FILL_WITH (z, (int) next () / 7.0f);
    FILL_WITH (c, (int) next () % 100);
    BOTH (again, y[W], x[W], n);
    CHECK (y);
    BOTH (named, y[W], x[W], n);
    CHECK (y);
    BOTH (summed, y[W], x[W], n);
    CHECK (y);
    BOTH (floats, z[W], n);
    CHECK (z);
    BOTH (bytes, c[W], n);
    CHECK (c);
  }
  return 0;
}
