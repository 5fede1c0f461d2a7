/* Shows gradients of functions that allocate: scratch in arrays that are freed,
   in loops, with a check for memory; an array of variable length.  */

#include "check.h"

static int
energy (int m, const real *x, real *out)
{
  real *t = malloc (m * sizeof *t);
  real *e = calloc (m, sizeof (real));
  if (!t || !e)
    {
      fprintf (stderr, "no memory\n");
      free (t);
      free (e);
      return -1;
    }
  real s = 0;
  for (int i = 0; i < m; i++)
    {
      t[i] = exp (x[i]);
      e[i] += t[i] * x[i];
    }
  for (int i = 1; i < m; i++)
    {
      real *w = (real *) malloc (3 * sizeof *w);
      real v[m];
      for (int k = 0; k < 3; k++)
        w[k] = t[i - 1] * t[i] * k;
      v[i] = w[1] + w[2] * w[2];
      s += v[i] * e[i];
      free (w);
    }
  free (t);
  free (e);
  *out = s;
  return 0;
}

#pragma tensor gradient(energy) of(out: g) wrt(x: dx)
void energy_gradient (int m, const real *x, const real *g, real *dx);
#pragma tensor gradient(energy) of(out: g) wrt(x: dx) with(primal)
int energy_both (int m, const real *x, real *out, const real *g, real *dx);

static void
energy_kernel (values at, real *out)
{
  energy (n, at[0], out);
}

int
main (void)
{
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    {
      real got, want;
      start (sizes[s]);
      energy_gradient (n, a[0], u, g[0]);
      agree ("energy", energy_kernel, 0);
      start (sizes[s]);
      faults += energy_both (n, a[0], &got, u, g[0]) != 0;
      agree ("energy with its value", energy_kernel, 0);
      energy (n, a[0], &want);
      faults += fabs (got - want) > 1e-12 * fabs (want);
    }
  return faults != 0;
}
