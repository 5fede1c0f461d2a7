/* TRM_GRADCHECK=1: where a function has a corner, a jump or no slope there is
   nothing to compare: that is told, and no difference.  */
/* { dg-tensor-opts "check" } */
/* { dg-set-target-env-var TRM_GRADCHECK "all" } */
/* { dg-output "gradcheck-4.c:23: \[^\n\]* call 1: dx.\[0-9\]. is \[^\n\]*: agrees, the worst of 4 elements looked at, of 4; forth is not smooth at 2, first for dx.1.: 3.333\[0-9\]* below, 5.333\[0-9\]* above\n" } */
/* { dg-output "\[^\n\]* call 1: agrees with 'forth'\[^\n\]*\n" } */
/* { dg-output ".*tensor: gradcheck: 3 calls of 1 gradients checked, all agree\n$" } */

#include <math.h>

static double
forth (int n, const double *x)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    {
      double most = x[i] > 1 ? x[i] * x[i] * x[i] : x[i] * 3 - 2;
      sum += most + (x[i] > 1 ? 2 * (x[i] - 1) : 0) + cbrt (x[i] - 2);
    }
  return sum;
}

#pragma tensor gradient(forth) of(return) wrt(x: dx)
void back (int n, const double *x, double *dx);

int
main (void)
{
  double x[] = { 0.5, 1, 2, 3 }, dx[4] = { 0 };
  for (int k = 0; k < 3; k++)
    back (4, x, dx);
  return 0;
}
