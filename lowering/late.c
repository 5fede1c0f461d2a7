/* Sums whose last elements were stored just before.

     for i                                   for i
       s = b[i];                               s = b[i];
       for j = 0 to i simd(8)                  if (i > 0) {
         s -= l[i][j] * x[j];          ->        m = (i-1) / 8 * 8;
       x[i] = s / l[i][i];                       for j = 0 to m simd(8)
                                                   s -= l[i][j] * x[j];
                                                 for j = m to i
                                                   s -= l[i][j] * x[j];
                                               }
                                               x[i] = s / l[i][i];

   A vector with an element that an iteration shortly before has stored waits
   until that store has reached the cache, and the sum of the lanes waits for
   the vector.  An element by itself is handed over at once, and the lanes are
   summed before it is known.  So the last one to eight are taken one by one,
   in the order in which they were stored.

   The element that was stored last is the first or the last of a loop that
   only sums.  It was stored by a statement of the loop around, maybe under a
   condition, in its iteration before, or of a loop in front of the sum, in its
   last one.  Loops may stand
   between the two that hold nothing else, whose iterations are apart: they go
   on where the one around does.
   Where it is the first, the vectors end at the end of the loop, and the
   others are taken backwards.  The order of a sum that was freed does not
   matter.

   Does not do: elements that are stored further inside.  */

#include "lowering/late.h"

#include "ir/walk.h"
#include "ir/fresh.h"
#include "lowering/linear.h"

typedef struct lateness
{
  tns_ctx *ctx;
  tns_arena *arena;
  tns_region *region;
} lateness;

/* Where a sum meets what was stored.

   sum     the loop of the sum
   stored  the element that was stored last
   first, last  it is that of the first, of the last iteration  */
typedef struct meeting
{
  tns_arena *arena;
  tns_node *sum;
  tns_expr *stored;
  bool first;
  bool last;
} meeting;

/* EXPR with ITER at VALUE.  */
static tns_expr *
at (tns_arena *arena, tns_expr *expr, tns_sym *iter, tns_expr *value)
{
  return tns_expr_substitute (arena, expr, 1, &iter, &value);
}

/* The last value of LOOP, whose step is 1.  */
static tns_expr *
last_of (tns_arena *arena, const tns_node *loop)
{
  return tns_binary (arena, TNS_SUB, loop->hi, tns_int (arena, 1));
}

/* Note whether EXPR reads at the beginning or the end what was stored.  */
static bool
note_read (tns_expr *expr, void *self)
{
  meeting *m = self;
  if (expr->op != TNS_LOAD || expr->sym != m->stored->sym
      || !tns_expr_mentions (expr, m->sum->iter))
    return true;
  tns_expr *first = at (m->arena, expr, m->sum->iter, m->sum->lo);
  tns_expr *last
    = at (m->arena, expr, m->sum->iter, last_of (m->arena, m->sum));
  m->first |= tns_cells_compare (m->arena, first, m->stored) == TNS_CELLS_SAME;
  m->last |= tns_cells_compare (m->arena, last, m->stored) == TNS_CELLS_SAME;
  return true;
}

/* Look at what NODE, a statement of the sum, reads.  */
static bool
note_reads (tns_node *node, void *self)
{
  if (node->value)
    tns_expr_walk (node->value, note_read, self);
  return true;
}

/* NODE is an update that LOOP's marks free, of one cell.  */
static bool
is_freed (const tns_node *loop, const tns_node *node)
{
  if (node->kind != TNS_ASSIGN || node->update == TNS_NONE || node->mask
      || tns_expr_mentions (node->target, loop->iter))
    return false;
  for (int k = 0; k < loop->marks.n_reductions; k++)
    if (loop->marks.reductions[k].sym == node->target->sym
        && loop->marks.reductions[k].op == node->update)
      return true;
  return false;
}

/* NODE is a loop with lanes that only sums, as often as is not known.  */
static bool
is_sum (tns_arena *arena, const tns_node *node)
{
  long long trip;
  if (node->kind != TNS_LOOP || node->marks.simd < 2 || node->step != 1
      || node->marks.parallel || node->body->kind != TNS_BLOCK
      || tns_loop_trip (arena, node, &trip))
    return false;
  for (int k = 0; k < node->body->n_kids; k++)
    if (!is_freed (node, node->body->kid[k]))
      return false;
  return true;
}

/* Look at what M's sum reads of what NODE, a scalar store to an array or
   conditions around such, stores with ITER at VALUE.  */
static void
meet_stores (meeting *m, const tns_node *node, tns_sym *iter, tns_expr *value)
{
  if (node->kind == TNS_IF)
    {
      meet_stores (m, node->then, iter, value);
      if (node->otherwise)
        meet_stores (m, node->otherwise, iter, value);
    }
  for (int k = 0; k < node->n_kids; k++)
    meet_stores (m, node->kid[k], iter, value);
  if (node->kind != TNS_ASSIGN || node->target->sym->rank == 0
      || node->target->type.lanes > 1)
    return;
  m->stored = at (m->arena, node->target, iter, value);
  tns_node_walk (m->sum->body, note_reads, m);
}

/* Find what the sum KID[N] of BLOCK, in AROUND, reads of what is stored shortly
   before.  */
static meeting
find_meeting (const lateness *late, const tns_node *around,
              const tns_node *block, int n)
{
  tns_arena *arena = late->arena;
  meeting m = { .arena = arena, .sum = block->kid[n] };
  tns_expr *before
    = tns_binary (arena, TNS_SUB, tns_value (arena, around->iter),
                  tns_int (arena, around->step));
  for (int k = 0; k < block->n_kids; k++)
    {
      const tns_node *kid = block->kid[k];
      meet_stores (&m, kid, around->iter, before);
      if (k < n && kid->kind == TNS_LOOP && kid->step == 1 && !kid->marks.simd
          && kid->body->kind == TNS_BLOCK)
        meet_stores (&m, kid->body, kid->iter, last_of (arena, kid));
    }
  return m;
}

/* SUM in two: vectors, and behind them, without lanes, the iterations nearest
   to its first or its last one, as M says.  */
static tns_node *
apart (const lateness *late, const meeting *m)
{
  tns_arena *arena = late->arena;
  tns_node *sum = m->sum;
  tns_expr *vector = tns_int (arena, sum->marks.simd);
  tns_expr *others = tns_binary (arena, TNS_SUB, last_of (arena, sum), sum->lo);
  tns_expr *size = tns_binary (
    arena, TNS_MUL, tns_binary (arena, TNS_FLOORDIV, others, vector), vector);
  tns_node *lanes = tns_node_copy (arena, sum);
  tns_node *single = tns_node_copy (arena, sum);
  single = tns_node_fresh (late->ctx, late->region, single);
  single->marks = (tns_marks){ 0 };
  if (m->last)
    {
      lanes->hi = tns_binary (arena, TNS_ADD, sum->lo, size);
      single->lo = tns_ctx_breaks (late->ctx, "late") ? sum->lo : lanes->hi;
    }
  else
    {
      lanes->lo = tns_binary (arena, TNS_SUB, sum->hi, size);
      single->lo = tns_binary (arena, TNS_SUB, lanes->lo, tns_int (arena, 1));
      single->hi = tns_binary (arena, TNS_SUB, sum->lo, tns_int (arena, 1));
      single->step = -1;
    }
  tns_node *out = tns_block (arena, sum->loc);
  tns_block_add (arena, out, lanes);
  tns_block_add (arena, out, single);
  return tns_if (arena, sum->loc, tns_binary (arena, TNS_GT, sum->hi, sum->lo),
                 out, NULL);
}

/* The parts of BLOCK in loop AROUND, its sums done.  */
static tns_node *
change_block (const lateness *late, const tns_node *around,
              const tns_node *block)
{
  tns_node *made = tns_node_copy (late->arena, block);
  made->n_kids = 0;
  made->kid = NULL;
  for (int k = 0; k < block->n_kids; k++)
    {
      tns_node *kid = block->kid[k];
      meeting m = { 0 };
      if (is_sum (late->arena, kid))
        m = find_meeting (late, around, block, k);
      tns_block_add (late->arena, made,
                     m.first != m.last ? apart (late, &m) : kid);
    }
  return made;
}

/* NODE, or what is in BLOCKs of one kid.  */
static tns_node *
only_node (tns_node *node)
{
  while (node->kind == TNS_BLOCK && node->n_kids == 1)
    node = node->kid[0];
  return node;
}

/* BODY of loop AROUND, or of those that alone stand in it, its sums done.  */
static tns_node *
change_body (const lateness *late, const tns_node *around, tns_node *body)
{
  tns_node *only = only_node (body);
  if (only->kind != TNS_LOOP || only->marks.simd)
    return body->kind == TNS_BLOCK ? change_block (late, around, body) : body;
  tns_node *made = tns_node_copy (late->arena, only);
  made->body = change_body (late, around, only->body);
  return made;
}

/* NODE, its parts done.  */
static tns_node *
change_node (tns_node *node, void *self)
{
  const lateness *late = self;
  if (node->kind != TNS_LOOP || node->marks.parallel)
    return node;
  tns_node *made = tns_node_copy (late->arena, node);
  made->body = change_body (late, node, node->body);
  return made;
}

tns_region *
tns_region_late (tns_ctx *ctx, tns_region *region)
{
  if (!region || !ctx->machine)
    return region;
  tns_region *out = tns_region_copy (ctx->arena, region);
  lateness late = { ctx, ctx->arena, out };
  out->body
    = tns_node_rebuild (ctx->arena, region->body, change_node, NULL, &late);
  return out;
}
