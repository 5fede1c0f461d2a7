/* A region with sizes that it does nothing with is left first, as
   lowering/idle.h says.  */

#include "lowering/idle.h"

#include <limits.h>

#include "ir/walk.h"
#include "poly/idle.h"

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
  return !r->found;
}

/* VALUE is a symbol of 64 bits.  */
static bool
is_wide (const tns_expr *value)
{
  return value->op == TNS_SYM && value->sym->kind == TNS_SYM_VALUE
         && value->type.elem == TNS_I64;
}

/* REGION's bounds or conditions reckon with a wide parameter of SCOP's.  */
static bool
reckons (const tns_region *region, const tns_scop *scop)
{
  reckoning r = { .found = false };
  for (int k = 0; k < scop->n_params && !r.found; k++)
    if (is_wide (scop->param[k]))
      {
        r.sym = scop->param[k]->sym;
        tns_node_walk (region->body, visit_node, &r);
      }
  return r.found;
}

/* What SCOP's wide parameters are when an instance runs; NULL: anything.  */
static tns_expr *
running (tns_ctx *ctx, const tns_scop *scop)
{
  tns_arena *arena = ctx->arena;
  tns_op op = tns_ctx_breaks (ctx, "idle") ? TNS_GT : TNS_GE;
  tns_expr *runs = NULL;
  for (int k = 0; k < scop->n_params; k++)
    {
      tns_expr *value = scop->param[k];
      long long least = is_wide (value) ? tns_scop_least (scop, k) : LLONG_MIN;
      if (least == LLONG_MIN)
        continue;
      tns_expr *one = tns_binary (arena, op, value, tns_int (arena, least));
      runs = runs ? tns_binary (arena, TNS_LAND, runs, one) : one;
    }
  return runs;
}

tns_region *
tns_region_idle (tns_ctx *ctx, tns_region *region, const tns_scop *scop)
{
  tns_expr *runs
    = region && reckons (region, scop) ? running (ctx, scop) : NULL;
  if (!runs)
    return region;
  tns_region *made = tns_region_copy (ctx->arena, region);
  made->body = tns_block (ctx->arena, region->loc);
  tns_block_add (ctx->arena, made->body,
                 tns_if (ctx->arena, region->loc, runs, region->body, NULL));
  return made;
}
