/* Which operands a pack may suit.

   For an update of a cell:

     column   FREE, moves the target by one element
     operand  moves with the column, but not by one element; is left where it
              is by another FREE iterator that moves the target (a row); and
              moves with an iterator that does not move the target

   Some operand must be left where it is by the column, and all others must
   follow it by one element or be packed too.  */

#include "ir/walk.h"
#include "schedule/pack.h"
#include "schedule/planner.h"

/* All DIMs of PLAN that advance ITER for statement S, at least one, carry
   nothing for it.  */
static bool
is_free (const tns_plan *plan, int s, const tns_sym *iter)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path (plan->tree, s, path);
  bool some = false;
  for (int k = 0; k < n; k++)
    if (tns_dim_iter (plan->scop, path[k], s) == iter)
      {
        if (!tns_dim_is_free_for (plan->scop, path[k], s))
          return false;
        some = true;
      }
  return some;
}

/* Statement S has a tile in registers.  */
static bool
has_tile (const tns_plan *plan, int s)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path (plan->tree, s, path);
  for (int k = 0; k < n; k++)
    if (path[k]->marks.unroll > 1)
      return true;
  return false;
}

/* The iterator of statement S that may be the column, or NULL.  */
static tns_sym *
column_of (const tns_plan *plan, int s, const tns_access *target)
{
  const tns_stmt *stmt = &plan->scop->stmt[s];
  for (int k = stmt->n_iters - 1; k >= 0; k--)
    if (tns_storage_stride (plan->scop, stmt, target, stmt->iter[k])
          == TNS_STRIDE_UNIT
        && is_free (plan, s, stmt->iter[k]))
      return stmt->iter[k];
  return NULL;
}

/* ACCESS of statement S has a row that leaves it where it is and an inner
   iterator that moves it.  */
static bool
is_reused (const tns_plan *plan, int s, const tns_access *target,
           const tns_access *access)
{
  const tns_stmt *stmt = &plan->scop->stmt[s];
  bool row = false;
  bool inner = false;
  for (int k = 0; k < stmt->n_iters; k++)
    {
      tns_sym *iter = stmt->iter[k];
      bool moves = tns_expr_mentions (access->expr, iter);
      bool fixed = tns_storage_stride (plan->scop, stmt, target, iter)
                   == TNS_STRIDE_FIXED;
      row |= !moves && !fixed && is_free (plan, s, iter);
      inner |= moves && fixed;
    }
  return row && inner;
}

/* Fill OPERAND's inner iterators, those of statement S that leave TARGET
   where it is.  */
static void
fill_inner (const tns_plan *plan, int s, const tns_access *target,
            tns_operand *operand)
{
  const tns_stmt *stmt = &plan->scop->stmt[s];
  for (int k = 0; k < stmt->n_iters; k++)
    if (tns_storage_stride (plan->scop, stmt, target, stmt->iter[k])
        == TNS_STRIDE_FIXED)
      operand->inner[operand->n_inner++] = stmt->iter[k];
}

/* Append ACCESS of statement S to OPERAND[0..N) unless it is there.  The new
   N; -1 when there is no room.  */
static int
add_operand (const tns_plan *plan, int s, tns_expr *access, tns_sym *column,
             int n, tns_operand *operand)
{
  const char *name = plan->scop->stmt[s].name;
  for (int k = 0; k < n; k++)
    if (operand[k].stmt == name && tns_expr_equal (operand[k].access, access))
      return n;
  if (n == TNS_MOST_OPERANDS)
    return -1;
  operand[n] = (tns_operand){ .stmt = name, .access = access };
  operand[n].column = column;
  operand[n].kernel = has_tile (plan, s);
  fill_inner (plan, s, tns_update_target (&plan->scop->stmt[s]), &operand[n]);
  return n + 1;
}

/* Append the operands of statement S to OPERAND[0..N).  The new N, the old
   one where S is not suited.  */
static int
add_operands (const tns_plan *plan, int s, int n, tns_operand *operand)
{
  const tns_stmt *stmt = &plan->scop->stmt[s];
  bool left = tns_stmt_multiplies_small (stmt);
  const tns_access *target = left ? NULL : tns_update_target (stmt);
  tns_sym *column = target ? column_of (plan, s, target) : NULL;
  bool still = false;
  int all = n;
  for (int a = 0; column && a < stmt->n_accesses && all >= 0; a++)
    {
      const tns_access *access = &stmt->access[a];
      if (!tns_access_is_operand (access))
        continue;
      tns_stride stride = tns_storage_stride (plan->scop, stmt, access, column);
      still |= stride == TNS_STRIDE_FIXED;
      if (stride > TNS_STRIDE_UNIT)
        all = is_reused (plan, s, target, access)
                ? add_operand (plan, s, access->expr, column, all, operand)
                : -1;
    }
  return still && all >= 0 ? all : n;
}

int
tns_plan_operands (const tns_plan *plan, tns_operand *operand)
{
  int n = 0;
  for (int s = 0; s < plan->scop->n_stmts; s++)
    n = add_operands (plan, s, n, operand);
  return n;
}

/* Statement S of PLAN has lanes along ITER.  */
static bool
has_lanes (const tns_plan *plan, int s, const tns_sym *iter)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path (plan->tree, s, path);
  for (int k = 0; k < n; k++)
    if (path[k]->marks.simd && tns_dim_iter (plan->scop, path[k], s) == iter)
      return true;
  return false;
}

bool
tns_plan_uses_packs (const tns_plan *plan, const tns_packing *packing)
{
  int used = 0;
  for (int s = 0; s < plan->scop->n_stmts; s++)
    for (int k = 0; k < packing->n; k++)
      used += plan->scop->stmt[s].name == packing->operand[k].stmt
              && has_tile (plan, s)
              && has_lanes (plan, s, packing->operand[k].column);
  return used == packing->n;
}
