/* Lanes that would be mostly empty.

     for i                        for i
       for j < m           ->       for k < i
         for k < i                    for j < m in 8 lanes
           c[k][j] += ...                c[k][j] += ...

   Where the loops as written put others inside of the one that the lanes lie
   along, these are as fast with one of its iterations as with eight: a guard
   leaves calls with less than a quarter of a vector of them to these; with less
   than a vector where the innermost statement stores, since what is stored
   under a mask is not loaded again before it is in the cache.

   Where an innermost loop goes along a row that the loop around changes again,

     for i {  for k < m  s += w[k] * x[i + k];
              for k < m  w[k] += s * x[i + k];  }

   and the row is shorter than a vector, it waits for what was just stored in
   pieces or under a mask: these calls are left, too.

   Does not do: regions of several nests, which may gain elsewhere; rows in
   registers around the lanes, which share what these leave; lanes that the user
   asked for.  */

#include "ir/flat.h"
#include "schedule/planner.h"

/* STMT stores to memory that stays.  */
static bool
stores (const tns_scop *scop, const tns_stmt *stmt)
{
  for (int k = 0; k < stmt->n_accesses; k++)
    {
      const tns_array *array = &scop->array[stmt->access[k].array];
      if (stmt->access[k].write && array->sym->rank > 0 && !array->dead_after)
        return true;
    }
  return false;
}

/* The DIM of the lanes among PATH[0..N), NULL where there is none, or where
   rows in registers stand around it.  */
static const tns_tree *
lanes_of (int n, tns_tree *const *path)
{
  for (int k = 0; k < n; k++)
    {
      if (path[k]->marks.simd > 1)
        return path[k];
      if (path[k]->marks.unroll > 1 && path[k]->role == TNS_ROLE_FREE)
        return NULL;
    }
  return NULL;
}

/* The iterations of the loop of statement S that LANES of its vectors in PLAN
   lie along, where others stood in it; NULL where there is nothing to ask.  */
static tns_expr *
trip_to_ask (tns_arena *arena, const tns_plan *plan, int s, int *lanes)
{
  const tns_stmt *stmt = &plan->scop->stmt[s];
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path (plan->tree, s, path);
  const tns_tree *dim = lanes_of (n, path);
  const tns_sym *iter = dim ? tns_dim_iter (plan->scop, dim, s) : NULL;
  for (int k = 0; iter && k < stmt->n_iters - 1; k++)
    {
      const tns_node *loop = stmt->loop[k];
      if (stmt->iter[k] != iter || loop->step != 1
          || !tns_is_over_values (loop->lo) || !tns_is_over_values (loop->hi))
        continue;
      *lanes = dim->marks.simd;
      return tns_binary (arena, TNS_SUB, loop->hi, loop->lo);
    }
  return NULL;
}

/* A statement of SCOP reads ARRAY.  */
static bool
is_read (const tns_scop *scop, int array)
{
  for (int s = 0; s < scop->n_stmts; s++)
    for (int a = 0; a < scop->stmt[s].n_accesses; a++)
      if (scop->stmt[s].access[a].array == array
          && !scop->stmt[s].access[a].write)
        return true;
  return false;
}

/* STMT goes along a row, which is read and written, that the loop around its
   innermost one does not move.  */
static bool
meets_again (const tns_scop *scop, const tns_stmt *stmt)
{
  int n = stmt->n_iters;
  for (int a = 0; n >= 2 && a < stmt->n_accesses; a++)
    {
      const tns_access *access = &stmt->access[a];
      const tns_array *array = &scop->array[access->array];
      if (access->expr && array->sym->rank > 0 && array->written
          && !array->dead_after && is_read (scop, access->array)
          && tns_storage_stride (scop, stmt, access, stmt->iter[n - 1])
               == TNS_STRIDE_UNIT
          && tns_storage_stride (scop, stmt, access, stmt->iter[n - 2])
               == TNS_STRIDE_FIXED)
        return true;
    }
  return false;
}

/* The iterations of statement S's innermost loop, where LANES of its vectors in
   PLAN lie along it, it meets a row again and again, and they are not known;
   NULL.  */
static tns_expr *
row_to_ask (tns_arena *arena, const tns_plan *plan, int s, int *lanes)
{
  long long known;
  const tns_scop *scop = plan->scop;
  const tns_stmt *stmt = &scop->stmt[s];
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path (plan->tree, s, path);
  const tns_tree *dim = lanes_of (n, path);
  if (!dim || dim != path[n - 1] || !meets_again (scop, stmt)
      || tns_dim_iter (scop, dim, s) != stmt->iter[stmt->n_iters - 1])
    return NULL;
  const tns_node *loop = stmt->loop[stmt->n_iters - 1];
  bool is_up = loop->step > 0;
  tns_expr *trip = tns_binary (arena, TNS_SUB, is_up ? loop->hi : loop->lo,
                               is_up ? loop->lo : loop->hi);
  bool may_ask
    = (loop->step == 1 || loop->step == -1) && tns_is_over_values (loop->lo)
      && tns_is_over_values (loop->hi) && !tns_expr_is_int (trip, &known);
  *lanes = dim->marks.simd;
  return may_ask ? trip : NULL;
}

/* The loops around the statement of SCOP that has most of them.  */
static int
depth_of (const tns_scop *scop)
{
  int most = 0;
  for (int s = 0; s < scop->n_stmts; s++)
    if (scop->stmt[s].n_iters > most)
      most = scop->stmt[s].n_iters;
  return most;
}

void
tns_plan_guard_lanes (tns_ctx *ctx, tns_plan *plan)
{
  const tns_tree *root = plan->tree;
  const tns_scop *scop = plan->scop;
  int lanes = 0, depth = depth_of (scop);
  if (ctx->flags.alone || ctx->wish.simd.n > 0
      || (root->kind == TNS_TREE_SEQ && root->n_kids > 1))
    return;
  for (int s = 0; s < scop->n_stmts; s++)
    {
      const tns_stmt *stmt = &scop->stmt[s];
      tns_expr *trip = stmt->n_iters == depth
                         ? trip_to_ask (ctx->arena, plan, s, &lanes)
                         : NULL;
      int least = stores (scop, stmt) ? lanes : lanes / 4;
      if (!trip && (trip = row_to_ask (ctx->arena, plan, s, &lanes)))
        least = lanes;
      if (trip && least > 1)
        tns_region_add_guard (
          ctx->arena, plan->region,
          tns_binary (ctx->arena, TNS_LE, tns_int (ctx->arena, least), trip));
    }
}
