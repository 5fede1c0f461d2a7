/* A region with sizes that it does nothing with is left first, as
   lowering/idle.h says.  */

#include "lowering/idle.h"

#include <limits.h>

#include "ir/walk.h"
#include "poly/idle.h"

/* What bounds reckon with a number of 64 bits that is not less does not wrap
   around.  */
static const long long FAR = LLONG_MIN / 4;

/* What is looked for: whether SYM is an operand of arithmetic.  */
typedef struct reckoning
{
  const tns_sym *sym;
  bool found;
} reckoning;

/* The visitor: EXPR adds to the symbol, or subtracts from it.  */
static bool
visit_expr (tns_expr *expr, void *self)
{
  reckoning *r = self;
  bool sums = expr->op == TNS_ADD || expr->op == TNS_SUB || expr->op == TNS_MUL;
  r->found |= sums && tns_expr_mentions (expr, r->sym);
  return !r->found;
}

/* NODE asks first whether SYM is large enough for what stands in it.  */
static bool
asks (const tns_node *node, const tns_sym *sym)
{
  return node->kind == TNS_IF && !node->otherwise
         && (node->cond->op == TNS_GT || node->cond->op == TNS_GE)
         && node->cond->arg[0]->op == TNS_SYM && node->cond->arg[0]->sym == sym;
}

/* NODE computes what bounds have in common.  */
static bool
is_bound (const tns_node *node)
{
  return node->kind == TNS_ASSIGN && node->target->sym->rank == 0
         && tns_sym_is_local (node->target->sym)
         && node->target->type.elem == TNS_I64;
}

/* The visitor: NODE's bounds, or its condition.  */
static bool
visit_node (tns_node *node, void *self)
{
  const reckoning *r = self;
  if (asks (node, r->sym))
    return false;
  if (node->kind == TNS_LOOP)
    {
      tns_expr_walk (node->lo, visit_expr, self);
      tns_expr_walk (node->hi, visit_expr, self);
    }
  else if (node->kind == TNS_IF)
    tns_expr_walk (node->cond, visit_expr, self);
  else if (is_bound (node))
    tns_expr_walk (node->value, visit_expr, self);
  return !r->found;
}

/* VALUE is a symbol of 64 bits.  */
static bool
is_wide (const tns_expr *value)
{
  return value->op == TNS_SYM && value->sym->kind == TNS_SYM_VALUE
         && value->type.elem == TNS_I64;
}

/* What is known of the wide parameter PARAM[K] of SCOP's.

   least  its least value with which an instance runs; LLONG_MIN: it has none
   more   bounds or conditions reckon with it, and nothing keeps it from the
          ends of its type  */
typedef struct wide
{
  long long least;
  bool more;
} wide;

/* The wide parameters of SCOP's in the order of its parameters; NULL where
   REGION reckons with none.  */
static wide *
wide_of (tns_ctx *ctx, const tns_region *region, const tns_scop *scop)
{
  wide *w = TNS_NEW_ARRAY (ctx->arena, wide, scop->n_params + 1);
  bool some = false;
  for (int k = 0; k < scop->n_params; k++)
    {
      reckoning r = { .sym = scop->param[k]->sym };
      w[k].least = LLONG_MIN;
      if (!is_wide (scop->param[k]))
        continue;
      tns_node_walk (region->body, visit_node, &r);
      w[k].more = r.found;
      some |= r.found;
    }
  for (int k = 0; some && k < scop->n_params; k++)
    {
      if (is_wide (scop->param[k]))
        w[k].least = tns_scop_least (scop, k, TNS_NO_PARAM);
      w[k].more &= w[k].least == LLONG_MIN
                   && tns_scop_known_least (scop, k) == LLONG_MIN;
    }
  return some ? w : NULL;
}

/* A and B; B where A is NULL.  */
static tns_expr *
both (tns_arena *arena, tns_expr *a, tns_expr *b)
{
  return a ? tns_binary (arena, TNS_LAND, a, b) : b;
}

/* What SCOP's parameters are when an instance runs, each by itself, W[k];
   NULL: anything.  */
static tns_expr *
running_each (tns_ctx *ctx, const tns_scop *scop, const wide *w)
{
  tns_arena *arena = ctx->arena;
  tns_op op = tns_ctx_breaks (ctx, "idle") ? TNS_GT : TNS_GE;
  tns_expr *runs = NULL;
  for (int k = 0; k < scop->n_params; k++)
    if (w[k].least > LLONG_MIN)
      runs = both (
        arena, runs,
        tns_binary (arena, op, scop->param[k], tns_int (arena, w[k].least)));
  return runs;
}

/* RUNS, and which of two parameters, one of which needs MORE to be said, is
   larger when an instance of SCOP's runs: end > first.  */
static tns_expr *
running_pairs (tns_ctx *ctx, const tns_scop *scop, wide *w, tns_expr *runs)
{
  for (int k = 0; k < scop->n_params; k++)
    for (int l = 0; l < scop->n_params; l++)
      {
        bool asks = k != l && (w[k].more || w[l].more)
                    && is_wide (scop->param[k]) && is_wide (scop->param[l]);
        long long by = asks ? tns_scop_least (scop, k, l) : LLONG_MIN;
        if (by < 0)
          continue;
        runs = both (ctx->arena, runs,
                     tns_binary (ctx->arena, by ? TNS_GT : TNS_GE,
                                 scop->param[k], scop->param[l]));
        w[k].more = false;
        w[l].more = false;
      }
  return runs;
}

/* REGION gets a guard for each parameter of SCOP's that needs MORE: it is far
   from the least of its type.  */
static void
add_guards (tns_ctx *ctx, tns_region *region, const tns_scop *scop,
            const wide *w)
{
  for (int k = 0; k < scop->n_params; k++)
    if (w[k].more)
      tns_region_add_guard (ctx->arena, region,
                            tns_binary (ctx->arena, TNS_GE, scop->param[k],
                                        tns_int (ctx->arena, FAR)));
}

tns_region *
tns_region_idle (tns_ctx *ctx, tns_region *region, const tns_scop *scop)
{
  wide *w = region ? wide_of (ctx, region, scop) : NULL;
  if (!w)
    return region;
  tns_expr *runs = running_pairs (ctx, scop, w, running_each (ctx, scop, w));
  tns_region *made = tns_region_copy (ctx->arena, region);
  add_guards (ctx, made, scop, w);
  if (!runs)
    return made;
  made->body = tns_block (ctx->arena, region->loc);
  tns_block_add (ctx->arena, made->body,
                 tns_if (ctx->arena, region->loc, runs, region->body, NULL));
  return made;
}
