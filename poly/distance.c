/* How far a dependence reaches along a dimension.

     S[i] -> T[i + 2, j],  dimensions i of S and i of T:   [2, 2]

   The least and the greatest difference are asked with the parameters free to
   be anything.  */

#include "poly/legal.h"

#include <isl/ilp.h>
#include <limits.h>

/* MOMENT of the iterators that begin at dimension AT of SPACE (taken).  */
static __isl_give isl_aff *
aff_of (__isl_take isl_space *space, const tns_moment *moment, int at)
{
  isl_aff *aff = isl_aff_zero_on_domain (isl_local_space_from_space (space));
  for (int k = 0; k < moment->n; k++)
    if (moment->coef[k])
      aff = isl_aff_set_coefficient_si (aff, isl_dim_in, at + k,
                                        (int) moment->coef[k]);
  aff = isl_aff_set_constant_si (aff, (int) moment->constant);
  if (moment->divisor == 1)
    return aff;
  isl_val *divisor
    = isl_val_int_from_si (isl_aff_get_ctx (aff), moment->divisor);
  return isl_aff_floor (isl_aff_scale_down_val (aff, divisor));
}

/* { [S[i] -> T[j]] -> w - v } for v and w, MOMENTS of PAIRS.  */
static __isl_give isl_aff *
difference_of (__isl_keep isl_map *pairs, const tns_moments *moments)
{
  isl_space *space = isl_space_wrap (isl_map_get_space (pairs));
  isl_aff *v = aff_of (isl_space_copy (space), &moments->source, 0);
  isl_aff *w = aff_of (space, &moments->target, moments->source.n);
  return isl_aff_sub (w, v);
}

__isl_give isl_map *
tns_pairs_equate (__isl_take isl_map *pairs, const tns_moments *equal)
{
  isl_aff *difference = difference_of (pairs, equal);
  isl_set *where = isl_set_from_basic_set (isl_aff_zero_basic_set (difference));
  return isl_map_intersect (pairs, isl_set_unwrap (where));
}

/* VALUE in *BOUND; false when it is infinite or too large.  */
static bool
take_bound (__isl_take isl_val *value, long *bound)
{
  bool known = isl_val_is_int (value) == isl_bool_true
               && isl_val_cmp_si (value, INT_MAX) <= 0
               && isl_val_cmp_si (value, -INT_MAX) >= 0;
  if (known)
    *bound = isl_val_get_num_si (value);
  isl_val_free (value);
  return known;
}

/* D with REACH, that of further pairs, when it is one number, or 1 and more.
   False when not, or when N rows stand above and the signs differ.  */
static bool
join (tns_distance *d, const tns_reach *reach, int n)
{
  bool exact = reach->lo_known && reach->hi_known && reach->lo == reach->hi;
  bool later = reach->lo_known && reach->lo > 0;
  if (!exact && !later)
    return false;
  if (d->empty)
    *d = (tns_distance){ false, true, exact, reach->lo, reach->hi };
  else if (n > 0 && (d->lo > 0) - (d->lo < 0) != later - (reach->lo < 0))
    return false;
  if (reach->lo < d->lo)
    d->lo = reach->lo;
  if (reach->hi > d->hi)
    d->hi = reach->hi;
  d->hi_known &= exact;
  return true;
}

bool
tns_dep_plain_distance (const tns_dep *dep, int n, const tns_moments *above,
                        const tns_moments *asked, tns_distance *distance)
{
  tns_facts facts;
  bool plain = dep->n_parts > 0;
  *distance = (tns_distance){ .empty = true };
  for (int k = 0; k < dep->n_parts && plain; k++)
    {
      plain = tns_facts_take (&facts, &dep->part[k]);
      for (int j = 0; j < n && plain; j++)
        tns_facts_equate (&facts, &above[j].source, &above[j].target);
      if (!plain)
        break;
      tns_reach reach
        = tns_facts_reach (&facts, &asked->source, &asked->target);
      plain = facts.none || join (distance, &reach, n);
    }
  return plain;
}

bool
tns_pairs_distance (__isl_keep isl_map *pairs, const tns_moments *asked,
                    tns_distance *distance)
{
  *distance = (tns_distance){ .empty = false };
  isl_bool empty = isl_map_is_empty (pairs);
  distance->empty = empty == isl_bool_true;
  if (empty != isl_bool_false)
    return distance->empty;
  isl_aff *difference = difference_of (pairs, asked);
  isl_set *all = isl_map_wrap (isl_map_copy (pairs));
  isl_val *lo = isl_set_min_val (all, difference);
  isl_val *hi = isl_set_max_val (all, difference);
  isl_aff_free (difference);
  isl_set_free (all);
  bool done = lo && hi;
  distance->lo_known = take_bound (lo, &distance->lo);
  distance->hi_known = take_bound (hi, &distance->hi);
  return done;
}
