/* Threads and lanes: the last steps.

   parallel   schedule/threads.c; where the outermost FREE DIM is also the
              innermost, it is tiled first: threads take tiles, lanes the
              values in a tile
   unroll     rows around one or two vectors of constant extents, which share
              operands
   simd       each innermost DIM that is FREE or a REDUCTION, with as many
              lanes as the widest element leaves; a REDUCTION with
              ACCUMULATORS partial results, for the latency of an add  */

#include <string.h>

#include "ir/stride.h"
#include "schedule/check.h"
#include "ir/walk.h"
#include "schedule/planner.h"
#include "schedule/step.h"

#define CHUNK              4096
#define ACCUMULATORS       4
#define OPERATIONS_A_CYCLE 4
#define LEAST_BYTES        16
#define MOST_ROWS          8
#define MOST_PICKED        4
#define LEAST_PICKED       4

/* Whether there is a DIM below TREE.  */
static bool
has_dim (const tns_tree *tree)
{
  return tns_tree_depth (tree) > 0;
}

/* The visitor that looks for a loop.  */
static bool
note_loop (tns_node *node, void *self)
{
  bool *found = self;
  *found |= node->kind == TNS_LOOP;
  return !*found;
}

/* A statement below TREE has loops in it.  */
static bool
holds_loops (const tns_scop *scop, const tns_tree *tree)
{
  bool found = false;
  for (int s = 0; s < scop->n_stmts; s++)
    if (tns_tree_has (tree, s))
      tns_node_walk (scop->stmt[s].node, note_loop, &found);
  return found;
}

/* The bytes of the widest element that the statements below DIM touch.  */
static int
widest (const tns_scop *scop, const tns_tree *dim)
{
  int bytes = 1;
  for (int s = 0; s < scop->n_stmts; s++)
    if (tns_tree_has (dim, s))
      for (int a = 0; a < scop->stmt[s].n_accesses; a++)
        {
          const tns_access *access = &scop->stmt[s].access[a];
          tns_elem elem = scop->array[access->array].sym->type.elem;
          int wide = tns_elem_bytes (elem);
          bytes = wide > bytes ? wide : bytes;
        }
  return bytes;
}

/* The copies of DIM's body that the DIMs above it ask for.  */
static int
copies_around (const tns_planner *p, const tns_tree *dim)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path (p->tree, tns_tree_first_stmt (dim), path);
  int copies = 1;
  for (int k = 0; k < n && path[k] != dim; k++)
    if (path[k]->marks.unroll > 1)
      copies *= path[k]->marks.unroll;
  return copies;
}

/* At most ACCUMULATORS partial results of DIM in LANES: as many as hide the
   latency of an update behind other iterations, OPERATIONS_A_CYCLE of whose
   operations are done at a time, and as code has room for; 0: not even
   one.  */
static int
fitting_accumulators (const tns_planner *p, const tns_tree *dim, int lanes,
                      int accumulators)
{
  long operations = tns_dim_operations (p, dim, lanes) * copies_around (p, dim);
  long hidden = (long) p->machine->fma_latency * OPERATIONS_A_CYCLE;
  long needed = (hidden + operations - 1) / (operations > 0 ? operations : 1);
  int most = needed < accumulators ? (int) needed : accumulators;
  return tns_fitting_copies (operations, most);
}

void
tns_dim_mark_simd (tns_planner *planner, tns_tree *dim, int lanes)
{
  dim->marks.simd = lanes;
  if (!dim->marks.chunks)
    {
      dim->marks.n_reductions = dim->n_carried;
      dim->marks.reductions = dim->carried;
    }
  long trip = tns_dim_trip (planner->scop, dim);
  long vectors = trip > 0 ? (trip + lanes - 1) / lanes : ACCUMULATORS;
  if (dim->role == TNS_ROLE_REDUCTION)
    {
      int most = (int) (vectors < ACCUMULATORS ? vectors : ACCUMULATORS);
      most = fitting_accumulators (planner, dim, lanes, most);
      dim->marks.accumulators = most > 1 ? most : 1;
    }
  tns_text_line (&planner->steps, "simd %s in %s: %d", dim->name,
                 planner->scop->stmt[tns_tree_first_stmt (dim)].name, lanes);
}

void
tns_dim_mark_unroll (tns_planner *planner, tns_tree *dim, int copies)
{
  dim->marks.unroll = copies;
  dim->marks.n_reductions = dim->n_carried;
  dim->marks.reductions = dim->carried;
  tns_text_line (&planner->steps, "unroll %s in %s: %d", dim->name,
                 planner->scop->stmt[tns_tree_first_stmt (dim)].name, copies);
}

/* ACCESS, along ITER, reads whole vectors and picks lanes from them
   (lowering/generic-stride.cc).  */
static bool
is_picked (const tns_scop *scop, const tns_access *access, const tns_sym *iter)
{
  long long elements = 0;
  return !access->write && access->update == TNS_NONE
         && tns_elem_bytes (access->expr->type.elem) >= LEAST_PICKED
         && tns_access_distance (scop->ctx->arena, access->expr, iter,
                                 &elements)
         && elements > 1 && elements <= MOST_PICKED;
}

/* Most accesses below DIM move by one element or not at all with it, or pick
   from whole vectors.  */
static bool
suits_lanes (const tns_scop *scop, const tns_tree *dim)
{
  int near = 0;
  int far = 0;
  for (int s = 0; s < scop->n_stmts; s++)
    if (tns_tree_has (dim, s))
      for (int a = 0; a < scop->stmt[s].n_accesses; a++)
        {
          const tns_access *access = &scop->stmt[s].access[a];
          const tns_sym *iter = tns_dim_iter (scop, dim, s);
          tns_stride stride = TNS_STRIDE_FAR;
          if (access->expr && iter)
            stride = tns_storage_stride (scop, &scop->stmt[s], access, iter);
          near += stride == TNS_STRIDE_UNIT;
          far += stride > TNS_STRIDE_UNIT
                 && !(stride == TNS_STRIDE_SHORT
                      && is_picked (scop, access, iter));
        }
  return far <= near;
}

int
tns_dim_lanes (const tns_planner *planner, const tns_tree *dim)
{
  return planner->machine->vector_bytes / widest (planner->scop, dim);
}

long
tns_dim_most (const tns_planner *planner, tns_tree *dim)
{
  int stmt = tns_tree_first_stmt (dim);
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path (planner->tree, stmt, path);
  long most = tns_dim_trip (planner->scop, dim);
  for (int k = 0; k < n; k++)
    if (tns_dim_iter (planner->scop, path[k], stmt)
          == tns_dim_iter (planner->scop, dim, stmt)
        && path[k]->row[stmt]->divisor > 1
        && (most == 0 || path[k]->row[stmt]->divisor < most))
      most = path[k]->row[stmt]->divisor;
  return most;
}

/* The lanes of DIM, which takes at most MOST values when that is known: fewer
   than a vector has where it is FREE and fills them.  */
static int
fitting_lanes (const tns_planner *p, const tns_tree *dim, long most)
{
  int lanes = tns_dim_lanes (p, dim);
  int bytes = lanes > 0 ? p->machine->vector_bytes / lanes : 0;
  int fewer = lanes;
  while (most > 0 && fewer > most && fewer * bytes > LEAST_BYTES)
    fewer /= 2;
  bool fills = dim->role == TNS_ROLE_FREE && most > 0 && most % fewer == 0;
  return fills ? fewer : lanes;
}

/* DIM stands in a DIM with lanes.  */
static bool
is_in_lanes (const tns_planner *p, tns_tree *dim)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path (p->tree, tns_tree_first_stmt (dim), path);
  for (int k = 0; k < n && path[k] != dim; k++)
    if (path[k]->marks.simd)
      return true;
  return false;
}

/* Mark DIM simd when it may be.  */
static void
mark_simd (tns_planner *p, tns_tree *dim, void *self)
{
  (void) self;
  long most = tns_dim_most (p, dim);
  int lanes = fitting_lanes (p, dim, most);
  if (!has_dim (dim->body) && !is_in_lanes (p, dim)
      && dim->role != TNS_ROLE_ORDERED && !dim->marks.simd && lanes >= 2
      && (most == 0 || most * 2 >= lanes) && suits_lanes (p->scop, dim)
      && fitting_accumulators (p, dim, lanes, 1) > 0)
    tns_dim_mark_simd (p, dim, lanes);
}

/* Some access below DIM, to an array, stays where it is in DIM.  */
static bool
has_shared (const tns_scop *scop, const tns_tree *dim)
{
  for (int s = 0; s < scop->n_stmts; s++)
    for (int a = 0; tns_tree_has (dim, s) && a < scop->stmt[s].n_accesses; a++)
      {
        const tns_access *access = &scop->stmt[s].access[a];
        const tns_sym *iter = tns_dim_iter (scop, dim, s);
        if (iter && access->expr && access->expr->n_args > 0
            && tns_storage_stride (scop, &scop->stmt[s], access, iter)
                 == TNS_STRIDE_FIXED)
          return true;
      }
  return false;
}

/* Jam the rows of a small constant tile: DIM is FREE and its body a DIM of one
   or two vectors that share what DIM leaves where it is.  */
static void
mark_rows (tns_planner *p, tns_tree *dim, void *self)
{
  (void) self;
  tns_tree *lane = dim->body;
  long rows = tns_dim_trip (p->scop, dim);
  if (dim->role != TNS_ROLE_FREE || dim->marks.unroll || dim->marks.simd
      || lane->kind != TNS_TREE_DIM || has_dim (lane->body)
      || lane->role != TNS_ROLE_FREE || lane->marks.simd || rows < 2)
    return;
  long most = tns_dim_most (p, lane);
  int lanes = fitting_lanes (p, lane, most);
  int copies = rows <= MOST_ROWS ? (int) rows : MOST_ROWS / 2;
  if (most > 0 && lanes >= 2 && most % lanes == 0 && most <= 2 * lanes
      && tns_dim_most (p, dim) == rows && rows % copies == 0
      && suits_lanes (p->scop, lane) && has_shared (p->scop, dim)
      && tns_fitting_copies (tns_dim_operations (p, lane, lanes), copies)
           == copies)
    tns_dim_mark_unroll (p, dim, copies);
}

/* NEST is two DIMs around one statement, the rows and columns of the tile whose
   rows are DIM.  */
static bool
is_same_tile (const tns_tree *dim, const tns_tree *nest)
{
  return nest->kind == TNS_TREE_DIM && nest->body->kind == TNS_TREE_DIM
         && nest->body->body->kind == TNS_TREE_LEAF
         && nest->role == TNS_ROLE_FREE && nest->body->role == TNS_ROLE_FREE
         && !nest->marks.unroll && !nest->body->marks.simd
         && !strcmp (nest->name, dim->name)
         && !strcmp (nest->body->name, dim->body->name);
}

/* The rows of the tile in registers below TREE; NULL when there is none.  */
static tns_tree *
rows_of_tile (tns_tree *tree)
{
  while (tree->kind == TNS_TREE_DIM && tree->marks.unroll < 2)
    tree = tree->body;
  return tree->kind == TNS_TREE_DIM && tree->body->kind == TNS_TREE_DIM
             && tree->body->marks.simd > 1
           ? tree
           : NULL;
}

/* NEST, beside the tile whose rows are ROWS, gets as many copies where it is
   done for the tile's cells and is not too large.  */
static void
mark_copies (tns_planner *p, const tns_tree *rows, tns_tree *nest)
{
  const tns_marks *column = &rows->body->marks;
  int copies = rows->marks.unroll * (column->unroll ? column->unroll : 1);
  if (!is_same_tile (rows, nest))
    return;
  long operations = tns_dim_operations (p, nest->body, column->simd);
  if (tns_fitting_copies (operations, copies) < copies)
    return;
  tns_dim_mark_unroll (p, nest, rows->marks.unroll);
  tns_dim_mark_simd (p, nest->body, column->simd);
  if (column->unroll > 1)
    tns_dim_mark_unroll (p, nest->body, column->unroll);
}

/* The columns of the strip in registers below TREE, a sum around vectors; NULL
   when there is none.  */
static const tns_tree *
columns_of_strip (const tns_tree *tree)
{
  if (tree->kind != TNS_TREE_DIM || tree->role != TNS_ROLE_REDUCTION
      || tree->marks.unroll > 1)
    return NULL;
  tree = tree->body;
  return tree->kind == TNS_TREE_DIM && tree->body->kind == TNS_TREE_LEAF
             && tree->marks.simd > 1 && tree->marks.unroll > 1
           ? tree
           : NULL;
}

/* NEST, beside the strip of COLUMNS, gets as many vectors side by side where it
   is done for the strip's cells and is not too large.  */
static void
mark_vectors (tns_planner *p, const tns_tree *columns, tns_tree *nest)
{
  const tns_marks *marks = &columns->marks;
  if (nest->kind != TNS_TREE_DIM || nest->body->kind != TNS_TREE_LEAF
      || nest->role != TNS_ROLE_FREE || nest->marks.simd || nest->marks.unroll
      || strcmp (nest->name, columns->name))
    return;
  long operations = tns_dim_operations (p, nest, marks->simd);
  if (tns_fitting_copies (operations, marks->unroll) < marks->unroll)
    return;
  tns_dim_mark_unroll (p, nest, marks->unroll);
  tns_dim_mark_simd (p, nest, marks->simd);
}

/* TILE has what is done for its cells BESIDE it.  */
static void
mark_neighbour (tns_planner *p, tns_tree *tile, tns_tree *beside)
{
  const tns_tree *rows = rows_of_tile (tile);
  const tns_tree *columns = columns_of_strip (tile);
  if (rows)
    mark_copies (p, rows, beside);
  else if (columns)
    mark_vectors (p, columns, beside);
}

/* Below TREE, what is done for the cells of a tile in registers, beside it, is
   done with as many copies, so that these are neighbours.  */
static void
mark_beside (tns_planner *p, tns_tree *tree)
{
  if (tree->kind == TNS_TREE_DIM)
    mark_beside (p, tree->body);
  if (tree->kind != TNS_TREE_SEQ)
    return;
  for (int k = 0; k < tree->n_kids; k++)
    mark_beside (p, tree->kid[k]);
  for (int k = 0; k < tree->n_kids; k++)
    {
      if (k > 0)
        mark_neighbour (p, tree->kid[k], tree->kid[k - 1]);
      if (k + 1 < tree->n_kids)
        mark_neighbour (p, tree->kid[k], tree->kid[k + 1]);
    }
}

/* The first statement under an outermost FREE DIM that is innermost too and not
   known to take a chunk's values at most, or -1; *NAME is the DIM's.  */
static int
lonely_free (const tns_planner *p, tns_tree *tree, const char **name)
{
  if (tree->kind == TNS_TREE_LEAF)
    return -1;
  if (tree->kind == TNS_TREE_DIM && tree->role == TNS_ROLE_FREE)
    {
      long most = tns_dim_most (p, tree);
      *name = tree->name;
      return has_dim (tree->body) || holds_loops (p->scop, tree)
                 || (most > 0 && most <= CHUNK) || tns_dim_is_short (p, tree)
               ? -1
               : tns_tree_first_stmt (tree);
    }
  if (tree->kind == TNS_TREE_DIM)
    return lonely_free (p, tree->body, name);
  for (int k = 0; k < tree->n_kids; k++)
    {
      int stmt = lonely_free (p, tree->kid[k], name);
      if (stmt >= 0)
        return stmt;
    }
  return -1;
}

/* The tile loop NAME.0 above statement S goes outside of all loops that are
   perfectly nested around it, when that is legal: a tile then stays in the
   cache while those run.

     for t for i.0 for i.1   ->   for i.0 for t for i.1

   Whether it is.  */
static bool
hoist_tile (tns_planner *p, int s, const char *name)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  const char *order[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path (p->tree, s, path);
  int first = n - 1;
  while (first > 0 && path[first - 1]->body == path[first])
    first--;
  int count = 0;
  order[count++] = tns_arena_format (p->ctx->arena, "%s.0", name);
  for (int k = first; k < n; k++)
    if (strcmp (path[k]->name, order[0]))
      order[count++] = path[k]->name;
  if (count < 3 || count != n - first)
    return false;
  tns_tree *tree = tns_step_order (p->ctx->arena, p->tree, s, count, order);
  if (!tree || !tns_tree_check (p->ctx, p->deps, tree, NULL))
    return false;
  tns_text words = tns_text_new (p->ctx->arena);
  for (int k = 0; k < count; k++)
    tns_text_format (&words, " %s", order[k]);
  tns_planner_take (p, tree, "order %s:%s", p->scop->stmt[s].name,
                    tns_text_chars (&words));
  return true;
}

/* Forget the steps behind the first LENGTH characters: TREE is what those
   before it made.  */
static void
take_back (tns_planner *p, tns_tree *tree, size_t length)
{
  p->tree = tree;
  p->steps.length = length;
  if (p->steps.chars)
    p->steps.chars[length] = '\0';
}

/* Tile every lonely FREE DIM; tiles of neighbours may then be fused.  Without
   THREADS tiles that neither move nor fuse gain nothing.  */
static void
tile_lonely (tns_planner *p, bool threads)
{
  const char *name = NULL;
  tns_tree *before = p->tree;
  size_t length = p->steps.length;
  bool gains = threads;
  int stmt;
  while ((stmt = lonely_free (p, p->tree, &name)) >= 0)
    {
      tns_tree *tiled
        = tns_step_tile (p->ctx->arena, p->tree, stmt, name, CHUNK);
      if (!tiled || !tns_tree_check (p->ctx, p->deps, tiled, NULL))
        break;
      tns_planner_take (p, tiled, "tile %s in %s: %d", name,
                        p->scop->stmt[stmt].name, CHUNK);
      gains |= hoist_tile (p, stmt, name);
    }
  size_t tiles = p->steps.length;
  if (p->tree != before)
    tns_plan_fuse (p);
  if (!gains && p->steps.length == tiles)
    take_back (p, before, length);
}

/* Mark DIM as a recurrence when it is one.  */
static void
mark_carry (tns_planner *p, tns_tree *dim, void *self)
{
  (void) self;
  tns_dim_mark_carry (p, dim);
}

void
tns_plan_marks (tns_planner *planner)
{
  const tns_wish *wish = &planner->ctx->wish;
  bool threads = planner->ctx->flags.openmp && !wish->parallel.off
                 && wish->parallel.n == 0;
  if (wish->tile.n == 0 && !wish->tile.off)
    tile_lonely (planner, threads || wish->parallel.n > 0);
  if (!wish->simd.off && !wish->tile.off && wish->unroll.n == 0)
    tns_tree_dims (planner, planner->tree, mark_rows, NULL);
  if (threads)
    {
      tns_plan_threads (planner);
      tns_plan_tasks (planner);
    }
  if (!wish->simd.off && !wish->tile.off && wish->unroll.n == 0)
    mark_beside (planner, planner->tree);
  if (!wish->simd.off)
    tns_tree_dims (planner, planner->tree, mark_simd, NULL);
  tns_plan_aligns (planner);
  tns_plan_skews (planner);
  tns_tree_dims (planner, planner->tree, mark_carry, NULL);
}
