/* Shows gradients of += of functions whose derivative is a formula of their own
   result: what stands in the target afterwards is more than that.  */

#include "check.h"

static void
gain (int m, const real *x, real *y)
{
  for (int i = 0; i < m; i++)
    {
      y[8 * i] += exp (x[i]);
      y[8 * i + 1] += sqrt (x[i]);
      y[8 * i + 2] += tanh (x[i]);
      y[8 * i + 3] += 3 / x[i];
      y[8 * i + 4] += hypot (x[i], 2);
      y[8 * i + 5] -= exp (x[i]);
      y[8 * i + 6] += pow (x[i], 1.5);
      y[8 * i + 7] += cbrt (x[i]);
    }
}

static void
doubled (int m, real *x)
{
  for (int i = 0; i < m; i++)
    x[2 * i] += hypot (sin (x[i]), 0.5 + x[2 * i + 1]);
}

#pragma tensor gradient(gain) of(y: dy) wrt(x: dx)
void gain_gradient (int m, const real *x, real *y, const real *dy, real *dx);
#pragma tensor gradient(gain) of(y: dy) wrt(x: dx) with(primal)
void gain_both (int m, const real *x, real *y, const real *dy, real *dx);
#pragma tensor gradient(doubled) of(x: dx) wrt(x: dx)
void doubled_gradient (int m, const real *x, real *dx);

static void
gain_kernel (values at, real *out)
{
  for (int e = 0; e < 8 * n; e++)
    out[e] = 2;
  gain (n, at[0], out);
}

static void
doubled_kernel (values at, real *out)
{
  doubled (n, at[0]);
  memcpy (out, at[0], 2 * n * sizeof *out);
}

int
main (void)
{
  static real y[ROOM];
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    {
      for (int both = 0; both < 2; both++)
        {
          start (sizes[s]);
          for (int e = 0; e < 8 * n; e++)
            y[e] = 2;
          (both ? gain_both : gain_gradient) (n, a[0], y, u, g[0]);
          agree (both ? "gain with its value" : "gain", gain_kernel, 0);
        }
      start (sizes[s]);
      memset (g, 0, sizeof g);
      memcpy (g[0], u, 2 * n * sizeof (real));
      doubled_gradient (n, a[0], g[0]);
      agree_from ("doubled", doubled_kernel, 0, 0);
    }
  return faults != 0;
}
