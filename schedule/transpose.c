/* Copies that transpose.

     for k for j  P[k][j] = B[j][k]
       ->  for j.0 for k for j.1 simd(16)  P[k][j] = B[j][k]

   The stores of a tile fill whole cache lines; the lines of B that one k
   touches, as many as there are lanes, serve the next ones.  What is copied in
   blocks that are no larger stays as it is.  */

#include <string.h>

#include "ir/affine.h"
#include "schedule/check.h"
#include "schedule/planner.h"
#include "schedule/step.h"

/* The read of statement S, a plain copy of one array's element to another;
   *WRITE is set to the store.  NULL when S is none.  */
static const tns_access *
copy_read (const tns_stmt *stmt, const tns_access **write)
{
  const tns_node *node = stmt->node;
  if (node->kind != TNS_ASSIGN || node->update != TNS_NONE
      || node->value->op != TNS_LOAD || stmt->n_accesses != 2)
    return NULL;
  int w = stmt->access[0].write ? 0 : 1;
  const tns_access *read = &stmt->access[1 - w];
  *write = &stmt->access[w];
  bool known = (*write)->write && !read->write && (*write)->expr && read->expr;
  return known && !(*write)->may ? read : NULL;
}

/* The FREE DIM among PATH[0..N) above STMT that moves NEAR by one element and
   FAR by more; NULL when there is none.  */
static tns_tree *
find_dim (const tns_planner *p, int s, int n, tns_tree **path,
          const tns_access *near, const tns_access *far)
{
  const tns_stmt *stmt = &p->scop->stmt[s];
  for (int k = 0; k < n; k++)
    {
      const tns_sym *iter = tns_dim_iter (p->scop, path[k], s);
      bool is_free = path[k]->role == TNS_ROLE_FREE
                     || tns_ctx_breaks (p->ctx, "transpose");
      if (iter && is_free && path[k]->row[s]->divisor == 1
          && tns_storage_stride (p->scop, stmt, near, iter) == TNS_STRIDE_UNIT
          && tns_storage_stride (p->scop, stmt, far, iter) > TNS_STRIDE_UNIT)
        return path[k];
    }
  return NULL;
}

/* DIM alone stands in its loop, down to statement S.  */
static bool
is_perfect (const tns_tree *dim)
{
  while (dim->kind == TNS_TREE_DIM && !dim->marks.unroll && !dim->marks.simd)
    dim = dim->body;
  return dim->kind == TNS_TREE_LEAF;
}

/* COLUMN, above statement S, has no more than LANES iterations at a time.  */
static bool
is_block (const tns_planner *p, int s, const tns_tree *column, int lanes)
{
  tns_arena *arena = p->ctx->arena;
  const tns_stmt *stmt = &p->scop->stmt[s];
  const tns_node *loop = NULL;
  for (int k = 0; k < stmt->n_iters; k++)
    if (stmt->iter[k] == tns_dim_iter (p->scop, column, s))
      loop = stmt->loop[k];
  if (!loop)
    return false;
  tns_sum lo = tns_sum_scale (arena, tns_sum_of (arena, loop->lo), -1);
  tns_sum length = tns_sum_add (arena, tns_sum_of (arena, loop->hi), lo);
  long long n;
  return tns_sum_is_int (length, &n) && n / loop->step <= lanes;
}

/* The tree with COLUMN in tiles of LANES around the chain PATH[FIRST..N).  */
static tns_tree *
tile_column (const tns_planner *p, int s, int first, int n, tns_tree **path,
             const tns_tree *column, int lanes)
{
  tns_arena *arena = p->ctx->arena;
  const char *name[2 * TNS_MAX_DEPTH + 2];
  int count = 0;
  name[count++] = tns_arena_format (arena, "%s.0", column->name);
  for (int k = first; k < n; k++)
    if (path[k] != column)
      name[count++] = path[k]->name;
  name[count++] = tns_arena_format (arena, "%s.1", column->name);
  tns_tree *tree = tns_step_tile (arena, p->tree, s, column->name, lanes);
  return tree ? tns_step_order (arena, tree, s, count, name) : NULL;
}

bool
tns_plan_transpose_at (tns_planner *p, int s)
{
  const tns_access *write = NULL;
  const tns_access *read = copy_read (&p->scop->stmt[s], &write);
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path (p->tree, s, path);
  tns_tree *column = read ? find_dim (p, s, n, path, write, read) : NULL;
  tns_tree *row = read ? find_dim (p, s, n, path, read, write) : NULL;
  if (!column || !row)
    return false;
  int first = 0;
  while (path[first] != column && path[first] != row)
    first++;
  tns_elem elem = p->scop->array[write->array].sym->type.elem;
  int lanes = p->machine->vector_bytes / tns_elem_bytes (elem);
  if (lanes < 2 || is_block (p, s, column, lanes) || !is_perfect (path[first]))
    return false;
  const char *name = column->name;
  tns_tree *tree = tile_column (p, s, first, n, path, column, lanes);
  if (!tns_step_holds (p, "transpose", tree, NULL))
    return false;
  const char *stmt = p->scop->stmt[s].name;
  tns_planner_take (p, tree, "transpose %s: %s:%d", stmt, name, lanes);
  tns_tree_path (p->tree, s, path);
  path[n]->marks.simd = lanes;
  return true;
}

void
tns_plan_transposes (tns_planner *planner)
{
  const tns_wish *wish = &planner->ctx->wish;
  if (wish->tile.off || wish->tile.n > 0 || wish->simd.off)
    return;
  for (int s = 0; s < planner->scop->n_stmts; s++)
    tns_plan_transpose_at (planner, s);
}
