/* Which elements of an array are looked at.

   All of a small array.  Of a large one, the elements where the gradient is
   largest, the first, the last, and some in between; and two directions that
   move all elements at once.  Where such a direction differs, it is halved, and
   the half that differs more is halved again, down to one element.  A verdict
   is spoken on elements only: a direction merely finds them.

   An element differs when gradient and differences are farther apart than the
   error of the differences and what rounding may do; and where f has no corner
   there: where it has one, any value between the two sides may be right, and it
   is counted apart.  Corners are looked for where an element differs, and where
   the two bounds are too coarse to tell.  */

#include "gradcheck.h"

#include <math.h>
#include <stdlib.h>

#define SMALL_ARRAY 24
#define PICKED      8
#define DIRECTIONS  2
#define UNITS       4
#define COARSE      0x1p-6

/* An array that is being looked at.  a: its adjoint's row; k: its value's;
   v: one move of each element; seen[0..n_seen): elements of a large array that
   were looked at  */
typedef struct view
{
  trm_case *c;
  int a;
  int k;
  double *v;
  int n_seen;
  int64_t seen[PICKED + DIRECTIONS + 1];
  trm_look look;
} view;

/* The root mean square of the finite elements of value row K.  */
static double
size_of (const trm_case *c, int k)
{
  const trm_area *m = &c->memory[k];
  long double sum = 0;
  int64_t n = 0;
  for (int64_t e = 0; e < m->n; e++)
    if (trm_case_has (c, k, e) && isfinite (m->wide[e]))
      {
        sum += (long double) m->wide[e] * m->wide[e];
        n++;
      }
  return n ? (double) sqrtl (sum / (long double) n) : 0;
}

/* A number that is 1 or -1, by SERIAL and E.  */
static double
sign_of (int serial, int64_t e)
{
  uint64_t bits = (uint64_t) e * 2654435761u + (uint64_t) serial * 40503u;
  bits ^= bits >> 15;
  bits *= 2246822519u;
  return bits >> 20 & 1 ? 1 : -1;
}

/* How far the elements of V move: as large as they are, or most of them.  */
static void
set_moves (view *v, int serial)
{
  const trm_area *m = &v->c->memory[v->k];
  double size = size_of (v->c, v->k);
  int exponent;
  for (int64_t e = 0; e < m->n; e++)
    {
      double x = fmax (fabs (m->wide[e]), size);
      frexp (x > 0 && isfinite (x) ? x : 1, &exponent);
      v->v[e] = trm_case_has (v->c, v->k, e)
                  ? ldexp (sign_of (serial, e), exponent - 1)
                  : 0;
    }
}

/* The gradient along D, and what rounding may do to it.  */
static double
expected_along (const view *v, const trm_direction *d, double *rounding)
{
  const trm_area *m = &v->c->memory[v->a];
  long double sum = 0, bound = 0;
  for (int64_t e = d->from; e < d->to; e++)
    if (d->v[e])
      {
        sum += (long double) m->gained[e] * d->v[e];
        bound += fabsl ((long double) m->rounding[e] * d->v[e])
                 + UNITS * v->c->own->unit
                     * fabsl ((long double) m->gained[e] * d->v[e]);
      }
  *rounding = (double) bound;
  return (double) sum;
}

/* How much more than it may the gradient differs from f along elements FROM to
   TO of V; more than 1 is too much.  */
static double
share_along (view *v, int64_t from, int64_t to, double *expected,
             trm_estimate *fine, double *rounding)
{
  trm_direction d = { v->k, from, to, v->v };
  *expected = expected_along (v, &d, rounding);
  *fine = trm_differentiate (v->c, &d, *expected, *rounding);
  if (!isfinite (*expected) || isnan (fine->value))
    return INFINITY;
  double apart = fabs (*expected - fine->value);
  double bound = fine->error + *rounding;
  return apart <= 0 ? 0 : apart / bound;
}

/* E is an element where f has a corner: count it.  */
static bool
is_corner (view *v, int64_t e)
{
  trm_direction d = { v->k, e, e + 1, v->v };
  double left, right, move = v->v[e];
  if (!trm_has_corner (v->c, &d, &left, &right))
    return false;
  if (v->look.corners++ == 0)
    {
      v->look.corner = e;
      v->look.left = (move > 0 ? left : right) / move;
      v->look.right = (move > 0 ? right : left) / move;
    }
  return true;
}

/* Look at element E.  */
static void
look_at_element (view *v, int64_t e)
{
  trm_look *l = &v->look;
  trm_estimate fine;
  double expected, rounding, move = v->v[e];
  if (!trm_case_has (v->c, v->k, e) || v->c->why)
    return;
  double share = share_along (v, e, e + 1, &expected, &fine, &rounding);
  double size = fmax (fabs (expected), fabs (fine.value));
  bool is_coarse = !(fine.error + rounding <= COARSE * size) && size > 0;
  l->looked++;
  if ((share > 1 || is_coarse) && is_corner (v, e))
    return;
  l->differ += share > 1;
  if (l->worst >= 0 && !(share > l->share))
    return;
  l->worst = e;
  l->share = share;
  l->gradient = v->c->memory[v->a].gained[e];
  l->fine = (trm_estimate){ fine.value / move, fabs (fine.error / move) };
  l->rounding = v->c->memory[v->a].rounding[e];
}

/* Go to the element of FROM to TO where the gradient differs most.  */
static int64_t
find_worst (view *v, int64_t from, int64_t to)
{
  double expected, rounding;
  trm_estimate fine;
  while (to - from > 1 && !v->c->why)
    {
      int64_t middle = from + (to - from) / 2;
      double below = share_along (v, from, middle, &expected, &fine, &rounding);
      double above = share_along (v, middle, to, &expected, &fine, &rounding);
      if (above > below)
        from = middle;
      else
        to = middle;
    }
  return from;
}

/* The element of V where the gradient is largest.  */
static int64_t
find_largest (const view *v)
{
  const trm_area *m = &v->c->memory[v->a];
  int64_t found = 0;
  for (int64_t e = 0; e < m->n; e++)
    if (trm_case_has (v->c, v->a, e)
        && !(fabs (m->gained[e]) <= fabs (m->gained[found])))
      found = e;
  return found;
}

/* Look at element E of a large array, once.  */
static void
look_once (view *v, int64_t e)
{
  for (int k = 0; k < v->n_seen; k++)
    if (v->seen[k] == e)
      return;
  v->seen[v->n_seen++] = e;
  look_at_element (v, e);
}

/* Move all elements at once; where that differs, look at the element that
   does.  */
static void
look_along (view *v)
{
  double expected, rounding;
  trm_estimate fine;
  int64_t n = v->c->memory[v->k].n;
  if (share_along (v, 0, n, &expected, &fine, &rounding) > 1)
    look_once (v, find_worst (v, 0, n));
}

/* Look at some elements of a large array, and along some directions.  */
static void
look_at_some (view *v)
{
  int64_t n = v->c->memory[v->k].n;
  look_once (v, find_largest (v));
  for (int k = 0; k < PICKED; k++)
    look_once (v, (n - 1) * k / (PICKED - 1));
  for (int k = 0; k < DIRECTIONS; k++)
    {
      set_moves (v, k);
      look_along (v);
    }
}

trm_look
trm_look_at (trm_case *c, int a, bool at_all)
{
  int k = c->own->row[a].about;
  int64_t n = c->memory[k].n;
  view v = { c,
             a,
             k,
             malloc ((size_t) n * sizeof (double) + 1),
             0,
             { 0 },
             { .worst = -1 } };
  if (!v.v)
    {
      c->why = "there is no memory";
      return v.look;
    }
  set_moves (&v, 0);
  for (int64_t e = 0; e < n; e++)
    v.look.all += trm_case_has (c, k, e);
  for (int64_t e = 0; e < n && (at_all || n <= SMALL_ARRAY); e++)
    look_at_element (&v, e);
  if (!at_all && n > SMALL_ARRAY)
    look_at_some (&v);
  free (v.v);
  return v.look;
}

void
trm_look_dot (trm_case *c, double *gradient, double *tangent, double *bound)
{
  *gradient = *tangent = *bound = 0;
  for (int a = 0; a < c->own->n; a++)
    {
      double rounding;
      view v = { c, a, c->own->row[a].about, NULL, 0, { 0 }, { .worst = -1 } };
      if (!c->own->row[a].wrt)
        continue;
      int64_t n = c->memory[v.k].n;
      v.v = malloc ((size_t) n * sizeof (double) + 1);
      if (!v.v)
        continue;
      set_moves (&v, DIRECTIONS);
      trm_direction d = { v.k, 0, n, v.v };
      *gradient += expected_along (&v, &d, &rounding);
      *tangent += trm_case_tangent (c, &d);
      *bound += rounding;
      free (v.v);
    }
}
