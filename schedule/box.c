/* Footprints and boxes, as schedule/box.h says.

   A footprint is the union over accesses of

     { [d] -> S[i] } . { S[i] -> X[e] }

   and a box the product of the intervals of its coordinates.  */

#include "schedule/box.h"

__isl_give isl_map *
tns_box_prefix (const tns_scop *scop, int stmt, int n, tns_tree *const *dim)
{
  isl_set *domain = isl_set_copy (scop->stmt[stmt].domain);
  isl_space *space = isl_space_from_domain (isl_set_get_space (domain));
  isl_multi_aff *prefix = isl_multi_aff_zero (
    isl_space_add_dims (space, isl_dim_out, (unsigned) n));
  for (int k = 0; k < n; k++)
    prefix = isl_multi_aff_set_at (
      prefix, k, isl_pw_aff_as_aff (tns_tree_pw_aff (scop, dim[k], stmt)));
  return isl_map_intersect_domain (isl_map_from_multi_aff (prefix), domain);
}

__isl_give isl_map *
tns_box_footprint (const tns_scop *scop, const tns_tree *at, int array, int n,
                   tns_tree *const *dim)
{
  isl_map *all = NULL;
  for (int s = 0; s < scop->n_stmts; s++)
    for (int a = 0; a < scop->stmt[s].n_accesses; a++)
      if (scop->stmt[s].access[a].array == array
          && (!at || tns_tree_has (at, s)))
        {
          isl_map *one = isl_map_reverse (tns_box_prefix (scop, s, n, dim));
          one = isl_map_apply_range (
            one, isl_map_copy (scop->stmt[s].access[a].map));
          all = all ? isl_map_union (all, one) : one;
        }
  if (!all)
    return NULL;
  isl_set *context = isl_set_copy (scop->context);
  return isl_map_coalesce (isl_map_intersect_params (all, context));
}

/* Coordinate K of RANGE alone.  */
static __isl_give isl_set *
only_coordinate (__isl_keep isl_set *range, int k)
{
  isl_set *one = isl_set_copy (range);
  unsigned after = (unsigned) (isl_set_dim (range, isl_dim_set) - k - 1);
  one = isl_set_project_out (one, isl_dim_set, (unsigned) k + 1, after);
  return isl_set_project_out (one, isl_dim_set, 0, (unsigned) k);
}

bool
tns_box_bounds (const tns_scop *scop, __isl_keep isl_set *range, int k,
                tns_expr **lo, tns_expr **hi)
{
  isl_set *one = only_coordinate (range, k);
  *lo = *hi = NULL;
  isl_pw_aff *min = tns_isl_end (one, 0, false);
  isl_pw_aff *max = tns_isl_end (one, 0, true);
  isl_set_free (one);
  *lo = min ? tns_scop_expr_of_pw_aff (scop, min) : NULL;
  *hi = max ? tns_scop_expr_of_pw_aff (scop, max) : NULL;
  isl_pw_aff_free (min);
  isl_pw_aff_free (max);
  return *lo && *hi;
}

/* The parameters for which the bounds of coordinate K of RANGE, as affine
   functions, are an interval; NULL when they are none.  */
static __isl_give isl_set *
interval_params (__isl_keep isl_set *range, int k)
{
  isl_set *one = only_coordinate (range, k);
  isl_set *params = isl_set_params (isl_set_copy (range));
  isl_pw_aff *min = isl_set_dim_min (isl_set_copy (one), 0);
  isl_pw_aff *max = isl_set_dim_max (one, 0);
  min = isl_pw_aff_gist_params (min, isl_set_copy (params));
  max = isl_pw_aff_gist_params (max, params);
  bool affine = isl_pw_aff_isa_aff (min) == isl_bool_true
                && isl_pw_aff_isa_aff (max) == isl_bool_true;
  isl_set *some
    = affine ? isl_pw_aff_le_set (isl_pw_aff_copy (min), isl_pw_aff_copy (max))
             : NULL;
  isl_pw_aff_free (min);
  isl_pw_aff_free (max);
  return some;
}

bool
tns_box_vanishes (__isl_keep isl_set *range, __isl_keep isl_set *where)
{
  isl_set *some = isl_set_copy (where);
  int n = isl_set_dim (range, isl_dim_set);
  for (int k = 0; k < n && some; k++)
    {
      isl_set *interval = interval_params (range, k);
      some
        = interval ? isl_set_intersect (some, interval) : isl_set_free (some);
    }
  if (!some)
    return false;
  isl_set *params = isl_set_params (isl_set_copy (range));
  bool vanishes = isl_set_is_subset (some, params) == isl_bool_true;
  isl_set_free (some);
  isl_set_free (params);
  return vanishes;
}

/* { [x] : min <= x <= max } of coordinate K of RANGE.  */
static __isl_give isl_set *
interval_of (__isl_keep isl_set *range, int k)
{
  isl_set *one = only_coordinate (range, k);
  isl_set *from = isl_set_copy (one);
  isl_space *space = isl_space_map_from_set (isl_set_get_space (one));
  isl_map *below = isl_map_lex_le (isl_space_domain (isl_space_copy (space)));
  isl_map *above = isl_map_lex_ge (isl_space_domain (space));
  isl_set *up = isl_set_apply (from, below);
  return isl_set_intersect (up, isl_set_apply (one, above));
}

bool
tns_box_is_full (__isl_keep isl_set *range)
{
  int n = isl_set_dim (range, isl_dim_set);
  isl_set *box = NULL;
  for (int k = 0; k < n; k++)
    {
      isl_set *one = interval_of (range, k);
      box = box ? isl_set_flat_product (box, one) : one;
    }
  if (!box)
    return false;
  isl_set *plain = isl_set_reset_tuple_id (isl_set_copy (range));
  bool full = isl_set_is_subset (box, plain) == isl_bool_true;
  isl_set_free (box);
  isl_set_free (plain);
  return full;
}

/* The iterators of STMT that DIM's row is made of, a bit each.  */
static unsigned
iterators_of (const tns_scop *scop, int stmt, const tns_tree *dim)
{
  unsigned own = 0;
  for (int k = 0; k < scop->stmt[stmt].n_iters; k++)
    if (dim->row[stmt]->coef[k] != 0)
      own |= 1u << k;
  return own;
}

/* The iterators of a statement that constraints join with the first.  */
typedef struct joined
{
  int n_iters;
  unsigned all;
  bool grew;
} joined;

/* Join the iterators of CONSTRAINT (taken) where SELF has one of them.  */
static isl_stat
join (__isl_take isl_constraint *constraint, void *self)
{
  joined *j = self;
  unsigned own = 0;
  for (int k = 0; k < j->n_iters; k++)
    if (isl_constraint_involves_dims (constraint, isl_dim_set, (unsigned) k, 1)
        != isl_bool_false)
      own |= 1u << k;
  isl_constraint_free (constraint);
  if ((own & j->all) && (own & ~j->all))
    {
      j->all |= own;
      j->grew = true;
    }
  return isl_stat_ok;
}

bool
tns_box_is_product (const tns_scop *scop, int stmt, const tns_tree *dim,
                    const tns_tree *above)
{
  isl_set *domain = scop->stmt[stmt].domain;
  joined j = { .n_iters = scop->stmt[stmt].n_iters };
  if (isl_set_n_basic_set (domain) != 1)
    return false;
  isl_basic_set_list *list = isl_set_get_basic_set_list (domain);
  isl_basic_set *part = isl_basic_set_list_get_at (list, 0);
  bool plain = isl_basic_set_dim (part, isl_dim_div) == 0;
  j.all = iterators_of (scop, stmt, above);
  j.grew = plain;
  while (j.grew)
    {
      j.grew = false;
      plain &= isl_basic_set_foreach_constraint (part, join, &j) == isl_stat_ok;
    }
  isl_basic_set_free (part);
  isl_basic_set_list_free (list);
  return plain && !(j.all & iterators_of (scop, stmt, dim));
}
