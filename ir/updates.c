/* Assignments that are updates, made so.

     s = s + e          s add= e        s = s - e         s add= -e
     s = s + a + b      s add= a; s add= b     (integers, strict)
                        s add= a + b           (floats otherwise)
     m = e > m ? e : m              m max= e
     if (e > m) m = e;              m max= e

   Exactness.  MAX (m, e) is e > m ? e : m, so the strict comparison that
   keeps the old value is exact in every type.  e >= m takes the other of
   two equal values, which shows in the sign of a zero and in derivatives: not
   under strict, and not where these are wanted.  m > e ? m : e takes a NaN:
   integers, and floats under fast or -ffast-math, which turns one into the
   other.

   Two values that an if puts in order are their extremes (ir/swap.h); sums that
   are taken from an element in the end begin with it (ir/owed.h).

   An if becomes an update where the store that it adds on the other path
   cannot be seen: the target is a cell, or the array is stored to on every
   path elsewhere in the region, so that it is writable.

   It does not touch s = s / e, nor s && e whose second operand reads memory
   (it would be read on paths where C does not).  */

#include "ir/canon.h"

#include "ir/owed.h"
#include "ir/swap.h"
#include "ir/walk.h"

/* What the rebuilding knows.

   exact  of two equal values that are no integers it counts which is taken  */
typedef struct canon
{
  tns_ctx *ctx;
  tns_region *region;
  bool exact;
} canon;

/* Whether EXPR is the element that TARGET names.  */
static bool
is_target (const tns_expr *expr, const tns_expr *target)
{
  return tns_expr_equal (expr, target);
}

/* A tree looked for inside another.  */
typedef struct search
{
  const tns_expr *what;
  bool found;
} search;

/* The visitor of contains.  */
static bool
compare_to (tns_expr *expr, void *self)
{
  search *s = self;
  s->found = s->found || tns_expr_equal (expr, s->what);
  return !s->found;
}

/* Whether TARGET's element is read in EXPR by the same words.  */
static bool
contains (tns_expr *expr, const tns_expr *target)
{
  search s = { target, false };
  tns_expr_walk (expr, compare_to, &s);
  return s.found;
}

/* Values of TYPE keep every bit whatever the order of a sum.  */
static bool
may_reorder (const canon *c, tns_type type)
{
  return !tns_elem_is_float (type.elem) || c->ctx->wish.fp != TNS_FP_STRICT;
}

/* NaNs may be treated as if there were none.  */
static bool
may_ignore_nans (const canon *c, tns_type type)
{
  tns_fp fp = c->ctx->wish.fp;
  return !tns_elem_is_float (type.elem) || fp == TNS_FP_FAST
         || (c->ctx->flags.finite && fp != TNS_FP_STRICT);
}

/* NODE as an update of its target with OP by VALUE.  */
static tns_node *
make_update (canon *c, const tns_node *node, tns_op op, tns_expr *value)
{
  tns_node *update = tns_node_copy (c->ctx->arena, node);
  update->update = op;
  update->value = value;
  return update;
}

/* -EXPR; EXPR where a fault is planted.  */
static tns_expr *
negated (canon *c, tns_expr *expr)
{
  if (tns_ctx_breaks (c->ctx, "updates"))
    return expr;
  tns_elem elem = expr->type.elem;
  if (expr->op == TNS_INT && elem != TNS_BOOL)
    return tns_int_of (c->ctx->arena, elem,
                       (long long) -(unsigned long long) expr->integer);
  if (expr->op == TNS_REAL)
    return tns_real (c->ctx->arena, elem, -expr->real);
  return tns_unary (c->ctx->arena, TNS_NEG, expr);
}

/* The depth of TARGET at the left end of a sum: 0 for TARGET itself, 1 for
   TARGET + a, -1 where it is not there.  */
static int
spine (const tns_expr *sum, const tns_expr *target)
{
  int depth = 0;
  while (!is_target (sum, target))
    {
      if (sum->op != TNS_ADD && sum->op != TNS_SUB)
        return -1;
      sum = sum->arg[0];
      depth++;
    }
  return depth;
}

/* What a level of a sum adds, its sign included.  */
static tns_expr *
addend (canon *c, const tns_expr *sum)
{
  return sum->op == TNS_SUB ? negated (c, sum->arg[1]) : sum->arg[1];
}

/* T + a + b as T add= a + b.  */
static tns_node *
gather_sum (canon *c, const tns_node *node)
{
  tns_expr *rest = NULL;
  for (tns_expr *sum = node->value; !is_target (sum, node->target);
       sum = sum->arg[0])
    {
      tns_expr *next = addend (c, sum);
      if (contains (next, node->target))
        return NULL;
      rest = rest ? tns_binary (c->ctx->arena, TNS_ADD, next, rest) : next;
    }
  return make_update (c, node, TNS_ADD, rest);
}

/* T + a + b as T add= a; T add= b, DEPTH levels deep.  */
static tns_node *
split_sum (canon *c, const tns_node *node, int depth)
{
  tns_node *block = tns_block (c->ctx->arena, node->loc);
  for (int level = depth - 1; level >= 0; level--)
    {
      tns_expr *sum = node->value;
      for (int k = 0; k < level; k++)
        sum = sum->arg[0];
      if (tns_expr_mentions (sum->arg[1], node->target->sym))
        return NULL;
      tns_node *update = make_update (c, node, TNS_ADD, addend (c, sum));
      if (level < depth - 1 && node->name)
        update->name = tns_arena_format (c->ctx->arena, "%s_%d", node->name,
                                         depth - 1 - level);
      tns_block_add (c->ctx->arena, block, update);
    }
  return block;
}

/* SUM without TARGET, a term of it that is added; NULL for TARGET itself.
   *FOUND is set when it is there.  */
static tns_expr *
without (canon *c, tns_expr *sum, const tns_expr *target, bool *found)
{
  if (is_target (sum, target))
    {
      *found = true;
      return NULL;
    }
  for (int k = 0; k < (sum->op == TNS_ADD ? 2 : sum->op == TNS_SUB); k++)
    {
      tns_expr *rest = without (c, sum->arg[k], target, found);
      if (!*found)
        continue;
      if (rest)
        return k == 0 ? tns_binary (c->ctx->arena, sum->op, rest, sum->arg[1])
                      : tns_binary (c->ctx->arena, sum->op, sum->arg[0], rest);
      return k == 0 ? addend (c, sum) : sum->arg[0];
    }
  return sum;
}

/* a + T + b as T add= a + b.  */
static tns_node *
gather_around (canon *c, const tns_node *node)
{
  bool found = false;
  tns_expr *rest = without (c, node->value, node->target, &found);
  if (!found || !rest || contains (rest, node->target))
    return NULL;
  return make_update (c, node, TNS_ADD, rest);
}

/* A sum with the target.  */
static tns_node *
update_by_sum (canon *c, const tns_node *node)
{
  int depth = spine (node->value, node->target);
  bool is_free = tns_elem_is_float (node->target->type.elem)
                 && may_reorder (c, node->target->type);
  bool gathers = depth == 1 || is_free;
  if (depth < 1)
    return depth < 0 && is_free ? gather_around (c, node) : NULL;
  return gathers ? gather_sum (c, node) : split_sum (c, node, depth);
}

/* Which of two equal values of TYPE is taken does not count.  */
static bool
may_exchange (const canon *c, tns_type type)
{
  return !tns_elem_is_float (type.elem) || !c->exact;
}

/* EXPR's operator may update with its operands exchanged.  */
static bool
is_symmetric (const canon *c, const tns_expr *expr)
{
  switch (expr->op)
    {
    case TNS_FMIN:
    case TNS_FMAX:
      return may_exchange (c, expr->type);
    case TNS_MIN:
    case TNS_MAX:
      return may_ignore_nans (c, expr->type) && may_exchange (c, expr->type);
    case TNS_LAND:
    case TNS_LOR:
      return false;
    default:
      return tns_op_is_reduction (expr->op);
    }
}

/* The visitor of is_pure.  */
static bool
note_trap (tns_expr *expr, void *self)
{
  bool *is_pure = self;
  if (tns_expr_reads (expr) || expr->op == TNS_DIV || expr->op == TNS_REM
      || expr->op == TNS_FLOORDIV || expr->op == TNS_MOD)
    *is_pure = false;
  return *is_pure;
}

/* Whether EXPR may be evaluated where C does not.  */
static bool
is_pure (tns_expr *expr)
{
  bool pure = true;
  tns_expr_walk (expr, note_trap, &pure);
  return pure;
}

/* T op e or e op T.  */
static tns_node *
update_by_operator (canon *c, const tns_node *node)
{
  tns_expr *value = node->value;
  if (value->n_args != 2 || !tns_op_is_reduction (value->op))
    return NULL;
  bool is_lazy = value->op == TNS_LAND || value->op == TNS_LOR;
  tns_expr *other = NULL;
  if (is_target (value->arg[0], node->target))
    other = value->arg[1];
  else if (is_target (value->arg[1], node->target) && is_symmetric (c, value))
    other = value->arg[0];
  if (!other || contains (other, node->target) || (is_lazy && !is_pure (other)))
    return NULL;
  return make_update (c, node, value->op, other);
}

/* The operator of the update that  if (COND) T = E  is, or NONE.  */
static tns_op
extremum (const canon *c, const tns_expr *cond, const tns_expr *target,
          const tns_expr *value)
{
  bool is_strict = cond->op == TNS_LT || cond->op == TNS_GT;
  if (!is_strict && cond->op != TNS_LE && cond->op != TNS_GE)
    return TNS_NONE;
  if (!is_strict
      && !(may_reorder (c, target->type) && may_exchange (c, target->type)))
    return TNS_NONE;
  bool takes_greater = cond->op == TNS_GT || cond->op == TNS_GE;
  if (tns_expr_equal (cond->arg[0], value) && is_target (cond->arg[1], target))
    return takes_greater ? TNS_MAX : TNS_MIN;
  if (tns_expr_equal (cond->arg[1], value) && is_target (cond->arg[0], target))
    return takes_greater ? TNS_MIN : TNS_MAX;
  return TNS_NONE;
}

/* The opposite extremum.  */
static tns_op
opposite (tns_op op)
{
  return op == TNS_MIN ? TNS_MAX : op == TNS_MAX ? TNS_MIN : TNS_NONE;
}

/* T = c ? e : T and T = c ? T : e.  */
static tns_node *
update_by_choice (canon *c, const tns_node *node)
{
  const tns_expr *choice = node->value;
  if (choice->op != TNS_SELECT)
    return NULL;
  bool keeps_last = is_target (choice->arg[2], node->target);
  tns_expr *value = choice->arg[keeps_last ? 1 : 2];
  if ((!keeps_last && !is_target (choice->arg[1], node->target))
      || contains (value, node->target))
    return NULL;
  tns_op op = extremum (c, choice->arg[0], node->target, value);
  tns_type type = node->target->type;
  if (!keeps_last)
    op = may_ignore_nans (c, type) && may_exchange (c, type) ? opposite (op)
                                                             : TNS_NONE;
  return op == TNS_NONE ? NULL : make_update (c, node, op, value);
}

/* Whether NODE stores to SYM on every path.  */
static bool
always_stores (const tns_node *node, const tns_sym *sym)
{
  if (!node || node->kind == TNS_IF)
    return false;
  if (node->kind == TNS_ASSIGN)
    return node->target->sym == sym && !node->mask;
  for (int k = 0; k < node->n_kids; k++)
    if (always_stores (node->kid[k], sym))
      return true;
  return always_stores (node->body, sym);
}

/* The only statement of a branch, or NULL.  */
static tns_node *
single (tns_node *node)
{
  while (node && node->kind == TNS_BLOCK)
    node = node->n_kids == 1 ? node->kid[0] : NULL;
  return node;
}

/* if (e > m) m = e;  */
static tns_node *
update_by_if (canon *c, const tns_node *node)
{
  tns_node *store = single (node->then);
  if (node->otherwise || !store || store->kind != TNS_ASSIGN
      || store->update != TNS_NONE || store->mask
      || contains (store->value, store->target))
    return NULL;
  tns_sym *sym = store->target->sym;
  if (sym->rank > 0 && !always_stores (c->region->body, sym))
    return NULL;
  tns_op op = extremum (c, node->cond, store->target, store->value);
  return op == TNS_NONE ? NULL : make_update (c, store, op, store->value);
}

/* NODE, whose parts are canonical, made canonical.  */
static tns_node *
change (tns_node *node, void *self)
{
  canon *c = self;
  tns_node *update = NULL;
  if (node->kind == TNS_IF)
    update = update_by_if (c, node);
  if (node->kind == TNS_IF && !update && !c->exact)
    update = tns_node_unasked_swap (c->ctx->arena, node);
  if (node->kind == TNS_ASSIGN && node->update == TNS_NONE && !node->mask
      && node->target->type.lanes == 1)
    {
      update = update_by_sum (c, node);
      update = update ? update : update_by_operator (c, node);
      update = update ? update : update_by_choice (c, node);
    }
  bool may_begin
    = node->kind == TNS_BLOCK && !c->exact && c->ctx->wish.fp != TNS_FP_STRICT;
  if (may_begin)
    update = tns_block_begin_sums (c->ctx, node);
  return update ? update : node;
}

/* REGION with updates, EXACT or not.  */
static tns_region *
with_updates (tns_ctx *ctx, tns_region *region, bool exact)
{
  if (!region)
    return NULL;
  canon c = { ctx, region, exact };
  tns_region *made = tns_region_copy (ctx->arena, region);
  made->body = tns_node_rebuild (ctx->arena, region->body, change, NULL, &c);
  return made;
}

tns_region *
tns_region_updates (tns_ctx *ctx, tns_region *region)
{
  return with_updates (ctx, region, false);
}

tns_region *
tns_region_updates_exact (tns_ctx *ctx, tns_region *region)
{
  return with_updates (ctx, region, true);
}
