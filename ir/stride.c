/* How far expressions and accesses move, as ir/stride.h says: the derivative,
   found on the expression as it stands, and, where products or conversions
   hide it, on the sum that it comes to (ir/affine.h).

   What does not fit into a number is not known.  */

#include "ir/stride.h"

#include "ir/affine.h"
#include "ir/walk.h"

/* The same for EXPR, a scalar, of products and conversions.  */
static bool
deep_stride (tns_arena *arena, tns_expr *expr, const tns_sym *iter,
             long long *stride)
{
  tns_sum sum = tns_sum_of (arena, expr);
  *stride = 0;
  for (int k = 0; k < sum.n; k++)
    {
      const tns_term *term = &sum.term[k];
      if (term->n_atoms == 1 && term->atom[0]->op == TNS_SYM
          && term->atom[0]->sym == iter)
        {
          *stride = term->factor;
          continue;
        }
      for (int l = 0; l < term->n_atoms; l++)
        if (tns_expr_mentions (term->atom[l], iter))
          return false;
    }
  return sum.n >= 0;
}

/* EXPR is the constant *VALUE, in all lanes.  */
static bool
is_constant (const tns_expr *expr, long long *value)
{
  return tns_expr_is_int (expr->op == TNS_SPLAT ? expr->arg[0] : expr, value);
}

/* EXPR does not move: a scalar among lanes, or without ITER.  */
static bool
stays (tns_expr *expr, const tns_sym *iter)
{
  if (expr->op == TNS_SPLAT)
    return true;
  return expr->type.lanes == 1 && (!iter || !tns_expr_mentions (expr, iter));
}

/* The derivative of EXPR as it stands.  */
static bool
plain_stride (tns_expr *expr, const tns_sym *iter, long long *stride)
{
  long long a = 0;
  long long b = 0;
  *stride = 0;
  if (stays (expr, iter))
    return true;
  if (expr->type.elem != TNS_I64)
    return false;
  *stride = 1;
  if (expr->op == TNS_IOTA || (expr->op == TNS_SYM && expr->sym == iter))
    return true;
  if (expr->op == TNS_MUL)
    {
      int factor = is_constant (expr->arg[0], &b) ? 0 : 1;
      return is_constant (expr->arg[factor], &b)
             && plain_stride (expr->arg[1 - factor], iter, &a)
             && !__builtin_mul_overflow (a, b, stride);
    }
  if (expr->op != TNS_ADD && expr->op != TNS_SUB && expr->op != TNS_NEG)
    return false;
  if (!plain_stride (expr->arg[0], iter, &a)
      || (expr->n_args > 1 && !plain_stride (expr->arg[1], iter, &b)))
    return false;
  if (expr->op == TNS_ADD)
    return !__builtin_add_overflow (a, b, stride);
  return expr->op == TNS_NEG ? !__builtin_sub_overflow (0, a, stride)
                             : !__builtin_sub_overflow (a, b, stride);
}

bool
tns_expr_stride (tns_arena *arena, tns_expr *expr, const tns_sym *iter,
                 long long *stride)
{
  if (plain_stride (expr, iter, stride))
    return true;
  return iter && expr->type.lanes == 1 && expr->type.elem == TNS_I64
         && deep_stride (arena, expr, iter, stride);
}

bool
tns_sym_stride (const tns_sym *sym, int k, long long *elements)
{
  long long extent;
  *elements = 1;
  if (sym->stride)
    return tns_expr_is_int (sym->stride[k], elements);
  for (int l = k + 1; l < sym->rank; l++)
    if (!tns_expr_is_int (sym->extent[l], &extent)
        || __builtin_mul_overflow (*elements, extent, elements))
      return false;
  return true;
}

bool
tns_access_distance (tns_arena *arena, const tns_expr *access,
                     const tns_sym *iter, long long *elements)
{
  *elements = 0;
  for (int k = 0; k < access->sym->rank; k++)
    {
      long long step;
      long long stride;
      if (!tns_expr_stride (arena, access->arg[k], iter, &step))
        return false;
      if (step == 0)
        continue;
      if (!tns_sym_stride (access->sym, k, &stride)
          || __builtin_mul_overflow (step, stride, &step)
          || __builtin_add_overflow (*elements, step, elements))
        return false;
    }
  return true;
}
