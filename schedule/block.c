/* Contractions: blocks in caches.

   share   contractions that share a row DIM get a common tile of it,
           SHARED_ROWS values, and loops of their own inside: what lies
           between them lives in the common tile

     for i { A (i); softmax (i); B (i) }
       ->  for i.0 { for i.1 A;  for i.1 softmax;  for i.1 B }

           so does a contraction in the dot form, whose tiles have few
           columns, with what is slow and wants whole vectors of them,
           SHARED_COLUMNS values, unless both go over the same rows

     for j { s = 0;  for k s += A*B;  y = tanh (s) }
       ->  for j.0 { for j.1 s = 0;  for j.1 for k s += A*B;
                     for j.1 y = tanh (s) }

   block   the inner DIM of a long contraction is cut, and its blocks stand
           outside of rows and columns: what a tile of columns reads in one
           block stays in the first cache while all tiles of rows use it

     for i for j { C = 0;  for k C += A*B }
       ->  for i for j C = 0;
           for k.0 for i for j for k.1 C += A*B

           not where other statements hold k in its order, outside of i

   embed   what is done once for each cell before its sum, and now stands in a
           nest before the blocks, is done with the cell's first block, so
           that tiles of cells are begun where they are used; so is the copy
           of an operand that was packed:

     for k.0 for i for j { if (k.0 == 0) C = 0;  for k.1 C += A*B }

   sink    what is done once for each cell behind its sum, in a nest behind the
           blocks, is done with the cell's last block, where that is a number
           or follows from iterators; in a common tile, whose rows are short

     for k.0 for i for j { for k.1 C += A*B;  if (k.0 == last) C = f (C) }

   The order inside each cell stays.  Tiles in registers are made of the points
   afterwards (schedule/kernel.c).  */

#include <limits.h>
#include <string.h>

#include "ir/affine.h"
#include "schedule/check.h"
#include "schedule/contraction.h"
#include "schedule/step.h"

/* A multiple of the usual rows of a tile, 4, 6 and 14.  */
#define SHARED_ROWS 84

/* Some vectors.  */
#define SHARED_COLUMNS 64

/* The name of the points of DIM NAME when it is tiled.  */
static const char *
points_of (const tns_planner *p, const char *name)
{
  return tns_arena_format (p->ctx->arena, "%s.1", name);
}

/* TREE with the point loop NAME above statement S split over the SEQ below
   it, but one loop around neighbours that are no contractions.  */
static tns_tree *
split_kernels (const tns_planner *p, tns_tree *tree, int s, const char *name,
               const bool *kernel)
{
  int *apart = TNS_NEW_ARRAY (p->ctx->arena, int, p->scop->n_stmts);
  int n = 0;
  for (int t = 0; t < p->scop->n_stmts; t++)
    if (kernel[t])
      apart[n++] = t;
  return tns_step_split (p->ctx->arena, tree, s, name, n, apart);
}

/* The row DIM that statement S's contraction shares with a later one's;
   NULL when there is none.  Fills KERNEL.  */
static tns_tree *
shared_row (const tns_planner *p, int s, bool *kernel)
{
  tns_contraction first;
  tns_contraction second;
  tns_tree *row = NULL;
  kernel[s] = tns_contraction_at (p, s, &first);
  for (int t = 0; kernel[s] && t < p->scop->n_stmts; t++)
    {
      kernel[t] = tns_contraction_at (p, t, &second);
      if (kernel[t] && t != s && first.row && first.row == second.row)
        row = first.row;
    }
  return row;
}

/* Statement T accesses ARRAY.  */
static bool
accesses (const tns_scop *scop, int t, int array)
{
  const tns_stmt *stmt = &scop->stmt[t];
  for (int a = 0; a < stmt->n_accesses; a++)
    if (stmt->access[a].array == array)
      return true;
  return false;
}

/* A nest below C's column that is not C's goes over ARRAY too, in loops of its
   own: an element is no row.  */
static bool
is_elsewhere (const tns_planner *p, const tns_contraction *c, int array)
{
  const tns_tree *body = c->column->body;
  for (int k = 0; k < body->n_kids; k++)
    for (int t = 0; t < p->scop->n_stmts && tns_tree_depth (body->kid[k]) > 0
                    && !tns_tree_has (body->kid[k], c->stmt);
         t++)
      if (tns_tree_has (body->kid[k], t) && accesses (p->scop, t, array))
        return true;
  return false;
}

/* What C reads in a value of its column is at hand for the nests beside it: it
   would be gone if these ran for all values of a tile.  */
static bool
has_rows_in_common (const tns_planner *p, const tns_contraction *c)
{
  const tns_scop *scop = p->scop;
  const tns_stmt *stmt = &scop->stmt[c->stmt];
  const tns_sym *column = tns_dim_iter (scop, c->column, c->stmt);
  const tns_sym *inner = tns_dim_iter (scop, c->inner[c->n_inner - 1], c->stmt);
  for (int a = 0; a < stmt->n_accesses; a++)
    {
      const tns_access *access = &stmt->access[a];
      if (tns_storage_stride (scop, stmt, access, column) != TNS_STRIDE_FIXED
          && tns_storage_stride (scop, stmt, access, inner) != TNS_STRIDE_FIXED
          && is_elsewhere (p, c, access->array))
        return true;
    }
  return false;
}

/* The column DIM that statement S's contraction, a dot, shares with something
   slow; NULL when there is none.  Fills KERNEL.  */
static tns_tree *
shared_column (const tns_planner *p, int s, bool *kernel)
{
  tns_contraction c;
  tns_contraction other;
  bool is_slow = false;
  if (!tns_contraction_at (p, s, &c) || !c.dot || !c.column)
    return NULL;
  long trip = tns_dim_trip (p->scop, c.column);
  if ((trip > 0 && trip <= c.columns) || c.column->body->kind != TNS_TREE_SEQ
      || has_rows_in_common (p, &c))
    return NULL;
  for (int t = 0; t < p->scop->n_stmts; t++)
    {
      kernel[t] = tns_contraction_at (p, t, &other);
      is_slow |= t != s && tns_tree_has (c.column, t)
                 && tns_stmt_is_slow (&p->scop->stmt[t]);
    }
  return is_slow ? c.column : NULL;
}

/* A common tile of SIZE values of DIM, above statement S, for loops of their
   own around each of KERNEL.  False when that is not legal.  */
static bool
share_dim (tns_planner *p, int s, const tns_tree *dim, int size,
           const bool *kernel)
{
  const char *name = dim->name;
  tns_tree *tree = tns_step_tile (p->ctx->arena, p->tree, s, name, size);
  if (tree)
    tree = split_kernels (p, tree, s, points_of (p, name), kernel);
  for (int t = 0; tree && t < p->scop->n_stmts; t++)
    if (kernel[t] && t != s && tns_ctx_breaks (p->ctx, "share"))
      tree = tns_step_swap (p->ctx->arena, tree, s, t);
  if (!tns_step_holds (p, "share", tree, NULL))
    return false;
  tns_planner_take (p, tree, "share %s in %s: %d", name, p->scop->stmt[s].name,
                    size);
  return true;
}

bool
tns_plan_share_at (tns_planner *planner, int stmt, const char *name)
{
  bool *kernel
    = TNS_NEW_ARRAY (planner->ctx->arena, bool, planner->scop->n_stmts);
  const tns_tree *row = shared_row (planner, stmt, kernel);
  if (row && (!name || !strcmp (row->name, name))
      && share_dim (planner, stmt, row, SHARED_ROWS, kernel))
    return true;
  const tns_tree *column = shared_column (planner, stmt, kernel);
  return column && (!name || !strcmp (column->name, name))
         && share_dim (planner, stmt, column, SHARED_COLUMNS, kernel);
}

/* The values of the inner DIM of C in a block: as many as fill half of the
   first cache with a tile's columns.  */
static long
depth_of_block (const tns_planner *p, const tns_contraction *c)
{
  tns_elem elem = p->scop->array[c->target->array].sym->type.elem;
  long bytes = c->columns * tns_elem_bytes (elem);
  long depth = (long) (p->machine->l1_bytes / 2) / bytes;
  return (depth + 63) / 64 * 64;
}

/* DIM takes at most MOST values.  */
static bool
is_short (const tns_planner *p, const tns_tree *dim, long most)
{
  long trip = tns_dim_trip (p->scop, dim);
  return trip > 0 && trip <= most;
}

/* The tree with C in blocks of DEPTH values; NULL when a step does not
   apply.  */
static tns_tree *
block_tree (const tns_planner *p, const tns_contraction *c, long depth)
{
  tns_arena *arena = p->ctx->arena;
  const char *inner = c->inner[0]->name;
  const char *above[1] = { tns_arena_format (arena, "%s.0", inner) };
  const tns_tree *plain = tns_ctx_breaks (p->ctx, "block")
                            ? tns_step_reverse (arena, p->tree, c->stmt, inner)
                            : p->tree;
  tns_tree *tree = tns_step_tile (arena, plain, c->stmt, inner, depth);
  tree = tns_step_below (arena, tree, c->stmt, c->column->name, 1, above);
  return tns_step_below (arena, tree, c->stmt, c->row->name, 1, above);
}

/* The first block of C's inner DIM, whose blocks are DEPTH long: that of its
   least value where this is known, else that of 0.  */
static long
first_block (const tns_planner *p, const tns_contraction *c, long depth)
{
  const tns_stmt *stmt = &p->scop->stmt[c->stmt];
  const tns_sym *iter = tns_dim_iter (p->scop, c->inner[0], c->stmt);
  long long least = 0;
  for (int k = 0; k < stmt->n_iters; k++)
    if (stmt->iter[k] == iter && stmt->loop[k]->step > 0
        && tns_expr_is_int (stmt->loop[k]->lo, &least) && least >= 0)
      return (long) (least / depth);
  return 0;
}

/* The nest that stands STEP places from the DIM called NAME above STMT in TREE;
   NULL when there is none.  */
static const tns_tree *
nest_beside (const tns_tree *tree, int stmt, const char *name, int step)
{
  const tns_tree *beside = NULL;
  while (tree->kind == TNS_TREE_SEQ || strcmp (tree->name, name))
    if (tree->kind == TNS_TREE_DIM)
      {
        beside = NULL;
        tree = tree->body;
      }
    else
      {
        int k = 0;
        while (!tns_tree_has (tree->kid[k], stmt))
          k++;
        int at = k + step;
        beside = at >= 0 && at < tree->n_kids ? tree->kid[at] : NULL;
        tree = tree->kid[k];
      }
  return beside;
}

/* NEST has two DIMs, one in the other, around what it does.  */
static bool
is_pair (const tns_tree *nest)
{
  return nest && nest->kind == TNS_TREE_DIM && nest->body->kind == TNS_TREE_DIM
         && tns_tree_depth (nest) == 2;
}

/* What NEST does first writes cells of C's target, or packs an operand.  */
static bool
begins (const tns_planner *p, const tns_tree *nest, const tns_contraction *c)
{
  const tns_stmt *stmt = &p->scop->stmt[tns_tree_first_stmt (nest)];
  for (int a = 0; a < stmt->n_accesses; a++)
    if (stmt->access[a].write && stmt->access[a].array == c->target->array)
      return true;
  return stmt->node->apart;
}

/* What C, in blocks of DEPTH values, finds done for each of its cells, by a
   nest of two DIMs before the blocks, is done with the first block.  */
static void
embed_first (tns_planner *p, const tns_contraction *c, long depth)
{
  tns_arena *arena = p->ctx->arena;
  const tns_scop *scop = p->scop;
  const char *blocks = tns_arena_format (arena, "%s.0", c->inner[0]->name);
  const tns_tree *nest = nest_beside (p->tree, c->stmt, blocks, -1);
  if (!is_pair (nest) || !begins (p, nest, c))
    return;
  int first = tns_tree_first_stmt (nest);
  long value = first_block (p, c, depth);
  tns_tree *embedded = tns_step_embed (arena, p->tree, first, c->stmt, value);
  tns_tree *row = tns_step_fuse (arena, embedded, first, c->stmt, 0);
  tns_tree *tree = row ? tns_step_fuse (arena, row, first, c->stmt, 0) : NULL;
  if (!tree || !tns_tree_check (p->ctx, p->deps, tree, NULL))
    return;
  const char *a = scop->stmt[first].name;
  const char *b = scop->stmt[c->stmt].name;
  tns_planner_take (p, embedded, "embed %s in %s: %s:%ld", a, b, blocks, value);
  tns_planner_take (p, row, "fuse %s %s at %s", a, b, nest->name);
  tns_planner_take (p, tree, "fuse %s %s at %s", a, b, nest->body->name);
}

/* The place of ITER among statement S's iterators, or -1.  */
static int
place_of (const tns_scop *scop, int s, const tns_sym *iter)
{
  for (int k = 0; k < scop->stmt[s].n_iters; k++)
    if (scop->stmt[s].iter[k] == iter)
      return k;
  return -1;
}

/* The last value of DIM, the blocks of a loop around statement S, for
   statement T's instances, into *ROW; false where it follows from more than
   their iterators.  */
static bool
last_block (const tns_planner *p, const tns_tree *dim, int s, int t,
            tns_row *row)
{
  const tns_scop *scop = p->scop;
  const tns_row *block = dim->row[s];
  const tns_sym *iter = tns_dim_iter (scop, dim, s);
  int inner = iter ? place_of (scop, s, iter) : -1;
  tns_affine hi;
  if (inner < 0 || block->coef[inner] != 1
      || scop->stmt[s].loop[inner]->step != 1
      || !tns_affine_of (p->ctx->arena, scop->stmt[s].loop[inner]->hi, &hi))
    return false;
  long last = tns_ctx_breaks (p->ctx, "sink") ? block->divisor + 1 : 1;
  *row = (tns_row){ .constant = block->constant + (long) hi.constant - last,
                    .divisor = block->divisor };
  for (int k = 0; k < hi.n; k++)
    {
      int at = place_of (scop, t, hi.sym[k]);
      if (at < 0 || hi.factor[k] > INT_MAX || hi.factor[k] < -INT_MAX)
        return false;
      row->coef[at] = (long) hi.factor[k];
    }
  return true;
}

tns_tree *
tns_plan_sunk (const tns_planner *planner, int stmt, int into)
{
  const tns_tree *tree = planner->tree;
  const tns_tree *dim = NULL;
  tns_row row;
  while (tree && tns_tree_has (tree, stmt) && tree->kind != TNS_TREE_LEAF)
    {
      const tns_tree *next = tree->kind == TNS_TREE_DIM ? tree->body : NULL;
      for (int k = 0; tree->kind == TNS_TREE_SEQ && k < tree->n_kids; k++)
        if (tns_tree_has (tree->kid[k], into))
          next = tree->kid[k];
      tree = dim = next;
    }
  if (!dim || dim->kind != TNS_TREE_DIM || !tns_tree_has (dim, into)
      || !last_block (planner, dim, into, stmt, &row))
    return NULL;
  return tns_step_sink (planner->ctx->arena, planner->tree, stmt, into, &row);
}

/* C's rows are those of a tile in common with others: its cells are few, and
   sweeps over them short.  */
static bool
is_shared (const tns_contraction *c)
{
  size_t length = strlen (c->row->name);
  return length > 2 && !strcmp (c->row->name + length - 2, ".1");
}

/* What C, in blocks, finds done for each of its cells by a nest of two DIMs
   behind the blocks is done with the last block.  */
static void
sink_last (tns_planner *p, const tns_contraction *c)
{
  tns_arena *arena = p->ctx->arena;
  const char *blocks = tns_arena_format (arena, "%s.0", c->inner[0]->name);
  const tns_tree *nest = nest_beside (p->tree, c->stmt, blocks, 1);
  if (!is_shared (c) || !is_pair (nest))
    return;
  int last = tns_tree_first_stmt (nest);
  tns_tree *sunk = tns_plan_sunk (p, last, c->stmt);
  tns_tree *row = sunk ? tns_step_fuse (arena, sunk, c->stmt, last, 0) : NULL;
  tns_tree *tree = row ? tns_step_fuse (arena, row, c->stmt, last, 0) : NULL;
  if (!tree || !tns_tree_check (p->ctx, p->deps, tree, NULL))
    return;
  const char *a = p->scop->stmt[c->stmt].name;
  const char *b = p->scop->stmt[last].name;
  tns_planner_take (p, sunk, "sink %s in %s: %s", b, a, blocks);
  tns_planner_take (p, row, "fuse %s %s at %s", a, b, c->row->name);
  tns_planner_take (p, tree, "fuse %s %s at %s", a, b, c->column->name);
}

bool
tns_plan_block_at (tns_planner *planner, int stmt, long depth)
{
  tns_contraction c;
  bool breaks = tns_ctx_breaks (planner->ctx, "block");
  if (!tns_contraction_at (planner, stmt, &c) || c.dot || c.strip || c.blocked
      || c.n_inner != 1 || (c.inner[0]->role == TNS_ROLE_ORDERED && !breaks))
    return false;
  bool is_ours = depth < 2;
  if (is_ours)
    {
      depth = depth_of_block (planner, &c);
      if (is_short (planner, c.inner[0], depth + depth / 2))
        return false;
    }
  tns_tree *tree = block_tree (planner, &c, depth);
  if (!tns_step_holds (planner, "block", tree, NULL))
    return false;
  tns_planner_take (planner, tree, "block %s: %s:%ld",
                    planner->scop->stmt[stmt].name, c.inner[0]->name, depth);
  if (is_ours)
    {
      embed_first (planner, &c, depth);
      sink_last (planner, &c);
    }
  return true;
}

void
tns_plan_blocks (tns_planner *planner)
{
  if (planner->ctx->wish.tile.off)
    return;
  for (int s = 0; s < planner->scop->n_stmts; s++)
    if (tns_plan_share_at (planner, s, NULL))
      tns_plan_share_at (planner, s, NULL);
  for (int s = 0; s < planner->scop->n_stmts; s++)
    tns_plan_block_at (planner, s, 0);
}
