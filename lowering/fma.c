/* Fusing products with sums, bottom-up.

   Of a * b + c * d the first product is fused.  Only float and double;
   updates under a mask are left alone, since their target may only be read
   where it is stored.  */

#include "lowering/fma.h"

#include "ir/walk.h"
#include "schedule/machine.h"

/* A product A * B, its sign turned when NEGATED.  */
typedef struct product
{
  tns_expr *a;
  tns_expr *b;
  bool negated;
} product;

/* EXPR is a product, or one with its sign turned.  */
static bool
is_product (tns_expr *expr, product *p)
{
  p->negated = expr->op == TNS_NEG;
  if (p->negated)
    expr = expr->arg[0];
  if (expr->op != TNS_MUL)
    return false;
  p->a = expr->arg[0];
  p->b = expr->arg[1];
  return true;
}

/* P + C; P - C and so on by the signs.  */
static tns_expr *
fuse (tns_arena *arena, product p, bool negate_product, tns_expr *c,
      bool negate_c)
{
  if (p.negated != negate_product)
    p.a = tns_unary (arena, TNS_NEG, p.a);
  if (negate_c)
    c = tns_unary (arena, TNS_NEG, c);
  return tns_ternary (arena, TNS_FMA, p.a, p.b, c);
}

/* ELEM has fused operations.  */
static bool
has_fma (tns_elem elem)
{
  return elem == TNS_F32 || elem == TNS_F64;
}

/* A OP B, fused or NULL.  */
static tns_expr *
fuse_sum (tns_arena *arena, tns_op op, tns_expr *a, tns_expr *b)
{
  product p;
  if ((op != TNS_ADD && op != TNS_SUB) || !has_fma (a->type.elem))
    return NULL;
  if (is_product (b, &p))
    return fuse (arena, p, op == TNS_SUB, a, false);
  if (is_product (a, &p))
    return fuse (arena, p, false, b, op == TNS_SUB);
  return NULL;
}

/* EXPR, its operands done.  */
static tns_expr *
fuse_expr (tns_expr *expr, void *self)
{
  tns_arena *arena = self;
  if (expr->n_args != 2)
    return expr;
  tns_expr *made = fuse_sum (arena, expr->op, expr->arg[0], expr->arg[1]);
  if (made)
    made->loc = expr->loc;
  return made ? made : expr;
}

/* A whole expression.  */
static tns_expr *
fuse_whole (tns_expr *expr, void *self)
{
  return tns_expr_rebuild (self, expr, fuse_expr, self);
}

/* NODE, its expressions done.  */
static tns_node *
fuse_node (tns_node *node, void *self)
{
  if (node->kind != TNS_ASSIGN || node->mask || node->update == TNS_NONE)
    return node;
  tns_expr *made = fuse_sum (self, node->update, node->target, node->value);
  if (!made)
    return node;
  node->update = TNS_NONE;
  node->value = made;
  return node;
}

tns_node *
tns_node_fma (tns_ctx *ctx, tns_node *body)
{
  if (!ctx->flags.contract || !ctx->machine->fma
      || ctx->wish.fp == TNS_FP_STRICT)
    return body;
  return tns_node_rebuild (ctx->arena, body, fuse_node, fuse_whole, ctx->arena);
}
