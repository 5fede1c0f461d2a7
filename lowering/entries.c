/* Lanes inside of loops over rows, as lowering/entries.h says.  */

#include "lowering/entries.h"

#include "ir/stride.h"
#include "ir/walk.h"
#include "schedule/machine.h"

/* One pass: the region that gains cells; changed: some loop got lanes.  */
typedef struct pass
{
  tns_ctx *ctx;
  tns_arena *arena;
  tns_region *region;
  bool changed;
} pass;

/* A loop that is looked at.

   elem    what it computes with
   n_sums  how many of its statements sum
   good    so far it may have lanes  */
typedef struct look
{
  tns_arena *arena;
  const tns_node *loop;
  tns_elem elem;
  int n_sums;
  bool good;
} look;

/* The visitor of what is computed: sums and products of what stays, and of
   elements that stay or lie side by side, which the loop does not write.  */
static bool
note_value (tns_expr *expr, void *self)
{
  look *l = self;
  long long distance = 0;
  if (tns_expr_reads (expr))
    l->good
      &= expr->op == TNS_LOAD && !tns_node_writes (l->loop->body, expr->sym)
         && tns_access_distance (l->arena, expr, l->loop->iter, &distance)
         && (distance == 0 || (distance == 1 && expr->type.elem == l->elem));
  else if (tns_expr_mentions (expr, l->loop->iter))
    l->good
      &= expr->type.elem == l->elem
         && (expr->op == TNS_ADD || expr->op == TNS_SUB || expr->op == TNS_MUL
             || expr->op == TNS_NEG || expr->op == TNS_DIV);
  return l->good && !tns_expr_reads (expr)
         && tns_expr_mentions (expr, l->loop->iter);
}

/* What stays in EXPR reads nothing that L's loop writes.  */
static bool
note_still (tns_expr *expr, void *self)
{
  look *l = self;
  l->good &= !tns_expr_reads (expr) || expr->type.lanes > 1
             || !tns_node_writes (l->loop->body, expr->sym);
  return l->good;
}

/* NODE sums into an element that L's loop does not move.  */
static bool
is_sum (const look *l, const tns_node *node)
{
  return node->update == TNS_ADD
         && !tns_expr_mentions (node->target, l->loop->iter);
}

/* Note NODE, a statement of L's loop.  */
static void
note_statement (look *l, tns_node *node)
{
  long long distance = 0;
  l->good &= node->kind == TNS_ASSIGN && !node->mask
             && node->target->type.elem == l->elem;
  if (!l->good)
    return;
  bool sums = is_sum (l, node);
  l->n_sums += sums;
  l->good &= sums
             || (tns_access_distance (l->arena, node->target, l->loop->iter,
                                      &distance)
                 && distance == 1);
  for (int k = 0; k < node->target->n_args; k++)
    tns_expr_walk (node->target->arg[k], note_still, l);
  tns_expr_walk (node->value, note_still, l);
  tns_expr_walk (node->value, note_value, l);
}

/* No two statements of BODY write one array.  */
static bool
writes_apart (const tns_node *body)
{
  for (int k = 0; k < body->n_kids; k++)
    for (int l = 0; l < k; l++)
      if (body->kid[k]->target->sym == body->kid[l]->target->sym)
        return false;
  return true;
}

/* The lanes that LOOP, inside of a row, may have; 0: none.  */
static int
lanes_for (const pass *p, const tns_node *loop)
{
  long long lo, hi;
  const tns_node *body = loop->body;
  if (!p->ctx->machine || loop->step != 1 || loop->marks.simd
      || loop->marks.parallel || body->n_kids == 0
      || body->kid[0]->kind != TNS_ASSIGN)
    return 0;
  look l = { .arena = p->arena,
             .loop = loop,
             .elem = body->kid[0]->target->type.elem,
             .good = true };
  l.good = tns_elem_bytes (l.elem) >= 4;
  for (int k = 0; k < body->n_kids && l.good; k++)
    note_statement (&l, body->kid[k]);
  int lanes
    = l.good ? p->ctx->machine->vector_bytes / tns_elem_bytes (l.elem) : 0;
  bool is_short = tns_expr_is_int (loop->lo, &lo)
                  && tns_expr_is_int (loop->hi, &hi) && hi - lo < lanes;
  return l.n_sums > 0 && lanes > 1 && !is_short && writes_apart (body) ? lanes
                                                                       : 0;
}

/* KID, a sum into what LOOP does not move, into a cell, which BLOCK begins and
   BEHIND ends.  */
static tns_node *
sum_in_cell (pass *p, tns_node *loop, const tns_node *kid, tns_node *block,
             tns_node *behind)
{
  tns_elem elem = kid->target->type.elem;
  tns_sym *sym = tns_region_add_array (
    p->arena, p->region, kid->target->sym->name, elem, 0, TNS_SYM_LOCAL);
  sym->loc = kid->loc;
  tns_expr *cell = tns_cell (p->arena, sym);
  tns_block_add (p->arena, block, tns_local (p->arena, kid->loc, sym));
  tns_expr *first = tns_ctx_breaks (p->ctx, "entries")
                      ? kid->target
                      : tns_neutral (p->arena, TNS_ADD, elem);
  tns_block_add (p->arena, block,
                 tns_assign (p->arena, kid->loc, cell, TNS_NONE, first));
  tns_block_add (p->arena, behind,
                 tns_assign (p->arena, kid->loc, kid->target, TNS_ADD, cell));
  tns_marks_add_reduction (p->arena, &loop->marks, sym, TNS_ADD);
  tns_node *made = tns_assign (p->arena, kid->loc, cell, TNS_ADD, kid->value);
  made->name = kid->name;
  return made;
}

/* LOOP in LANES.  */
static tns_node *
in_lanes (pass *p, const tns_node *loop, int lanes)
{
  tns_node *made = tns_node_copy (p->arena, loop);
  tns_node *block = tns_block (p->arena, loop->loc);
  tns_node *behind = tns_block (p->arena, loop->loc);
  look l = { .loop = loop };
  made->body = tns_block (p->arena, loop->loc);
  made->marks.simd = lanes;
  for (int k = 0; k < loop->body->n_kids; k++)
    {
      tns_node *kid = loop->body->kid[k];
      if (is_sum (&l, kid))
        kid = sum_in_cell (p, made, kid, block, behind);
      tns_block_add (p->arena, made->body, kid);
    }
  tns_block_add (p->arena, block, made);
  for (int k = 0; k < behind->n_kids; k++)
    tns_block_add (p->arena, block, behind->kid[k]);
  p->changed = true;
  return tns_if (p->arena, loop->loc,
                 tns_binary (p->arena, TNS_LT, loop->lo, loop->hi), block,
                 NULL);
}

/* NODE; INSIDE a loop over a row.  */
static tns_node *
convert (pass *p, tns_node *node, bool inside)
{
  if (!node)
    return NULL;
  if (node->kind == TNS_LOOP)
    {
      int lanes = inside ? lanes_for (p, node) : 0;
      bool is_row = tns_expr_loads (node->lo) || tns_expr_loads (node->hi);
      if (lanes)
        return in_lanes (p, node, lanes);
      tns_node *loop = tns_node_copy (p->arena, node);
      loop->body = convert (p, node->body, inside || is_row);
      return loop;
    }
  tns_node *copy = tns_node_copy (p->arena, node);
  copy->n_kids = 0;
  copy->kid = NULL;
  for (int k = 0; k < node->n_kids; k++)
    tns_block_add (p->arena, copy, convert (p, node->kid[k], inside));
  copy->then = convert (p, node->then, inside);
  copy->otherwise = convert (p, node->otherwise, inside);
  return copy;
}

tns_region *
tns_region_entries (tns_ctx *ctx, tns_region *region)
{
  if (!region || ctx->wish.fp == TNS_FP_STRICT)
    return region;
  pass p = { ctx, ctx->arena, tns_region_copy (ctx->arena, region), false };
  p.region->body = convert (&p, region->body, false);
  return p.changed ? p.region : region;
}
