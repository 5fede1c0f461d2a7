/* TRM_MODE=check compares a gradient with the careful version of it.  */
/* { dg-tensor-opts "check" } */
/* { dg-set-target-env-var TRM_MODE "check" } */
/* { dg-output "tensor: check: 2 calls of 1 regions compared, all agree; 1 regions were compiled without check\n$" } */

static double x[100], dy[100], dx[100];

void
square (int n, const double *x, double *y)
{
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i];
}

#pragma tensor gradient(square) of(y: dy) wrt(x: dx)
void square_gradient (int n, const double *x, const double *dy, double *dx);

int
main (void)
{
  for (int i = 0; i < 100; i++)
    {
      x[i] = i;
      dy[i] = 1;
    }
  square_gradient (100, x, dy, dx);
  square_gradient (100, x, dy, dx);
  return dx[0] == 0 && dx[99] == 4 * 99 ? 0 : 1;
}
