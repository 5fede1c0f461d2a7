/* Contractions: panels of the operand that the columns go along.

   In a block of the inner DIM (schedule/block.c) all tiles of rows read the
   same rows of B, a tile of columns wide and far from each other in memory:
   in as many pages, and, where rows are a power of two apart, in few sets of a
   cache.  As many tiles of columns as fill the second cache form a panel, which
   is copied once, in the order in which it is read:

     for k.0 for j.0 for i.0            for k.0 for j.0.0
       for k.1 for i.1 for j.1    ->      { P = what is read of B }
         C[i][j] += A[i][k]*B[k][j]       for i.0 for j.0.1
                                            for k.1 for i.1 for j.1
                                              C[i][j] += A[i][k]*P[..]

   So are, for each tile of rows, the elements of A that it reads: rows a power
   of two apart lie in few sets of the first cache, columns far from each other,
   and of alpha * A[i][k] each tile of columns would compute the product anew.

   The tiles of columns go below those of rows, so that a tile of rows of A
   stays in the first cache while the panel goes by.  The copy is made of the
   loops (lowering/panels.h).  */

#include <string.h>

#include "ir/walk.h"
#include "schedule/contraction.h"
#include "schedule/step.h"

/* Columns of a panel are a multiple of some lines'.  */
#define ROUND 64

/* What a copy costs is seen with fewer rows, unless those of the operand lie in
   each other's way.  */
#define LEAST_ROWS 192

/* The tiles of a blocked contraction: those of its columns, with those of rows
   right below; the inner DIM, and how many values a block of it has.  */
typedef struct tiles
{
  tns_tree *column;
  tns_tree *row;
  tns_tree *inner;
  long depth;
} tiles;

/* Find the tiles above statement S of the column called NAME.  False where
   there are none.  */
static bool
find_tiles (const tns_planner *p, int s, const char *name, tiles *t)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path (p->tree, s, path);
  int at = 0;
  while (at < n && strcmp (path[at]->name, name))
    at++;
  if (at + 2 >= n || path[at]->body != path[at + 1]
      || path[at]->row[s]->divisor < 2 || path[at + 1]->row[s]->divisor < 2)
    return false;
  *t = (tiles){ path[at], path[at + 1], path[at + 2], 0 };
  const tns_sym *inner = tns_dim_iter (p->scop, t->inner, s);
  for (int k = 0; k < at; k++)
    if (inner && tns_dim_iter (p->scop, path[k], s) == inner)
      t->depth = path[k]->row[s]->divisor;
  return t->depth > 1 && t->row->role == TNS_ROLE_FREE;
}

/* Statement S reads one element of ARRAY, which nobody writes.  */
static bool
reads_once (const tns_planner *p, int s, int array)
{
  const tns_stmt *stmt = &p->scop->stmt[s];
  int n = 0;
  for (int k = 0; k < stmt->n_accesses; k++)
    n += stmt->access[k].array == array;
  return n == 1 && p->scop->array[array].n_private == 0
         && !tns_node_writes (p->scop->region->body, p->scop->array[array].sym);
}

/* The array of the operand of statement S which the tiles T of rows leave in
   place, or else, where COLUMN is false, those of columns; NULL: there is
   none that may be copied.  */
static tns_sym *
operand_of (const tns_planner *p, const tiles *t, int s, bool column)
{
  const tns_scop *scop = p->scop;
  const tns_stmt *stmt = &scop->stmt[s];
  const tns_tree *fixed = column ? t->row : t->column;
  const tns_tree *moves = column ? t->column : t->row;
  const tns_sym *still = tns_dim_iter (scop, fixed, s);
  const tns_sym *iter = tns_dim_iter (scop, moves, s);
  for (int k = 0; k < stmt->n_accesses; k++)
    {
      const tns_access *a = &stmt->access[k];
      if (tns_access_is_operand (a) && reads_once (p, s, a->array)
          && tns_storage_stride (scop, stmt, a, still) == TNS_STRIDE_FIXED
          && tns_storage_stride (scop, stmt, a, iter) != TNS_STRIDE_FIXED)
        return scop->array[a->array].sym;
    }
  return NULL;
}

/* How an element of SYM, an operand of statement S, moves with the inner DIM
   of T.  */
static tns_stride
stride_of (const tns_planner *p, const tiles *t, int s, const tns_sym *sym)
{
  const tns_stmt *stmt = &p->scop->stmt[s];
  int k = 0;
  while (p->scop->array[stmt->access[k].array].sym != sym)
    k++;
  return tns_storage_stride (p->scop, stmt, &stmt->access[k],
                             tns_dim_iter (p->scop, t->inner, s));
}

/* What is computed of an array's elements alone: more than their load.  */
typedef struct work
{
  const tns_sym *sym;
  bool found;
} work;

/* The visitor that finds it.  */
static bool
note_work (tns_expr *expr, void *self)
{
  work *w = self;
  w->found |= expr->sym != w->sym && tns_expr_is_of (expr, w->sym);
  return !w->found && expr->sym != w->sym;
}

/* Statement S computes something of SYM's elements alone.  */
static bool
works_on (const tns_planner *p, int s, const tns_sym *sym)
{
  work w = { sym, false };
  tns_expr_walk (p->scop->stmt[s].node->value, note_work, &w);
  return w.found;
}

/* The array of the rows' operand of statement S, which a copy for each tile of
   rows suits: the inner DIM moves it, or each tile of columns would compute
   something of it.  NULL: there is none.  */
static tns_sym *
rows_of (const tns_planner *p, const tiles *t, int s)
{
  tns_sym *sym = operand_of (p, t, s, false);
  bool pays
    = sym
      && (works_on (p, s, sym) || stride_of (p, t, s, sym) != TNS_STRIDE_FIXED);
  return pays ? sym : NULL;
}

/* How many columns a panel of T has, of elements of BYTES; 0: it does not
   pay.  */
static long
width_of (const tns_planner *p, const tiles *t, int s, long bytes)
{
  long tile = t->column->row[s]->divisor;
  long columns = tns_dim_trip (p->scop, t->column);
  long most = (long) p->machine->l2_bytes / (bytes * t->depth);
  most = (most + ROUND - 1) / ROUND * ROUND;
  if (columns > 0 && columns <= most)
    most = (columns + 1) / 2;
  most = (most + tile - 1) / tile * tile;
  return most >= 2 * tile ? most : 0;
}

/* From how many sweeps on a panel of T pays; 0: it never does.  */
static int
sweeps_of (const tns_planner *p, const tiles *t, int s)
{
  long rows = t->row->row[s]->divisor;
  long sweeps = (LEAST_ROWS + rows - 1) / rows;
  long trip = tns_dim_trip (p->scop, t->row);
  bool are_few = trip > 0 && trip * TNS_FEWER_SWEEPS < LEAST_ROWS;
  return are_few ? 0 : (int) sweeps;
}

/* The tree with panels of SYM, WIDTH columns of T's each, above statement S,
   marked for SWEEPS; NULL where that is not legal.  */
static tns_tree *
panel_tree (const tns_planner *p, const tiles *t, int s, tns_sym *sym,
            long width, int sweeps)
{
  tns_arena *arena = p->ctx->arena;
  const char *name = t->column->name;
  const char *row[1] = { t->row->name };
  long tile = t->column->row[s]->divisor;
  tns_tree *tree = tns_step_tile (arena, p->tree, s, name, width / tile);
  tree = tns_step_below (arena, tree, s, tns_arena_format (arena, "%s.1", name),
                         1, row);
  if (!tns_step_holds (p, "panel", tree, NULL))
    return NULL;
  tns_tree *dim
    = tns_tree_find (tree, s, tns_arena_format (arena, "%s.0", name));
  dim->marks.panel = sym;
  dim->marks.sweeps = sweeps;
  tns_tree_find (tree, s, row[0])->marks.panel = rows_of (p, t, s);
  return tree;
}

bool
tns_plan_panel_at (tns_planner *planner, int stmt, const char *column,
                   long width, int sweeps)
{
  tiles t;
  const char *name = tns_arena_format (planner->ctx->arena, "%s.0", column);
  if (!find_tiles (planner, stmt, name, &t))
    return false;
  tns_sym *sym = operand_of (planner, &t, stmt, true);
  if (!sym || stride_of (planner, &t, stmt, sym) != TNS_STRIDE_FAR)
    return false;
  if (width == 0)
    {
      width = width_of (planner, &t, stmt, tns_elem_bytes (sym->type.elem));
      sweeps = sweeps_of (planner, &t, stmt);
    }
  long tile = t.column->row[stmt]->divisor;
  if (width < 2 * tile || width % tile != 0 || sweeps < 1)
    return false;
  tns_tree *tree = panel_tree (planner, &t, stmt, sym, width, sweeps);
  if (!tree)
    return false;
  tns_planner_take (planner, tree, "panel %s: %s:%ld sweeps %d",
                    planner->scop->stmt[stmt].name, column, width, sweeps);
  return true;
}
