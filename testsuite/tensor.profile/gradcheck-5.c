/* TRM_GRADCHECK=1: what cannot be checked is told: an array that is given and
   does not hold what the function leaves in it; adjoints that lie on each
   other.  */
/* { dg-tensor-opts "check" } */
/* { dg-set-target-env-var TRM_GRADCHECK "1" } */
/* { dg-output "gradcheck-5.c:21: tensor: gradcheck of 'back', call 1: cannot be checked: an array that is given does not hold what the function leaves in it\n" } */
/* { dg-output "\[^\n\]*gradcheck-5.c:25: tensor: gradcheck of 'both', call 1: cannot be checked: adjoints that go out lie on each other\n" } */
/* { dg-output "tensor: gradcheck: 0 calls of 0 gradients checked, all agree; 2 could not be checked\n$" } */

#include <math.h>

static void
forth (int n, const double *x, double *e, double *y)
{
  for (int i = 0; i < n; i++)
    e[i] = exp (x[i]);
  for (int i = 0; i < n; i++)
    y[i] = e[i] * x[i];
}

#pragma tensor gradient(forth) of(y: dy) wrt(x: dx) given(e)
void back (int n, const double *x, const double *e, const double *dy,
           double *dx);

#pragma tensor gradient(forth) of(y: dy) wrt(x: dx, e: de)
void both (int n, const double *x, double *e, const double *dy, double *dx,
           double *de);

int
main (void)
{
  double x[] = { 0.5, 1, 2 }, e[] = { 1, 2, 3 }, dy[] = { 1, 1, 1 };
  double dx[3] = { 0 };
  back (3, x, e, dy, dx);
  both (3, x, e, dy, dx, dx);
  return 0;
}
