/* Reductions: partial results in vectors, combined once.

     s += e;        local f32x16 acc; acc = splat (-0.0);
                    ... acc += e ...
                    s += reduce_add (acc);

     m max= e;      local f32x16 acc; acc = splat (m);
                    ... acc max= e ...
                    m max= reduce_max (acc);

   -0.0, 1, 0, ~0 are neutral: a cell that gets no values keeps its bits.
   Minima start from the cell itself.  All but the first of a cell's partial
   results are there only around the loop of several vectors, so that a short
   row neither sets nor adds them.  fmin and fmax have no reduction of
   lanes, since a NaN there is passed over: the lanes that hold no number are
   put out of the way first, and a cell is left alone when there is none.

   A cell is accumulated when the loop's marks list its array with the
   operator, its subscripts are the same in all iterations, and nothing else
   in the loop may touch it.  */

#include "lowering/lanes.h"

#include <limits.h>
#include <math.h>

#include "ir/walk.h"
#include "lowering/linear.h"

/* The marks of the loop list SYM with OP.  */
static bool
is_listed (const tns_lanes *lanes, const tns_sym *sym, tns_op op)
{
  const tns_marks *marks = &lanes->loop->marks;
  for (int k = 0; k < marks->n_reductions; k++)
    if (marks->reductions[k].sym == sym && marks->reductions[k].op == op)
      return true;
  return false;
}

/* Partial results of updates with OP on ELEM are known here.  */
static bool
is_known (tns_op op, tns_elem elem)
{
  if (elem == TNS_BOOL || elem == TNS_F80 || op == TNS_LAND || op == TNS_LOR)
    return false;
  return op == TNS_FMIN || op == TNS_FMAX || tns_op_reduce (op) != TNS_NONE;
}

/* Subscripts of a cell, and whether one may change inside the loop.  */
typedef struct subscripts
{
  tns_expr *cell;
  bool change;
} subscripts;

/* Note whether NODE's iterator is among them.  */
static bool
note_iter (tns_node *node, void *self)
{
  subscripts *s = self;
  if (node->kind == TNS_LOOP && tns_expr_mentions (s->cell, node->iter))
    s->change = true;
  return !s->change;
}

/* Note whether EXPR reads memory.  */
static bool
note_read (tns_expr *expr, void *self)
{
  subscripts *s = self;
  if (expr != s->cell && tns_expr_reads (expr))
    s->change = true;
  return !s->change;
}

/* CELL is one cell in all of the loop.  */
static bool
is_fixed (const tns_lanes *lanes, tns_expr *cell)
{
  subscripts s = { cell, false };
  tns_node_walk (lanes->loop, note_iter, &s);
  tns_expr_walk (cell, note_read, &s);
  return !s.change;
}

tns_accumulator *
tns_lanes_accumulator (const tns_lanes *lanes, const tns_expr *target)
{
  for (int k = 0; k < lanes->n_accumulators; k++)
    {
      tns_accumulator *a = &lanes->accumulators[k];
      if (a->cell->sym == target->sym
          && tns_cells_compare (lanes->arena, a->cell, target)
               == TNS_CELLS_SAME)
        return a;
    }
  return NULL;
}

/* Add CELL, updated with OP.  */
static void
add_accumulator (tns_lanes *lanes, tns_expr *cell, tns_op op)
{
  size_t n = (size_t) lanes->n_accumulators, one = sizeof (tns_accumulator);
  lanes->accumulators = tns_arena_grow (lanes->arena, lanes->accumulators,
                                        n * one, (n + 1) * one);
  lanes->accumulators[n].cell = cell;
  lanes->accumulators[n].op = op;
  lanes->n_accumulators++;
}

/* Note NODE, if it is an update of a cell.  */
static bool
note_update (tns_node *node, void *self)
{
  tns_lanes *lanes = self;
  if (node->kind != TNS_ASSIGN || tns_lanes_cell (lanes, node->target->sym)
      || tns_lanes_differ (lanes, node->target))
    return true;
  tns_elem elem = node->target->type.elem;
  if (!is_listed (lanes, node->target->sym, node->update)
      || !is_known (node->update, elem) || !is_fixed (lanes, node->target))
    lanes->refused = true;
  else if (!tns_lanes_accumulator (lanes, node->target))
    add_accumulator (lanes, node->target, node->update);
  return !lanes->refused;
}

/* A search for reads of accumulated cells, among OPERANDS, or for stores.  */
typedef struct overlap
{
  const tns_lanes *lanes;
  bool operands;
  bool found;
} overlap;

/* EXPR, of the same array, may be CELL in some iteration.  */
static bool
may_meet (const tns_lanes *lanes, const tns_expr *cell, const tns_expr *expr)
{
  tns_node *loop = lanes->loop;
  return tns_cells_compare (lanes->arena, expr, cell) != TNS_CELLS_APART
         && (expr->op == TNS_GATHER
             || !tns_cells_beyond (lanes->arena, cell, expr, 1, &loop));
}

/* Note whether EXPR may be one; an operand of what the loop is marked to sum
   is none.  */
static bool
note_overlap (tns_expr *expr, void *self)
{
  overlap *s = self;
  bool is_apart = s->operands && s->lanes->loop->marks.summed == expr->sym;
  for (int k = 0;
       tns_expr_reads (expr) && !is_apart && k < s->lanes->n_accumulators; k++)
    {
      const tns_expr *cell = s->lanes->accumulators[k].cell;
      if (expr->sym == cell->sym && may_meet (s->lanes, cell, expr))
        s->found = true;
    }
  return !s->found;
}

bool
tns_lanes_reads_accumulator (const tns_lanes *lanes, tns_expr *expr)
{
  overlap s = { lanes, true, false };
  tns_expr_walk (expr, note_overlap, &s);
  return s.found;
}

/* Note whether NODE stores to what may be another one's cell.  */
static bool
note_clash (tns_node *node, void *self)
{
  tns_lanes *lanes = self;
  overlap s = { lanes, false, false };
  if (node->kind == TNS_ASSIGN && !tns_lanes_accumulator (lanes, node->target))
    tns_expr_walk (node->target, note_overlap, &s);
  lanes->refused = lanes->refused || s.found;
  return !lanes->refused;
}

/* Two cells may be one.  */
static bool
has_clash (const tns_lanes *lanes)
{
  for (int k = 0; k < lanes->n_accumulators; k++)
    for (int l = 0; l < k; l++)
      {
        const tns_expr *a = lanes->accumulators[k].cell;
        const tns_expr *b = lanes->accumulators[l].cell;
        if (a->sym == b->sym
            && tns_cells_compare (lanes->arena, a, b) != TNS_CELLS_APART)
          return true;
      }
  return false;
}

void
tns_lanes_find_accumulators (tns_lanes *lanes, int n)
{
  tns_node_walk (lanes->loop->body, note_update, lanes);
  tns_node_walk (lanes->loop->body, note_clash, lanes);
  lanes->refused = lanes->refused || has_clash (lanes);
  for (int k = 0; k < lanes->n_accumulators; k++)
    {
      lanes->accumulators[k].n = n;
      lanes->accumulators[k].acc = TNS_NEW_ARRAY (lanes->arena, tns_sym *, n);
    }
}

/* What the partial results of A start from.  */
static tns_expr *
start_of (const tns_lanes *lanes, const tns_accumulator *a)
{
  tns_elem elem = a->cell->type.elem;
  switch (a->op)
    {
    case TNS_ADD:
      return tns_elem_is_float (elem) ? tns_real (lanes->arena, elem, -0.0L)
                                      : tns_int_of (lanes->arena, elem, 0);
    case TNS_MUL:
      return tns_int_of (lanes->arena, elem, 1);
    case TNS_AND:
      return tns_int_of (lanes->arena, elem, -1);
    case TNS_OR:
    case TNS_XOR:
      return tns_int_of (lanes->arena, elem, 0);
    default:
      return a->cell;
    }
}

/* Put TARGET OP= VALUE at the end of OUT.  */
static void
add_update (const tns_lanes *lanes, tns_node *out, tns_expr *target, tns_op op,
            tns_expr *value)
{
  tns_block_add (
    lanes->arena, out,
    tns_assign (lanes->arena, lanes->loop->loc, target, op, value));
}

/* Declare and set the partial results FROM to TO of each cell, in OUT.  */
static void
declare (tns_lanes *lanes, int from, int to, tns_node *out)
{
  for (int k = 0; k < lanes->n_accumulators; k++)
    {
      tns_accumulator *a = &lanes->accumulators[k];
      for (int c = from; c < to && c < a->n; c++)
        {
          a->acc[c] = tns_lanes_local (lanes, "acc", a->cell->type.elem, out);
          add_update (lanes, out, tns_cell (lanes->arena, a->acc[c]), TNS_NONE,
                      tns_lanes_splat (lanes, start_of (lanes, a)));
        }
    }
}

void
tns_lanes_begin (tns_lanes *lanes, tns_node *out)
{
  declare (lanes, 0, 1, out);
}

void
tns_lanes_widen (tns_lanes *lanes, tns_node *out)
{
  declare (lanes, 1, INT_MAX, out);
}

void
tns_lanes_join (const tns_lanes *lanes, tns_node *out)
{
  for (int k = 0; k < lanes->n_accumulators; k++)
    {
      const tns_accumulator *a = &lanes->accumulators[k];
      for (int n = a->n; n > 1; n = (n + 1) / 2)
        for (int c = (n + 1) / 2; c < n; c++)
          add_update (lanes, out,
                      tns_cell (lanes->arena, a->acc[c - (n + 1) / 2]), a->op,
                      tns_cell (lanes->arena, a->acc[c]));
    }
}

/* Put the cell's update with the best number of ACC, if there is a number,
   at the end of OUT.  */
static void
add_best_number (const tns_lanes *lanes, const tns_accumulator *a,
                 tns_expr *acc, tns_node *out)
{
  tns_arena *arena = lanes->arena;
  tns_elem elem = a->cell->type.elem;
  bool is_min = a->op == TNS_FMIN;
  tns_expr *number = tns_binary (arena, TNS_EQ, acc, acc);
  tns_expr *flag
    = tns_ternary (arena, TNS_SELECT, number,
                   tns_lanes_splat (lanes, tns_int_of (arena, TNS_I32, 1)),
                   tns_lanes_splat (lanes, tns_int_of (arena, TNS_I32, 0)));
  tns_expr *any
    = tns_binary (arena, TNS_GT, tns_unary (arena, TNS_REDUCE_MAX, flag),
                  tns_int_of (arena, TNS_I32, 0));
  tns_expr *worst = tns_real (
    arena, elem, is_min ? (long double) INFINITY : -(long double) INFINITY);
  tns_expr *numbers = tns_ternary (arena, TNS_SELECT, number, acc,
                                   tns_lanes_splat (lanes, worst));
  tns_node *then = tns_block (arena, lanes->loop->loc);
  add_update (
    lanes, then, a->cell, a->op,
    tns_unary (arena, is_min ? TNS_REDUCE_MIN : TNS_REDUCE_MAX, numbers));
  tns_block_add (arena, out, tns_if (arena, lanes->loop->loc, any, then, NULL));
}

void
tns_lanes_end (const tns_lanes *lanes, tns_node *out)
{
  tns_arena *arena = lanes->arena;
  for (int k = 0; k < lanes->n_accumulators; k++)
    {
      const tns_accumulator *a = &lanes->accumulators[k];
      tns_expr *acc = tns_cell (arena, a->acc[0]);
      if (a->op == TNS_FMIN || a->op == TNS_FMAX)
        add_best_number (lanes, a, acc, out);
      else
        add_update (lanes, out, a->cell, a->op,
                    tns_unary (arena, tns_op_reduce (a->op), acc));
    }
}
