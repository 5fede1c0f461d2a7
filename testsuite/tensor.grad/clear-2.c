/* Shows adjoints that are cleared and that nothing is added to: of values that
   are read in arms of choices alone, rounded, as conditions, as indices.  They
   are 0 where the arm is taken, with arrays that may overlap and those that may
   not; nothing else is touched.  */

#include "check.h"

static void
arm (int m, const real *restrict x, const real *restrict z, real *restrict y)
{
  for (int i = 0; i < m; i++)
    y[i] = x[i] * (long) (x[i] > 0 ? 4 * z[i] : 3);
}
#pragma tensor gradient(arm) of(y : dy) wrt(x : dx, z : dz) clear(dz)
void arm_set (int m, const real *restrict x, const real *restrict z,
              const real *restrict dy, real *restrict dx, real *restrict dz);

static void
loose (int m, const real *x, const real *z, real *y)
{
  for (int i = 0; i < m; i++)
    y[i] = x[i] * (x[i] > 0 ? floor (z[i]) : 3);
}
#pragma tensor gradient(loose) of(y : dy) wrt(x : dx, z : dz) clear(dz)
void loose_set (int m, const real *x, const real *z, const real *dy, real *dx,
                real *dz);

static void
deep (int m, const real *x, const real *z, real *y)
{
  for (int i = 0; i < m; i++)
    {
      int taken = x[i] > 0 && z[i] > 0.5 ? 2 : 1;
      int k = (int) (x[i] > 0 ? 3 * z[i] : 0);
      y[i] = taken * x[i] + k;
    }
}
#pragma tensor gradient(deep) of(y : dy) wrt(x : dx, z : dz) clear(dz)
void deep_set (int m, const real *x, const real *z, const real *dy, real *dx,
               real *dz);

/* Beside a read that an adjoint goes to.  */
static void
both (int m, const real *x, const real *z, real *y)
{
  for (int i = 0; i < m; i++)
    y[i] = (x[i] > 0.5 ? z[i] * x[i] : x[i] > 0 ? rint (z[i]) : 1) * x[i];
}
#pragma tensor gradient(both) of(y : dy) wrt(x : dx, z : dz) clear(dz)
void both_set (int m, const real *x, const real *z, const real *dy, real *dx,
               real *dz);

/* With what only the function knows, in an IF.  */
static void
known (int m, const real *x, const real *z, real *y)
{
  for (int i = 0; i < m; i++)
    {
      real s = x[i] * x[i] - 0.25;
      if (s > 0)
        s = z[i] > 0 ? s : 2 * s;
      y[i] = s;
    }
}
#pragma tensor gradient(known) of(y : dy) wrt(x : dx, z : dz) clear(dz)
void known_set (int m, const real *x, const real *z, const real *dy, real *dx,
                real *dz);

typedef void gradient (int, const real *, const real *, const real *, real *,
                       real *);

/* SET clears what x[i] > 0 lets be read, and gives the rest what it held, or,
   ALL, clears it; the adjoint is SLOPE x^2 dy where x > 0.5.  */
static void
check_set (const char *name, gradient *set, int all, int slope)
{
  enum
  {
    N = 33
  };
  real x[N], z[N], dy[N], dx[N], dz[N + 1];
  for (int i = 0; i < N; i++)
    {
      x[i] = (i * 7 % 11 - 5) * 0.19;
      z[i] = (i * 5 % 13 - 6) * 0.31;
      dy[i] = 1 + i;
      dx[i] = 0;
      dz[i] = 77;
    }
  dz[N] = 77;
  set (N, x, z, dy, dx, dz);
  for (int i = 0; i <= N; i++)
    {
      real gain = i < N && x[i] > 0.5 ? slope * x[i] * x[i] * dy[i] : 0;
      real want = i < N && (all || x[i] > 0) ? gain : 77;
      if (fabs (dz[i] - want) <= 1e-12 * (1 + fabs (want)))
        continue;
      printf ("%s: %d has %g, to have %g\n", name, i, dz[i], want);
      faults++;
    }
}

int
main (void)
{
  check_set ("arm", arm_set, 0, 0);
  check_set ("loose", loose_set, 0, 0);
  check_set ("deep", deep_set, 0, 0);
  check_set ("both", both_set, 0, 1);
  check_set ("known", known_set, 1, 0);
  return faults != 0;
}
