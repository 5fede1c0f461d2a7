/* call: functions of math.h that are not read are named, and a way out.  */
/* { dg-do compile } */

#include <math.h>

#pragma tensor gradient(f) of(y: dy) wrt(x: dx)
void f_gradient (int n, const double *x, const double *dy, double *dx);
#pragma tensor gradient(g) of(y: dy) wrt(x: dx)
void g_gradient (int n, const double *x, const double *dy, double *dx);

void
f (int n, const double *x, double *y)
{
  for (int i = 0; i < n; i++)
    y[i] = j0 (x[i]); /* { dg-error "no gradient of f: the call of j0 may have effects" } */
}

void
g (int n, const double *x, double *y)
{
  for (int i = 0; i < n; i++)
    y[i] = jn (2, x[i]); /* { dg-error "no gradient of g: the call of jn may .* #pragma tensor derivative gives one" } */
}
