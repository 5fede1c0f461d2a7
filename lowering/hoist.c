/* Invariant floating-point work leaves all loops.

     the largest expressions over VALUEs in a loop that divide or call a
     function of math.h, once for each that differs:

       { for i { y[i] = x[i] * (s / sqrt (f32 (D))); } }

       { local f32 h; h = s / sqrt (f32 (D));
         for i { y[i] = x[i] * h; } }

   It is done whether a loop runs or not: nothing of it traps or is seen.
   Integer division may trap, and what costs an operation or two is left to
   GCC.  */

#include "lowering/hoist.h"

#include "ir/walk.h"

enum
{
  MOST_HOISTED = 16
};

/* What was hoisted, and where to.  */
typedef struct hoisting
{
  tns_ctx *ctx;
  tns_region *region;
  int n;
  tns_expr *expr[MOST_HOISTED];
  tns_sym *cell[MOST_HOISTED];
} hoisting;

/* Whether an expression is over VALUEs, and costs much.  */
typedef struct finding
{
  bool is_fixed;
  bool is_long;
} finding;

/* The visitor that finds out.  */
static bool
note (tns_expr *expr, void *self)
{
  finding *f = self;
  bool is_float = tns_elem_is_float (expr->type.elem);
  bool divides = expr->op == TNS_DIV || expr->op == TNS_REM
                 || expr->op == TNS_FLOORDIV || expr->op == TNS_MOD;
  f->is_fixed = f->is_fixed && expr->type.lanes == 1
                && (!expr->sym || expr->sym->kind == TNS_SYM_VALUE)
                && (is_float || !divides);
  f->is_long
    = f->is_long || tns_op_class (expr->op) == 'M' || (is_float && divides);
  return f->is_fixed;
}

/* EXPR may and should be hoisted.  */
static bool
is_worth (tns_expr *expr)
{
  finding f = { true, false };
  if (!tns_elem_is_float (expr->type.elem))
    return false;
  tns_expr_walk (expr, note, &f);
  return f.is_fixed && f.is_long;
}

/* The cell that holds EXPR, or NULL when there is no room for one more.  */
static tns_sym *
cell_of (hoisting *h, tns_expr *expr)
{
  for (int k = 0; k < h->n; k++)
    if (tns_expr_equal (h->expr[k], expr) || tns_ctx_breaks (h->ctx, "hoist"))
      return h->cell[k];
  if (h->n == MOST_HOISTED)
    return NULL;
  h->expr[h->n] = expr;
  h->cell[h->n] = tns_region_add_array (h->ctx->arena, h->region, "h",
                                        expr->type.elem, 0, TNS_SYM_LOCAL);
  return h->cell[h->n++];
}

/* EXPR with its largest parts that are worth it in cells.  */
static tns_expr *
change_expr (tns_expr *expr, void *self)
{
  hoisting *h = self;
  tns_sym *cell = is_worth (expr) ? cell_of (h, expr) : NULL;
  if (cell)
    return tns_cell (h->ctx->arena, cell);
  if (!expr->n_args)
    return expr;
  tns_expr **arg = TNS_NEW_ARRAY (h->ctx->arena, tns_expr *, expr->n_args);
  for (int k = 0; k < expr->n_args; k++)
    arg[k] = change_expr (expr->arg[k], h);
  return tns_expr_with_args (h->ctx->arena, expr, arg);
}

/* NODE with the loops in it changed.  */
static tns_node *
change_loops (hoisting *h, tns_node *node)
{
  if (!node || node->kind == TNS_LOOP)
    return node ? tns_node_rebuild (h->ctx->arena, node, NULL, change_expr, h)
                : NULL;
  tns_node *made = tns_node_copy (h->ctx->arena, node);
  made->n_kids = 0;
  made->kid = NULL;
  for (int k = 0; node->kind == TNS_BLOCK && k < node->n_kids; k++)
    tns_block_add (h->ctx->arena, made, change_loops (h, node->kid[k]));
  made->then = change_loops (h, node->then);
  made->otherwise = change_loops (h, node->otherwise);
  return made;
}

/* BODY behind the cells.  */
static tns_node *
with_cells (const hoisting *h, tns_node *body)
{
  tns_arena *arena = h->ctx->arena;
  tns_node *made = tns_block (arena, body->loc);
  for (int k = 0; k < h->n; k++)
    {
      tns_block_add (arena, made, tns_local (arena, body->loc, h->cell[k]));
      tns_block_add (arena, made,
                     tns_assign (arena, body->loc, tns_cell (arena, h->cell[k]),
                                 TNS_NONE, h->expr[k]));
    }
  for (int k = 0; k < body->n_kids; k++)
    tns_block_add (arena, made, body->kid[k]);
  return made;
}

tns_region *
tns_region_hoist (tns_ctx *ctx, tns_region *region)
{
  if (!region)
    return NULL;
  hoisting h = { .ctx = ctx, .region = tns_region_copy (ctx->arena, region) };
  tns_node *body = change_loops (&h, region->body);
  if (h.n == 0)
    return region;
  h.region->body = with_cells (&h, body);
  return h.region;
}
