/* derivative: there is no derivative that could be written down.  */
/* { dg-do compile } */

#include <math.h>

#pragma tensor gradient(f) of(y: dy) wrt(x: dx)
void f_gradient (int n, const double *x, const double *dy, double *dx);

void
f (int n, const double *x, double *y)
{
  for (int i = 0; i < n; i++)
    y[i] = tgamma (x[i]); /* { dg-error "no gradient of f: tgamma has no derivative" } */
}
