/* derivative: a function's own derivative is not with respect to all that it
   would take; what has none may be given one.  */
/* { dg-do compile } */

double solve (double a, double b);

#pragma tensor derivative(solve) of(return: g) wrt(a: da)
void solve_back (double a, double b, double g, double *da);

#pragma tensor gradient(f) of(y: dy) wrt(x: dx)
void f_gradient (int n, const double *x, const double *dy, double *dx);
#pragma tensor gradient(h) of(y: dy) wrt(x: dx)
void h_gradient (int n, const double *x, const double *dy, double *dx);

void
f (int n, const double *x, double *y)
{
  for (int i = 0; i < n; i++)
    y[i] = solve (x[i], 2.0) + solve (1.0, x[i]); /* { dg-error "no gradient of f: solve has no derivative" } */
}

double another (double a);

void
h (int n, const double *x, double *y)
{
  for (int i = 0; i < n; i++)
    y[i] = another (x[i]); /* { dg-error "no gradient of h: the call of another may .* #pragma tensor derivative gives one" } */
}
