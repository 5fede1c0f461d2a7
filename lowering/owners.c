/* Loops by owner, as lowering/owners.h says.

   Each thread looks at what names the element in all iterations, so that has to
   be there in all of them: the statement stands under no condition, and the
   loops inside that it stands in run at all, which is asked for.

   Whether elements are far apart is seen in SAMPLES iterations.  */

#include "lowering/owners.h"

#include "ir/fresh.h"
#include "ir/walk.h"
#include "lowering/versions.h"
#include "schedule/machine.h"
#include "schedule/planner.h"

#define LINE    64
#define SAMPLES 64

/* A search for whose iterations a loop's are.

   first  the first subscript of what is updated, NULL: none was met
   same   all have it, and nothing else mentions the array
   runs   the loops around the one that was met run  */
typedef struct owning
{
  tns_ctx *ctx;
  tns_region *region;
  tns_node *loop;
  const tns_sym *sym;
  tns_expr *first;
  bool same;
  tns_expr *runs;
} owning;

/* A and B, NULL: nothing.  */
static tns_expr *
both (const owning *o, tns_expr *a, tns_expr *b)
{
  return a ? tns_binary (o->ctx->arena, TNS_LAND, a, b) : b;
}

/* A loop looked for by its iterator.  */
typedef struct counter
{
  const tns_sym *iter;
  bool found;
} counter;

/* The visitor that looks for it.  */
static bool
find_counter (tns_node *node, void *self)
{
  counter *c = self;
  c->found |= node->kind == TNS_LOOP && node->iter == c->iter;
  return !c->found;
}

/* A loop in BODY counts with ITER.  */
static bool
counts (tns_node *body, const tns_sym *iter)
{
  counter c = { iter, false };
  tns_node_walk (body, find_counter, &c);
  return c.found;
}

/* The visitor of what has to be the same before the body and in it.  */
static bool
note_leaf (tns_expr *expr, void *self)
{
  owning *o = self;
  if (tns_expr_reads (expr))
    o->same &= !tns_node_declares (o->loop->body, expr->sym)
               && !tns_node_writes (o->loop->body, expr->sym);
  else
    o->same &= !expr->sym || !counts (o->loop->body, expr->sym);
  return o->same;
}

/* The visitor of what is read.  */
static bool
note_read (tns_expr *expr, void *self)
{
  owning *o = self;
  o->same &= expr->sym != o->sym;
  return o->same;
}

/* The visitor of nodes.  */
static bool
note_node (tns_node *node, void *self)
{
  owning *o = self;
  if (node->kind != TNS_ASSIGN || node->target->sym != o->sym)
    {
      tns_node_exprs (node, note_read, o);
      return o->same;
    }
  tns_expr *first = node->target->arg[0];
  o->same &= !o->first || tns_expr_equal (first, o->first);
  o->first = first;
  for (int k = 0; k < node->target->n_args; k++)
    tns_expr_walk (node->target->arg[k], note_read, o);
  tns_expr_walk (node->value, note_read, o);
  tns_expr_walk (node->mask, note_read, o);
  return o->same;
}

/* EXPR is the same in all iterations of O's loop.  */
static bool
stays (owning *o, tns_expr *expr)
{
  owning apart = *o;
  apart.same = true;
  tns_expr_walk (expr, note_leaf, &apart);
  return apart.same && !tns_expr_mentions (expr, o->loop->iter)
         && !tns_expr_loads (expr);
}

/* NODE, or what is in it, updates O's array in each iteration: then under which
   condition on the loops inside.  */
static bool
is_reached (owning *o, tns_node *node)
{
  if (node->kind == TNS_ASSIGN)
    return node->target->sym == o->sym && !node->mask;
  if (node->kind == TNS_BLOCK)
    for (int k = 0; k < node->n_kids; k++)
      if (is_reached (o, node->kid[k]))
        return true;
  if (node->kind != TNS_LOOP || !stays (o, node->lo) || !stays (o, node->hi)
      || !is_reached (o, node->body))
    return false;
  tns_op before = node->step > 0 ? TNS_LT : TNS_GT;
  o->runs
    = both (o, o->runs, tns_binary (o->ctx->arena, before, node->lo, node->hi));
  return true;
}

/* The bytes of an element of the first dimension of SYM, LINE at most or where
   they are unknown.  */
static long long
row_bytes (const tns_sym *sym)
{
  long long bytes = tns_elem_bytes (sym->type.elem);
  for (int k = 1; k < sym->rank && bytes < LINE; k++)
    {
      long long extent = LINE;
      if (sym->extent[k])
        tns_expr_is_int (sym->extent[k], &extent);
      bytes *= extent > 0 ? extent : 1;
    }
  return bytes < LINE ? bytes : LINE;
}

/* Who owns what O's first subscript names: lines of elements, or of rows.  */
static tns_expr *
owner_of (const owning *o)
{
  tns_arena *arena = o->ctx->arena;
  long long rows = 1;
  while (2 * rows * row_bytes (o->sym) <= LINE)
    rows *= 2;
  tns_expr *line
    = tns_binary (arena, TNS_FLOORDIV, o->first, tns_int (arena, rows));
  return tns_binary (arena, TNS_MOD, line, tns_int (arena, TNS_OWNERS));
}

/* A cell NAME in BLOCK.  */
static tns_expr *
add_cell (const owning *o, tns_node *block, const char *name)
{
  tns_arena *arena = o->ctx->arena;
  tns_sym *sym
    = tns_region_add_array (arena, o->region, name, TNS_I64, 0, TNS_SYM_LOCAL);
  tns_expr *cell = tns_cell (arena, sym);
  tns_block_add (arena, block, tns_local (arena, o->loop->loc, sym));
  tns_block_add (
    arena, block,
    tns_assign (arena, o->loop->loc, cell, TNS_NONE, tns_int (arena, 0)));
  return cell;
}

/* O's first subscript in sample K.  */
static tns_expr *
sample_of (const owning *o, tns_expr *k)
{
  tns_arena *arena = o->ctx->arena;
  const tns_node *loop = o->loop;
  tns_expr *trip = tns_binary (arena, TNS_SUB, loop->hi, loop->lo);
  tns_expr *pace = tns_binary (arena, TNS_FLOORDIV, trip,
                               tns_int (arena, SAMPLES * loop->step));
  tns_expr *at
    = tns_binary (arena, TNS_MUL, tns_binary (arena, TNS_MUL, k, pace),
                  tns_int (arena, loop->step));
  at = tns_binary (arena, TNS_ADD, loop->lo, at);
  return tns_expr_substitute (arena, o->first, 1, &loop->iter, &at);
}

/* Append a look at some iterations of O's loop to BLOCK, if WHEN: the elements
   are so far apart that they are in no cache.  */
static tns_expr *
add_samples (owning *o, tns_expr *when, tns_node *block)
{
  tns_arena *arena = o->ctx->arena;
  tns_loc loc = o->loop->loc;
  tns_sym *k = tns_region_add_iter (arena, o->region, "sample");
  tns_node *look = tns_block (arena, loc);
  tns_node *first = tns_block (arena, loc);
  tns_expr *least = add_cell (o, block, "least");
  tns_expr *most = add_cell (o, block, "most");
  tns_expr *at = sample_of (o, tns_value (arena, k));
  tns_block_add (arena, first,
                 tns_assign (arena, loc, least, TNS_NONE,
                             sample_of (o, tns_int (arena, 0))));
  tns_block_add (arena, first, tns_assign (arena, loc, most, TNS_NONE, least));
  tns_block_add (arena, look, tns_assign (arena, loc, least, TNS_MIN, at));
  tns_block_add (arena, look, tns_assign (arena, loc, most, TNS_MAX, at));
  tns_block_add (arena, first,
                 tns_loop (arena, loc, k, tns_int (arena, 1),
                           tns_int (arena, SAMPLES), 1, look));
  tns_block_add (arena, block, tns_if (arena, loc, when, first, NULL));
  tns_expr *far = tns_binary (arena, TNS_SUB, most, least);
  long long bytes = (long long) o->ctx->machine->l3_bytes;
  return tns_binary (arena, TNS_GE, far,
                     tns_int (arena, bytes / row_bytes (o->sym)));
}

/* From how many threads on O's loop is done faster by owner, 0: never; *WHEN:
   where it is.  What that takes is appended to BLOCK.  */
static int
weigh (owning *o, tns_node *block, tns_expr **when)
{
  tns_arena *arena = o->ctx->arena;
  tns_node *loop = o->loop;
  tns_expr *trip = tns_binary (arena, TNS_SUB, loop->hi, loop->lo);
  tns_expr *each = tns_loop_work (o->ctx, loop->body);
  long long n = 0;
  *when = both (
    o, o->runs,
    tns_binary (arena, TNS_GE, trip, tns_int (arena, SAMPLES * loop->step)));
  *when = both (o, *when, tns_work_pays (o->ctx, tns_loop_work (o->ctx, loop)));
  if (!tns_expr_is_int (each, &n))
    {
      *when = both (o, *when,
                    tns_binary (arena, TNS_GE, each,
                                tns_int (arena, tns_owned_operations ())));
      return 2;
    }
  if (tns_owners_pay ((long) n))
    return tns_owners_pay ((long) n);
  *when = both (o, *when, add_samples (o, *when, block));
  return tns_owners_pay_far ((long) n);
}

tns_node *
tns_loop_owned (tns_ctx *ctx, tns_region *region, tns_node *loop,
                tns_node *otherwise)
{
  const tns_marks *marks = &loop->marks;
  const tns_sym *sym = marks->n_reductions ? marks->reductions[0].sym : NULL;
  owning o
    = { .ctx = ctx, .region = region, .loop = loop, .sym = sym, .same = true };
  if (!ctx->machine || marks->owners == 0 || marks->n_reductions != 1
      || sym->rank == 0 || marks->collapse > 1 || loop->step < 1)
    return NULL;
  tns_node_walk (loop->body, note_node, &o);
  if (!o.first || !tns_expr_mentions (o.first, loop->iter))
    return NULL;
  tns_expr_walk (o.first, note_leaf, &o);
  if (!o.same || !is_reached (&o, loop->body))
    return NULL;
  tns_node *block = tns_block (ctx->arena, loop->loc);
  tns_node *made = tns_node_copy (ctx->arena, loop);
  made->marks = (tns_marks){ .parallel = true,
                             .n_reductions = 1,
                             .reductions = marks->reductions,
                             .owner = owner_of (&o) };
  tns_expr *when;
  made->marks.owners = weigh (&o, block, &when);
  made->marks.when = tns_int_of (ctx->arena, TNS_BOOL, 1);
  if (made->marks.owners == 0)
    return NULL;
  tns_node *many = tns_block (ctx->arena, loop->loc);
  tns_block_add (ctx->arena, many, tns_node_fresh (ctx, region, made));
  tns_block_add (ctx->arena, block,
                 tns_if (ctx->arena, loop->loc, when, many, otherwise));
  return block;
}
