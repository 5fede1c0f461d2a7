/* store: an array that begins its life in a loop is not kept whole.  */
/* { dg-do compile } */

void
f (int n, const double *x, double *y)
{
  for (int i = 0; i < n; i++)
    {
      double u[2];
      u[0] = x[i] * x[i];
      u[1] = u[0] * x[i];
      y[i] = u[0] * u[1];
    }
}

#pragma tensor gradient(f) of(y: dy) wrt(x: dx) store(u) /* { dg-error "u cannot be stored whole: it begins its life in a loop" } */
void f_gradient (int n, const double *x, const double *dy, double *dx);
