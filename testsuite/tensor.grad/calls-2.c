/* Shows calls of derived functions that return what the function returns, and
   of such that call a function with a derivative of the user's: in a region, and
   differentiated.  */

#include "check.h"

static real
root (real x)
{
  real w = x;
  while (fabs (w * w - x) > 1e-15 * x)
    w = (w + x / w) / 2;
  return w;
}

#pragma tensor derivative(root) of(return: g) wrt(x: dx)
static void
root_back (real x, real g, real *dx)
{
  *dx += g / (2 * root (x));
}

static real
roots (int m, const real *x)
{
  real s = 0;
  for (int i = 0; i < m; i++)
    s += root (x[i]) * x[i];
  return s;
}

#pragma tensor gradient(roots) of(return: seed) wrt(x: dx) with(primal)
real roots_and_gradient (int m, const real *x, real seed, real *dx);

static real
step (int m, real rate, real *x, real *restrict dx)
{
  real loss = 0;
#pragma tensor require(transform)
  {
    for (int i = 0; i < m; i++)
      dx[i] = 0;
    loss = roots_and_gradient (m, x, 1, dx);
    for (int i = 0; i < m; i++)
      x[i] -= rate * dx[i] * loss;
  }
  return loss;
}

static real
powers (int m, const real *x)
{
  real s = 0;
  for (int i = 0; i < m; i++)
    s += exp (x[i]) * x[i];
  return s;
}

#pragma tensor gradient(powers) of(return: seed) wrt(x: dx) with(primal)
real powers_and_gradient (int m, const real *x, real seed, real *dx);

/* A loss and a penalty for its slope.  */
static real
penalty (int m, real rate, const real *x, real *dx)
{
  for (int i = 0; i < m; i++)
    dx[i] = 0;
  real loss = powers_and_gradient (m, x, 1, dx);
  for (int i = 0; i < m; i++)
    loss += rate * dx[i] * dx[i];
  return loss;
}

#pragma tensor gradient(penalty) of(return: seed) wrt(x: dx, rate: drate)
int penalty_gradient (int m, real rate, const real *x, real seed, real *dx,
                      real *drate);

/* MANY steps down the slope of the penalty; 1: there was no memory.  */
static int
steps (int many, int m, real rate, real *restrict x, real *restrict dx)
{
#pragma tensor require(transform)
  for (int k = 0; k < many; k++)
    {
      for (int i = 0; i < m; i++)
        dx[i] = 0;
      real drate = 0;
      if (penalty_gradient (m, rate, x, 0.125, dx, &drate))
        return 1;
      for (int i = 0; i < m; i++)
        x[i] -= 0.25 * dx[i] * (1 + drate);
      int failed = penalty_gradient (m, rate, x, 0.125, dx, &drate);
      if (failed != 0)
        return failed;
    }
  return 0;
}

static void
check_steps (void)
{
  static real x[ROOM], dx[ROOM], z[ROOM], dz[ROOM];
  memcpy (x, a[0], sizeof x);
  memcpy (z, a[0], sizeof z);
  faults += steps (3, n, 0.5, x, dx);
  for (int k = 0; k < 3; k++)
    {
      real drate = 0;
      memset (dz, 0, sizeof dz);
      penalty_gradient (n, 0.5, z, 0.125, dz, &drate);
      for (int i = 0; i < n; i++)
        z[i] -= 0.25 * dz[i] * (1 + drate);
      penalty_gradient (n, 0.5, z, 0.125, dz, &drate);
    }
  for (int i = 0; i < n; i++)
    faults += fabs (x[i] - z[i]) > 1e-12 || fabs (dx[i] - dz[i]) > 1e-12;
}

static void
penalty_kernel (values at, real *out)
{
  static real dx[ROOM];
  *out = penalty (n, at[1][0], at[0], dx);
}

static void
check_step (void)
{
  static real x[ROOM], dx[ROOM];
  memcpy (x, a[0], sizeof x);
  real loss = step (n, 0.25, x, dx);
  faults += fabs (loss - roots (n, a[0])) > 1e-12;
  for (int i = 0; i < n; i++)
    faults
      += fabs (dx[i] - 1.5 * sqrt (a[0][i])) > 1e-12
         || fabs (x[i] - (a[0][i] - 0.25 * dx[i] * loss)) > 1e-12;
}

int
main (void)
{
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    {
      start (sizes[s]);
      check_step ();
      check_steps ();
      faults += penalty_gradient (n, a[1][0], a[0], u[0], g[0], g[1]);
      agree ("penalty", penalty_kernel, 0);
      agree ("weight of the penalty", penalty_kernel, 1);
    }
  return faults != 0;
}
