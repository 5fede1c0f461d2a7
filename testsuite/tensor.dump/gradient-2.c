/* What the result does not depend on, and what it depends on only by what is not
   asked for, is not computed in the gradient.  */
/* { dg-tensor-opts "dump=extract" } */
/* { dg-final { scan-tns-dump-not extract "exp|cos|sin|fmax|abs|i32\\(" } } */
/* { dg-final { scan-tns-dump-times extract "S\[0-9\]+: dx\\\[i\\\] \\+= ds \\* w\\\[i\\\];" 1 } } */

#include <math.h>

static double
f (int n, const double *x, const double *w, double *e, int *hist)
{
  double s = 0, worst = 0;
  for (int i = 0; i < n; i++)
    {
      e[i] = exp (sin (w[i])) * cos (w[i]);
      worst = fmax (worst, fabs (x[i]));
      hist[(int) (8 * fabs (w[i]))]++;
      s += x[i] * w[i];
    }
  for (int i = 0; i < n; i++)
    e[i] *= worst;
  return s;
}

#pragma tensor gradient(f) of(return: g) wrt(x: dx)
void f_gradient (int n, const double *restrict x, const double *restrict w,
                 double g, double *restrict dx);
