/* Sums of columns, as lowering/grid-columns.h says.  */

#include "lowering/grid-columns.h"

#include "ir/walk.h"
#include "lowering/along.h"
#include "lowering/grid.h"

/* The last of the loops that threads share with LOOP.  */
static tns_node *
last_shared (tns_node *loop)
{
  for (int n = tns_grid_loops (loop); n > 1; n--)
    loop = tns_grid_inner (loop);
  return loop;
}

/* What loops with lanes cost along the shared iterator, and along their own.
   near: something lies side by side along the first.  */
typedef struct weighing
{
  tns_arena *arena;
  tns_sym *shared;
  tns_sym *own;
  int along;
  int across;
  bool near;
} weighing;

/* The visitor of what is read.  */
static bool
weigh_load (tns_expr *expr, void *self)
{
  weighing *w = self;
  if (!tns_expr_reads (expr))
    return true;
  int along = tns_cost_along (w->arena, expr, w->shared);
  w->along += along;
  w->across += tns_cost_along (w->arena, expr, w->own);
  w->near |= along == TNS_ALONG_NEAR;
  return true;
}

/* The visitor of a loop's statements.  */
static bool
weigh_node (tns_node *node, void *self)
{
  tns_node_exprs (node, weigh_load, self);
  return true;
}

/* The visitor that looks for loops with lanes.  */
static bool
weigh_lanes (tns_node *node, void *self)
{
  weighing *w = self;
  if (node->kind != TNS_LOOP || node->marks.simd < 2)
    return true;
  w->own = node->iter;
  tns_node_walk (node->body, weigh_node, w);
  return false;
}

bool
tns_columns_pay (tns_arena *arena, tns_node *loop)
{
  tns_node *last = last_shared (loop);
  weighing w = { .arena = arena, .shared = last->iter };
  tns_node_walk (last->body, weigh_lanes, &w);
  return w.near && w.along < w.across && last->step == 1;
}

/* SYM is what all threads see.  */
static bool
is_memory (const tns_sym *sym)
{
  return sym->rank > 0 || !tns_sym_is_local (sym);
}

/* The visitor that looks for stores to memory, and for arrays that begin.  */
static bool
note_store (tns_node *node, void *self)
{
  bool *found = self;
  *found |= (node->kind == TNS_ASSIGN && is_memory (node->target->sym))
            || (node->kind == TNS_LOCAL && node->sym->rank > 0);
  return !*found;
}

/* NODE stores to memory.  */
static bool
stores (tns_node *node)
{
  bool found = false;
  tns_node_walk (node, note_store, &found);
  return found;
}

/* LOOP, with lanes, does nothing but to add to cells.  */
static bool
is_sum (tns_node *loop)
{
  bool cells = loop->marks.n_reductions > 0;
  for (int k = 0; k < loop->marks.n_reductions; k++)
    cells &= !is_memory (loop->marks.reductions[k].sym);
  return cells && !stores (loop);
}

/* What a loop's statements may be.  shared: the last loop that threads share;
   body: of that.  */
typedef struct shape
{
  tns_node *shared;
  bool suits;
} shape;

/* All threads of a block find COND alike.  */
static bool
is_alike (const shape *s, tns_expr *cond)
{
  return !tns_expr_loads (cond) && !tns_expr_mentions (cond, s->shared->iter);
}

/* NODE, one of S's statements, can be done.  */
static bool
suits_node (const shape *s, tns_node *node)
{
  bool suits = true;
  switch (node->kind)
    {
    case TNS_BLOCK:
      for (int k = 0; k < node->n_kids; k++)
        suits &= suits_node (s, node->kid[k]);
      return suits;
    case TNS_LOCAL:
      return node->sym->rank == 0;
    case TNS_ASSIGN:
      return !node->mask;
    case TNS_IF:
      return is_alike (s, node->cond) && !node->otherwise
             && suits_node (s, node->then);
    case TNS_LOOP:
      return node->marks.simd > 1
               ? is_sum (node)
               : !stores (node) && !tns_grid_has_lanes (node);
    default:
      return false;
    }
}

/* The visitor that looks for what is stored to in S's statements, and read in
   another way than by its update.  */
static bool
note_read (tns_expr *expr, void *self)
{
  shape *s = self;
  if (tns_expr_reads (expr) && is_memory (expr->sym))
    s->suits &= !tns_node_writes (s->shared->body, expr->sym);
  return s->suits;
}

/* The visitor of S's statements.  */
static bool
note_reads (tns_node *node, void *self)
{
  shape *s = self;
  if (node->kind != TNS_ASSIGN)
    {
      tns_node_exprs (node, note_read, s);
      return s->suits;
    }
  tns_expr_walk (node->value, note_read, s);
  for (int k = 0; k < node->target->n_args; k++)
    tns_expr_walk (node->target->arg[k], note_read, s);
  return s->suits;
}

bool
tns_columns_suit (tns_node *loop)
{
  shape s = { last_shared (loop), true };
  if (!suits_node (&s, s.shared->body))
    return false;
  tns_node_walk (s.shared->body, note_reads, &s);
  return s.suits;
}

tns_expr *
tns_columns_blocks (tns_arena *arena, tns_node *loop)
{
  tns_node *last = last_shared (loop);
  tns_expr *lanes = tns_int (arena, TNS_LEAST_COLUMN_LANES);
  tns_expr *blocks = tns_ceil_div (arena, tns_grid_trip (arena, last), lanes);
  for (; loop != last; loop = tns_grid_inner (loop))
    blocks = tns_binary (arena, TNS_MUL, blocks, tns_grid_trip (arena, loop));
  return blocks;
}
