/* clear: which elements are read, and would be cleared, only the function
   knows.  */
/* { dg-do compile } */

#include <math.h>

#pragma tensor gradient(f) of(y: dy) wrt(x: dx, z: dz) clear(dz)
void f_gradient (int n, const double *x, const double *z, const double *dy,
                 double *dx, double *dz);

void
f (int n, const double *x, const double *z, double *y)
{
  for (int i = 0; i < n; i++)
    {
      double s = x[i] * x[i];
      y[i] = s > 1 ? floor (z[i]) * s : s; /* { dg-error "no gradient of f: which elements of z are read hangs on what the function computes" } */
    }
}
