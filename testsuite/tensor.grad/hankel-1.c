/* { dg-additional-options "-mno-avx" } */
/* Shows the gradient of the factors of a matrix with equal elements along its
   counterdiagonals: vectors that are added to x's adjoint begin within those
   of the row before.  */

#include "check.h"

enum
{
  SIDE = 6
};

static void
factors (int m, const real *restrict x, real *restrict y)
{
  real c[SIDE][SIDE];
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++)
      c[i][j] = sin (x[i + j]) + (i == j ? 9 : 0);
  for (int k = 0; k < m; k++)
    for (int i = k + 1; i < m; i++)
      {
        c[i][k] /= c[k][k];
        for (int j = k + 1; j < m; j++)
          c[i][j] -= c[i][k] * c[k][j];
      }
  for (int i = 0; i < m; i++)
    y[i] += c[i][i];
}

#pragma tensor gradient(factors) of(y: dy) wrt(x: dx)
void factors_gradient (int m, const real *restrict x, const real *restrict dy,
                       real *restrict dx);

static void
factors_kernel (values at, real *out)
{
  factors (n < SIDE ? n : SIDE, at[0], out);
}

int
main (void)
{
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++)
    {
      start (sizes[k]);
      factors_gradient (n < SIDE ? n : SIDE, a[0], u, g[0]);
      agree ("factors", factors_kernel, 0);
    }
  return faults != 0;
}
