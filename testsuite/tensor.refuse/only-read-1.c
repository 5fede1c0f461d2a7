/* only-read: what the function does not compute is not computed again.  */
/* { dg-do compile } */

void
f (int n, const double *x, double *y)
{
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i];
}

#pragma tensor gradient(f) of(y: dy) wrt(x: dx) recompute(x) /* { dg-error "x is not computed, so not again: the function only reads it" } */
void f_gradient (int n, const double *x, const double *dy, double *dx);
