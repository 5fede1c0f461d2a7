/* Shows gradients of functions that call others, arrays given as the function
   left them, and a gradient that finds no memory and says so.  */

#include "check.h"

#include <sys/resource.h>

static real
soft (real x)
{
  return x > 0.5 ? log1p (exp (x)) : sin (x) * x;
}

static void
layers (int m, const real *x, real *y, real *z)
{
  for (int i = 0; i < m; i++)
    y[i] = soft (x[i]) * x[i];
  for (int i = 0; i < m; i++)
    z[i] = y[i] * soft (y[i]);
}

#pragma tensor gradient(layers) of(z: dz) wrt(x: dx) given(y)
void given_gradient (int m, const real *x, const real *y, const real *dz,
                     real *dx);
#pragma tensor gradient(layers) of(z: dz) wrt(x: dx)
void layers_gradient (int m, const real *x, const real *dz, real *dx);

static void
square (long m, real *x)
{
  for (int t = 0; t < 3; t++)
    for (long i = 0; i < m; i++)
      x[i] = x[i] * x[i];
}

#pragma tensor gradient(square) of(x: dx) wrt(x: dx)
int square_gradient (long m, const real *x, real *dx);

static void
layers_kernel (values at, real *out)
{
  static real y[ROOM];
  layers (n, at[0], y, out);
}

/* 1 where a gradient is refused memory, else it has it all.  */
static int
without_memory (void)
{
  static real x[4000000], dx[4000000];
  struct rlimit old, none;
  getrlimit (RLIMIT_AS, &old);
  none = old;
  none.rlim_cur = 1;
  if (setrlimit (RLIMIT_AS, &none))
    return 1;
  int failed = square_gradient (4000000, x, dx);
  setrlimit (RLIMIT_AS, &old);
  return failed;
}

int
main (void)
{
  static real y[ROOM], z[ROOM];
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    {
      start (sizes[s]);
      layers_gradient (n, a[0], u, g[0]);
      agree ("layers", layers_kernel, 0);
      start (sizes[s]);
      layers (n, a[0], y, z);
      given_gradient (n, a[0], y, u, g[0]);
      agree ("given", layers_kernel, 0);
      y[0] += 0.1;
      given_gradient (n, a[0], y, u, g[1]);
      if (n > 0 && g[1][0] == g[0][0])
        {
          printf ("what is given is not read\n");
          faults++;
        }
    }
  if (without_memory () != 1)
    {
      printf ("there was memory\n");
      faults++;
    }
  return faults != 0;
}
