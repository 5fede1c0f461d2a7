/* Shows derivatives of gradients that go over their time loop in parts: a
   Hessian times a vector, and the gradient of a gradient, of what checkpoint
   and memory bound.  */

#include "check.h"

static real
march (int m, int steps, const real *x, const real *w, real *state)
{
  real s = 0;
  for (int i = 0; i < m; i++)
    state[i] = x[i];
  for (int t = 0; t < steps; t++)
    for (int i = 0; i < m; i++)
      state[i] += 0.1 * w[i] * state[i] * state[i];
  for (int i = 0; i < m; i++)
    s += state[i] * state[i];
  return s;
}

#pragma tensor gradient(march) of(return: seed) wrt(x: dx, w: dw) checkpoint(3)
void march_few (int m, int steps, const real *x, const real *w, real seed,
                real *dx, real *dw);
#pragma tensor tangent(march_few) of(dx: hv) wrt(w: v)
void march_few_times (int m, int steps, const real *x, const real *w, real seed,
                      const real *v, real *hv);

#pragma tensor gradient(march) of(return: seed) wrt(x: dx) memory("64K")
void march_bound (int m, int steps, const real *x, const real *w, real seed,
                  real *dx);
#pragma tensor gradient(march_bound) of(dx: v) wrt(w: hv)
void march_bound_back (int m, int steps, const real *x, const real *w,
                       real seed, const real *v, real *hv);

/* The objective is U times the gradient in x: its slope is that of w.  */
static void
march_kernel (values at, real *out)
{
  static real dw[ROOM];
  march_few (n, 7, at[0], at[1], 1, out, dw);
}

static void
march_tangent (void)
{
  static real hv[ROOM];
  real got = 0;
  march_few_times (n, 7, a[0], a[1], 1, d[1], hv);
  for (int i = 0; i < n; i++)
    got += hv[i] * u[i];
  agree_slope ("march, tangent", march_kernel, 1, got);
}

int
main (void)
{
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++)
    {
      start (sizes[k]);
      march_tangent ();
      march_bound_back (n, 7, a[0], a[1], 1, u, g[1]);
      agree ("march, gradient", march_kernel, 1);
    }
  return faults != 0;
}
