/* recompute: what one iteration hands to the next is not computed again in
   each.  */
/* { dg-do compile } */

void
f (int n, const double *x, double *u, double *y)
{
  u[0] = 1;
  for (int i = 1; i < n; i++)
    u[i] = u[i - 1] * x[i];
  for (int i = 0; i < n; i++)
    y[i] = u[i] * u[i];
}

#pragma tensor gradient(f) of(y: dy) wrt(x: dx) recompute(u) /* { dg-error "u cannot be computed again where it is needed" } */
void f_gradient (int n, const double *x, const double *dy, double *dx);
