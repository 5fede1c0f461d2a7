/* Values of 64 bits that are near enough to 0 for sums with them.

     if (i > k)            guard k >= -2^60 && k <= 2^60
     for i = k to n        the same: i >= k + 1 may be asked for later
     for i = 0 to n        none: no loop gets so far
     for i = 2^63 - 8 to   no condition on i is one of the model's

   A program that means "never" by LONG_MAX is correct, and the sums that isl
   makes of such a value are not.  Gradients, whose parts are regions with
   values of ours, have no such guards.  */

#include "poly/scop-build.h"

#include "ir/stride.h"
#include "ir/walk.h"

/* The magnitude up to which sums of a few values fit.  */
static const long long NEAR = 1LL << 60;

/* B's innermost loops go up to VALUE or something that grows with it.  */
static bool
ends_a_loop (const tns_builder *b, const tns_sym *value)
{
  for (int k = 0; k < b->n_iters; k++)
    {
      const tns_node *loop = b->loop[k];
      tns_expr *end = loop->step > 0 ? loop->hi : loop->lo;
      long long step;
      if (tns_expr_stride (b->arena, end, value, &step) && step > 0)
        return true;
    }
  return false;
}

/* { [] : PARAMETER's magnitude is NEAR at most }.  */
static __isl_give isl_set *
near_set (__isl_take isl_pw_aff *parameter)
{
  isl_space *space = isl_pw_aff_get_domain_space (parameter);
  isl_local_space *local = isl_local_space_from_space (space);
  isl_ctx *isl = isl_pw_aff_get_ctx (parameter);
  isl_aff *most = isl_aff_val_on_domain (isl_local_space_copy (local),
                                         isl_val_int_from_si (isl, NEAR));
  isl_aff *least
    = isl_aff_val_on_domain (local, isl_val_int_from_si (isl, -NEAR));
  isl_set *below = isl_pw_aff_le_set (isl_pw_aff_copy (parameter),
                                      isl_pw_aff_from_aff (most));
  isl_set *above = isl_pw_aff_ge_set (parameter, isl_pw_aff_from_aff (least));
  return isl_set_params (isl_set_intersect (below, above));
}

/* Guard that VALUE, of 64 bits, is near, unless that is known.  */
static void
keep_near (tns_builder *b, tns_expr *value)
{
  tns_scop *scop = b->scop;
  isl_set *near = near_set (tns_build_parameter (b, value));
  isl_set *facts = isl_set_intersect (isl_set_copy (scop->context),
                                      isl_set_copy (b->ranges));
  isl_bool known = isl_set_is_subset (facts, near);
  isl_set_free (facts);
  b->failed |= known < 0;
  if (known != isl_bool_false)
    {
      isl_set_free (near);
      return;
    }
  b->ranges = isl_set_intersect (b->ranges, near);
  tns_arena *arena = b->arena;
  tns_expr *wide = tns_cast (arena, tns_scalar (TNS_I64), value);
  tns_expr *least = tns_binary (arena, TNS_GE, wide, tns_int (arena, -NEAR));
  tns_expr *most = tns_binary (arena, TNS_LE, wide, tns_int (arena, NEAR));
  tns_region_add_guard (arena, scop->region,
                        tns_binary (arena, TNS_LAND, least, most));
}

/* The visitor: keep EXPR near where it is a value that no loop ends at.  */
static bool
visit_value (tns_expr *expr, void *self)
{
  tns_builder *b = self;
  if (expr->op == TNS_SYM && expr->sym->kind == TNS_SYM_VALUE
      && tns_elem_is_integer (expr->type.elem)
      && tns_elem_bytes (expr->type.elem) == 8
      && !(expr->sym->flags & TNS_SYM_NEAR) && !ends_a_loop (b, expr->sym))
    keep_near (b, expr);
  return true;
}

/* What an expression has to do with loops of B that begin far from 0.  */
typedef struct far_search
{
  const tns_builder *b;
  bool found;
} far_search;

/* The visitor that looks for their iterators.  */
static bool
visit_iterator (tns_expr *expr, void *self)
{
  far_search *search = self;
  const tns_builder *b = search->b;
  long long first;
  for (int k = 0; k < b->n_iters && expr->op == TNS_SYM; k++)
    search->found |= expr->sym == b->iter[k]
                     && tns_expr_is_int (b->loop[k]->lo, &first)
                     && (first > NEAR || first < -NEAR);
  return !search->found;
}

bool
tns_build_is_far (const tns_builder *b, tns_expr *expr)
{
  far_search search = { b, false };
  tns_expr_walk (expr, visit_iterator, &search);
  return search.found;
}

void
tns_build_near (tns_builder *b, tns_expr *expr)
{
  if (b->n_iters > 0 && !b->scop->region->derived)
    tns_expr_walk (expr, visit_value, b);
}
