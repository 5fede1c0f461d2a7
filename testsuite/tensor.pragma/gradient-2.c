/* A gradient of a function that cannot be read is an error at the place.  */

#pragma tensor gradient(f) of(return: seed) wrt(x: dx)
void f_gradient (int n, const double *x, double seed, double *dx);

double
f (int n, const double *x)
{
  double s = 1;
  while (s * s < x[n]) /* { dg-error "no gradient of f: the loop does not advance s by a constant" } */
    s = s * x[0];
  return s;
}
