/* Shows that states of a time loop hold the rows that the function reaches and
   no others: rows that begin far behind where the pointer points to, and those
   of which a condition leaves some.  */

#include "check.h"

enum
{
  FAR = 1500,
  STEPS = 7
};

static void
distant (int m, int steps, real *x)
{
  for (int t = 0; t < steps; t++)
    for (int i = FAR; i < m; i++)
      x[i] = x[i] + 0.1 * x[i] * sin (x[i]);
}

#pragma tensor gradient(distant) of(x: dx) wrt(x: dx) checkpoint(2)
void distant_gradient (int m, int steps, const real *x, real *dx);

static void
near (int m, int steps, real *x)
{
  for (int t = 0; t < steps; t++)
    for (int i = 0; i < m; i++)
      if (2 * i < m)
        x[i] = x[i] + 0.1 * x[i] * sin (x[i]);
}

#pragma tensor gradient(near) of(x: dx) wrt(x: dx) checkpoint(2)
void near_gradient (int m, int steps, const real *x, real *dx);

static void
kernel_distant (values at, real *out)
{
  distant (n + FAR, STEPS, at[0]);
  memcpy (out, at[0], sizeof at[0]);
}

static void
kernel_near (values at, real *out)
{
  near (n, STEPS, at[0]);
  memcpy (out, at[0], sizeof at[0]);
}

/* A copy of FROM's first elements, as many as N and MORE, in memory of its
   own.  */
static real *
copy_of (const real *from, int more)
{
  size_t bytes = (size_t) (n + more) * sizeof (real);
  real *made = malloc (bytes + 1);
  memcpy (made, from, bytes);
  return made;
}

int
main (void)
{
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    {
      start (sizes[s]);
      real *dx = copy_of (u, FAR);
      real *x = copy_of (a[0], FAR);
      distant_gradient (n + FAR, STEPS, x, dx);
      memcpy (g[0], u, sizeof u);
      memcpy (g[0], dx, (size_t) (n + FAR) * sizeof (real));
      agree_from ("distant", kernel_distant, 0, 0);
      near_gradient (n, STEPS, a[0], memcpy (g[0], u, sizeof u));
      agree_from ("near", kernel_near, 0, 0);
      free (x);
      free (dx);
    }
  return faults != 0;
}
