/* Shows the gradient of six loops whose subscripts are sums of iterators, into
   which its sums are gathered: the estimate of such a loop's work is an
   expression that stays short, so that it is compiled in a second or so.  */

#include "check.h"

static void
deep (int m, const real *restrict x, const real *restrict w, real *restrict y)
{
  for (int p = 0; p < m; p++)
    for (int q = 0; q < m; q++)
      for (int r = 0; r < m; r++)
        for (int i = 0; i < m; i++)
          for (int j = 0; j < m; j++)
            for (int k = 0; k < m; k++)
              y[p + q * 2 + r * 3]
                += x[i + j + k] * w[p + q + r + i + j + k] * x[p];
}

#pragma tensor gradient(deep) of(y : dy) wrt(x : dx, w : dw)
void deep_gradient (int m, const real *restrict x, const real *restrict w,
                    const real *restrict dy, real *restrict dx,
                    real *restrict dw);

static void
kernel_deep (values at, real *out)
{
  deep (n, at[0], at[1], out);
}

int
main (void)
{
  static const int few[] = { 0, 1, 2, 5 };
  for (int k = 0; k < 4; k++)
    {
      start (few[k]);
      deep_gradient (n, a[0], a[1], u, g[0], g[1]);
      agree ("deep, in x", kernel_deep, 0);
      agree ("deep, in w", kernel_deep, 1);
    }
  return faults > 0;
}
