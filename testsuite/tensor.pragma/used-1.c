/* Shows that a static function of which there is a gradient is used.  */
/* { dg-additional-options "-Wunused-function" } */

static void
square (int n, double *y, const double *x)
{
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i];
}

static void
cube (int n, double *y, const double *x) /* { dg-warning "defined but not used" } */
{
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i] * x[i];
}

#pragma tensor gradient(square) of(y: dy) wrt(x: dx) /* { dg-message "note: " } */
void square_gradient (int n, double *dy, const double *x, double *dx);
