/* Shows gradients of functions that write an array by rows in one loop and go
   over all its elements in another: it need not be a parameter.  */

#include "check.h"

enum
{
  COLUMNS = 7
};

/* A product, then the squares of its elements, in place.  */
static void
square (int m, int c, const real *x, const real *w, real *y)
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < c; j++)
      y[i * c + j] = x[i] * w[j];
  for (int k = 0; k < m * c; k++)
    y[k] *= y[k];
}

#pragma tensor gradient(square) of(y : dy) wrt(x : dx, w : dw)
void square_gradient (int m, int c, const real *x, const real *w,
                      const real *dy, real *dx, real *dw);

#pragma tensor tangent(square) of(y : dy) wrt(x : dx, w : dw)
void square_tangent (int m, int c, const real *x, const real *w, real *dy,
                     const real *dx, const real *dw);

/* From elements to rows and back, with scratch that the gradient lacks.  */
static void
both (int m, int c, const real *x, real *h, real *y)
{
  for (int k = 0; k < m * c; k++)
    h[k] = sin (x[k]);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < c; j++)
      y[i * c + j] = h[i * c + j] * h[i * c + c - 1 - j];
  for (int k = 0; k < m * c; k++)
    y[k] *= h[k] * y[k];
}

#pragma tensor gradient(both) of(y : dy) wrt(x : dx)
void both_gradient (int m, int c, const real *x, const real *dy, real *dx);

static void
square_kernel (values at, real *out)
{
  square (n, COLUMNS, at[0], at[1], out);
}

static void
both_kernel (values at, real *out)
{
  static real h[ROOM];
  both (n, COLUMNS, at[0], h, out);
}

/* Gradient and tangent of the squares are each other's transposed.  */
static void
check_transposed (void)
{
  static real dy[ROOM];
  real forth = 0, back = 0;
  square_tangent (n, COLUMNS, a[0], a[1], dy, d[0], d[1]);
  for (int k = 0; k < n * COLUMNS; k++)
    forth += dy[k] * u[k];
  for (int k = 0; k < 2; k++)
    for (int e = 0; e < ROOM; e++)
      back += (g[k][e] - 0.25) * d[k][e];
  if (fabs (forth - back) > 1e-12 * (1 + fabs (forth)))
    {
      printf ("n = %d: tangent %.12g, gradient %.12g\n", n, forth, back);
      faults++;
    }
}

int
main (void)
{
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++)
    {
      start (sizes[k]);
      square_gradient (n, COLUMNS, a[0], a[1], u, g[0], g[1]);
      agree ("square", square_kernel, 0);
      agree ("square", square_kernel, 1);
      check_transposed ();
      start (sizes[k]);
      both_gradient (n, COLUMNS, a[0], u, g[0]);
      agree ("both", both_kernel, 0);
    }
  if (faults)
    printf ("%d faults\n", faults);
  return faults != 0;
}
