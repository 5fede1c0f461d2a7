/* Shows calls of functions of numbers whose bodies are elsewhere, and whose
   gradients are declared: a gradient and a tangent call those.  */

#include "check.h"

#pragma tensor gradient(bend) of(return: seed) wrt(x: dx, y: dy)
void bend_gradient (real x, int k, real y, real seed, real *dx, real *dy);
#pragma tensor gradient(twist) of(return: seed) wrt(x: dx)
void twist_gradient (real x, real seed, real *dx);

real bend (real x, int k, real y);
real twist (real x);

static void
chain (int m, const real *x, const real *y, real *z)
{
  real s = 1;
  for (int i = 0; i < m; i++)
    {
      s += bend (x[i] * x[i], i % 3, y[i]);
      z[i] = s * twist (y[i] + s);
    }
}

#pragma tensor gradient(chain) of(z: dz) wrt(x: dx, y: dy)
void chain_gradient (int m, const real *x, const real *y, const real *dz,
                     real *dx, real *dy);
#pragma tensor tangent(chain) of(z: dz) wrt(y: dy)
void chain_tangent (int m, const real *x, const real *y, const real *dy,
                    real *dz);

static void
chain_kernel (values at, real *out)
{
  chain (n, at[0], at[1], out);
}

static void
check_tangent (void)
{
  static real dz[ROOM];
  real got = 0;
  chain_tangent (n, a[0], a[1], d[1], dz);
  for (int i = 0; i < n; i++)
    got += dz[i] * u[i];
  agree_slope ("tangent", chain_kernel, 1, got);
}

int
main (void)
{
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++)
    {
      start (sizes[k]);
      chain_gradient (n, a[0], a[1], u, g[0], g[1]);
      agree ("in x", chain_kernel, 0);
      agree ("in y", chain_kernel, 1);
      check_tangent ();
    }
  return faults != 0;
}

real
bend (real x, int k, real y)
{
  real s = x;
  for (int i = 0; i < k; i++)
    s = sin (s * y) + x;
  return s * y;
}

real
twist (real x)
{
  return x / (1 + x * x);
}
