/* derivative: a call of a function that works on arrays finds what may count in
   the array that it overwrites, or sizes that nobody says, or adjoints that its
   derivative does not give.  */
/* { dg-do compile } */

void layer (int n, const double x[n], double h[n]);
#pragma tensor derivative(layer) of(h: dh) wrt(x: dx)
void layer_gradient (int n, const double x[n], const double dh[n], double dx[n]);

void add (int n, const double *x, const double *w, double *y);
#pragma tensor derivative(add) of(y: dy) wrt(x: dx, y: dy)
void add_gradient (int n, const double *w, double *dy, double *dx);

#pragma tensor gradient(again) of(y: dy) wrt(x: dx)
void again_gradient (int n, const double *x, const double *dy, double *dx);
#pragma tensor gradient(sizes) of(y: dy) wrt(x: dx)
void sizes_gradient (int n, const double *x, const double *w, const double *y,
                     const double *dy, double *dx);
#pragma tensor gradient(weights) of(y: dy) wrt(w: dw)
void weights_gradient (int n, const double *x, const double *w, const double *y,
                       const double *dy, double *restrict dw);
#pragma tensor tangent(once) of(y: dy) wrt(x: dx)
void once_tangent (int n, const double *x, double *dy, const double *dx);

void
again (int n, const double *x, double *y)
{
  double h[n];
  for (int i = 0; i < n; i++)
    h[i] = x[i];
  layer (n, x, h); /* { dg-error "no gradient of again: what layer finds in h has no derivative" } */
  for (int i = 0; i < n; i++)
    y[i] = h[i];
}

void
sizes (int n, const double *x, const double *w, double *y)
{
  add (n, x, w, y); /* { dg-error "no gradient of sizes: the size that the temporary x needs" } */
}

void
weights (int n, const double *x, const double *w, double *y)
{
  add (n, x, w, y); /* { dg-error "no gradient of weights: what add finds in w has no derivative" } */
}

void
once (int n, const double *x, double *y)
{
  layer (n, x, y); /* { dg-error "no tangent of once: layer has no derivative" } */
}
