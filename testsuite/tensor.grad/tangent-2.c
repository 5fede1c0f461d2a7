/* Shows what tangents hold at the entry: 0 where they only leave, whatever is
   in their memory, for arrays that the function reads, or writes in part.  */

#include "check.h"

static void
weigh (int m, real *x, const real *w, real *y)
{
  for (int i = 0; i < m; i++)
    y[i] = x[i] * w[i];
}

#pragma tensor tangent(weigh) of(x: dx, y: dy) wrt(w: dw)
void weigh_tangent (int m, const real *x, const real *w, const real *dw,
                    real *dx, real *dy);

static void
fold (int m, const real *x, real *y)
{
  y[0] += y[1] * x[0];
  for (int i = 2; i < m; i++)
    y[i] = x[i] * x[i];
}

#pragma tensor tangent(fold) of(y: dy) wrt(x: dx)
void fold_tangent (int m, const real *x, const real *y, const real *dx,
                   real *dy);

/* GOT is WANT.  */
static void
compare (const char *name, real got, real want)
{
  if (fabs (got - want) <= 1e-12 * (1 + fabs (want)))
    return;
  printf ("%s, %d: %.17g, not %.17g\n", name, n, got, want);
  faults++;
}

static void
check_weigh (void)
{
  weigh_tangent (n, a[0], a[1], d[1], d[0], g[0]);
  for (int i = 0; i < n; i++)
    compare ("weigh", g[0][i], a[0][i] * d[1][i]);
}

static void
check_fold (void)
{
  memcpy (g[0], d[1], sizeof g[0]);
  fold_tangent (n, a[0], a[1], d[0], g[0]);
  compare ("fold", g[0][0], a[1][1] * d[0][0]);
  compare ("what is not set", g[0][1], d[1][1]);
  for (int i = 2; i < n; i++)
    compare ("fold", g[0][i], 2 * a[0][i] * d[0][i]);
}

int
main (void)
{
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    {
      start (sizes[s]);
      check_weigh ();
      start (sizes[s]);
      check_fold ();
    }
  return faults != 0;
}
