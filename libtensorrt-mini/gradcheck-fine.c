/* Central differences along one direction, extrapolated.

     D (t) = (f (x + t d) - f (x - t d)) / 2 t = f' + c2 t^2 + c4 t^4 + ...

   D at t, t/2, t/4, ... is the first column of a tableau; each column to the
   right takes one more power of t out (Richardson), and the entry that differs
   least from its two neighbours is taken, that difference its error (Ridders).
   What f's own rounding makes of D is part of it, and added once more from
   below: an entry cannot be better than the outputs' last places over t.

   Where the first t of a series is right is not known: it is small beside
   what moves, but a function may have a corner, or end, nearer than that, or
   hardly change.  Series of several t are made until the error is small; the
   best one counts.  */

#include "gradcheck.h"

#include <math.h>

#define LEVELS 9
#define SMALL  1e-8

static const double first_step[] = { 0x1p-6, 0x1p-12, 0x1p-20, 0x1p-3 };

/* A series under way: two rows of the tableau, and the best so far.  */
typedef struct series
{
  double row[2][LEVELS];
  trm_estimate best;
} series;

/* Extend S, which has N rows, by D, whose own error is NOISE.  False when going
   on is no use.  */
static bool
extend (series *s, int n, double d, double noise)
{
  double *last = s->row[(n + 1) % 2];
  double *next = s->row[n % 2];
  double factor = 1;
  next[0] = d;
  for (int k = 1; k <= n; k++)
    {
      factor *= 4;
      next[k] = (next[k - 1] * factor - last[k - 1]) / (factor - 1);
      double error
        = fmax (fabs (next[k] - next[k - 1]), fabs (next[k] - last[k - 1]));
      error = fmax (error, noise);
      if (n > 1 && error <= s->best.error)
        s->best = (trm_estimate){ next[k], error };
    }
  return n == 0 || fabs (next[n] - last[n - 1]) < 2 * s->best.error || n < 3;
}

/* D at T and what its rounding is.  */
static double
central (trm_case *c, const trm_direction *d, double t, double *noise)
{
  double change = trm_case_difference (c, d, t, -t, noise);
  *noise /= 2 * t;
  return change / (2 * t);
}

/* The best of one series from T on; steps where f is no number are left
   out.  */
static trm_estimate
one_series (trm_case *c, const trm_direction *d, double t)
{
  series s = { .best = { NAN, INFINITY } };
  bool goes_on = true;
  int n = 0;
  for (int level = 0; level < LEVELS && goes_on && !c->why; level++, t /= 2)
    {
      double noise;
      double at = central (c, d, t, &noise);
      if (isfinite (at))
        goes_on = extend (&s, n++, at, noise);
      else
        n = 0;
    }
  return s.best;
}

trm_estimate
trm_differentiate (trm_case *c, const trm_direction *d, double expected,
                   double rounding)
{
  trm_estimate best = { NAN, INFINITY };
  int n = sizeof first_step / sizeof *first_step;
  for (int k = 0; k < n && !c->why; k++)
    {
      trm_estimate e = one_series (c, d, first_step[k]);
      bool agrees = fabs (e.value - expected) <= e.error + rounding;
      double size = fmax (fabs (e.value), fabs (expected));
      if (agrees && e.error <= fmax (SMALL * size, rounding))
        return e;
      if (e.error < best.error)
        best = e;
    }
  return best;
}

/* The differences on both sides at T, and what rounding may do to them.  */
typedef struct sides
{
  double left;
  double right;
  double noise;
} sides;

/* They.  */
static sides
sides_at (trm_case *c, const trm_direction *d, double t)
{
  sides s;
  double above = 0, below = 0;
  s.right = trm_case_difference (c, d, t, 0, &above) / t;
  s.left = trm_case_difference (c, d, 0, -t, &below) / t;
  s.noise = (above + below) / t;
  return s;
}

bool
trm_has_corner (trm_case *c, const trm_direction *d, double *left,
                double *right)
{
  sides far = sides_at (c, d, 0x1p-10);
  sides near = sides_at (c, d, 0x1p-14);
  sides next = sides_at (c, d, 0x1p-18);
  double gap = fabs (near.right - near.left);
  double moves = fabs (near.right - far.right);
  double moves_on = fabs (next.right - near.right);
  *left = next.left;
  *right = next.right;
  if (!isfinite (*left) || !isfinite (*right))
    return true;
  return (gap > fabs (far.right - far.left) / 4 && gap > near.noise)
         || (moves_on > moves / 2 && moves_on > next.noise);
}
