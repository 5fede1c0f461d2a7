/* Which operands a pack may suit.

   For an update of a cell:

     column   FREE, moves the target by one element
     operand  moves with the column, but not by one element; is left where it
              is by another FREE iterator that moves the target (a row); and
              moves with an iterator that does not move the target

   Some operand must be left where it is by the column, and all others must
   follow it by one element or be packed too.

   Where none is packed so, an operand of a tile in registers may be spread:

     lanes    leave it where it is
     rows     and the innermost loop around them move it far: each element is
              in a line of its own  */

#include "ir/walk.h"
#include "schedule/pack.h"
#include "schedule/planner.h"
#include "schedule/turn.h"

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

/* The DIMs of the tile in registers of statement S.

   row    the one with copies; inner: the one around it; lane: that of lanes  */
typedef struct tile
{
  const tns_tree *row;
  const tns_tree *inner;
  const tns_tree *lane;
} tile;

/* Find them in PLAN; false where S has no tile of rows and lanes.  */
static bool
find_tile (const tns_plan *plan, int s, tile *found)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path (plan->tree, s, path);
  if (n < 3)
    return false;
  *found = (tile){ path[n - 2], path[n - 3], path[n - 1] };
  return found->row->marks.unroll > 1 && found->row->marks.simd == 0
         && found->row->role == TNS_ROLE_FREE && found->lane->marks.simd > 1
         && found->lane->role == TNS_ROLE_FREE
         && found->inner->role == TNS_ROLE_REDUCTION;
}

/* ACCESS of statement S moves with DIM by STRIDE.  */
static bool
moves_so (const tns_plan *plan, int s, const tns_access *access,
          const tns_tree *dim, tns_stride stride)
{
  const tns_sym *iter = tns_dim_iter (plan->scop, dim, s);
  return iter
         && tns_storage_stride (plan->scop, &plan->scop->stmt[s], access, iter)
              == stride;
}

/* Append the operands of statement S that are spread to OPERAND[0..N).  The new
   N.  */
static int
add_spread (const tns_plan *plan, int s, int n, tns_operand *operand)
{
  const tns_stmt *stmt = &plan->scop->stmt[s];
  tile t;
  if (tns_stmt_sums_small (stmt) || !tns_update_target (stmt)
      || !find_tile (plan, s, &t))
    return n;
  for (int a = 0; a < stmt->n_accesses; a++)
    {
      const tns_access *access = &stmt->access[a];
      if (!tns_access_is_operand (access)
          || !moves_so (plan, s, access, t.lane, TNS_STRIDE_FIXED)
          || !moves_so (plan, s, access, t.row, TNS_STRIDE_FAR)
          || !moves_so (plan, s, access, t.inner, TNS_STRIDE_FAR))
        continue;
      tns_sym *column = tns_dim_iter (plan->scop, t.row, s);
      int all = add_operand (plan, s, access->expr, column, n, operand);
      if (all > n)
        operand[n].spread = true;
      n = all > n ? all : n;
    }
  return n;
}

/* Append the operands of statement S to OPERAND[0..N).  The new N, the old
   one where S is not suited.  */
static int
add_operands (const tns_plan *plan, int s, int n, tns_operand *operand)
{
  const tns_stmt *stmt = &plan->scop->stmt[s];
  bool left = tns_stmt_sums_small (stmt);
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
  return still && all > n ? all : add_spread (plan, s, n, operand);
}

int
tns_plan_operands (const tns_plan *plan, tns_operand *operand)
{
  int n = 0;
  for (int s = 0; s < plan->scop->n_stmts; s++)
    {
      if (n < TNS_MOST_OPERANDS && tns_plan_turned (plan, s, &operand[n]))
        n++;
      n = add_operands (plan, s, n, operand);
    }
  return n;
}

/* Statement S of PLAN has lanes along ITER, or copies.  */
static bool
has_mark (const tns_plan *plan, int s, const tns_sym *iter, bool copies)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path (plan->tree, s, path);
  for (int k = 0; k < n; k++)
    if ((copies ? path[k]->marks.unroll > 1 : path[k]->marks.simd > 0)
        && tns_dim_iter (plan->scop, path[k], s) == iter)
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
              && has_mark (plan, s, packing->operand[k].column,
                           packing->operand[k].spread);
  return used == packing->n;
}
