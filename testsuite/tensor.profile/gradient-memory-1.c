/* TRM_VERBOSE tells how much memory a gradient would need that has not so much,
   and says so to its caller.  */
/* { dg-set-target-env-var TRM_VERBOSE "1" } */
/* { dg-output "squares_gradient: the gradient needs \[0-9\]+ bytes at least" } */

#include <math.h>

static void
squares (int n, const double *x, double *y)
{
  double h[n * n + 1];
  for (int i = 0; i < n * n; i++)
    h[i] = exp (x[i]);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
        y[i * n + j] = 0;
        for (int k = 0; k < n; k++)
          y[i * n + j] += h[i * n + k] * h[k * n + j];
      }
}

#pragma tensor gradient(squares) of(y: dy) wrt(x: dx) memory("1K")
int squares_gradient (int n, const double *x, const double *dy, double *dx);

static double x[64 * 64], dy[64 * 64], dx[64 * 64];

int
main (void)
{
  return squares_gradient (64, x, dy, dx) != 1;
}
