/* gradient: the loops of the function cannot be read, which is an error.  */
/* { dg-do compile } */

#pragma tensor gradient(f) of(return: seed) wrt(x: dx)
void f_gradient (int n, const double *x, double seed, double *dx);

double
f (int n, const double *x)
{
  double s = 1;
  while (s * s < x[n]) /* { dg-error "no gradient of f: the number of iterations" } */
    s = s * x[0];
  return s;
}
