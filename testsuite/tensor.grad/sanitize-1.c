/* Shows gradients of functions whose divisions, shifts and conversions a
   sanitizer checks: those checks are the function's, not its gradient's.
   { dg-require-effective-target sanitize }
   { dg-additional-options "-fsanitize=undefined,float-divide-by-zero,float-cast-overflow" }  */

#include "check.h"

static void
fold (int m, int k, const real *restrict x, real *restrict y)
{
  for (int i = 0; i < m; i++)
    y[i / k] += x[i] * x[i % k] * (i / k) / x[i];
  for (int i = 0; i < m; i++)
    y[i] += (real) (1 << (i & k)) * x[i] * x[i] * (int) (3 * x[i]);
}

#pragma tensor gradient(fold) of(y: dy) wrt(x: dx)
void fold_gradient (int m, int k, const real *restrict x,
                    const real *restrict dy, real *restrict dx);

static void
fold_kernel (values at, real *out)
{
  fold (n, 3, at[0], out);
}

int
main (void)
{
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++)
    {
      start (sizes[k]);
      fold_gradient (n, 3, a[0], u, g[0]);
      agree ("fold", fold_kernel, 0);
    }
  return faults != 0;
}
