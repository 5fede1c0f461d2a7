/* How far a dependence reaches along a dimension.

     S[i] -> T[i + 2, j],  dimensions i of S and i of T:   [2, 2]

   The least and the greatest difference are asked with the parameters free to
   be anything: of a function that is affine on all pairs straight, else of
   the set of all differences.  */

#include "poly/legal.h"

#include <isl/ilp.h>
#include <limits.h>

/* { [S[i] -> T[j]] -> w - v } in the space of PAIRS.  */
static __isl_give isl_pw_aff *
difference_of (__isl_keep isl_map *pairs, __isl_keep isl_pw_aff *source_dim,
               __isl_keep isl_pw_aff *target_dim)
{
  isl_space *space = isl_map_get_space (pairs);
  isl_multi_aff *to_source = isl_multi_aff_domain_map (isl_space_copy (space));
  isl_multi_aff *to_target = isl_multi_aff_range_map (space);
  isl_pw_aff *v
    = isl_pw_aff_pullback_multi_aff (isl_pw_aff_copy (source_dim), to_source);
  isl_pw_aff *w
    = isl_pw_aff_pullback_multi_aff (isl_pw_aff_copy (target_dim), to_target);
  return isl_pw_aff_sub (w, v);
}

/* The least and greatest value of AFF (taken) on PAIRS (taken).  */
static void
extremes_of_aff (__isl_take isl_set *pairs, __isl_take isl_aff *aff,
                 isl_val **lo, isl_val **hi)
{
  *lo = isl_set_min_val (pairs, aff);
  *hi = isl_set_max_val (pairs, aff);
  isl_aff_free (aff);
  isl_set_free (pairs);
}

/* The same of DIFFERENCE (taken), which is affine on some of them.  */
static void
extremes (__isl_take isl_set *pairs, __isl_take isl_pw_aff *difference,
          isl_val **lo, isl_val **hi)
{
  difference = isl_pw_aff_intersect_domain (difference, pairs);
  isl_set *values = isl_map_range (isl_map_from_pw_aff (difference));
  values = isl_set_coalesce (isl_set_project_out_all_params (values));
  *lo = isl_set_dim_min_val (isl_set_copy (values), 0);
  *hi = isl_set_dim_max_val (values, 0);
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
tns_dep_distance (const tns_dep *dep, __isl_keep isl_pw_aff *source_dim,
                  __isl_keep isl_pw_aff *target_dim, __isl_keep isl_map *within,
                  tns_distance *distance)
{
  *distance = (tns_distance){ .empty = false };
  isl_map *pairs = isl_map_copy (dep->map);
  if (within)
    pairs = isl_map_intersect (pairs, isl_map_copy (within));
  isl_bool empty = isl_map_is_empty (pairs);
  if (empty != isl_bool_false)
    {
      isl_map_free (pairs);
      distance->empty = empty == isl_bool_true;
      return empty == isl_bool_true;
    }
  isl_pw_aff *difference = difference_of (pairs, source_dim, target_dim);
  isl_set *all = isl_map_wrap (pairs);
  isl_val *lo;
  isl_val *hi;
  if (isl_pw_aff_isa_aff (difference) == isl_bool_true)
    extremes_of_aff (all, isl_pw_aff_as_aff (difference), &lo, &hi);
  else
    extremes (all, difference, &lo, &hi);
  bool done = lo && hi;
  distance->lo_known = take_bound (lo, &distance->lo);
  distance->hi_known = take_bound (hi, &distance->hi);
  return done;
}
