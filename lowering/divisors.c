/* Taking products in innermost loops apart by what changes there, as
   lowering/divisors.h says.  */

#include "lowering/divisors.h"

#include "ir/product.h"
#include "ir/walk.h"

/* The pass; the innermost loop around.  */
typedef struct divisors
{
  tns_ctx *ctx;
  tns_node *loop;
  bool changed;
} divisors;

/* A search for a write to what an expression loads.  */
typedef struct writing
{
  const tns_expr *load;
  bool found;
} writing;

/* The visitor that finds a write to the cell, or to the very element.  */
static bool
find_write (tns_node *node, void *self)
{
  writing *w = self;
  if (node->kind == TNS_ASSIGN && node->target->sym == w->load->sym)
    w->found |= w->load->n_args == 0
                || tns_expr_equal (node->target, (tns_expr *) w->load);
  w->found |= node->kind == TNS_LOCAL && node->sym == w->load->sym;
  return !w->found;
}

/* Whether an expression is the same in all iterations of LOOP.  */
typedef struct sameness
{
  const divisors *d;
  bool is_same;
} sameness;

/* The visitor that finds out.  */
static bool
note_change (tns_expr *expr, void *self)
{
  sameness *s = self;
  writing w = { expr, false };
  if (expr->op == TNS_SYM && expr->sym == s->d->loop->iter)
    s->is_same = false;
  if (expr->op == TNS_LOAD)
    tns_node_walk (s->d->loop->body, find_write, &w);
  s->is_same &= !w.found;
  return s->is_same;
}

/* The user does not ask for quotients to the last bit.  */
static bool
is_loose (const tns_ctx *ctx)
{
  return ctx->flags.reciprocal || ctx->wish.fp == TNS_FP_FAST;
}

/* EXPR is the same in all iterations of the loop.  */
static bool
is_fixed (const divisors *d, tns_expr *expr)
{
  sameness s = { d, true };
  tns_expr_walk (expr, note_change, &s);
  return s.is_same;
}

/* Note which factors of *P are fixed.  Some divisor is, no other is there, and
   something moves and something is there to be divided, or may be 1.  */
static bool
is_worth (const divisors *d, tns_product *p)
{
  int fixed[2] = { 0, 0 }, moving[2] = { 0, 0 };
  for (int k = 0; k < p->n; k++)
    {
      tns_factor *f = &p->factor[k];
      f->fixed = is_fixed (d, f->expr);
      (f->fixed ? fixed : moving)[f->below]++;
    }
  bool is_divided = fixed[0] > 0 || is_loose (d->ctx);
  return fixed[1] > 0 && moving[0] > 0 && moving[1] == 0 && is_divided;
}

/* The factors of P that are fixed, times 1 over those that divide where that
   may be.  */
static tns_expr *
ratio_of (const divisors *d, const tns_product *p)
{
  tns_arena *arena = d->ctx->arena;
  tns_product part[2] = { { .n = 0 }, { .n = 0 } };
  if (!is_loose (d->ctx))
    return tns_product_part (arena, p, true, NULL);
  for (int k = 0; k < p->n; k++)
    if (p->factor[k].fixed)
      part[p->factor[k].below].factor[part[p->factor[k].below].n++]
        = p->factor[k];
  tns_expr *reciprocal = tns_product_part (arena, &part[1], true, NULL);
  return part[0].n > 0 ? tns_product_part (arena, &part[0], true, reciprocal)
                       : reciprocal;
}

/* The changer of expressions, whose operands are done.  */
static tns_expr *
regroup (tns_expr *expr, void *self)
{
  divisors *d = self;
  tns_product p;
  tns_arena *arena = d->ctx->arena;
  if ((expr->op != TNS_DIV && expr->op != TNS_MUL) || expr->type.lanes > 1
      || !tns_elem_is_float (expr->type.elem) || !tns_product_split (&p, expr)
      || !is_worth (d, &p))
    return expr;
  d->changed = true;
  tns_expr *made = tns_product_part (arena, &p, false, ratio_of (d, &p));
  bool is_negative = p.negative != tns_ctx_breaks (d->ctx, "divisors");
  return is_negative ? tns_unary (arena, TNS_NEG, made) : made;
}

/* The changer of whole expressions.  */
static tns_expr *
change_expr (tns_expr *expr, void *self)
{
  return tns_expr_rebuild (((divisors *) self)->ctx->arena, expr, regroup,
                           self);
}

/* The changer of nodes: innermost loops with their divisors moved.  */
static tns_node *
change_loop (tns_node *node, void *self)
{
  divisors *d = self;
  if (node->kind != TNS_LOOP || tns_node_has_loop (node->body))
    return node;
  d->loop = node;
  tns_node *made = tns_node_copy (d->ctx->arena, node);
  made->body
    = tns_node_rebuild (d->ctx->arena, node->body, NULL, change_expr, d);
  return made;
}

tns_region *
tns_region_divisors (tns_ctx *ctx, tns_region *region)
{
  divisors d = { .ctx = ctx };
  if (!region || ctx->wish.fp == TNS_FP_STRICT)
    return region;
  tns_region *made = tns_region_copy (ctx->arena, region);
  made->body
    = tns_node_rebuild (ctx->arena, region->body, change_loop, NULL, &d);
  return d.changed ? made : region;
}
