/* Shows that an array which is given, but which the gradient also wants as it
   was earlier, is computed again.  */

#include "check.h"

static void
choose (int m, const real *x, real *r, real *y)
{
  for (int i = 0; i < m; i++)
    r[i] = 2 * x[i];
  for (int i = 0; i < m; i++)
    {
      r[i] = r[i] * r[i];
      if (x[i] > 0.5)
        r[i] = r[i] * sin (r[i]);
    }
  for (int i = 0; i < m; i++)
    y[i] = r[i] * r[i];
}

#pragma tensor gradient(choose) of(y: dy) wrt(x: dx) given(r)
void choose_gradient (int m, const real *x, const real *r, const real *dy,
                      real *dx);

static void
steps (int m, const real *x, real *r, real *y)
{
  for (int i = 0; i < m; i++)
    r[i] = x[i];
  for (int t = 0; t < 3; t++)
    for (int i = 0; i < m; i++)
      r[i] = r[i] * r[i] / (1 + x[i]);
  for (int i = 0; i < m; i++)
    y[i] = r[i] * r[i];
}

#pragma tensor gradient(steps) of(y: dy) wrt(x: dx) given(r)
void steps_gradient (int m, const real *x, const real *r, const real *dy,
                     real *dx);

static void
choose_kernel (values at, real *out)
{
  static real r[ROOM];
  choose (n, at[0], r, out);
}

static void
steps_kernel (values at, real *out)
{
  static real r[ROOM];
  steps (n, at[0], r, out);
}

int
main (void)
{
  static real r[ROOM], y[ROOM];
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    {
      start (sizes[s]);
      choose (n, a[0], r, y);
      choose_gradient (n, a[0], r, u, g[0]);
      agree ("choose", choose_kernel, 0);
      start (sizes[s]);
      steps (n, a[0], r, y);
      steps_gradient (n, a[0], r, u, g[0]);
      agree ("steps", steps_kernel, 0);
    }
  return faults != 0;
}
