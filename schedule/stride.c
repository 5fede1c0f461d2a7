/* How accesses move with the iterators, and what a DIM's rows say of them.

   The stride is the derivative of the subscripts: all but the last must not
   move, the last by a constant.  */

#include "ir/walk.h"
#include "schedule/planner.h"

/* The constant derivative of EXPR in ITER; false when there is none.  */
static bool
derivative (const tns_expr *expr, const tns_sym *iter, long *value)
{
  long a = 0;
  long b = 0;
  *value = 0;
  if (!tns_expr_mentions ((tns_expr *) expr, iter))
    return true;
  if (expr->op == TNS_SYM)
    {
      *value = 1;
      return true;
    }
  if (expr->op == TNS_CAST)
    return derivative (expr->arg[0], iter, value);
  if (expr->op != TNS_ADD && expr->op != TNS_SUB && expr->op != TNS_NEG
      && expr->op != TNS_MUL)
    return false;
  if (!derivative (expr->arg[0], iter, &a)
      || (expr->n_args > 1 && !derivative (expr->arg[1], iter, &b)))
    return false;
  long long factor = 0;
  if (expr->op == TNS_MUL && tns_expr_is_int (expr->arg[1], &factor))
    *value = a * (long) factor;
  else if (expr->op == TNS_MUL && tns_expr_is_int (expr->arg[0], &factor))
    *value = b * (long) factor;
  else if (expr->op == TNS_MUL)
    return false;
  else
    *value = expr->op == TNS_NEG ? -a : expr->op == TNS_SUB ? a - b : a + b;
  return true;
}

tns_stride
tns_access_stride (const tns_expr *access, const tns_sym *iter, long *elements)
{
  *elements = 0;
  for (int k = 0; k < access->n_args; k++)
    {
      long step = 0;
      bool known = derivative (access->arg[k], iter, &step);
      if (known && step == 0)
        continue;
      if (!known || k + 1 < access->n_args)
        return TNS_STRIDE_FAR;
      *elements = step;
    }
  if (*elements == 0)
    return TNS_STRIDE_FIXED;
  bool unit = *elements == 1 || *elements == -1;
  return unit ? TNS_STRIDE_UNIT : TNS_STRIDE_SHORT;
}

tns_stride
tns_storage_stride (const tns_scop *scop, const tns_stmt *stmt,
                    const tns_access *access, const tns_sym *iter)
{
  int n_private = scop->array[access->array].n_private;
  long elements = 0;
  for (int k = 0; k < n_private && k < stmt->n_iters; k++)
    if (stmt->iter[k] == iter)
      {
        bool last = k == n_private - 1 && access->expr->n_args == 0;
        return last ? TNS_STRIDE_UNIT : TNS_STRIDE_FAR;
      }
  return tns_access_stride (access->expr, iter, &elements);
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
