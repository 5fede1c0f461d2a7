/* Fusing products with sums, bottom-up.

   Of a * b + c * d the first product is fused.  Only float and double;
   updates under a mask are left alone, since their target may only be read
   where it is stored.

   Loops that store several elements of records one by one are left alone, too:
   GCC fuses products itself, behind its search for sums that are alike, which
   it puts in vectors together, and signs of products would part these.  */

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

/* What a loop does.

   first   what it stores first to
   stores  of elements of that array, floating numbers
   fails   it has lanes, loops or masks  */
typedef struct content
{
  const tns_expr *first;
  int stores;
  bool fails;
} content;

/* The visitor: note whether EXPR is a vector.  */
static bool
note_lanes (tns_expr *expr, void *self)
{
  content *c = self;
  c->fails |= expr->type.lanes > 1;
  return !c->fails;
}

/* The visitor: note what NODE does.  */
static bool
note_node (tns_node *node, void *self)
{
  content *c = self;
  c->fails |= node->kind == TNS_LOOP || node->mask;
  tns_node_exprs (node, note_lanes, c);
  if (node->kind != TNS_ASSIGN || node->target->n_args == 0
      || !has_fma (node->target->type.elem))
    return !c->fails;
  if (!c->first)
    c->first = node->target;
  c->stores += node->target->sym == c->first->sym;
  return !c->fails;
}

/* LOOP stores several elements of records, one by one.  */
static bool
is_of_records (const tns_node *loop)
{
  content c = { NULL, 0, false };
  tns_node_walk (loop->body, note_node, &c);
  return !c.fails && c.stores > 1;
}

/* NODE, and what it holds, fused.  */
static tns_node *
fuse_below (tns_arena *arena, tns_node *node)
{
  bool is_loop = node->kind == TNS_LOOP;
  if (is_loop && is_of_records (node))
    return node;
  if (!is_loop && node->kind != TNS_BLOCK && node->kind != TNS_IF)
    return tns_node_rebuild (arena, node, fuse_node, fuse_whole, arena);
  tns_node *made = tns_node_copy (arena, node);
  if (node->n_kids > 0)
    made->kid = TNS_NEW_ARRAY (arena, tns_node *, node->n_kids);
  for (int k = 0; k < node->n_kids; k++)
    made->kid[k] = fuse_below (arena, node->kid[k]);
  if (is_loop)
    made->body = fuse_below (arena, node->body);
  if (node->kind != TNS_IF)
    return made;
  made->cond = fuse_whole (node->cond, arena);
  made->then = fuse_below (arena, node->then);
  made->otherwise
    = node->otherwise ? fuse_below (arena, node->otherwise) : NULL;
  return made;
}

tns_node *
tns_node_fma (tns_ctx *ctx, tns_node *body)
{
  if (!ctx->flags.contract || !ctx->machine->fma
      || ctx->wish.fp == TNS_FP_STRICT)
    return body;
  return fuse_below (ctx->arena, body);
}
