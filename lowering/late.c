/* Sums whose last element was stored just before.

     for i                                   for i
       s = b[i];                               s = b[i];
       for j = 0 to i simd(8)                  for j = 0 to i - 1 simd(8)
         s -= l[i][j] * x[j];          ->        s -= l[i][j] * x[j];
       x[i] = s / l[i][i];                     if (i > 0)
                                                 s -= l[i][i-1] * x[i-1];
                                               x[i] = s / l[i][i];

   A vector with an element that the iteration before has stored waits until
   that store has reached the cache, and the sum of the lanes waits for the
   vector.  An element by itself is handed over at once, and the lanes are
   summed before it is known.

   The element is the first or the last of a loop that only sums, and stands
   in the loop whose own statement stores it: what is read there is what was
   stored at the iterator's value before.  The order of a sum that was freed
   does not matter.

   Does not do: elements that are stored two iterations before, or in a loop
   inside.  */

#include "lowering/late.h"

#include "ir/walk.h"
#include "lowering/linear.h"

typedef struct lateness
{
  tns_ctx *ctx;
  tns_arena *arena;
} lateness;

/* Where a sum meets what was stored.

   around  the loop around; sum: the loop of the sum
   store   of around's own statements
   first, last  the element is that of the first, of the last iteration  */
typedef struct meeting
{
  tns_arena *arena;
  const tns_node *around;
  tns_node *sum;
  const tns_node *store;
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
  const tns_node *around = m->around;
  tns_expr *target = m->store->target;
  if (expr->op != TNS_LOAD || expr->sym != target->sym
      || !tns_expr_mentions (expr, m->sum->iter))
    return true;
  tns_expr *before
    = tns_binary (m->arena, TNS_SUB, tns_value (m->arena, around->iter),
                  tns_int (m->arena, around->step));
  tns_expr *stored = at (m->arena, target, around->iter, before);
  tns_expr *first = at (m->arena, expr, m->sum->iter, m->sum->lo);
  tns_expr *last
    = at (m->arena, expr, m->sum->iter, last_of (m->arena, m->sum));
  m->first |= tns_cells_compare (m->arena, first, stored) == TNS_CELLS_SAME;
  m->last |= tns_cells_compare (m->arena, last, stored) == TNS_CELLS_SAME;
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

/* Find what SUM, in AROUND, reads of what the statements of BLOCK store.  */
static meeting
find_meeting (const lateness *late, const tns_node *around,
              const tns_node *block, tns_node *sum)
{
  meeting m = { .arena = late->arena, .around = around, .sum = sum };
  for (int k = 0; k < block->n_kids; k++)
    {
      m.store = block->kid[k];
      if (m.store->kind == TNS_ASSIGN && m.store->target->sym->rank > 0
          && m.store->target->type.lanes == 1)
        tns_node_walk (sum->body, note_reads, &m);
    }
  return m;
}

/* SUM with its first or its last iteration, as M says, behind the others.  */
static tns_node *
apart (const lateness *late, const meeting *m)
{
  tns_arena *arena = late->arena;
  tns_node *sum = m->sum;
  tns_node *out = tns_block (arena, sum->loc);
  tns_node *others = tns_node_copy (arena, sum);
  tns_expr *value = m->last ? last_of (arena, sum) : sum->lo;
  if (m->last)
    others->hi = value;
  else
    others->lo = tns_binary (arena, TNS_ADD, sum->lo, tns_int (arena, 1));
  tns_block_add (arena, out, others);
  tns_node *one = tns_node_substitute (arena, sum->body, 1, &sum->iter, &value);
  tns_block_add (arena, out,
                 tns_if (arena, sum->loc,
                         tns_binary (arena, TNS_GT, sum->hi, sum->lo), one,
                         NULL));
  return out;
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
        m = find_meeting (late, around, block, kid);
      tns_block_add (late->arena, made,
                     m.first != m.last ? apart (late, &m) : kid);
    }
  return made;
}

/* NODE, its parts done.  */
static tns_node *
change_node (tns_node *node, void *self)
{
  const lateness *late = self;
  if (node->kind != TNS_LOOP || node->marks.parallel
      || node->body->kind != TNS_BLOCK)
    return node;
  tns_node *made = tns_node_copy (late->arena, node);
  made->body = change_block (late, node, node->body);
  return made;
}

tns_region *
tns_region_late (tns_ctx *ctx, tns_region *region)
{
  if (!region || !ctx->machine)
    return region;
  lateness late = { ctx, ctx->arena };
  tns_region *out = tns_region_copy (ctx->arena, region);
  out->body
    = tns_node_rebuild (ctx->arena, region->body, change_node, NULL, &late);
  return out;
}
