/* TRM_GRADCHECK=1: a right gradient agrees, whatever its sizes; calls number 1,
   2 and 4 are looked at.  Several inputs, a scalar among them, a triangle, an
   adjoint that is not 0 at the entry.  */
/* { dg-tensor-opts "check" } */
/* { dg-set-target-env-var TRM_GRADCHECK "1" } */
/* { dg-output "gradcheck-1.c:26: tensor: gradcheck of 'back', call 1: dx has no element to compare\n" } */
/* { dg-output ".*call 2: dx.0. is \[-0-9.e\]*, \[-0-9.e\]* by differences, which err by \[0-9\]e-1\[0-9\], rounding by \[0-9\]e-1\[0-9\]: agrees, the worst of 1 elements looked at, of 1\n" } */
/* { dg-output ".*call 2: dp .of p. is .*call 4: dx.\[0-9\]*. is .*agrees, the worst of 9 elements looked at, of 9\n" } */
/* { dg-output ".*call 4: dw.\[0-9\]..\[0-9\]. is .*agrees, the worst of \[0-9\]* elements looked at, of 71\n" } */
/* { dg-output ".*call 4: agrees with 'forth'; along a direction the gradient gives .*, the tangent .*, rounding errs by \[0-9\]e-\[0-9\]*\n" } */
/* { dg-output "tensor: gradcheck: 3 calls of 1 gradients checked, all agree; 2 were not looked at\n$" } */

#include <math.h>

static void
forth (int n, double p, const double *x, const double w[n][n], double *y)
{
  for (int i = 0; i < n; i++)
    {
      y[i] = p * x[i];
      for (int j = 0; j < i; j++)
        y[i] += w[i][j] * sin (x[j]);
    }
}

#pragma tensor gradient(forth) of(y: dy) wrt(x: dx, p: dp, w: dw)
void back (int n, double p, const double *x, const double w[n][n],
           const double *dy, double *dx, double *dp, double dw[n][n]);

int
main (void)
{
  static const int sizes[] = { 0, 1, 4, 9, 3 };
  static double x[9], w[81], dy[9], dx[9], dw[81], dp = 3;
  for (int i = 0; i < 81; i++)
    w[i] = 0.25 * i - 7;
  for (int i = 0; i < 9; i++)
    {
      x[i] = 0.3 * i - 1;
      dy[i] = 1 + i % 3;
      dx[i] = i;
    }
  for (int k = 0; k < 5; k++)
    {
      int n = sizes[k];
      back (n, 0.75, x, (const double (*)[n]) w, dy, dx, &dp,
            (double (*)[n]) dw);
    }
  return 0;
}
