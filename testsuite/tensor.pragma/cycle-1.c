/* Derived functions that need each other, or themselves, are errors.  */

#pragma tensor gradient(b) of(y: dy) wrt(x: dx) /* { dg-message "9: error: the gradient of .b. needs itself" } */
void a (int n, const double *x, const double *dy, double *dx);
#pragma tensor tangent(a) of(dx: y) wrt(x: v)
void b (int n, const double *x, const double *v, double *y);

#pragma tensor gradient(f) of(return: g) wrt(x: dx) /* { dg-message "9: error: the gradient of .f. needs itself" } */
void f_gradient (int n, const double *x, double g, double *dx);

double
f (int n, const double *x)
{
  double sum = 0;
  double dx[4] = { 0 };
  f_gradient (4, x, 1, dx);
  for (int i = 0; i < n; i++)
    sum += x[i] * dx[0];
  return sum;
}
