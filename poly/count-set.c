/* Points of parametric sets, summed from the inside.

     { [i, j] : 0 <= i < n and 0 <= j <= i and j < m }

     j: from 0 to the smaller of i and m - 1
        i <= m - 1 (and i >= -1):  sum 1 = i + 1
        i >= m     (and m >= 0):   sum 1 = m
     i: of each of the two, again by its greatest lower and least upper
        bound, until conditions on the parameters are left:
        n <= m ? (n^2 + n) / 2 : m > 0 ? ... : 0

   1. A dimension that is a function of the others (the first iteration of a
      tile, given the iteration) is dropped, one with a stride is counted in
      steps.
   2. The set is parted into disjoint convex ones.
   3. From each the dimensions are eliminated one after the other: for each
      pair of a lower and an upper bound the part where these two decide,
      with the sum from one to the other in closed form.  The part includes
      the empty sum, hi = lo - 1, where the closed form gives 0; this lets
      most conditions vanish.

   Bounds must be sums with whole factors, or quotients of parameters; else
   the number of points of the box around the set is a bound.  */

#include "poly/count-set.h"

#include <isl/stride_info.h>

#include "poly/scop-build.h"

enum
{
  MOST_DIMS = 16,
  MOST_BOUNDS = 6,
  MOST_PARTS = 24,
  MOST_OVERLAPPING = 6,
  MOST_CASES = 48,
  OPERATIONS_OF_BOX = 50000
};

/* The sum over one set; ok is cleared by what cannot be summed.  */
typedef struct total
{
  tns_counter *counter;
  tns_arena *arena;
  tns_tally tally;
  bool ok;
} total;

/* The bounds of one dimension.  */
typedef struct limits
{
  total *total;
  int dim;
  bool equal;
  int n[2];
  isl_aff *aff[2][MOST_BOUNDS];
  bool ok;
} limits;

tns_counter
tns_counter_new (tns_ctx *ctx, const tns_scop *scop)
{
  tns_counter counter = { .ctx = ctx, .scop = scop, .n_vars = MOST_DIMS };
  for (int k = 0; k < scop->n_params && counter.n_vars < TNS_POLY_VARS; k++)
    counter.value[counter.n_vars++] = scop->param[k];
  return counter;
}

/* The variable of parameter ID, -1 when there is none.  */
static int
parameter_var (const tns_counter *counter, __isl_take isl_id *id)
{
  int var = -1;
  for (int k = 0; k < counter->scop->n_params && var < 0; k++)
    if (counter->scop->param_id[k] == id && MOST_DIMS + k < TNS_POLY_VARS)
      var = MOST_DIMS + k;
  isl_id_free (id);
  return var;
}

/* The variable that stands for VALUE, a quotient.  */
static int
quotient_var (tns_counter *counter, tns_expr *value)
{
  for (int v = MOST_DIMS; v < counter->n_vars; v++)
    if (tns_expr_equal (counter->value[v], value))
      return v;
  if (!value || counter->n_vars == TNS_POLY_VARS)
    return -1;
  counter->value[counter->n_vars] = value;
  return counter->n_vars++;
}

/* FACTOR, an integer, times variable VAR (1 for VAR = -2).  */
static tns_poly
scaled (tns_arena *arena, __isl_take isl_val *factor, int var)
{
  tns_poly term
    = var == -2 ? tns_poly_int (arena, 1) : tns_poly_var (arena, var);
  bool fits = isl_val_is_int (factor) == isl_bool_true
              && isl_val_cmp_si (factor, 1L << 60) < 0
              && isl_val_cmp_si (factor, -(1L << 60)) > 0;
  if (fits)
    term = tns_poly_scale (arena, term, isl_val_get_num_si (factor), 1);
  else
    term.n = -1;
  isl_val_free (factor);
  return term;
}

/* AFF, without quotients, as a polynomial.  */
static tns_poly
linear (total *t, __isl_keep isl_aff *aff)
{
  tns_arena *arena = t->arena;
  tns_poly sum = scaled (arena, isl_aff_get_constant_val (aff), -2);
  isl_size n_dims = isl_aff_dim (aff, isl_dim_in);
  isl_size n_params = isl_aff_dim (aff, isl_dim_param);
  isl_space *space = isl_aff_get_domain_space (aff);
  for (int k = 0; k < n_dims; k++)
    {
      isl_val *factor = isl_aff_get_coefficient_val (aff, isl_dim_in, k);
      sum = tns_poly_add (arena, sum, scaled (arena, factor, k));
    }
  for (int k = 0; k < n_params; k++)
    {
      isl_val *factor = isl_aff_get_coefficient_val (aff, isl_dim_param, k);
      bool none = isl_val_is_zero (factor) == isl_bool_true;
      isl_id *id = isl_space_get_dim_id (space, isl_dim_param, (unsigned) k);
      int var = parameter_var (t->counter, id);
      tns_poly term = scaled (arena, factor, none ? -2 : var);
      sum = tns_poly_add (arena, sum, term);
    }
  isl_space_free (space);
  return sum;
}

/* Whether AFF has quotients or a denominator.  */
static bool
has_quotients (__isl_keep isl_aff *aff)
{
  isl_val *denominator = isl_aff_get_denominator_val (aff);
  bool found = isl_val_is_one (denominator) != isl_bool_true;
  isl_val_free (denominator);
  isl_size n = isl_aff_dim (aff, isl_dim_div);
  for (int k = 0; k < n && !found; k++)
    {
      isl_val *factor = isl_aff_get_coefficient_val (aff, isl_dim_div, k);
      found = isl_val_is_zero (factor) != isl_bool_true;
      isl_val_free (factor);
    }
  return found;
}

/* AFF as a polynomial; n is -1 when it is none.  */
static tns_poly
poly_of_aff (total *t, __isl_keep isl_aff *aff)
{
  if (!has_quotients (aff))
    return linear (t, aff);
  isl_size n = isl_aff_dim (aff, isl_dim_in);
  isl_bool varies
    = isl_aff_involves_dims (aff, isl_dim_in, 0, n < 0 ? 0 : (unsigned) n);
  if (n < 0 || varies)
    return tns_poly_var (t->arena, -1);
  isl_pw_aff *value = isl_pw_aff_from_aff (isl_aff_copy (aff));
  tns_expr *expr = tns_scop_expr_of_pw_aff (t->counter->scop, value);
  isl_pw_aff_free (value);
  return tns_poly_var (t->arena, quotient_var (t->counter, expr));
}

/* Free the bounds.  */
static void
drop_limits (limits *l)
{
  for (int side = 0; side < 2; side++)
    {
      for (int k = 0; k < l->n[side]; k++)
        isl_aff_free (l->aff[side][k]);
      l->n[side] = 0;
    }
}

/* Take CONSTRAINT, whose factor of the dimension is FACTOR, as a bound.
   False when it is none.  */
static bool
add_bound (limits *l, __isl_keep isl_constraint *constraint,
           __isl_keep isl_val *factor)
{
  bool equal = isl_constraint_is_equality (constraint) == isl_bool_true;
  bool unit = isl_val_is_one (factor) == isl_bool_true
              || isl_val_is_negone (factor) == isl_bool_true;
  int side = !equal && isl_val_is_neg (factor) == isl_bool_true;
  if (equal)
    drop_limits (l);
  if (isl_val_is_zero (factor) || l->n[side] == MOST_BOUNDS || (equal && !unit))
    return false;
  isl_aff *aff = isl_constraint_get_bound (constraint, isl_dim_set, l->dim);
  if (!unit)
    aff = side ? isl_aff_floor (aff) : isl_aff_ceil (aff);
  l->aff[side][l->n[side]++] = aff;
  l->equal = equal;
  return aff && poly_of_aff (l->total, aff).n >= 0;
}

/* Take CONSTRAINT as a bound where it is about the dimension; an equality
   stands for all.  */
static isl_stat
take_bound (__isl_take isl_constraint *constraint, void *self)
{
  limits *l = self;
  isl_bool about = isl_constraint_involves_dims (constraint, isl_dim_set,
                                                 (unsigned) l->dim, 1);
  if (about != isl_bool_false && !l->equal && l->ok)
    {
      isl_val *factor
        = isl_constraint_get_coefficient_val (constraint, isl_dim_set, l->dim);
      l->ok = add_bound (l, constraint, factor);
      isl_val_free (factor);
    }
  isl_constraint_free (constraint);
  return isl_stat_ok;
}

/* The bounds of dimension DIM of PART; ok when it can be summed over.  */
static limits
limits_of (total *t, __isl_keep isl_basic_set *part, int dim)
{
  limits l = { .total = t, .dim = dim, .ok = true };
  if (isl_basic_set_foreach_constraint (part, take_bound, &l) < 0)
    l.ok = false;
  l.ok = l.ok && l.n[0] && (l.n[1] || l.equal);
  if (!l.ok)
    drop_limits (&l);
  return l;
}

/* PART restricted to where A >= B + GAP.  */
static __isl_give isl_basic_set *
where_at_least (__isl_take isl_basic_set *part, __isl_keep isl_aff *a,
                __isl_keep isl_aff *b, int gap)
{
  isl_aff *least = isl_aff_add_constant_si (isl_aff_copy (b), gap);
  isl_basic_set *where = isl_aff_ge_basic_set (isl_aff_copy (a), least);
  return isl_basic_set_intersect (part, where);
}

/* The iterations of the other dimensions in PART (taken) where lower bound
   LO and upper bound HI of L decide.  */
static __isl_give isl_basic_set *
deciding (const limits *l, __isl_take isl_basic_set *part, int lo, int hi)
{
  unsigned dim = (unsigned) l->dim;
  part
    = isl_basic_set_drop_constraints_involving_dims (part, isl_dim_set, dim, 1);
  for (int k = 0; k < l->n[0]; k++)
    if (k != lo)
      part = where_at_least (part, l->aff[0][lo], l->aff[0][k], k < lo);
  for (int k = 0; k < l->n[1]; k++)
    if (k != hi)
      part = where_at_least (part, l->aff[1][k], l->aff[1][hi], k < hi);
  part = where_at_least (part, l->aff[1][hi], l->aff[0][lo], -1);
  return isl_basic_set_project_out (part, isl_dim_set, dim, 1);
}

/* Add P where the parameters are in CONDITION (taken) to TALLY.  False when
   it has no room.  */
static bool
add_summand (tns_counter *counter, tns_tally *tally,
             __isl_take isl_set *condition, tns_poly p)
{
  tns_arena *arena = counter->ctx->arena;
  for (int k = 0; k < tally->n; k++)
    {
      tns_summand *old = &tally->summand[k];
      if (isl_set_is_equal (old->condition, condition) != isl_bool_true)
        continue;
      old->poly = tns_poly_add (arena, old->poly, p);
      isl_set_free (condition);
      return old->poly.n >= 0;
    }
  if (tally->n == MOST_CASES || p.n < 0 || !condition)
    {
      isl_set_free (condition);
      return false;
    }
  tally->summand
    = tns_build_room (arena, tally->summand, tally->n, sizeof (tns_summand));
  tally->summand[tally->n++] = (tns_summand){ condition, p };
  return true;
}

/* Whether PART (kept) has no point under the context.  */
static bool
is_empty (total *t, __isl_keep isl_basic_set *part)
{
  isl_set *set = isl_set_from_basic_set (isl_basic_set_copy (part));
  set
    = isl_set_intersect_params (set, isl_set_copy (t->counter->scop->context));
  isl_bool empty = isl_set_is_empty (set);
  isl_set_free (set);
  t->ok &= empty >= 0;
  return empty == isl_bool_true;
}

/* The last dimension of PART that can be summed over, with its limits; -1
   when there is none.  */
static int
choose_dim (total *t, __isl_keep isl_basic_set *part, limits *l)
{
  for (int d = isl_basic_set_dim (part, isl_dim_set) - 1; d >= 0; d--)
    {
      *l = limits_of (t, part, d);
      if (l->ok)
        return d;
    }
  return -1;
}

/* A part of a set that waits, with what is summed over it.  */
typedef struct waiting
{
  isl_basic_set *part;
  tns_poly poly;
} waiting;

/* The parts that wait.  */
typedef struct queue
{
  int n;
  waiting part[MOST_CASES];
} queue;

/* Append PART (taken) unless it is empty.  */
static void
put (total *t, queue *q, __isl_take isl_basic_set *part, tns_poly p)
{
  t->ok &= q->n < MOST_CASES && p.n >= 0;
  if (t->ok && !is_empty (t, part))
    q->part[q->n++] = (waiting){ part, p };
  else
    isl_basic_set_free (part);
}

/* Eliminate a dimension of W (taken): the parts with one dimension less go
   to Q.  */
static void
eliminate (total *t, queue *q, waiting w)
{
  limits l;
  int dim = choose_dim (t, w.part, &l);
  t->ok &= dim >= 0;
  for (int lo = 0; t->ok && lo < l.n[0] && l.equal; lo++)
    {
      tns_poly by = poly_of_aff (t, l.aff[0][lo]);
      tns_poly p = tns_poly_substitute (t->arena, w.poly, dim, by);
      isl_basic_set *rest = isl_basic_set_project_out (
        isl_basic_set_copy (w.part), isl_dim_set, (unsigned) dim, 1);
      put (t, q, rest, tns_poly_close_up (t->arena, p, dim, MOST_DIMS));
    }
  for (int lo = 0; t->ok && lo < l.n[0] && !l.equal; lo++)
    for (int hi = 0; t->ok && hi < l.n[1]; hi++)
      {
        tns_poly from = poly_of_aff (t, l.aff[0][lo]);
        tns_poly to = poly_of_aff (t, l.aff[1][hi]);
        tns_poly p = tns_poly_sum (t->arena, w.poly, dim, from, to);
        isl_basic_set *part
          = deciding (&l, isl_basic_set_copy (w.part), lo, hi);
        put (t, q, part, tns_poly_close_up (t->arena, p, dim, MOST_DIMS));
      }
  if (dim >= 0)
    drop_limits (&l);
  isl_basic_set_free (w.part);
}

/* Add the points of PART (taken).  */
static isl_stat
add_part (__isl_take isl_basic_set *part, void *self)
{
  total *t = self;
  queue *q = TNS_NEW (t->arena, queue);
  put (t, q, part, tns_poly_int (t->arena, 1));
  while (q->n > 0)
    {
      waiting w = q->part[--q->n];
      if (isl_basic_set_dim (w.part, isl_dim_set) == 0)
        {
          isl_set *condition = isl_set_params (isl_set_from_basic_set (w.part));
          condition = isl_set_gist (condition,
                                    isl_set_copy (t->counter->scop->context));
          t->ok &= add_summand (t->counter, &t->tally, condition, w.poly);
        }
      else
        eliminate (t, q, w);
    }
  return t->ok ? isl_stat_ok : isl_stat_error;
}

/* SET has quotients.  */
static bool
has_divs (__isl_keep isl_set *set)
{
  isl_size n = isl_set_dim (set, isl_dim_set);
  bool found = false;
  isl_basic_set_list *list = isl_set_get_basic_set_list (set);
  isl_size m = isl_basic_set_list_size (list);
  for (int k = 0; k < m && !found; k++)
    {
      isl_basic_set *part = isl_basic_set_list_get_at (list, k);
      found = isl_basic_set_dim (part, isl_dim_div) > 0;
      isl_basic_set_free (part);
    }
  isl_basic_set_list_free (list);
  return found && n > 0;
}

/* Dimension DIM of SET is a function of the others.  */
static bool
is_function (__isl_keep isl_set *set, int dim)
{
  isl_size n = isl_set_dim (set, isl_dim_set);
  isl_map *map = isl_map_from_range (isl_set_copy (set));
  map = isl_map_move_dims (map, isl_dim_in, 0, isl_dim_out, 0, (unsigned) dim);
  map = isl_map_move_dims (map, isl_dim_in, (unsigned) dim, isl_dim_out, 1,
                           (unsigned) (n - dim - 1));
  isl_bool single = isl_map_is_single_valued (map);
  isl_map_free (map);
  return single == isl_bool_true;
}

/* SET with dimension DIM counted in steps of its stride.  */
static __isl_give isl_set *
in_steps (__isl_take isl_set *set, int dim)
{
  isl_stride_info *info = isl_set_get_stride_info (set, dim);
  isl_val *stride = isl_stride_info_get_stride (info);
  isl_aff *offset = isl_stride_info_get_offset (info);
  isl_stride_info_free (info);
  if (isl_val_is_one (stride) != isl_bool_false)
    {
      isl_val_free (stride);
      isl_aff_free (offset);
      return set;
    }
  isl_space *space = isl_set_get_space (set);
  isl_local_space *local = isl_local_space_from_space (isl_space_copy (space));
  isl_aff *step = isl_aff_var_on_domain (local, isl_dim_set, (unsigned) dim);
  step = isl_aff_add (isl_aff_scale_val (step, stride), offset);
  isl_multi_aff *steps
    = isl_multi_aff_identity (isl_space_map_from_set (space));
  steps = isl_multi_aff_set_at (steps, dim, step);
  return isl_set_preimage_multi_aff (set, steps);
}

/* SET with as many points, and fewer quotients.  */
static __isl_give isl_set *
simplified (__isl_take isl_set *set)
{
  set = isl_set_coalesce (isl_set_reset_tuple_id (set));
  for (int d = isl_set_dim (set, isl_dim_set) - 1; d >= 0; d--)
    {
      if (!has_divs (set))
        return set;
      if (is_function (set, d))
        set = isl_set_coalesce (
          isl_set_project_out (set, isl_dim_set, (unsigned) d, 1));
    }
  for (int d = isl_set_dim (set, isl_dim_set) - 1; d >= 0; d--)
    if (has_divs (set))
      set = in_steps (set, d);
  return isl_set_remove_redundancies (isl_set_coalesce (set));
}

/* CONDITION ? VALUE : 0 as an expression; NULL when it cannot be written. */
static tns_expr *
when (const tns_counter *counter, __isl_keep isl_set *condition,
      tns_expr *value)
{
  if (isl_set_plain_is_universe (condition) == isl_bool_true)
    return value;
  tns_expr *cond = tns_scop_cond_of_set (counter->scop, condition);
  tns_arena *arena = counter->ctx->arena;
  return tns_ternary (arena, TNS_SELECT, cond, value,
                      tns_real (arena, TNS_F64, 0));
}

/* The least (greatest, with MOST) value of dimension DIM of SET.  */
static tns_expr *
extreme (const tns_counter *counter, __isl_keep isl_set *set, int dim,
         bool most)
{
  isl_pw_aff *value = tns_isl_end (set, dim, most);
  if (!value)
    return NULL;
  value = isl_pw_aff_coalesce (value);
  tns_expr *expr = tns_scop_expr_of_pw_aff (counter->scop, value);
  isl_pw_aff_free (value);
  return expr;
}

/* The points of the box around SET (taken); NULL when it has no end.  What
   must exist, and is no quotient, is left out before: a box is a bound, and isl
   would look for it without counting what it does.  */
static tns_expr *
box_around (const tns_counter *counter, __isl_take isl_set *set)
{
  set = isl_set_remove_unknown_divs (set);
  tns_arena *arena = counter->ctx->arena;
  tns_expr *product = tns_real (arena, TNS_F64, 1);
  isl_size n = isl_set_dim (set, isl_dim_set);
  for (int d = 0; d < n; d++)
    {
      tns_expr *lo = extreme (counter, set, d, false);
      tns_expr *hi = extreme (counter, set, d, true);
      if (!lo || !hi)
        return isl_set_free (set), NULL;
      tns_expr *size
        = tns_binary (arena, TNS_ADD, tns_binary (arena, TNS_SUB, hi, lo),
                      tns_int (arena, 1));
      size = tns_cast (arena, tns_scalar (TNS_F64), size);
      product = d ? tns_binary (arena, TNS_MUL, product, size) : size;
    }
  isl_set *executed = isl_set_params (set);
  executed = isl_set_gist (executed, isl_set_copy (counter->scop->context));
  product = when (counter, executed, product);
  isl_set_free (executed);
  return product;
}

/* The same; NULL too where isl finds it only with many operations.  */
static tns_expr *
box (const tns_counter *counter, __isl_keep isl_set *set)
{
  isl_ctx *isl = counter->scop->isl;
  unsigned long before = tns_isl_ask (isl, OPERATIONS_OF_BOX);
  tns_expr *points = box_around (counter, isl_set_copy (set));
  return tns_isl_asked (isl, before) ? points : NULL;
}

tns_tally
tns_tally_new (void)
{
  return (tns_tally){ .exact = true };
}

/* Free the conditions of TALLY.  */
static void
drop_conditions (tns_tally *tally)
{
  for (int k = 0; k < tally->n; k++)
    isl_set_free (tally->summand[k].condition);
  tally->n = 0;
}

/* Add FACTOR times PART to TALLY.  Where TALLY has no room it is not exact
   any more.  */
static void
merge (tns_counter *counter, tns_tally *tally, long long factor,
       const tns_tally *part)
{
  for (int k = 0; k < part->n; k++)
    {
      const tns_summand *s = &part->summand[k];
      tns_poly p = tns_poly_scale (counter->ctx->arena, s->poly, factor, 1);
      isl_set *condition = isl_set_copy (s->condition);
      tally->exact &= add_summand (counter, tally, condition, p);
    }
}

/* Add FACTOR times the box around SET to TALLY.  */
static bool
add_box (tns_counter *counter, tns_tally *tally, long long factor,
         __isl_keep isl_set *set)
{
  tns_arena *arena = counter->ctx->arena;
  tns_expr *bound = box (counter, set);
  if (!bound)
    return false;
  tally->exact = false;
  bound = tns_binary (arena, TNS_MUL, bound,
                      tns_real (arena, TNS_F64, (long double) factor));
  tally->bound
    = tally->bound ? tns_binary (arena, TNS_ADD, tally->bound, bound) : bound;
  return true;
}

/* The points of SET (kept), *OK when all could be summed.  */
static tns_tally
points_of (tns_counter *counter, __isl_keep isl_set *set, bool *ok)
{
  total t = { .counter = counter,
              .arena = counter->ctx->arena,
              .tally = tns_tally_new (),
              .ok = true };
  set = isl_set_intersect_params (isl_set_copy (set),
                                  isl_set_copy (counter->scop->context));
  set = simplified (set);
  t.ok = isl_set_n_basic_set (set) <= MOST_OVERLAPPING;
  if (t.ok)
    set = isl_set_make_disjoint (set);
  isl_size n = isl_set_dim (set, isl_dim_set);
  t.ok = t.ok && n >= 0 && n <= MOST_DIMS
         && isl_set_n_basic_set (set) <= MOST_PARTS;
  if (t.ok && isl_set_foreach_basic_set (set, add_part, &t) < 0)
    t.ok = false;
  isl_set_free (set);
  *ok = t.ok;
  return t.tally;
}

/* The count of SET (taken), made once for sets that are written alike.  */
static const tns_counted *
counted_once (tns_counter *counter, __isl_take isl_set *set)
{
  set = isl_set_reset_tuple_id (set);
  for (int k = 0; k < counter->n_counted; k++)
    if (isl_set_plain_is_equal (counter->counted[k].set, set) == isl_bool_true)
      {
        isl_set_free (set);
        return &counter->counted[k];
      }
  counter->counted = tns_build_room (counter->ctx->arena, counter->counted,
                                     counter->n_counted, sizeof (tns_counted));
  tns_counted *found = &counter->counted[counter->n_counted++];
  found->set = set;
  found->points = points_of (counter, set, &found->ok);
  return found;
}

bool
tns_tally_add (tns_counter *counter, tns_tally *tally, long long factor,
               __isl_take isl_set *set)
{
  const tns_counted *found = counted_once (counter, set);
  if (!found->ok)
    return add_box (counter, tally, factor, found->set);
  merge (counter, tally, factor, &found->points);
  return true;
}

void
tns_counter_end (tns_counter *counter)
{
  for (int k = 0; k < counter->n_counted; k++)
    {
      isl_set_free (counter->counted[k].set);
      drop_conditions (&counter->counted[k].points);
    }
  counter->n_counted = 0;
}

tns_expr *
tns_tally_finish (const tns_counter *counter, tns_tally *tally)
{
  tns_arena *arena = counter->ctx->arena;
  tns_expr *sum = tally->bound;
  for (int k = 0; k < tally->n; k++)
    {
      const tns_summand *s = &tally->summand[k];
      tns_expr *value = NULL;
      if (s->poly.n == 0)
        continue;
      if (s->poly.n > 0)
        value = when (counter, s->condition,
                      tns_poly_expr (arena, s->poly, counter->value));
      if (!value)
        tally->exact = false;
      else
        sum = sum ? tns_binary (arena, TNS_ADD, sum, value) : value;
    }
  drop_conditions (tally);
  return sum ? sum : tns_real (arena, TNS_F64, 0);
}
