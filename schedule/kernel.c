/* Contractions: tiles in registers.

     for i for j for k                 for i.0 for j.0
       C[i][j] += A[i][k]*B[k][j]  ->    for k
                                           for i.1 unroll(14)
                                             for j.1 simd(16) unroll(2)
                                               C[i][j] += A[i][k]*B[k][j]

   Nothing is matched by spelling.  For an update of a cell each DIM above it
   is classified by what the accesses depend on:

     inner   does not move the target; a REDUCTION (or ORDERED, when sums may
             not be reordered: the order inside each cell is kept)
     column  FREE, moves the target by one element, moves an operand by one
             element, and leaves another operand where it is
     row     FREE, moves the target, and leaves the operand that the column
             moves where it is

   so that a tile of rows x columns loads rows + columns values for rows *
   columns operations.  Where no column moves an operand by one element but
   the inner DIM does (dot form), rows and columns are both unrolled and the
   lanes go along the inner DIM:

     C[i][j] += A[i][k]*B[j][k]    i.1 unroll(4), j.1 unroll(4), k simd(16)

   Where there is a column but no row, the column alone is tiled (a strip): in
   registers when the inner DIM stays near, else STRIP columns wide, so that
   rows of memory are read in long pieces, with JAM rows at a time:

     y[j] += A[i][j] * x[i]    for j.0 for i unroll(4) for j.1 simd(16)

   The tile's DIMs are pushed down to the update; statements that share the
   outer DIMs get loops over the tile of their own.  */

#include <string.h>

#include "ir/walk.h"
#include "schedule/check.h"
#include "schedule/planner.h"
#include "schedule/step.h"

#define MAX_MOVES 96
#define STRIP     1024
#define JAM       4
#define DOT_TILE  4

/* A multiple of the usual rows of a tile, 4, 6 and 14.  */
#define SHARED_ROWS 84

/* One contraction: its statement, the DIMs above it by role, the sizes of
   the tile.  */
typedef struct contraction
{
  int stmt;
  const tns_access *target;
  tns_tree *row;
  tns_tree *column;
  int n_inner;
  tns_tree *inner[TNS_MAX_DEPTH];
  bool dot;
  bool strip;
  bool far;
  long rows;
  long columns;
  int lanes;
} contraction;

/* Some operand of STMT has stride A in X and stride B in Y (Y NULL: any).  */
static bool
has_operand (const tns_scop *scop, const tns_stmt *stmt, const tns_sym *x,
             tns_stride a, const tns_sym *y, tns_stride b)
{
  for (int k = 0; k < stmt->n_accesses; k++)
    {
      const tns_access *access = &stmt->access[k];
      if (tns_access_is_operand (access)
          && tns_storage_stride (scop, stmt, access, x) == a
          && (!y || tns_storage_stride (scop, stmt, access, y) == b))
        return true;
    }
  return false;
}

/* All operands of STMT that move with ITER move by one element.  */
static bool
moves_by_one (const tns_scop *scop, const tns_stmt *stmt, const tns_sym *iter)
{
  bool some = false;
  for (int k = 0; k < stmt->n_accesses; k++)
    if (tns_access_is_operand (&stmt->access[k]))
      {
        tns_stride stride
          = tns_storage_stride (scop, stmt, &stmt->access[k], iter);
        some |= stride == TNS_STRIDE_UNIT;
        if (stride > TNS_STRIDE_UNIT)
          return false;
      }
  return some;
}

/* Sort the DIMs PATH[0..N) above the update into C's inner ones; false when
   there is none or a row is not a plain iterator.  */
static bool
find_inner (const tns_planner *p, contraction *c, int n, tns_tree **path)
{
  const tns_stmt *stmt = &p->scop->stmt[c->stmt];
  for (int k = 0; k < n; k++)
    {
      const tns_sym *iter = tns_dim_iter (p->scop, path[k], c->stmt);
      if (!iter || path[k]->marks.unroll || path[k]->marks.simd)
        return false;
      if (tns_storage_stride (p->scop, stmt, c->target, iter)
            == TNS_STRIDE_FIXED
          && path[k]->role != TNS_ROLE_FREE)
        c->inner[c->n_inner++] = path[k];
    }
  return c->n_inner > 0;
}

/* The column, among PATH[0..N), for lanes; the innermost one.  */
static void
find_column (const tns_planner *p, contraction *c, int n, tns_tree **path)
{
  const tns_stmt *stmt = &p->scop->stmt[c->stmt];
  for (int k = 0; k < n; k++)
    {
      const tns_sym *iter = tns_dim_iter (p->scop, path[k], c->stmt);
      if (path[k]->role == TNS_ROLE_FREE && path[k]->row[c->stmt]->divisor == 1
          && tns_storage_stride (p->scop, stmt, c->target, iter)
               == TNS_STRIDE_UNIT
          && moves_by_one (p->scop, stmt, iter)
          && has_operand (p->scop, stmt, iter, TNS_STRIDE_FIXED, NULL, 0))
        c->column = path[k];
    }
}

/* The row: the innermost FREE DIM that moves the target and not all that the
   column moves.  */
static void
find_row (const tns_planner *p, contraction *c, int n, tns_tree **path)
{
  const tns_stmt *stmt = &p->scop->stmt[c->stmt];
  const tns_sym *column = tns_dim_iter (p->scop, c->column, c->stmt);
  for (int k = 0; k < n; k++)
    {
      const tns_sym *iter = tns_dim_iter (p->scop, path[k], c->stmt);
      if (path[k] != c->column && path[k]->role == TNS_ROLE_FREE
          && path[k]->row[c->stmt]->divisor == 1
          && tns_storage_stride (p->scop, stmt, c->target, iter)
               != TNS_STRIDE_FIXED
          && has_operand (p->scop, stmt, column, TNS_STRIDE_UNIT, iter,
                          TNS_STRIDE_FIXED))
        c->row = path[k];
    }
}

/* The dot form: lanes along the innermost inner DIM, which all operands
   follow by one element; the two innermost FREE DIMs of which each leaves
   some operand in place.  */
static void
find_dot (const tns_planner *p, contraction *c, int n, tns_tree **path)
{
  const tns_stmt *stmt = &p->scop->stmt[c->stmt];
  tns_tree *lane = c->inner[c->n_inner - 1];
  const tns_sym *iter = tns_dim_iter (p->scop, lane, c->stmt);
  c->row = NULL;
  c->column = NULL;
  if (lane->role != TNS_ROLE_REDUCTION || !moves_by_one (p->scop, stmt, iter))
    return;
  for (int k = n - 1; k >= 0 && !c->row; k--)
    {
      iter = tns_dim_iter (p->scop, path[k], c->stmt);
      bool moves = tns_storage_stride (p->scop, stmt, c->target, iter)
                   != TNS_STRIDE_FIXED;
      if (path[k]->role != TNS_ROLE_FREE || !moves
          || path[k]->row[c->stmt]->divisor != 1
          || !has_operand (p->scop, stmt, iter, TNS_STRIDE_FIXED, NULL, 0))
        continue;
      if (!c->column)
        c->column = path[k];
      else
        c->row = path[k];
    }
  c->dot = c->row != NULL;
}

/* Some operand of statement C's moves far with the innermost inner DIM.  */
static bool
moves_far (const tns_planner *p, const contraction *c)
{
  const tns_stmt *stmt = &p->scop->stmt[c->stmt];
  const tns_sym *iter
    = tns_dim_iter (p->scop, c->inner[c->n_inner - 1], c->stmt);
  for (int k = 0; k < stmt->n_accesses; k++)
    if (tns_access_is_operand (&stmt->access[k])
        && tns_storage_stride (p->scop, stmt, &stmt->access[k], iter)
             == TNS_STRIDE_FAR)
      return true;
  return false;
}

/* A strip: the innermost FREE DIM that the target and all operands that move
   with it follow by one element.  */
static void
find_strip (const tns_planner *p, contraction *c, int n, tns_tree **path)
{
  const tns_stmt *stmt = &p->scop->stmt[c->stmt];
  c->row = NULL;
  c->column = NULL;
  for (int k = 0; k < n; k++)
    {
      const tns_sym *iter = tns_dim_iter (p->scop, path[k], c->stmt);
      if (path[k]->role == TNS_ROLE_FREE && path[k]->row[c->stmt]->divisor == 1
          && tns_storage_stride (p->scop, stmt, c->target, iter)
               == TNS_STRIDE_UNIT
          && moves_by_one (p->scop, stmt, iter))
        c->column = path[k];
    }
  c->strip = c->column != NULL;
  c->far = c->strip && moves_far (p, c);
}

/* Whether A or a smaller constant trip of DIM: the size of its tile.  */
static long
fit (const tns_planner *p, const tns_tree *dim, long size)
{
  long trip = tns_dim_trip (p->scop, dim);
  return trip > 0 && trip < size ? trip : size;
}

/* The sizes of C's tile: two vectors of columns and as many rows as leave
   registers for the columns and one operand (rows * 2 + 2 + 1).  */
static void
choose_sizes (const tns_planner *p, contraction *c)
{
  tns_elem elem = p->scop->array[c->target->array].sym->type.elem;
  c->lanes = p->machine->vector_bytes / tns_elem_bytes (elem);
  if (c->strip)
    {
      c->rows = 1;
      c->columns = fit (p, c->column, c->far ? STRIP : 4 * c->lanes);
      return;
    }
  if (c->dot)
    {
      c->rows
        = fit (p, c->row,
               p->machine->vector_registers >= 32 ? DOT_TILE : DOT_TILE / 2);
      c->columns = fit (p, c->column, DOT_TILE);
      return;
    }
  long trip = tns_dim_trip (p->scop, c->column);
  long vectors = trip > 0 && trip <= c->lanes ? 1 : 2;
  c->rows = (p->machine->vector_registers - vectors - 1) / vectors;
  c->rows = fit (p, c->row, c->rows > 14 ? 14 : c->rows);
  c->columns = vectors * c->lanes;
}

/* Recognise a contraction at statement S.  */
static bool
recognise (const tns_planner *p, int s, contraction *c)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path (p->tree, s, path);
  *c = (contraction){ .stmt = s,
                      .target = tns_update_target (&p->scop->stmt[s]) };
  if (!c->target || !find_inner (p, c, n, path))
    return false;
  find_column (p, c, n, path);
  if (c->column)
    find_row (p, c, n, path);
  if (!c->column || !c->row)
    find_dot (p, c, n, path);
  if (!c->column || !c->row)
    find_strip (p, c, n, path);
  if (!c->column)
    return false;
  choose_sizes (p, c);
  if (c->strip)
    return c->lanes >= 2 && c->columns >= 2 * c->lanes;
  long trip = c->dot ? tns_dim_trip (p->scop, c->inner[c->n_inner - 1]) : 0;
  return c->lanes >= 2 && c->rows >= 2 && (trip == 0 || trip >= c->lanes);
}

/* The place of NAME on the path above STMT in TREE; -1: it is not there.  */
static int
place_of (tns_tree *tree, int stmt, const char *name)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path (tree, stmt, path);
  for (int k = 0; k < n; k++)
    if (!strcmp (path[k]->name, name))
      return k;
  return -1;
}

/* Push DIM NAME of TREE down until all of ABOVE[0..N) stand above it.  */
static tns_tree *
push_below (const tns_planner *p, tns_tree *tree, int stmt, const char *name,
            int n, const char *const *above)
{
  for (int moves = 0; tree && moves < MAX_MOVES; moves++)
    {
      int place = place_of (tree, stmt, name);
      bool right = true;
      for (int k = 0; k < n; k++)
        right &= place_of (tree, stmt, above[k]) < place;
      if (right)
        return tree;
      tree = tns_step_down (p->ctx->arena, tree, stmt, name);
    }
  return NULL;
}

/* NAME with SUFFIX.  */
static const char *
suffixed (const tns_planner *p, const char *name, const char *suffix)
{
  return tns_arena_format (p->ctx->arena, "%s%s", name, suffix);
}

/* The point loops ROW and COLUMN of the dot form C around its inner DIM
   alone: statements beside it get point loops of their own.  */
static tns_tree *
isolate (const tns_planner *p, tns_tree *tree, const contraction *c,
         const char *row, const char *column)
{
  for (int moves = 0; tree && moves < MAX_MOVES; moves++)
    {
      tns_tree *dim = tns_tree_find (tree, c->stmt, column);
      if (!dim || dim->body->kind != TNS_TREE_SEQ)
        return tree;
      tree = tns_step_split (p->ctx->arena, tree, c->stmt, column);
      if (tree)
        tree = tns_step_split (p->ctx->arena, tree, c->stmt, row);
    }
  return NULL;
}

/* No other statement shares a DIM of C's that stands above the column: moving
   that below would part them.  */
static bool
moves_alone (const tns_planner *p, const contraction *c)
{
  int column = place_of (p->tree, c->stmt, c->column->name);
  for (int k = 0; k < c->n_inner; k++)
    if (place_of (p->tree, c->stmt, c->inner[k]->name) < column)
      for (const tns_tree *dim = c->inner[k]; dim != c->column; dim = dim->body)
        if (dim->kind != TNS_TREE_DIM)
          return false;
  return true;
}

/* The tree with C's strip: the column tiled, the inner DIMs below the tile,
   the points below them.  */
static tns_tree *
tile_strip (const tns_planner *p, const contraction *c)
{
  const char *name[TNS_MAX_DEPTH + 1];
  int n = 0;
  if (!moves_alone (p, c))
    return NULL;
  tns_tree *tree = tns_step_tile (p->ctx->arena, p->tree, c->stmt,
                                  c->column->name, c->columns);
  name[n++] = suffixed (p, c->column->name, ".0");
  for (int k = 0; k < c->n_inner; k++)
    {
      tree = push_below (p, tree, c->stmt, c->inner[k]->name, 1, name);
      name[n++] = c->inner[k]->name;
    }
  return push_below (p, tree, c->stmt, suffixed (p, c->column->name, ".1"), n,
                     name);
}

/* The tree with C's tile: rows and columns tiled, the inner DIMs below the
   tiles, the points below the inner DIMs.  NULL when a step does not
   apply.  */
static tns_tree *
tile_contraction (const tns_planner *p, const contraction *c)
{
  tns_arena *arena = p->ctx->arena;
  const char *name[TNS_MAX_DEPTH + 2];
  if (c->strip)
    return tile_strip (p, c);
  const char *point_row = suffixed (p, c->row->name, ".1");
  const char *point_column = suffixed (p, c->column->name, ".1");
  int n = 0;
  tns_tree *tree
    = tns_step_tile (arena, p->tree, c->stmt, c->row->name, c->rows);
  if (tree)
    tree = tns_step_tile (arena, tree, c->stmt, c->column->name, c->columns);
  name[n++] = suffixed (p, c->row->name, ".0");
  name[n++] = suffixed (p, c->column->name, ".0");
  for (int k = 0; k < c->n_inner; k++)
    {
      tree = push_below (p, tree, c->stmt, c->inner[k]->name, 2, name);
      if (!(c->dot && k == c->n_inner - 1))
        name[n++] = c->inner[k]->name;
    }
  tree = push_below (p, tree, c->stmt, point_row, n, name);
  name[n++] = point_row;
  tree = push_below (p, tree, c->stmt, point_column, n, name);
  name[n++] = point_column;
  if (c->dot)
    tree
      = push_below (p, tree, c->stmt, c->inner[c->n_inner - 1]->name, n, name);
  return c->dot ? isolate (p, tree, c, point_row, point_column) : tree;
}

/* Mark the DIMs of C's strip in TREE.  */
static void
mark_strip (const tns_planner *p, const contraction *c, tns_tree *tree)
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
mark_contraction (const tns_planner *p, const contraction *c, tns_tree *tree)
{
  if (c->strip)
    {
      mark_strip (p, c, tree);
      return;
    }
  tns_tree *row
    = tns_tree_find (tree, c->stmt, suffixed (p, c->row->name, ".1"));
  tns_tree *column
    = tns_tree_find (tree, c->stmt, suffixed (p, c->column->name, ".1"));
  row->marks.unroll = (int) c->rows;
  if (c->dot)
    {
      const char *lane = c->inner[c->n_inner - 1]->name;
      tns_tree *inner = tns_tree_find (tree, c->stmt, lane);
      column->marks.unroll = (int) c->columns;
      inner->marks.simd = c->lanes;
      inner->marks.accumulators = 1;
      inner->marks.n_reductions = inner->n_carried;
      inner->marks.reductions = inner->carried;
      return;
    }
  column->marks.simd = c->lanes;
  column->marks.unroll = (int) (c->columns / c->lanes);
}

/* The tile of C is right: its points are FREE.  */
static bool
is_right (const tns_planner *p, const contraction *c, tns_tree *tree)
{
  if (!tree || !tns_tree_check (p->ctx, p->deps, tree, NULL))
    return false;
  const tns_tree *column
    = tns_tree_find (tree, c->stmt, suffixed (p, c->column->name, ".1"));
  const tns_tree *row = column;
  if (!c->strip)
    row = tns_tree_find (tree, c->stmt, suffixed (p, c->row->name, ".1"));
  return row && column && row->role == TNS_ROLE_FREE
         && column->role == TNS_ROLE_FREE;
}

/* Whether a contraction of KERNEL, one flag a statement, stands below
   TREE.  */
static bool
has_kernel (const tns_planner *p, const tns_tree *tree, const bool *kernel)
{
  for (int s = 0; s < p->scop->n_stmts; s++)
    if (kernel[s] && tns_tree_has (tree, s))
      return true;
  return false;
}

/* TREE with the point loop NAME above statement S split over the SEQ below
   it, but one loop around neighbours that are no contractions.  */
static tns_tree *
split_kernels (const tns_planner *p, tns_tree *tree, int s, const char *name,
               const bool *kernel)
{
  const tns_tree *dim = tns_tree_find (tree, s, name);
  if (!dim || dim->body->kind != TNS_TREE_SEQ)
    return NULL;
  int n = dim->body->n_kids;
  tns_tree **kid = dim->body->kid;
  tree = tns_step_split (p->ctx->arena, tree, s, name);
  for (int k = 0; tree && k + 1 < n; k++)
    if (!has_kernel (p, kid[k], kernel) && !has_kernel (p, kid[k + 1], kernel))
      tree = tns_step_fuse (p->ctx->arena, tree, tns_tree_first_stmt (kid[k]),
                            tns_tree_first_stmt (kid[k + 1]), 0);
  return tree;
}

/* The row DIM that statement S's contraction shares with a later one's;
   NULL when there is none.  Fills KERNEL.  */
static tns_tree *
shared_row (const tns_planner *p, int s, bool *kernel)
{
  contraction first;
  contraction second;
  tns_tree *row = NULL;
  kernel[s] = recognise (p, s, &first);
  for (int t = 0; kernel[s] && t < p->scop->n_stmts; t++)
    {
      kernel[t] = recognise (p, t, &second);
      if (kernel[t] && t != s && first.row && first.row == second.row)
        row = first.row;
    }
  return row;
}

/* Contractions that share a row DIM with others get a common tile of it
   first, SHARED_ROWS values, and loops and tiles of their own inside: what
   lies between them lives in the common tile.

     for i { A (i); softmax (i); B (i) }
       ->  for i.0 { for i.1 A;  for i.1 softmax;  for i.1 B }  */
static void
tile_shared (tns_planner *p)
{
  bool *kernel = TNS_NEW_ARRAY (p->ctx->arena, bool, p->scop->n_stmts);
  for (int s = 0; s < p->scop->n_stmts; s++)
    {
      const tns_tree *row = shared_row (p, s, kernel);
      if (!row)
        continue;
      const char *name = row->name;
      tns_tree *tree
        = tns_step_tile (p->ctx->arena, p->tree, s, name, SHARED_ROWS);
      if (tree)
        tree = split_kernels (p, tree, s, suffixed (p, name, ".1"), kernel);
      if (tree && tns_tree_check (p->ctx, p->deps, tree, NULL))
        tns_planner_take (p, tree, "share %s in %s: %d", name,
                          p->scop->stmt[s].name, SHARED_ROWS);
    }
}

bool
tns_plan_kernel_at (tns_planner *planner, int stmt, long rows, long columns)
{
  contraction c;
  if (!recognise (planner, stmt, &c))
    return false;
  if (rows > 1 && columns >= c.lanes && columns % c.lanes == 0)
    {
      c.rows = rows;
      c.columns = columns;
    }
  tns_tree *tree = tile_contraction (planner, &c);
  if (!is_right (planner, &c, tree))
    return false;
  mark_contraction (planner, &c, tree);
  const char *row = c.strip ? c.column->name : c.row->name;
  tns_planner_take (planner, tree, "kernel %s: %s:%ld %s:%ld%s",
                    planner->scop->stmt[stmt].name, row, c.rows, c.column->name,
                    c.columns,
                    c.dot     ? " dot"
                    : c.strip ? " strip"
                              : "");
  return true;
}

void
tns_plan_kernels (tns_planner *planner)
{
  if (!planner->ctx->wish.tile.off)
    tile_shared (planner);
  if (!planner->ctx->wish.tile.off)
    for (int s = 0; s < planner->scop->n_stmts; s++)
      tns_plan_kernel_at (planner, s, 0, 0);
}
