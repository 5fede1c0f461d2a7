/* Conditions that the loops around decide, as lowering/certain.h says, from
   the outside in: the loops around a condition are kept in a list.  */

#include "lowering/certain.h"

#include "ir/walk.h"
#include "lowering/linear.h"

/* Deeper loops are left out: less is known then.  */
#define MAX_DEPTH 24

/* The loops around the place that is looked at.  */
typedef struct deciding
{
  tns_ctx *ctx;
  tns_arena *arena;
  bool changed;
  int n;
  tns_node *around[MAX_DEPTH];
} deciding;

/* A > B, or A + 1 > B where they may be equal.  */
static bool
is_above (const deciding *d, tns_expr *a, tns_expr *b, bool or_equal)
{
  if (or_equal)
    a = tns_binary (d->arena, TNS_ADD, a, tns_int (d->arena, 1));
  return tns_linear_above (d->arena, a, b, d->n, d->around);
}

/* COND, A > B or A >= B in some spelling, is VALUE here.  */
static bool
is_certain (const deciding *d, const tns_expr *cond, bool value)
{
  bool swaps = cond->op == TNS_LT || cond->op == TNS_LE;
  bool strict = cond->op == TNS_LT || cond->op == TNS_GT;
  bool or_equal = !strict || tns_ctx_breaks (d->ctx, "certain");
  if ((!strict && cond->op != TNS_LE && cond->op != TNS_GE)
      || tns_expr_loads (cond->arg[0]) || tns_expr_loads (cond->arg[1]))
    return false;
  tns_expr *a = cond->arg[swaps];
  tns_expr *b = cond->arg[!swaps];
  return value ? is_above (d, a, b, or_equal) : is_above (d, b, a, strict);
}

static tns_node *decide (deciding *d, tns_node *node);

/* The kids of BLOCK, decided.  */
static tns_node *
decide_kids (deciding *d, tns_node *block)
{
  tns_node *made = tns_block (d->arena, block->loc);
  for (int k = 0; k < block->n_kids; k++)
    {
      tns_node *kid = decide (d, block->kid[k]);
      if (kid)
        tns_block_add (d->arena, made, kid);
    }
  return made;
}

/* LOOP, its body decided.  */
static tns_node *
decide_loop (deciding *d, tns_node *loop)
{
  tns_node *made = tns_node_copy (d->arena, loop);
  bool fits = d->n < MAX_DEPTH;
  if (fits)
    d->around[d->n++] = loop;
  made->body = decide (d, loop->body);
  d->n -= fits;
  return made->body ? made : NULL;
}

/* An IF, decided: what it does in any case, or itself; NULL: nothing.  */
static tns_node *
decide_if (deciding *d, tns_node *node)
{
  for (int value = 0; value < 2; value++)
    if (is_certain (d, node->cond, value))
      {
        d->changed = true;
        return decide (d, value ? node->then : node->otherwise);
      }
  tns_node *then = decide (d, node->then);
  tns_node *otherwise = decide (d, node->otherwise);
  if (!then && !otherwise)
    return NULL;
  if (!then)
    then = tns_block (d->arena, node->loc);
  return tns_if (d->arena, node->loc, node->cond, then, otherwise);
}

/* NODE with its conditions decided, NULL when nothing is left.  */
static tns_node *
decide (deciding *d, tns_node *node)
{
  if (!node)
    return NULL;
  switch (node->kind)
    {
    case TNS_BLOCK:
      return decide_kids (d, node);
    case TNS_LOOP:
      return decide_loop (d, node);
    case TNS_IF:
      return decide_if (d, node);
    default:
      return node;
    }
}

tns_region *
tns_region_certain (tns_ctx *ctx, tns_region *region)
{
  if (!region)
    return NULL;
  deciding d = { .ctx = ctx, .arena = ctx->arena };
  tns_node *body = decide (&d, region->body);
  if (!d.changed || !body)
    return region;
  tns_region *made = tns_region_copy (ctx->arena, region);
  made->body = body;
  return made;
}
