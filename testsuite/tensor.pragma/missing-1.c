/* A function that calls a derived one that never comes cannot be derived.  */

double elsewhere (int n, const double *x);

#pragma tensor gradient(elsewhere) of(return: g) wrt(x: dx)
void elsewhere_gradient (int n, const double *x, double g, double *dx);

#pragma tensor tangent(h) of(y: dy) wrt(x: dx) /* { dg-message "9: error: no tangent of .h.: it calls .elsewhere_gradient., which has not been written" } */
void h_tangent (int n, const double *x, const double *dx, double *dy);

void
h (int n, const double *x, double *y)
{
  for (int i = 0; i < n; i++)
    y[i] = 0;
  elsewhere_gradient (n, x, 1, y);
}
