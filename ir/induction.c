/* Floating numbers that grow by the same amount, as ir/induction.h says.

   A cell is one when

   1. one statement of the loop stores to it, which stands directly in its body
      and adds what the loop leaves as it is;
   2. the loop reads it elsewhere: else it is a sum like any other;
   3. the loop has step 1.

   What stands in front of that statement sees s0 + (i - lo) * h, what stands
   behind it s0 + (i - lo + 1) * h.  Where only VALUEs tell the number of
   iterations it is guarded to be an int, which is converted at once.

   Does not do: numbers that shrink or grow by factors, fp (strict).  */

#include "ir/induction.h"

#include <limits.h>

#include "ir/walk.h"

/* A number that grows.

   update  its statement, a kid of the loop's body
   start   what it was before the loop
   elem    what iterations are converted from
   times   how often it has grown at the place at hand  */
typedef struct growing
{
  tns_ctx *ctx;
  tns_arena *arena;
  tns_region *region;
  const tns_node *loop;
  const tns_node *update;
  tns_expr *start;
  tns_elem elem;
  tns_expr *times;
} growing;

/* A search for what may change in a loop.  */
typedef struct changes
{
  const tns_node *loop;
  bool found;
} changes;

/* Note whether EXPR may.  */
static bool
note_change (tns_expr *expr, void *self)
{
  changes *c = self;
  tns_node *body = c->loop->body;
  c->found |= expr->sym == c->loop->iter
              || (tns_expr_reads (expr) && tns_node_writes (body, expr->sym));
  return !c->found;
}

/* How often a loop uses an array.  */
typedef struct uses
{
  const tns_sym *sym;
  int stores;
  int reads;
} uses;

/* Count how EXPR uses it.  */
static bool
count_read (tns_expr *expr, void *self)
{
  uses *u = self;
  u->reads += tns_expr_reads (expr) && expr->sym == u->sym;
  return true;
}

/* Count how NODE uses it.  */
static bool
count_uses (tns_node *node, void *self)
{
  uses *u = self;
  u->stores += (node->kind == TNS_ASSIGN && node->target->sym == u->sym)
               || (node->kind == TNS_LOCAL && node->sym == u->sym);
  tns_node_exprs (node, count_read, self);
  return true;
}

/* KID of LOOP's body is the only store to a number that grows, which the loop
   reads.  */
static bool
grows (const tns_node *loop, const tns_node *kid)
{
  changes c = { loop, false };
  uses u = { NULL, 0, 0 };
  if (kid->kind != TNS_ASSIGN || kid->update != TNS_ADD || kid->mask
      || kid->target->sym->rank > 0 || kid->target->type.lanes > 1
      || (kid->target->type.elem != TNS_F32
          && kid->target->type.elem != TNS_F64))
    return false;
  tns_expr_walk (kid->value, note_change, &c);
  u.sym = kid->target->sym;
  tns_node_walk (loop->body, count_uses, &u);
  return !c.found && u.stores == 1 && u.reads > 1;
}

/* What G's number is when it has grown TIMES times.  */
static tns_expr *
value_after (const growing *g, tns_expr *times)
{
  tns_arena *arena = g->arena;
  if (g->elem != TNS_I64)
    times = tns_cast (arena, tns_scalar (g->elem), times);
  times = tns_cast (arena, g->update->target->type, times);
  return tns_binary (arena, TNS_ADD, g->start,
                     tns_binary (arena, TNS_MUL, times, g->update->value));
}

/* The changer of EXPR where it reads G's number.  */
static tns_expr *
change_read (tns_expr *expr, void *self)
{
  const growing *g = self;
  return tns_expr_reads (expr) && expr->sym == g->update->target->sym
           ? value_after (g, g->times)
           : expr;
}

/* The changer of a whole EXPR.  */
static tns_expr *
change_expr (tns_expr *expr, void *self)
{
  const growing *g = self;
  return tns_expr_rebuild (g->arena, expr, change_read, self);
}

/* Note whether EXPR is told by anything but VALUEs.  */
static bool
note_other (tns_expr *expr, void *self)
{
  bool *found = self;
  *found |= tns_expr_reads (expr)
            || (expr->op == TNS_SYM && expr->sym->kind != TNS_SYM_VALUE);
  return !*found;
}

/* What the iterations of G's loop, TRIP, are converted from: an int, where that
   can be guarded.  */
static tns_elem
choose_elem (const growing *g, tns_expr *trip)
{
  long long number = 0;
  bool other = false;
  if (tns_expr_is_int (trip, &number))
    return number < INT_MAX ? TNS_I32 : TNS_I64;
  tns_expr_walk (trip, note_other, &other);
  if (other)
    return TNS_I64;
  tns_region_add_guard (
    g->arena, g->region,
    tns_binary (g->arena, TNS_LT, trip, tns_int (g->arena, INT_MAX)));
  return TNS_I32;
}

/* The body of G's loop without the update.  */
static tns_node *
body_without (growing *g)
{
  const tns_node *from = g->loop->body;
  int more = tns_ctx_breaks (g->ctx, "induction") ? 0 : 1;
  tns_node *body = tns_block (g->arena, from->loc);
  g->times = tns_binary (g->arena, TNS_SUB, tns_value (g->arena, g->loop->iter),
                         g->loop->lo);
  for (int k = 0; k < from->n_kids; k++)
    if (from->kid[k] != g->update)
      tns_block_add (
        g->arena, body,
        tns_node_rebuild (g->arena, from->kid[k], NULL, change_expr, g));
    else
      g->times
        = tns_binary (g->arena, TNS_ADD, g->times, tns_int (g->arena, more));
  return body;
}

/* LOOP, in which the number that UPDATE makes grow is a function of the
   iterator, behind what OUT holds.  */
static tns_node *
take_out (const growing *from, tns_node *loop, const tns_node *update,
          tns_node *out)
{
  growing g = *from;
  tns_expr *number = update->target;
  tns_expr *trip = tns_binary (g.arena, TNS_SUB, loop->hi, loop->lo);
  tns_sym *start = tns_region_add_array (g.arena, g.region, number->sym->name,
                                         number->type.elem, 0,
                                         TNS_SYM_LOCAL | TNS_SYM_OBJECT);
  g.loop = loop;
  g.update = update;
  g.start = tns_cell (g.arena, start);
  g.elem = choose_elem (&g, trip);
  tns_node *first
    = tns_assign (g.arena, update->loc, g.start, TNS_NONE, number);
  tns_node *last = tns_node_copy (g.arena, update);
  if (update->name)
    first->name = tns_arena_format (g.arena, "%s_start", update->name);
  last->update = TNS_NONE;
  last->value = value_after (&g, trip);
  tns_node *then = tns_block (g.arena, loop->loc);
  tns_block_add (g.arena, then, last);
  tns_node *made = tns_node_copy (g.arena, loop);
  made->body = body_without (&g);
  tns_block_add (g.arena, out, tns_local (g.arena, loop->loc, start));
  tns_block_add (g.arena, out, first);
  tns_block_add (g.arena, out, made);
  tns_block_add (g.arena, out,
                 tns_if (g.arena, loop->loc,
                         tns_binary (g.arena, TNS_LT, loop->lo, loop->hi), then,
                         NULL));
  return out;
}

/* NODE, its parts done.  */
static tns_node *
change_node (tns_node *node, void *self)
{
  const growing *g = self;
  if (node->kind != TNS_LOOP || node->step != 1
      || node->body->kind != TNS_BLOCK)
    return node;
  for (int k = 0; k < node->body->n_kids; k++)
    if (grows (node, node->body->kid[k]))
      return take_out (g, node, node->body->kid[k],
                       tns_block (g->arena, node->loc));
  return node;
}

tns_region *
tns_region_induction (tns_ctx *ctx, tns_region *region)
{
  if (!region || ctx->wish.fp == TNS_FP_STRICT)
    return region;
  growing g = { .ctx = ctx, .arena = ctx->arena };
  g.region = tns_region_copy (ctx->arena, region);
  g.region->body
    = tns_node_rebuild (ctx->arena, region->body, change_node, NULL, &g);
  return g.region;
}
