/* Shows that numbers that grow by the same amount in each iteration are the
   same when they are computed from the iterator: in front of the step and
   behind it, in nests, in double and float, behind the loop, in loops that do
   not run.  */

#include "compare.h"

static NOINLINE double
plain_scale (int n, float *x, const float *y)
{
  float s = 0;
  for (int i = 0; i < n; i++)
    {
      s += 2.0f;
      x[i] = s * y[i];
    }
  return s;
}

static NOINLINE double
plain_grid (long n, double from, double h, double *x)
{
  double at = from;
  for (long i = 0; i < n; i++)
    {
      x[i] = at;
      at -= h;
      x[i] += at / 2;
    }
  return at;
}

static NOINLINE double
plain_plane (int n, int m, double *x)
{
  double u = -1;
  double s = 0;
  for (int i = 0; i < n; i++)
    {
      double v = 2;
      for (int j = 0; j < m; j++)
        {
          x[i * m + j] = u * v;
          s += v;
          v += 0.25;
        }
      u += 0.5;
    }
  return u + s;
}

static NOINLINE double
scale (int n, float *x, const float *y)
{
  float s = 0;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      s += 2.0f;
      x[i] = s * y[i];
    }
  return s;
}

static NOINLINE double
grid (long n, double from, double h, double *x)
{
  double at = from;
#pragma tensor
  for (long i = 0; i < n; i++)
    {
      x[i] = at;
      at -= h;
      x[i] += at / 2;
    }
  return at;
}

static NOINLINE double
plane (int n, int m, double *x)
{
  double u = -1;
  double s = 0;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      double v = 2;
      for (int j = 0; j < m; j++)
        {
          x[i * m + j] = u * v;
          s += v;
          v += 0.25;
        }
      u += 0.5;
    }
  return u + s;
}

static float x[2][AREA], y[2][AREA];
static double u[2][AREA];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (x);
    FILL (y);
    FILL (u);
    BOTH_EQUAL (scale, n, x[W], y[W]);
    CHECK (x);
    BOTH_EQUAL (grid, n, -0.5, 0.125, u[W]);
    CHECK (u);
    EACH_WIDTH (m)
    {
      BOTH_EQUAL (plane, n, m, u[W]);
      CHECK (u);
    }
  }
  return 0;
}
