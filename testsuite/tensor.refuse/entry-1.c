/* entry: the gradient needs a value at the entry that it is not given.  */
/* { dg-do compile } */

#pragma tensor gradient(f) of(y: dy) wrt(x: dx)
void f_gradient (int n, const double *x, const double *dy, double *dx);

void
f (int n, const double *x, double *y)
{
  for (int i = 0; i < n; i++)
    y[i] = y[i] * x[i]; /* { dg-error "no gradient of f: the gradient needs what y holds at the entry" } */
}
