/* How far a dependence reaches along a dimension.

     S[i] -> T[i + 2, j],  dimensions i of S and i of T:   [2, 2]

   The differences are a set of integers; its least and greatest element are
   asked with the parameters free to be anything.  */

#include "poly/legal.h"

#include <isl/ilp.h>
#include <limits.h>

/* { [w - v] } over PAIRS.  */
static __isl_give isl_set *
differences (__isl_take isl_map *pairs, __isl_keep isl_pw_aff *source_dim,
             __isl_keep isl_pw_aff *target_dim)
{
  isl_space *space = isl_map_get_space (pairs);
  isl_multi_aff *to_source = isl_multi_aff_domain_map (isl_space_copy (space));
  isl_multi_aff *to_target = isl_multi_aff_range_map (space);
  isl_pw_aff *v
    = isl_pw_aff_pullback_multi_aff (isl_pw_aff_copy (source_dim), to_source);
  isl_pw_aff *w
    = isl_pw_aff_pullback_multi_aff (isl_pw_aff_copy (target_dim), to_target);
  isl_pw_aff *difference
    = isl_pw_aff_intersect_domain (isl_pw_aff_sub (w, v), isl_map_wrap (pairs));
  isl_set *values = isl_map_range (isl_map_from_pw_aff (difference));
  return isl_set_coalesce (isl_set_project_out_all_params (values));
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

bool
tns_dep_distance (const tns_dep *dep, __isl_keep isl_pw_aff *source_dim,
                  __isl_keep isl_pw_aff *target_dim, __isl_keep isl_map *within,
                  tns_distance *distance)
{
  *distance = (tns_distance){ .empty = false };
  isl_map *pairs = isl_map_copy (dep->map);
  if (within)
    pairs = isl_map_intersect (pairs, isl_map_copy (within));
  isl_set *values = differences (pairs, source_dim, target_dim);
  isl_bool empty = isl_set_is_empty (values);
  if (empty != isl_bool_false)
    {
      isl_set_free (values);
      distance->empty = empty == isl_bool_true;
      return empty == isl_bool_true;
    }
  isl_val *lo = isl_set_dim_min_val (isl_set_copy (values), 0);
  isl_val *hi = isl_set_dim_max_val (values, 0);
  bool done = lo && hi;
  distance->lo_known = take_bound (lo, &distance->lo);
  distance->hi_known = take_bound (hi, &distance->hi);
  return done;
}
