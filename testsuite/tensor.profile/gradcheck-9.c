/* TRM_GRADCHECK=1 takes what an adjoint that is set held for nothing.  */
/* { dg-tensor-opts "check" } */
/* { dg-set-target-env-var TRM_GRADCHECK "1" } */
/* { dg-output "call 1: dx.\[0-6\]. is \[^\n\]*: agrees, the worst of 7 elements looked at, of 7\n" } */
/* { dg-output "\[^\n\]*call 1: agrees with 'forth'; along a direction \[^\n\]*\n" } */
/* { dg-output "tensor: gradcheck: 1 calls of 1 gradients checked, all agree\n$" } */

#include <math.h>

static void
forth (int n, const double *x, double *y)
{
  for (int i = 0; i < n; i++)
    y[i] = sin (x[i]) * x[i];
}

#pragma tensor gradient(forth) of(y : dy) wrt(x : dx) clear(dx)
void back (int n, const double *x, const double *dy, double *dx);

int
main (void)
{
  double x[7], dy[7], dx[7];
  for (int i = 0; i < 7; i++)
    {
      x[i] = 0.1 * i;
      dy[i] = 0.2 * i - 0.5;
      dx[i] = i % 2 ? NAN : 7;
    }
  back (7, x, dy, dx);
  return !(fabs (dx[6] - dy[6] * (sin (0.6) + 0.6 * cos (0.6))) < 1e-12);
}
