/* Tangents against differences: f's outputs along the direction that came in.

   An element of the tangent is compared with the difference of f's output
   there.  Of a large array the elements where the tangent is largest, the
   first, the last and some in between are looked at.  Elements that the tangent
   does not set are passed over.

   The dot product test: the elements weighed by 1 or -1 and added, against what
   f's gradient with these adjoints makes of the direction.  */

#include "gradcheck.h"

#include <math.h>
#include <string.h>

#define SMALL_ARRAY 24
#define PICKED      8

static const trm_direction all = { -1, 0, 0, NULL };

/* Weigh f's outputs by 0.  */
static void
clear_weights (trm_case *c)
{
  for (int a = 0; a < c->own->n; a++)
    if (c->own->row[a].of)
      memset (c->memory[a].weight, 0,
              (size_t) c->memory[a].n * sizeof (double));
}

/* Look at element E of the tangent A.  */
static void
look_at_element (trm_case *c, int a, int64_t e, trm_look *l)
{
  const trm_area *m = &c->memory[a];
  if (!trm_case_has (c, a, e) || m->unset[e] || c->why)
    return;
  clear_weights (c);
  m->weight[e] = 1;
  trm_estimate fine = trm_differentiate (c, &all, m->gained[e], m->rounding[e]);
  double apart = fabs (m->gained[e] - fine.value);
  double share = apart <= 0 ? 0 : apart / (fine.error + m->rounding[e]);
  double left, right;
  share = isfinite (m->gained[e]) && !isnan (fine.value) ? share : INFINITY;
  l->looked++;
  if (share > 1 && trm_has_corner (c, &all, &left, &right))
    {
      l->corner = l->corners++ == 0 ? e : l->corner;
      l->left = l->corner == e ? left : l->left;
      l->right = l->corner == e ? right : l->right;
      return;
    }
  l->differ += share > 1;
  if (l->worst >= 0 && !(share > l->share))
    return;
  l->worst = e;
  l->share = share;
  l->gradient = m->gained[e];
  l->fine = fine;
  l->rounding = m->rounding[e];
}

/* The element of the tangent A that is largest.  */
static int64_t
find_largest (const trm_case *c, int a)
{
  const trm_area *m = &c->memory[a];
  int64_t found = 0;
  for (int64_t e = 0; e < m->n; e++)
    if (trm_case_has (c, a, e) && !m->unset[e]
        && (m->unset[found]
            || !(fabs (m->gained[e]) <= fabs (m->gained[found]))))
      found = e;
  return found;
}

trm_look
trm_dots_look (trm_case *c, int a, bool at_all)
{
  trm_look look = { .worst = -1 };
  int64_t n = c->memory[a].n;
  for (int64_t e = 0; e < n; e++)
    look.all += trm_case_has (c, a, e) && !c->memory[a].unset[e];
  for (int64_t e = 0; e < n && (at_all || n <= SMALL_ARRAY); e++)
    look_at_element (c, a, e, &look);
  if (at_all || n <= SMALL_ARRAY)
    return look;
  look_at_element (c, a, find_largest (c, a), &look);
  for (int k = 0; k < PICKED; k++)
    look_at_element (c, a, (n - 1) * k / (PICKED - 1), &look);
  return look;
}

/* The weight of element E: 1 or -1.  */
static double
weight_of (int64_t e)
{
  uint64_t bits = (uint64_t) e * 2654435761u;
  bits ^= bits >> 15;
  return bits & 1 ? 1 : -1;
}

/* Set the adjoints of f's gradient in C: those that come in are the
   weights.  */
static void
set_adjoints (trm_case *c)
{
  trm_case_reset (c);
  for (int a = 0; a < c->own->n; a++)
    {
      const trm_area *m = &c->memory[a];
      const trm_row *row = &c->own->row[a];
      if (row->about < 0)
        continue;
      memset (m->work, 0, (size_t) m->n * sizeof (double));
      if (row->of)
        memcpy (m->work, m->weight, (size_t) m->n * sizeof (double));
    }
}

void
trm_dots_sum (trm_case *c, double *tangent, double *gradient, double *bound)
{
  *tangent = *gradient = *bound = 0;
  for (int a = 0; a < c->own->n; a++)
    for (int64_t e = 0; c->own->row[a].of && e < c->memory[a].n; e++)
      {
        const trm_area *m = &c->memory[a];
        m->weight[e]
          = trm_case_has (c, a, e) && !m->unset[e] ? weight_of (e) : 0;
        *tangent += m->weight[e] ? m->weight[e] * m->gained[e] : 0;
        *bound += m->weight[e] ? m->rounding[e] : 0;
      }
  set_adjoints (c);
  if (!c->gradient->other (c->at, NULL))
    *gradient = NAN;
  for (int a = 0; a < c->own->n; a++)
    for (int64_t e = 0; c->own->row[a].wrt && e < c->memory[a].n; e++)
      if (c->memory[a].wide[e] && trm_case_has (c, a, e))
        *gradient += c->memory[a].wide[e] * ((double *) c->memory[a].work)[e];
}
