/* How accesses move with the iterators, and what a DIM's rows say of them.

   Of a stride (ir/stride.h) the kind counts: all subscripts but the last must
   not move, the last by a constant.

   A subscript that the first or the last few iterations choose otherwise,

     x[i - 1 < 0 ? i - 1 + n : i - 1]    i from 0 to n

   moves as in all others: these lie between the loop's borders, which are cut
   off (lowering/cut.h).  */

#include <string.h>

#include "ir/affine.h"
#include "ir/stride.h"
#include "ir/walk.h"
#include "schedule/check.h"
#include "schedule/planner.h"

enum
{
  MOST_BORDER = 16
};

/* A loop, or NULL, whose interior is looked at.  */
typedef struct interior
{
  tns_arena *arena;
  const tns_node *loop;
} interior;

/* A - B, a constant, is at most MOST_BORDER.  */
static bool
is_close (tns_arena *arena, tns_sum a, tns_expr *b)
{
  long long distance;
  tns_sum less = tns_sum_scale (arena, tns_sum_of (arena, b), -1);
  return tns_sum_is_int (tns_sum_add (arena, a, less), &distance)
         && distance >= -MOST_BORDER && distance <= MOST_BORDER;
}

/* The sign of A - B in the interior of IN's loop; 0 where that is not known. */
static int
sign_inside (const interior *in, tns_expr *a, tns_expr *b)
{
  long long step = 0;
  tns_sum less = tns_sum_scale (in->arena, tns_sum_of (in->arena, b), -1);
  tns_sum sum = tns_sum_add (in->arena, tns_sum_of (in->arena, a), less);
  tns_expr *whole = sum.n >= 0 ? tns_sum_expr (in->arena, sum) : NULL;
  if (!whole || !tns_expr_stride (in->arena, whole, in->loop->iter, &step)
      || (step != 1 && step != -1))
    return 0;
  tns_sum iter = tns_sum_of (in->arena, tns_value (in->arena, in->loop->iter));
  tns_sum zero
    = tns_sum_add (in->arena, iter, tns_sum_scale (in->arena, sum, -step));
  return is_close (in->arena, zero, in->loop->lo)   ? (int) step
         : is_close (in->arena, zero, in->loop->hi) ? (int) -step
                                                    : 0;
}

/* COND in the interior of IN's loop: *HOLDS; false where that is not known.  */
static bool
is_known_inside (const interior *in, const tns_expr *cond, bool *holds)
{
  if (tns_op_class (cond->op) != 'C' || cond->n_args != 2
      || cond->arg[0]->type.elem != TNS_I64)
    return false;
  int sign = sign_inside (in, cond->arg[0], cond->arg[1]);
  bool less = cond->op == TNS_LT || cond->op == TNS_LE;
  bool more = cond->op == TNS_GT || cond->op == TNS_GE;
  *holds = less ? sign < 0 : more ? sign > 0 : cond->op == TNS_NE;
  return sign != 0;
}

/* The changer: EXPR as the interior of SELF's loop sees it.  */
static tns_expr *
settle (tns_expr *expr, void *self)
{
  bool holds;
  if (expr->op == TNS_SELECT && is_known_inside (self, expr->arg[0], &holds))
    return expr->arg[holds ? 1 : 2];
  if ((expr->op != TNS_MIN && expr->op != TNS_MAX)
      || expr->type.elem != TNS_I64)
    return expr;
  int sign = sign_inside (self, expr->arg[0], expr->arg[1]);
  return sign == 0 ? expr : expr->arg[(sign > 0) == (expr->op == TNS_MIN)];
}

/* How ACCESS, a LOAD, moves with ITER, which LOOP counts.  */
static tns_stride
stride_of (tns_arena *arena, const tns_expr *access, const tns_sym *iter,
           const tns_node *loop)
{
  long long step = 0;
  interior in = { arena, loop };
  for (int k = 0; k < access->n_args; k++)
    {
      tns_expr *at = access->arg[k];
      bool known
        = tns_expr_stride (arena, at, iter, &step)
          || (loop
              && tns_expr_stride (
                arena, tns_expr_rebuild (arena, at, settle, &in), iter, &step));
      if (known && step == 0)
        continue;
      if (!known || k + 1 < access->n_args)
        return TNS_STRIDE_FAR;
    }
  step *= loop ? loop->step : 1;
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
  const tns_node *loop = NULL;
  for (int k = 0; k < stmt->n_iters; k++)
    if (stmt->iter[k] == iter)
      loop = stmt->loop[k];
  return stride_of (scop->ctx->arena, access->expr, iter, loop);
}

/* A choice that an iterator decides.  */
typedef struct choice
{
  const tns_sym *iter;
  bool found;
} choice;

/* The visitor that looks for it.  */
static bool
note_choice (tns_expr *expr, void *self)
{
  choice *c = self;
  c->found |= expr->op == TNS_SELECT && tns_expr_mentions (expr, c->iter);
  return !c->found;
}

bool
tns_access_chooses (const tns_scop *scop, const tns_stmt *stmt,
                    const tns_access *access, const tns_tree *dim)
{
  int s = (int) (stmt - scop->stmt);
  choice c = { tns_dim_iter (scop, dim, s), false };
  for (int k = 0; c.iter && access->expr && k < access->expr->n_args; k++)
    tns_expr_walk (access->expr->arg[k], note_choice, &c);
  return c.found;
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

/* How a subscript names an element.

   chooses   by what is loaded or chosen
   products  of iterators and VALUEs, that it has
   iters     iterators, that it has  */
typedef struct naming
{
  bool chooses;
  int products;
  int iters;
} naming;

/* The visitor that looks for it.  */
static bool
note_naming (tns_expr *expr, void *self)
{
  naming *n = self;
  long long number;
  n->chooses |= expr->op == TNS_SELECT || tns_expr_reads (expr);
  n->products += expr->op == TNS_MUL && !tns_expr_is_int (expr->arg[0], &number)
                 && !tns_expr_is_int (expr->arg[1], &number);
  n->iters += expr->op == TNS_SYM && expr->sym->kind == TNS_SYM_ITER;
  return !n->chooses;
}

/* Which element ACCESS is of is not modelled, but how it moves is: nobody
   writes the array, and iterators and VALUEs alone name the element, of a
   window that slides over rows of one size: row, column and tap.  */
static bool
is_flat_read (const tns_access *access)
{
  naming n = { false, 0, 0 };
  if (access->write || !access->expr
      || !(access->expr->sym->flags & TNS_SYM_CONST))
    return false;
  for (int k = 0; k < access->expr->n_args; k++)
    tns_expr_walk (access->expr->arg[k], note_naming, &n);
  return !n.chooses && n.products <= 1 && n.iters <= 3;
}

const tns_access *
tns_update_target (const tns_stmt *stmt)
{
  const tns_access *target = NULL;
  if (stmt->node->kind != TNS_ASSIGN || stmt->node->update == TNS_NONE)
    return NULL;
  for (int a = 0; a < stmt->n_accesses; a++)
    if (stmt->access[a].may && !is_flat_read (&stmt->access[a]))
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

/* Note whether EXPR multiplies or divides.  */
static bool
note_product (tns_expr *expr, void *self)
{
  bool *found = self;
  *found |= expr->op == TNS_MUL || expr->op == TNS_DIV || expr->op == TNS_REM;
  return !*found;
}

bool
tns_stmt_is_quick (const tns_stmt *stmt)
{
  bool found = false;
  if (stmt->node->kind != TNS_ASSIGN
      || tns_elem_is_float (stmt->node->target->type.elem))
    return false;
  tns_expr_walk (stmt->node->value, note_product, &found);
  return !found;
}
