/* Values of the iteration before, as ir/previous.h says.

   A cell is one when

   1. one statement of the loop stores to it, which stands directly in its body,
      and no part of the loop behind that reads it, but one before that does;
   2. what it stores follows from the iterator and from what the loop leaves as
      it is, once cells that the body has set before are put in, by a few
      operations, none of them slow;
   3. the loop has step 1, no loop inside, and bounds that it leaves alone.

   Of several, as x and y in  y = x; x = b[i];  each takes its turn: y is one as
   soon as x is b[i - 1].

   Does not do: cells that some iterations leave alone.  */

#include "ir/previous.h"

#include "ir/fresh.h"
#include "ir/walk.h"

/* More nodes are not computed twice, more cells do not take turns; longer
   bodies do not stand there again for each.  */
enum
{
  MOST_NODES = 16,
  MOST_TURNS = 4,
  MOST_KIDS = 32
};

/* A loop and what one of its cells holds.

   at       the kid of the loop's body that stores to it
   value    what that stores
   changed  some loop has been  */
typedef struct previous
{
  tns_ctx *ctx;
  tns_arena *arena;
  tns_region *region;
  tns_node *loop;
  int at;
  tns_expr *value;
  bool *changed;
} previous;

/* A OP B.  */
static tns_expr *
binary (const previous *p, tns_op op, tns_expr *a, tns_expr *b)
{
  return tns_binary (p->arena, op, a, b);
}

/* How a part of a loop uses a cell.  */
typedef struct uses
{
  const tns_sym *sym;
  int stores;
  int reads;
} uses;

/* The visitor: count how EXPR uses it.  */
static bool
count_read (tns_expr *expr, void *self)
{
  uses *u = self;
  u->reads += tns_expr_reads (expr) && expr->sym == u->sym;
  return true;
}

/* The visitor: count how NODE uses it.  */
static bool
count_uses (tns_node *node, void *self)
{
  uses *u = self;
  u->stores += node->kind == TNS_ASSIGN && node->target->sym == u->sym;
  u->reads += node->kind == TNS_ASSIGN && node->target->sym == u->sym
              && node->update != TNS_NONE;
  tns_node_exprs (node, count_read, self);
  return true;
}

/* How the kids FROM to TO of P's loop use SYM; a store's target is no read.  */
static uses
uses_in (const previous *p, const tns_sym *sym, int from, int to)
{
  uses u = { sym, 0, 0 };
  for (int k = from; k < to; k++)
    tns_node_walk (p->loop->body->kid[k], count_uses, &u);
  u.reads -= u.stores;
  return u;
}

/* Kid K of P's loop sets a cell, all of it, in each iteration.  */
static bool
sets_cell (const previous *p, int k)
{
  const tns_node *kid = p->loop->body->kid[k];
  return kid->kind == TNS_ASSIGN && kid->update == TNS_NONE && !kid->mask
         && kid->target->sym->rank == 0 && kid->target->type.lanes == 1;
}

/* The changer of EXPR, read by P's kid AT: a cell that one kid before sets
   becomes what it is set to.  */
static tns_expr *
put_in (tns_expr *expr, void *self)
{
  previous *p = self;
  int n = p->loop->body->n_kids;
  if (!tns_expr_reads (expr) || expr->sym->rank > 0
      || uses_in (p, expr->sym, 0, n).stores != 1)
    return expr;
  for (int k = 0; k < p->at; k++)
    if (sets_cell (p, k) && p->loop->body->kid[k]->target->sym == expr->sym)
      {
        previous before = *p;
        before.at = k;
        return tns_expr_rebuild (p->arena, p->loop->body->kid[k]->value, put_in,
                                 &before);
      }
  return expr;
}

/* What is asked of a value.  */
typedef struct question
{
  const previous *p;
  int nodes;
  bool fails;
} question;

/* The visitor: note whether EXPR may change in the loop but by its iterator, or
   is slow.  */
static bool
check_expr (tns_expr *expr, void *self)
{
  question *q = self;
  q->fails |= ++q->nodes > MOST_NODES || tns_op_is_function (expr->op)
              || expr->op == TNS_DIV || expr->op == TNS_REM
              || expr->op == TNS_SQRT
              || (tns_expr_reads (expr)
                  && tns_node_writes (q->p->loop->body, expr->sym));
  return !q->fails;
}

/* EXPR may be computed in any iteration.  */
static bool
is_known (const previous *p, tns_expr *expr)
{
  question q = { p, 0, false };
  tns_expr_walk (expr, check_expr, &q);
  return !q.fails;
}

/* Kid AT of P's loop stores what the next iteration reads; what that is into
   P.  */
static bool
hands_on (previous *p, int at)
{
  const tns_node *body = p->loop->body;
  const tns_sym *sym = body->kid[at]->target->sym;
  if (tns_node_declares (p->loop->body, sym)
      || uses_in (p, sym, 0, body->n_kids).stores != 1
      || uses_in (p, sym, 0, at).reads == 0
      || uses_in (p, sym, at, body->n_kids).reads > 0)
    return false;
  p->at = at;
  p->value = tns_expr_rebuild (p->arena, body->kid[at]->value, put_in, p);
  return is_known (p, p->value);
}

/* The value that P's cell gets in iteration ITER.  */
static tns_expr *
value_in (const previous *p, tns_expr *iter)
{
  return tns_expr_substitute (p->arena, p->value, 1, &p->loop->iter, &iter);
}

/* The changer of EXPR where it reads P's cell.  */
static tns_expr *
change_read (tns_expr *expr, void *self)
{
  const previous *p = self;
  int back = tns_ctx_breaks (p->ctx, "previous") ? 0 : 1;
  tns_expr *before = binary (p, TNS_SUB, tns_value (p->arena, p->loop->iter),
                             tns_int (p->arena, back));
  bool is_cell = tns_expr_reads (expr)
                 && expr->sym == p->loop->body->kid[p->at]->target->sym;
  return is_cell ? value_in (p, before) : expr;
}

/* The changer of a whole EXPR.  */
static tns_expr *
change_expr (tns_expr *expr, void *self)
{
  const previous *p = self;
  return tns_expr_rebuild (p->arena, expr, change_read, self);
}

/* The iterations of P's loop but for the first one.  */
static tns_node *
rest_of (const previous *p)
{
  const tns_node *body = p->loop->body;
  tns_node *made = tns_node_copy (p->arena, p->loop);
  made->lo = binary (p, TNS_ADD, p->loop->lo, tns_int (p->arena, 1));
  made->body = tns_block (p->arena, body->loc);
  for (int k = 0; k < body->n_kids; k++)
    if (k != p->at)
      tns_block_add (p->arena, made->body,
                     tns_node_rebuild (p->arena, body->kid[k], NULL,
                                       change_expr, (void *) p));
  return made;
}

/* THEN, a BLOCK, where the iterations of P's loop from FIRST on are some.  */
static tns_node *
where_some (const previous *p, tns_expr *first, tns_node *then)
{
  tns_expr *some = binary (p, TNS_LT, first, p->loop->hi);
  return tns_if (p->arena, p->loop->loc, some, then, NULL);
}

/* The first iteration of P's loop, turn TURN of its cells.  */
static tns_node *
first_of (const previous *p, int turn)
{
  const char *suffix = tns_arena_format (p->arena, "_first%d", turn);
  tns_node *body
    = tns_node_fresh_named (p->ctx, p->region, p->loop->body, suffix);
  return where_some (
    p, p->loop->lo,
    tns_node_substitute (p->arena, body, 1, &p->loop->iter, &p->loop->lo));
}

/* What is left in P's cell.  */
static tns_node *
last_of (const previous *p, const tns_node *rest)
{
  tns_node *last = tns_node_copy (p->arena, p->loop->body->kid[p->at]);
  tns_expr *end = binary (p, TNS_SUB, p->loop->hi, tns_int (p->arena, 1));
  last->value = value_in (p, end);
  tns_node *block = tns_block (p->arena, last->loc);
  tns_block_add (p->arena, block, last);
  return where_some (p, rest->lo, block);
}

/* LOOP may be changed.  */
static bool
is_simple (const previous *p)
{
  const tns_node *loop = p->loop;
  return loop->kind == TNS_LOOP && loop->step == 1
         && loop->body->kind == TNS_BLOCK && loop->body->n_kids <= MOST_KIDS
         && !tns_node_has_loop (loop->body) && is_known (p, loop->lo)
         && is_known (p, loop->hi);
}

/* NODE, its parts done: cells take turns.  */
static tns_node *
change_node (tns_node *node, void *self)
{
  previous p = *(const previous *) self;
  tns_node *front = tns_block (p.arena, node->loc);
  tns_node *behind = tns_block (p.arena, node->loc);
  int turn = 0;
  p.loop = node;
  if (!is_simple (&p))
    return node;
  for (int k = 0; k < p.loop->body->n_kids && turn < MOST_TURNS; k++)
    if (sets_cell (&p, k) && hands_on (&p, k))
      {
        tns_node *rest = rest_of (&p);
        tns_block_add (p.arena, front, first_of (&p, turn++));
        tns_block_add (p.arena, behind, last_of (&p, rest));
        p.loop = rest;
        k = -1;
      }
  tns_block_add (p.arena, front, p.loop);
  tns_block_add (p.arena, front, behind);
  *p.changed |= turn > 0;
  return turn > 0 ? front : node;
}

tns_region *
tns_region_previous (tns_ctx *ctx, tns_region *region)
{
  if (!region)
    return NULL;
  bool changed = false;
  previous p = { .ctx = ctx, .arena = ctx->arena, .changed = &changed };
  p.region = tns_region_copy (ctx->arena, region);
  p.region->body
    = tns_node_rebuild (ctx->arena, region->body, change_node, NULL, &p);
  return changed ? p.region : region;
}
