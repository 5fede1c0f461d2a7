/* Lanes along a DIM around others.

     for r for i { B[i][r] -= sum_(k < i) L[i][k]*B[k][r];  B[i][r] /= L[i][i] }

     ->  for r.0 for r.1 simd(16) unroll(4) for i ...

   Where an innermost DIM cannot be in lanes, makes its accesses jump, or is too
   short for a vector, or goes over a window that slides with a FREE DIM around
   it, whose lanes nobody needs to put together, that is taken instead when

     - it moves no access below by more than one element, and some by one; but
       for what is read once and used in all iterations of the DIMs below; what
       each of its iterations has of its own lies as lanes want it;
     - all DIMs below take the same values in each of its iterations.

   It is tiled, for threads and so that its columns stay in a cache.  */

#include "ir/walk.h"
#include "schedule/check.h"
#include "schedule/planner.h"
#include "schedule/step.h"

#define VECTORS 4

/* ACCESS of STMT reads the same in all loops inside the one of ITER, and
   there are some.  */
static bool
is_kept (const tns_planner *p, const tns_stmt *stmt, const tns_access *access,
         const tns_sym *iter)
{
  int k = 0;
  while (k < stmt->n_iters && stmt->iter[k] != iter)
    k++;
  bool kept = !access->write && access->expr && k + 1 < stmt->n_iters;
  while (kept && ++k < stmt->n_iters)
    kept = tns_storage_stride (p->scop, stmt, access, stmt->iter[k])
           == TNS_STRIDE_FIXED;
  return kept;
}

/* Some statement that is not below DIM touches ARRAY.  */
static bool
leaves (const tns_planner *p, const tns_tree *dim, int array)
{
  for (int s = 0; s < p->scop->n_stmts; s++)
    for (int k = 0; k < p->scop->stmt[s].n_accesses; k++)
      if (p->scop->stmt[s].access[k].array == array && !tns_tree_has (dim, s))
        return true;
  return false;
}

/* ACCESS, of STMT, is of an array that each iteration of DIM, of ITER, has for
   itself: copies that can lie beside each other (schedule/contract.h).  */
static bool
is_own (const tns_planner *p, const tns_stmt *stmt, const tns_access *access,
        const tns_tree *dim, const tns_sym *iter)
{
  int n = p->scop->array[access->array].n_private;
  return n > 0 && n <= stmt->n_iters && stmt->iter[n - 1] == iter
         && !tns_expr_mentions (access->expr, iter)
         && !leaves (p, dim, access->array);
}

/* How ACCESS of STMT moves with DIM, of ITER; a cell does not.  */
static tns_stride
stride_of (const tns_planner *p, const tns_stmt *stmt, const tns_access *access,
           const tns_tree *dim, const tns_sym *iter)
{
  if (!access->expr)
    return TNS_STRIDE_FAR;
  if (access->expr->n_args == 0)
    return TNS_STRIDE_FIXED;
  return is_own (p, stmt, access, dim, iter)
           ? TNS_STRIDE_UNIT
           : tns_storage_stride (p->scop, stmt, access, iter);
}

/* Some access of statement S moves with DIM by one element; FAR: by more, and
   is not kept.  */
static bool
moves (const tns_planner *p, const tns_tree *dim, int s, bool far)
{
  const tns_stmt *stmt = &p->scop->stmt[s];
  const tns_sym *iter = tns_dim_iter (p->scop, dim, s);
  bool found = false;
  for (int k = 0; iter && k < stmt->n_accesses && !found; k++)
    {
      const tns_access *access = &stmt->access[k];
      tns_stride stride = stride_of (p, stmt, access, dim, iter);
      found = far
                ? stride >= TNS_STRIDE_SHORT && !is_kept (p, stmt, access, iter)
                : stride == TNS_STRIDE_UNIT;
    }
  return found;
}

/* No access below DIM moves with it by more than one element, some by
   one.  */
static bool
is_smooth (const tns_planner *p, const tns_tree *dim)
{
  bool some = false;
  for (int s = 0; s < p->scop->n_stmts; s++)
    if (tns_tree_has (dim, s))
      {
        if (!tns_dim_iter (p->scop, dim, s) || dim->row[s]->divisor != 1
            || moves (p, dim, s, true))
          return false;
        some |= moves (p, dim, s, false);
      }
  return some;
}

/* Some innermost DIM below TREE is ORDERED, makes accesses jump, or has less
   iterations than half a vector has lanes.  */
static bool
jumps (const tns_planner *p, const tns_tree *tree)
{
  bool found = false;
  for (int k = 0; tree->kind == TNS_TREE_SEQ && k < tree->n_kids; k++)
    found |= jumps (p, tree->kid[k]);
  if (tree->kind != TNS_TREE_DIM)
    return found;
  if (tns_tree_depth (tree->body) > 0)
    return jumps (p, tree->body);
  for (int s = 0; s < p->scop->n_stmts; s++)
    if (tns_tree_has (tree, s))
      found |= moves (p, tree, s, true);
  long trip = tns_dim_trip (p->scop, tree);
  bool is_short = trip > 0 && trip * 2 < tns_dim_lanes (p, tree);
  return found || is_short || tree->role == TNS_ROLE_ORDERED;
}

/* Along INNER, ACCESS of statement S stays, or goes over a window that slides
   with DIM; then *SOME is set.  */
static bool
is_of_window (const tns_planner *p, const tns_tree *dim, const tns_tree *inner,
              int s, const tns_access *access, bool *some)
{
  const tns_stmt *stmt = &p->scop->stmt[s];
  const tns_sym *along = tns_dim_iter (p->scop, inner, s);
  if (!access->expr || access->expr->n_args == 0)
    return true;
  tns_stride stride = stride_of (p, stmt, access, inner, along);
  *some |= stride == TNS_STRIDE_UNIT;
  return stride == TNS_STRIDE_FIXED
         || (stride == TNS_STRIDE_UNIT && !access->write
             && stride_of (p, stmt, access, dim, tns_dim_iter (p->scop, dim, s))
                  == TNS_STRIDE_UNIT);
}

/* All innermost DIMs from TREE on down sum over windows that slide with DIM, of
   a length that is not known.  */
static bool
slides (const tns_planner *p, const tns_tree *dim, const tns_tree *tree)
{
  bool right = true, some = false;
  int n = 0;
  for (int k = 0; tree->kind == TNS_TREE_SEQ && k < tree->n_kids; k++)
    if (tns_tree_depth (tree->kid[k]) > 0 && ++n)
      right = right && slides (p, dim, tree->kid[k]);
  if (tree->kind != TNS_TREE_DIM)
    return right && n > 0;
  if (tns_tree_depth (tree->body) > 0)
    return slides (p, dim, tree->body);
  for (int s = 0; s < p->scop->n_stmts; s++)
    for (int k = 0; tns_tree_has (tree, s) && k < p->scop->stmt[s].n_accesses;
         k++)
      right
        = right && tns_dim_iter (p->scop, tree, s)
          && is_of_window (p, dim, tree, s, &p->scop->stmt[s].access[k], &some);
  return right && some && tree->role == TNS_ROLE_REDUCTION
         && tns_dim_trip (p->scop, tree) == 0;
}

/* No DIM from TREE on down has a mark.  */
static bool
is_plain (const tns_tree *tree)
{
  if (tree->kind == TNS_TREE_DIM)
    return !tree->marks.simd && !tree->marks.unroll && is_plain (tree->body);
  for (int k = 0; tree->kind == TNS_TREE_SEQ && k < tree->n_kids; k++)
    if (!is_plain (tree->kid[k]))
      return false;
  return true;
}

/* DIM suits lanes.  */
static bool
suits (const tns_planner *p, tns_tree *dim)
{
  int lanes = tns_dim_lanes (p, dim);
  long trip = tns_dim_trip (p->scop, dim);
  bool is_free = dim->role == TNS_ROLE_FREE || tns_ctx_breaks (p->ctx, "lanes");
  return is_free && lanes >= 2 && (trip == 0 || trip >= lanes)
         && tns_tree_depth (dim->body) > 0 && is_plain (dim)
         && is_smooth (p, dim)
         && (jumps (p, dim->body) || slides (p, dim, dim->body))
         && !tns_dim_has_triangle (p->scop, dim);
}

/* The innermost DIM from TREE on down that suits lanes, or NULL.  */
static tns_tree *
find_dim (const tns_planner *p, tns_tree *tree)
{
  tns_tree *found = NULL;
  for (int k = 0; tree->kind == TNS_TREE_SEQ && k < tree->n_kids && !found; k++)
    found = find_dim (p, tree->kid[k]);
  if (tree->kind != TNS_TREE_DIM)
    return found;
  found = find_dim (p, tree->body);
  return found ? found : suits (p, tree) ? tree : NULL;
}

bool
tns_plan_lanes_at (tns_planner *planner, tns_tree *dim)
{
  int s = tns_tree_first_stmt (dim);
  int lanes = tns_dim_lanes (planner, dim);
  const char *name = dim->name;
  int copies
    = tns_fitting_copies (tns_dim_operations (planner, dim, lanes), VECTORS);
  if (!suits (planner, dim) || copies == 0
      || tns_tree_find (planner->tree, s, name) != dim)
    return false;
  tns_tree *tree = tns_step_tile (planner->ctx->arena, planner->tree, s, name,
                                  (long) lanes * VECTORS);
  if (!tree || !tns_tree_check (planner->ctx, planner->deps, tree, NULL))
    return false;
  tns_tree *point = tns_tree_find (
    tree, s, tns_arena_format (planner->ctx->arena, "%s.1", name));
  point->marks.simd = lanes;
  point->marks.unroll = copies > 1 ? copies : 0;
  tns_planner_take (planner, tree, "lanes %s in %s: %d", name,
                    planner->scop->stmt[s].name, lanes);
  return true;
}

void
tns_plan_lanes (tns_planner *planner)
{
  const tns_wish *wish = &planner->ctx->wish;
  tns_tree *dim;
  if (wish->tile.off || wish->simd.off)
    return;
  while ((dim = find_dim (planner, planner->tree)))
    if (!tns_plan_lanes_at (planner, dim))
      return;
}
