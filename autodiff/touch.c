/* What comes before each statement that reaches copies, as autodiff/touch.h
   says.  */

#include "autodiff/touch.h"

#include "autodiff/sweep.h"
#include "ir/handed.h"
#include "ir/walk.h"

/* The copies.  */
typedef struct watch
{
  tns_ctx *ctx;
  tns_arena *arena;
  tns_region *region;
  int n;
  const tns_touch *touch;
} watch;

/* Append TARGET = VALUE to BLOCK.  */
static void
set (tns_arena *arena, tns_node *block, tns_expr *target, tns_expr *value)
{
  tns_block_add (arena, block,
                 tns_assign (arena, block->loc, target, TNS_NONE, value));
}

/* A BOOL: whether the element of TOUCH's copy AT is there, or NONE of it.  */
static tns_expr *
is_there (tns_arena *arena, const tns_touch *touch, tns_expr *const *at,
          bool none)
{
  return tns_binary (arena, none ? TNS_EQ : TNS_NE,
                     tns_load (arena, touch->has, at),
                     tns_int_of (arena, TNS_I8, 0));
}

void
tns_touch_begin (tns_ctx *ctx, tns_region *region, tns_node *block,
                 tns_touch *touch)
{
  tns_arena *arena = ctx->arena;
  const tns_sym *copy = touch->copy;
  const char *name = tns_arena_format (arena, "%s_has", copy->name);
  touch->has = tns_region_add_array (arena, region, name, TNS_I8, copy->rank,
                                     TNS_SYM_LOCAL);
  touch->has->extent = copy->extent;
  touch->has->loc = copy->loc;
  tns_block_add (arena, block, tns_local (arena, copy->loc, touch->has));
  tns_expr **at = TNS_NEW_ARRAY (arena, tns_expr *, copy->rank + 1);
  tns_node *body = tns_block (arena, copy->loc);
  tns_node *loops = tns_sweep_loops (arena, region, touch->has, NULL, body, at);
  set (arena, body, tns_load (arena, touch->has, at),
       tns_int_of (arena, TNS_I8, 0));
  tns_block_add (arena, block, loops);
}

/* The touch of SYM, or NULL.  */
static const tns_touch *
find_touch (const watch *w, const tns_sym *sym)
{
  for (int k = 0; k < w->n; k++)
    if (w->touch[k].copy == sym)
      return &w->touch[k];
  return NULL;
}

/* Append to BLOCK: the element of TOUCH's copy that LOAD reaches is there.  */
static void
fetch_element (const watch *w, const tns_touch *touch, const tns_expr *load,
               tns_node *block)
{
  tns_arena *arena = w->arena;
  tns_expr **from = TNS_NEW_ARRAY (arena, tns_expr *, load->n_args + 1);
  for (int k = 0; k < load->n_args; k++)
    from[k] = load->arg[k];
  from[0] = tns_binary (arena, TNS_ADD, load->arg[0], touch->rows->base);
  tns_node *then = tns_block (arena, block->loc);
  set (arena, then, tns_load (arena, touch->has, load->arg),
       tns_int_of (arena, TNS_I8, 1));
  set (arena, then, tns_load (arena, touch->copy, load->arg),
       touch->from ? tns_load (arena, touch->from, from)
                   : tns_real (arena, touch->copy->type.elem, 0));
  tns_block_add (arena, block,
                 tns_if (arena, block->loc,
                         is_there (arena, touch, load->arg, true), then, NULL));
}

static void fetch (const watch *w, tns_expr *expr, tns_node *block);

/* The same for COUNT elements from LOAD on, which a call is handed.  */
static void
fetch_handed (const watch *w, const tns_touch *touch, const tns_expr *load,
              tns_expr *count, tns_node *block)
{
  tns_arena *arena = w->arena;
  tns_expr **at = TNS_NEW_ARRAY (arena, tns_expr *, load->n_args + 1);
  tns_node *body = tns_block (arena, block->loc);
  tns_node *node = tns_handed_loops (arena, w->region, load, count, body, at);
  fetch_element (w, touch, tns_load (arena, load->sym, at), body);
  tns_block_add (arena, block, node);
}

/* Append to BLOCK: all that CALL, of a function that works on arrays, is handed
   is there.  */
static void
fetch_call (const watch *w, const tns_expr *call, tns_node *block)
{
  for (int k = 0; k < call->n_args; k++)
    {
      tns_expr *arg = call->arg[k];
      bool is_place = tns_argument_is_place (call, k);
      const tns_touch *touch = is_place ? find_touch (w, arg->sym) : NULL;
      for (int i = 0; is_place && i < arg->n_args; i++)
        fetch (w, arg->arg[i], block);
      if (!is_place)
        fetch (w, arg, block);
      if (touch)
        fetch_handed (w, touch, arg, call->arg[k + 1], block);
    }
}

/* Append to BLOCK what EXPR needs, where COND has the value WHEN.  */
static void
fetch_under (const watch *w, tns_expr *cond, bool when, tns_expr *expr,
             tns_node *block)
{
  tns_node *then = tns_block (w->arena, block->loc);
  fetch (w, expr, then);
  cond = when ? cond : tns_unary (w->arena, TNS_LNOT, cond);
  if (then->n_kids)
    tns_block_add (w->arena, block,
                   tns_if (w->arena, block->loc, cond, then, NULL));
}

/* Append to BLOCK: all that EXPR reads, in the order in which it does, is
   there.  */
static void
fetch (const watch *w, tns_expr *expr, tns_node *block)
{
  if (tns_call_arguments (expr))
    fetch_call (w, expr, block);
  if (!expr || tns_call_arguments (expr))
    return;
  bool is_choice = expr->op == TNS_SELECT;
  bool is_short = expr->op == TNS_LAND || expr->op == TNS_LOR;
  int n = is_choice || is_short ? 1 : expr->n_args;
  for (int k = 0; k < n; k++)
    fetch (w, expr->arg[k], block);
  if (is_choice || is_short)
    fetch_under (w, expr->arg[0], expr->op != TNS_LOR, expr->arg[1], block);
  if (is_choice)
    fetch_under (w, expr->arg[0], false, expr->arg[2], block);
  const tns_touch *touch
    = tns_expr_reads (expr) ? find_touch (w, expr->sym) : NULL;
  if (touch)
    fetch_element (w, touch, expr, block);
}

/* The changer of nodes.  */
static tns_node *
fetch_before (tns_node *node, void *self)
{
  const watch *w = self;
  tns_node *block = tns_block (w->arena, node->loc);
  fetch (w, node->lo, block);
  fetch (w, node->hi, block);
  fetch (w, node->cond, block);
  fetch (w, node->value, block);
  if (!tns_node_is_call (node))
    fetch (w, node->target, block);
  if (block->n_kids == 0)
    return node;
  tns_block_add (w->arena, block, node);
  return block;
}

tns_node *
tns_touch_pass (tns_ctx *ctx, tns_region *region, tns_node *pass, int n,
                const tns_touch *touch)
{
  watch w = { ctx, ctx->arena, region, n, touch };
  return n ? tns_node_rebuild (ctx->arena, pass, fetch_before, NULL, &w) : pass;
}

void
tns_touch_end (tns_ctx *ctx, tns_region *region, tns_node *block,
               const tns_touch *touch, tns_sym *target, tns_op op)
{
  tns_arena *arena = ctx->arena;
  tns_expr **at = TNS_NEW_ARRAY (arena, tns_expr *, target->rank + 1);
  tns_expr **copied = TNS_NEW_ARRAY (arena, tns_expr *, target->rank + 1);
  tns_node *body = tns_block (arena, target->loc);
  tns_node *then = tns_block (arena, target->loc);
  tns_node *loops
    = tns_sweep_loops (arena, region, touch->copy, touch->rows, body, at);
  for (int k = 0; k < target->rank; k++)
    copied[k] = k ? at[k] : tns_difference (ctx, at[0], touch->rows->base);
  tns_block_add (arena, then,
                 tns_assign (arena, target->loc, tns_load (arena, target, at),
                             op, tns_load (arena, touch->copy, copied)));
  tns_block_add (arena, body,
                 tns_if (arena, target->loc,
                         is_there (arena, touch, copied, false), then, NULL));
  tns_block_add (arena, block, loops);
}
