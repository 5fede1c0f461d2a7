/* How accesses move with the iterators, and what a DIM's rows say of them.

   Of a stride (ir/stride.h) the kind counts: all subscripts but the last must
   not move, the last by a constant.  */

#include <string.h>

#include "ir/affine.h"
#include "ir/stride.h"
#include "ir/walk.h"
#include "schedule/check.h"
#include "schedule/planner.h"

/* How ACCESS, a LOAD, moves with ITER.  */
static tns_stride
stride_of (tns_arena *arena, const tns_expr *access, const tns_sym *iter)
{
  long long step = 0;
  for (int k = 0; k < access->n_args; k++)
    {
      bool known = tns_expr_stride (arena, access->arg[k], iter, &step);
      if (known && step == 0)
        continue;
      if (!known || k + 1 < access->n_args)
        return TNS_STRIDE_FAR;
    }
  bool unit = step == 1 || step == -1;
  return step == 0 ? TNS_STRIDE_FIXED
         : unit    ? TNS_STRIDE_UNIT
                   : TNS_STRIDE_SHORT;
}

/* ITER is a private coordinate of ARRAY for STMT; *LAST: the last one.  */
static bool
is_private (const tns_scop *scop, const tns_stmt *stmt, int array,
            const tns_sym *iter, bool *last)
{
  int n = scop->array[array].n_private;
  for (int k = 0; k < n && k < stmt->n_iters; k++)
    if (stmt->iter[k] == iter)
      {
        *last = k == n - 1;
        return true;
      }
  return false;
}

tns_stride
tns_storage_stride (const tns_scop *scop, const tns_stmt *stmt,
                    const tns_access *access, const tns_sym *iter)
{
  bool last = false;
  if (is_private (scop, stmt, access->array, iter, &last))
    return last && access->expr->n_args == 0 ? TNS_STRIDE_UNIT : TNS_STRIDE_FAR;
  return stride_of (scop->ctx->arena, access->expr, iter);
}

bool
tns_loop_is_constant (tns_arena *arena, const tns_node *loop)
{
  long long ignored;
  tns_sum lo = tns_sum_scale (arena, tns_sum_of (arena, loop->lo), -1);
  tns_sum trip = tns_sum_add (arena, tns_sum_of (arena, loop->hi), lo);
  return tns_sum_is_int (trip, &ignored);
}

tns_stride
tns_reached_stride (const tns_scop *scop, const tns_stmt *stmt,
                    const tns_access *access, const tns_sym *iter)
{
  tns_stride stride = tns_storage_stride (scop, stmt, access, iter);
  for (int k = 0; stride == TNS_STRIDE_FIXED && k < stmt->n_iters; k++)
    if (stmt->iter[k] != iter && tns_expr_mentions (stmt->loop[k]->lo, iter)
        && tns_loop_is_constant (scop->ctx->arena, stmt->loop[k])
        && tns_storage_stride (scop, stmt, access, stmt->iter[k])
             != TNS_STRIDE_FIXED)
      return TNS_STRIDE_FAR;
  return stride;
}

bool
tns_storage_is_near (const tns_scop *scop, const tns_stmt *stmt,
                     const tns_access *access, const tns_sym *iter)
{
  bool last = false;
  long long distance = 0;
  if (is_private (scop, stmt, access->array, iter, &last))
    return last && access->expr->n_args == 0;
  return tns_access_distance (scop->ctx->arena, access->expr, iter, &distance)
         && distance >= -1 && distance <= 1;
}

bool
tns_access_is_operand (const tns_access *access)
{
  return !access->write && access->update == TNS_NONE && access->expr;
}

const tns_access *
tns_update_target (const tns_stmt *stmt)
{
  const tns_access *target = NULL;
  if (stmt->node->kind != TNS_ASSIGN || stmt->node->update == TNS_NONE)
    return NULL;
  for (int a = 0; a < stmt->n_accesses; a++)
    if (stmt->access[a].may)
      return NULL;
    else if (stmt->access[a].write)
      target = &stmt->access[a];
  return target;
}

tns_sym *
tns_dim_iter (const tns_scop *scop, const tns_tree *dim, int stmt)
{
  const tns_row *row = dim->row[stmt];
  int found = -1;
  for (int k = 0; k < scop->stmt[stmt].n_iters; k++)
    if (row->coef[k] != 0)
      {
        if (found >= 0 || (row->coef[k] != 1 && row->coef[k] != -1))
          return NULL;
        found = k;
      }
  return found >= 0 ? scop->stmt[stmt].iter[found] : NULL;
}

long
tns_dim_trip (const tns_scop *scop, const tns_tree *dim)
{
  int stmt = tns_tree_first_stmt (dim);
  const tns_sym *iter = tns_dim_iter (scop, dim, stmt);
  for (int k = 0; iter && k < scop->stmt[stmt].n_iters; k++)
    {
      const tns_node *loop = scop->stmt[stmt].loop[k];
      long long lo = 0;
      long long hi = 0;
      if (loop->iter == iter && tns_expr_is_int (loop->lo, &lo)
          && tns_expr_is_int (loop->hi, &hi))
        return (long) ((hi - lo) / loop->step);
    }
  return 0;
}

void
tns_tree_dims (tns_planner *planner, tns_tree *tree, tns_dim_visitor visit,
               void *self)
{
  if (tree->kind == TNS_TREE_DIM)
    {
      visit (planner, tree, self);
      tns_tree_dims (planner, tree->body, visit, self);
    }
  for (int k = 0; tree->kind == TNS_TREE_SEQ && k < tree->n_kids; k++)
    tns_tree_dims (planner, tree->kid[k], visit, self);
}

void
tns_planner_take (tns_planner *planner, tns_tree *tree, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  char *line = tns_arena_vformat (planner->ctx->arena, format, args);
  va_end (args);
  planner->tree = tree;
  tns_text_line (&planner->steps, "%s", line);
}

bool
tns_step_holds (const tns_planner *planner, const char *line, tns_tree *tree,
                const tns_dep **broken)
{
  int length = (int) strcspn (line, " ");
  const char *step
    = tns_arena_format (planner->ctx->arena, "%.*s", length, line);
  return tree
         && (tns_tree_check (planner->ctx, planner->deps, tree, broken)
             || tns_ctx_breaks (planner->ctx, step));
}
