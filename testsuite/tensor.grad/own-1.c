/* Shows derivatives of the user's own: of a function with a while loop, of one
   that is defined elsewhere, with several parameters and two types, under
   conditions and in several threads; a parameter without a derivative.  */

#include "check.h"

/* w with w * exp (w) = x.  */
static real
lambert (real x, int most)
{
  real w = log1p (x);
  while (fabs (w * exp (w) - x) > 1e-15 * x && most-- > 0)
    w -= (w * exp (w) - x) / (exp (w) * (1 + w));
  return w;
}

#pragma tensor derivative(lambert) of(return: g) wrt(x: dx)
static void
lambert_back (real x, real g, real *dx)
{
  real w = lambert (x, 50);
  *dx += g * w / (x * (1 + w));
}

extern real __attribute__ ((noinline)) blend (real p, float q);

#pragma tensor derivative(blend) of(return: t) wrt(q: dq, p: dp)
void blend_back (float q, real t, real p, float *dq, real *dp);

static real
both (real p, real x)
{
  return p * lambert (x, 40);
}

static void
layer (int m, const real *x, const real *z, real *y)
{
  for (int i = 0; i < m; i++)
    {
      real u = lambert (x[i] * x[i], 40) * x[i];
      y[i] = both (z[i], u) + 2 * blend (u, (float) x[i]);
      y[i] += x[i] > 0.5 ? both (x[i], 0.3) : x[i];
    }
}

#pragma tensor gradient(layer) of(y: dy) wrt(x: dx, z: dz)
void layer_gradient (int m, const real *x, const real *z, const real *dy,
                     real *dx, real *dz);

static real
sum (int m, const real *x)
{
  real s = 0;
  for (int i = 0; i < m; i++)
    s += blend (s, 0.5f) * lambert (x[i], 40) + lambert (2, i);
  return s;
}

#pragma tensor gradient(sum) of(return: g) wrt(x: dx)
void sum_gradient (int m, const real *x, real g, real *dx);
#pragma tensor gradient(sum) of(return) wrt(x: dx) with(primal)
real sum_both (int m, const real *x, real *dx);

static void
layer_kernel (values at, real *out)
{
  layer (n, at[0], at[1], out);
}

static void
sum_kernel (values at, real *out)
{
  out[0] = sum (n, at[0]);
}

int
main (void)
{
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    {
      start (sizes[s]);
      layer_gradient (n, a[0], a[1], u, g[0], g[1]);
      agree ("layer", layer_kernel, 1);
      for (int i = 0; i < n; i++)
        {
          real l = lambert (a[0][i] * a[0][i], 40);
          real v = l * a[0][i];
          real dv = l + 2 * l / (1 + l);
          real w = lambert (v, 40);
          real want = a[1][i] * w / (v * (1 + w)) * dv
                      + 2 * dv * (float) a[0][i] + 2 * v
                      + (a[0][i] > 0.5 ? lambert (0.3, 40) : 1);
          if (fabs (g[0][i] - 0.25 - u[i] * want) > 1e-7)
            {
              printf ("layer: %.12g, not %.12g\n", g[0][i] - 0.25,
                      u[i] * want);
              faults++;
            }
        }
      start (sizes[s]);
      sum_gradient (n, a[0], u[0], g[0]);
      agree ("sum", sum_kernel, 0);
      start (sizes[s]);
      u[0] = 1;
      real got = sum_both (n, a[0], g[0]);
      agree ("sum with its value", sum_kernel, 0);
      faults += fabs (got - sum (n, a[0])) > 1e-12;
    }
  return faults != 0;
}

real
blend (real p, float q)
{
  return p * q;
}

void
blend_back (float q, real t, real p, float *dq, real *dp)
{
  *dq += (float) (p * t);
  *dp += q * t;
}
