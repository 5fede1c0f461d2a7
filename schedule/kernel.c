/* Contractions: tiles in registers.

     for i for j for k                 for i.0 for j.0
       C[i][j] += A[i][k]*B[k][j]  ->    for k
                                           for i.1 unroll(14)
                                             for j.1 simd(16) unroll(2)
                                               C[i][j] += A[i][k]*B[k][j]

   Where the inner DIM was cut into blocks, what the columns go along is copied
   in panels (schedule/panel.c).

   In the dot form rows and columns are both unrolled and the lanes go along
   the inner DIM, so that what one of them leaves in place is loaded once:

     C[i][j] += A[i][k]*B[j][k]    i.1 unroll(4), j.1 unroll(4), k simd(16)
     y[i] += A[i][j] * x[j]        i.1 unroll(4), j simd(16)

   A strip is a tile of the column alone: in registers when the inner DIM
   stays near, else wide, so that rows of memory are read in long pieces, with
   JAM rows at a time:

     y[j] += A[i][j] * x[i]    for j.0 for i unroll(4) for j.1 simd(16)

   The tile's DIMs are pushed down to the update; statements that share the
   outer DIMs get loops over the tile of their own.  What a contraction is
   says schedule/contraction.h.  */

#include "schedule/check.h"
#include "schedule/contraction.h"
#include "schedule/step.h"

#define MAX_MOVES 96
#define JAM       4

/* NAME with SUFFIX.  */
static const char *
suffixed (const tns_planner *p, const char *name, const char *suffix)
{
  return tns_arena_format (p->ctx->arena, "%s%s", name, suffix);
}

/* The point loops of the dot form C around its inner DIM alone: statements
   beside it get point loops of their own.  */
static tns_tree *
isolate (const tns_planner *p, tns_tree *tree, const tns_contraction *c)
{
  const char *column = suffixed (p, c->column->name, ".1");
  for (int moves = 0; tree && moves < MAX_MOVES; moves++)
    {
      tns_tree *dim = tns_tree_find (tree, c->stmt, column);
      if (!dim || dim->body->kind != TNS_TREE_SEQ)
        return tree;
      tree = tns_step_split (p->ctx->arena, tree, c->stmt, column, 0, NULL);
      if (tree && c->row)
        tree = tns_step_split (p->ctx->arena, tree, c->stmt,
                               suffixed (p, c->row->name, ".1"), 0, NULL);
    }
  return NULL;
}

/* No other statement shares a DIM of C's that stands above the column: moving
   that below would part them.  */
static bool
moves_alone (const tns_contraction *c)
{
  for (int k = 0; k < c->n_inner; k++)
    if (tns_tree_find (c->inner[k]->body, c->stmt, c->column->name))
      for (const tns_tree *dim = c->inner[k]; dim != c->column; dim = dim->body)
        if (dim->kind != TNS_TREE_DIM)
          return false;
  return true;
}

/* The tree with C's strip: the column tiled, the inner DIMs below the tile,
   the points below them.  */
static tns_tree *
tile_strip (const tns_planner *p, const tns_contraction *c)
{
  const char *name[TNS_MAX_DEPTH + 1];
  int n = 0;
  if (!moves_alone (c))
    return NULL;
  tns_tree *tree = tns_step_tile (p->ctx->arena, p->tree, c->stmt,
                                  c->column->name, c->columns);
  name[n++] = suffixed (p, c->column->name, ".0");
  for (int k = 0; k < c->n_inner; k++)
    {
      tree = tns_step_below (p->ctx->arena, tree, c->stmt, c->inner[k]->name, 1,
                             name);
      name[n++] = c->inner[k]->name;
    }
  return tns_step_below (p->ctx->arena, tree, c->stmt,
                         suffixed (p, c->column->name, ".1"), n, name);
}

/* TREE with C's rows and columns tiled, the tiles' names in NAME[0..*N).
   Blocks of the inner DIM are short: all rows use a tile of columns before
   the next.  */
static tns_tree *
tile_points (const tns_planner *p, const tns_contraction *c, const char **name,
             int *n)
{
  tns_arena *arena = p->ctx->arena;
  tns_tree *tree = p->tree;
  const char *tiles[1];
  if (c->row)
    {
      tree = tns_step_tile (arena, tree, c->stmt, c->row->name, c->rows);
      name[(*n)++] = suffixed (p, c->row->name, ".0");
    }
  if (tree)
    tree = tns_step_tile (arena, tree, c->stmt, c->column->name, c->columns);
  name[(*n)++] = tiles[0] = suffixed (p, c->column->name, ".0");
  if (c->row && c->blocked)
    tree = tns_step_below (arena, tree, c->stmt, name[0], 1, tiles);
  return tree;
}

/* Add to NAME[0..*N) the DIMs that move C's cell, no row or column, and stand
   below an inner one: a tile sums one cell of theirs.  */
static void
add_others (const tns_planner *p, const tns_contraction *c, const char **name,
            int *n)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int depth = tns_tree_path (p->tree, c->stmt, path);
  bool below = false;
  for (int k = 0; k < depth; k++)
    {
      bool is_inner = false;
      for (int j = 0; j < c->n_inner; j++)
        is_inner |= path[k] == c->inner[j];
      below |= is_inner;
      if (below && !is_inner && path[k] != c->row && path[k] != c->column)
        name[(*n)++] = path[k]->name;
    }
}

/* How far DIM moves the operands of C: 0, 1 or 2 for each that stays, moves by
   one element or farther.  */
static int
reach_of (const tns_planner *p, const tns_contraction *c, const tns_tree *dim)
{
  const tns_stmt *stmt = &p->scop->stmt[c->stmt];
  const tns_sym *iter = tns_dim_iter (p->scop, dim, c->stmt);
  int reach = 0;
  for (int k = 0; k < stmt->n_accesses; k++)
    if (tns_access_is_operand (&stmt->access[k]))
      {
        tns_stride stride
          = tns_storage_stride (p->scop, stmt, &stmt->access[k], iter);
        reach += stride == TNS_STRIDE_FIXED  ? 0
                 : stride == TNS_STRIDE_UNIT ? 1
                                             : 2;
      }
  return reach;
}

/* Put the inner DIMs of C, when sums may be reordered, into DIM[0..n_inner),
   those that move operands farther above the others; else, and where they are
   alike, as they are.  The lane of a dot stays innermost.  */
static void
order_inner (const tns_planner *p, const tns_contraction *c, tns_tree **dim)
{
  bool is_free = true;
  int n = c->dot ? c->n_inner - 1 : c->n_inner;
  for (int k = 0; k < c->n_inner; k++)
    {
      dim[k] = c->inner[k];
      is_free &= dim[k]->role == TNS_ROLE_REDUCTION;
    }
  for (int k = 1; is_free && k < n; k++)
    for (int j = k;
         j > 0 && reach_of (p, c, dim[j]) > reach_of (p, c, dim[j - 1]); j--)
      {
        tns_tree *above = dim[j - 1];
        dim[j - 1] = dim[j];
        dim[j] = above;
      }
}

/* The tree with C's tile: rows and columns tiled, the inner DIMs below the
   tiles, the points below the inner DIMs.  NULL when a step does not
   apply.  */
static tns_tree *
tile_contraction (const tns_planner *p, const tns_contraction *c)
{
  tns_arena *arena = p->ctx->arena;
  const char *name[2 * TNS_MAX_DEPTH + 4];
  tns_tree *inner[TNS_MAX_DEPTH];
  int n = 0;
  if (c->strip)
    return tile_strip (p, c);
  tns_tree *tree = tile_points (p, c, name, &n);
  add_others (p, c, name, &n);
  order_inner (p, c, inner);
  for (int k = 0; k < c->n_inner; k++)
    {
      tree = tns_step_below (arena, tree, c->stmt, inner[k]->name, n, name);
      if (!(c->dot && k == c->n_inner - 1))
        name[n++] = inner[k]->name;
    }
  const tns_tree *point[2] = { c->row, c->column };
  for (int k = c->row ? 0 : 1; k < 2; k++)
    {
      const char *dim = suffixed (p, point[k]->name, ".1");
      tree = tns_step_below (arena, tree, c->stmt, dim, n, name);
      name[n++] = dim;
    }
  if (!c->dot)
    return tree;
  const char *lane = c->inner[c->n_inner - 1]->name;
  return isolate (p, tns_step_below (arena, tree, c->stmt, lane, n, name), c);
}

/* The points of DIM, C's row or column, in TREE.  */
static tns_tree *
point_of (const tns_planner *p, const tns_contraction *c, tns_tree *tree,
          const tns_tree *dim)
{
  return tns_tree_find (tree, c->stmt, suffixed (p, dim->name, ".1"));
}

/* Mark the DIMs of C's strip in TREE.  */
static void
mark_strip (const tns_planner *p, const tns_contraction *c, tns_tree *tree)
{
  tns_tree *column
    = tns_tree_find (tree, c->stmt, suffixed (p, c->column->name, ".1"));
  tns_tree *inner
    = tns_tree_find (tree, c->stmt, c->inner[c->n_inner - 1]->name);
  column->marks.simd = c->lanes;
  if (!c->far)
    column->marks.unroll = (int) (c->columns / c->lanes);
  else if (inner->role == TNS_ROLE_REDUCTION && inner->body == column)
    {
      inner->marks.unroll = JAM;
      inner->marks.n_reductions = inner->n_carried;
      inner->marks.reductions = inner->carried;
    }
}

/* Mark the DIMs of C's tile in TREE.  */
static void
mark_contraction (const tns_planner *p, const tns_contraction *c,
                  tns_tree *tree)
{
  if (c->strip)
    {
      mark_strip (p, c, tree);
      return;
    }
  tns_tree *column = point_of (p, c, tree, c->column);
  if (c->row)
    point_of (p, c, tree, c->row)->marks.unroll = (int) c->rows;
  if (c->dot)
    {
      const char *lane = c->inner[c->n_inner - 1]->name;
      tns_tree *inner = tns_tree_find (tree, c->stmt, lane);
      column->marks.unroll = (int) c->columns;
      inner->marks.simd = c->lanes;
      inner->marks.accumulators = c->accumulators;
      inner->marks.n_reductions = inner->n_carried;
      inner->marks.reductions = inner->carried;
      return;
    }
  if (tns_ctx_breaks (p->ctx, "kernel"))
    column = tns_tree_find (tree, c->stmt, c->inner[c->n_inner - 1]->name);
  column->marks.simd = c->lanes;
  column->marks.unroll = (int) (c->columns / c->lanes);
}

/* The tile of C is right: its points are FREE.  */
static bool
is_right (const tns_planner *p, const tns_contraction *c, tns_tree *tree)
{
  if (!tree || !tns_tree_check (p->ctx, p->deps, tree, NULL))
    return false;
  const tns_tree *column = point_of (p, c, tree, c->column);
  const tns_tree *row = c->row ? point_of (p, c, tree, c->row) : column;
  return row && column && row->role == TNS_ROLE_FREE
         && column->role == TNS_ROLE_FREE;
}

/* The operations of one copy of C's body.  */
static long
operations_of (const tns_planner *p, const tns_contraction *c)
{
  if (c->dot)
    return tns_dim_operations (p, c->inner[c->n_inner - 1], c->lanes);
  const tns_sym *iter = tns_dim_iter (p->scop, c->column, c->stmt);
  return tns_stmt_operations (p, c->stmt, iter, c->lanes);
}

/* Take as many accumulators, rows and columns of C as code has room for.
   Whether something is left to gain.  */
static bool
fit_code (const tns_planner *p, tns_contraction *c)
{
  long operations = operations_of (p, c);
  if (!c->dot)
    {
      int columns = c->far ? 1 : (int) (c->columns / c->lanes);
      int rows = c->strip ? 1 : (int) c->rows;
      rows = tns_fitting_copies (operations * columns, rows);
      c->rows = rows;
      return rows >= (c->strip ? 1 : 2);
    }
  int copies = (int) (c->rows * c->columns);
  int most = tns_fitting_copies (operations * copies, c->accumulators);
  c->accumulators = most > 1 ? most : 1;
  if (c->rows > 1)
    c->rows = tns_fitting_copies (operations * 2, (int) c->rows);
  c->columns = tns_fitting_copies (operations * c->rows, (int) c->columns);
  return c->rows >= 1 && c->columns >= 2;
}

bool
tns_plan_kernel_at (tns_planner *planner, int stmt, long rows, long columns)
{
  tns_contraction c;
  if (!tns_contraction_at (planner, stmt, &c))
    return false;
  if (rows > 1 && columns >= c.lanes && columns % c.lanes == 0)
    {
      c.rows = rows;
      c.columns = columns;
    }
  if (!fit_code (planner, &c))
    return false;
  tns_tree *tree = tile_contraction (planner, &c);
  if (!is_right (planner, &c, tree))
    return false;
  mark_contraction (planner, &c, tree);
  const char *row = c.row ? c.row->name : c.column->name;
  tns_planner_take (planner, tree, "kernel %s: %s:%ld %s:%ld%s",
                    planner->scop->stmt[stmt].name, row, c.rows, c.column->name,
                    c.columns,
                    c.dot     ? " dot"
                    : c.strip ? " strip"
                              : "");
  if (rows < 1 && c.blocked && c.row && !c.dot)
    tns_plan_panel_at (planner, stmt, c.column->name, 0, 0);
  return true;
}

void
tns_plan_kernels (tns_planner *planner)
{
  if (planner->ctx->wish.tile.off)
    return;
  for (int s = 0; s < planner->scop->n_stmts; s++)
    tns_plan_kernel_at (planner, s, 0, 0);
}
