/* Shows what tangents hold at the entry: 0 where they only leave, whatever is
   in their memory, for arrays that the function reads, or writes in part; and
   those that come in where the function changes an array of rows while a
   function of what it leaves alone is kept.  */

#include "check.h"

enum
{
  COLUMNS = 10
};

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

static void
decay (int m, const real *x, real (*w)[COLUMNS], real *y)
{
  for (int t = 0; t < 4; t++)
    {
      for (int i = 0; i < 4; i++)
        y[i] += w[i][4];
      for (int i = 0; i < m && i < COLUMNS; i++)
        w[i / 3][i] *= atan (x[i / 2]);
    }
}

#pragma tensor tangent(decay) of(y: dy) wrt(w: dw, x: dx) fp(strict)
void decay_tangent (int m, const real *x, const real (*w)[COLUMNS],
                    const real *y, const real *dx, const real (*dw)[COLUMNS],
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

/* What decay adds to y[i] is w[i][4] (1 + f + f f + f f f), f = atan (x[2]),
   where it changes that.  */
static void
check_decay (void)
{
  const real (*w)[COLUMNS] = (void *) a[1], (*dw)[COLUMNS] = (void *) d[1];
  memset (g[0], 0, sizeof g[0]);
  decay_tangent (n, a[0], w, a[2], d[0], dw, g[0]);
  for (int i = 0; i < 4; i++)
    {
      int is_changed = i == 1 && n > 4;
      real f = is_changed ? atan (a[0][2]) : 1;
      real df = is_changed ? d[0][2] / (1 + a[0][2] * a[0][2]) : 0;
      compare ("decay", g[0][i],
               dw[i][4] * (1 + f + f * f + f * f * f)
                 + w[i][4] * (1 + 2 * f + 3 * f * f) * df);
    }
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
      start (sizes[s]);
      check_decay ();
    }
  return faults != 0;
}
