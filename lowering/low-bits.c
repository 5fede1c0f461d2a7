/* Small integers, as lowering/low-bits.h says.

   Does not do: remainders that are not compared, which vectors add up by
   themselves where they are indices (lowering/vectors-expr.c); low bits of
   what is shifted to the right or divided.  */

#include "lowering/low-bits.h"

#include "ir/bytes.h"
#include "ir/walk.h"

#define MOST_DIVISOR 256

/* What EXPR is a remainder of, by *DIVISOR, a power of two; NULL where it is
   none.  */
static tns_expr *
divided (const tns_expr *expr, long long *divisor)
{
  while (expr->op == TNS_CAST && tns_elem_is_integer (expr->type.elem)
         && tns_elem_is_integer (expr->arg[0]->type.elem)
         && tns_elem_bytes (expr->type.elem) >= 4
         && expr->arg[0]->type.elem != TNS_BOOL)
    expr = expr->arg[0];
  if (expr->type.lanes != 1 || (expr->op != TNS_MOD && expr->op != TNS_AND)
      || !tns_expr_is_int (expr->arg[1], divisor))
    return NULL;
  *divisor += expr->op == TNS_AND;
  bool is_power = *divisor > 1 && (*divisor & (*divisor - 1)) == 0;
  return is_power && *divisor <= MOST_DIVISOR ? expr->arg[0] : NULL;
}

/* Note whether EXPR reads integers of 32 bits, which have lanes of their own
   anyway.  */
static bool
note_wide (tns_expr *expr, void *self)
{
  bool *found = self;
  bool reads = tns_expr_reads (expr);
  *found |= reads && tns_elem_bytes (expr->type.elem) == 4;
  return !*found && !reads;
}

/* The changer: EXPR in U8 where it compares such a remainder with a number
   that it can be.  */
static tns_expr *
change_compare (tns_expr *expr, void *self)
{
  tns_ctx *ctx = self;
  tns_arena *arena = ctx->arena;
  long long divisor, number;
  if (tns_op_class (expr->op) != 'C' || expr->type.lanes != 1
      || !tns_expr_is_int (expr->arg[1], &number)
      || tns_elem_bytes (expr->arg[0]->type.elem) < 4)
    return expr;
  tns_expr *of = divided (expr->arg[0], &divisor);
  bool wide = false;
  if (of && tns_elem_bytes (of->type.elem) == 4)
    tns_expr_walk (of, note_wide, &wide);
  if (!of || wide || number < 0 || number >= divisor)
    return expr;
  long long most = divisor - (tns_ctx_breaks (ctx, "low-bits") ? 2 : 1);
  tns_expr *rest = tns_binary (arena, TNS_AND, tns_expr_low (arena, of, TNS_U8),
                               tns_int_of (arena, TNS_U8, most));
  return tns_binary (arena, expr->op, rest, tns_int_of (arena, TNS_U8, number));
}

/* The changer: EXPR, a MIN or MAX of small integers of one type, in that
   type.  */
static tns_expr *
change_extreme (tns_expr *expr, void *self)
{
  tns_ctx *ctx = self;
  tns_arena *arena = ctx->arena;
  if ((expr->op != TNS_MIN && expr->op != TNS_MAX) || expr->type.lanes != 1
      || !tns_elem_is_integer (expr->type.elem) || expr->arg[0]->op != TNS_CAST)
    return expr;
  tns_elem elem = expr->arg[0]->arg[0]->type.elem;
  if (elem == TNS_BOOL || !tns_elem_is_integer (elem)
      || tns_elem_bytes (elem) > 2 || tns_elem_bytes (expr->type.elem) < 4
      || expr->arg[1]->op != TNS_CAST
      || expr->arg[1]->arg[0]->type.elem != elem)
    return expr;
  return tns_cast (
    arena, expr->type,
    tns_binary (arena, expr->op, expr->arg[0]->arg[0], expr->arg[1]->arg[0]));
}

/* The changer of one expression.  */
static tns_expr *
change_one (tns_expr *expr, void *self)
{
  return change_extreme (change_compare (expr, self), self);
}

/* The changer of whole expressions.  */
static tns_expr *
change_whole (tns_expr *expr, void *self)
{
  tns_ctx *ctx = self;
  return tns_expr_rebuild (ctx->arena, expr, change_one, ctx);
}

/* The changer of nodes: a loop in lanes.  */
static tns_node *
change_loop (tns_node *node, void *self)
{
  tns_ctx *ctx = self;
  if (node->kind == TNS_LOOP && node->marks.simd)
    node->body
      = tns_node_rebuild (ctx->arena, node->body, NULL, change_whole, ctx);
  return node;
}

tns_region *
tns_region_low_bits (tns_ctx *ctx, tns_region *region)
{
  if (!region)
    return NULL;
  tns_region *out = tns_region_copy (ctx->arena, region);
  out->body
    = tns_node_rebuild (ctx->arena, region->body, change_loop, NULL, ctx);
  return out;
}
