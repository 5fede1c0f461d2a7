/* Products of lanes of 64 bits whose operands have 32.

     u64x8 (a) * u64x8 (b)              a, b u32x8
     (x & 0xffffffff) * splat (m)       x u64x8, m < 2^32

   The target multiplies the even halves of two vectors in one instruction,
   which reads nothing of the odd ones: no masks are left of operands, and no
   product of 64-bit numbers, which takes three such instructions or more.  */

#include "lowering/build.hh"

extern "C"
{
#include "ir/range.h"
}

/* The lower half of a lane.  */
#define LOW_BITS 0xffffffffLL

/* EXPR is the constant VALUE in each lane.  */
static bool
is_number (const tns_expr *expr, long long value)
{
  if (expr->op == TNS_SPLAT)
    expr = expr->arg[0];
  return expr->op == TNS_INT && expr->integer == value;
}

/* What has the same lower halves as EXPR, and may have others above.  */
static const tns_expr *
low_halves (const tns_expr *expr)
{
  const tns_expr *inner = expr->n_args > 0 ? expr->arg[0] : NULL;
  if (expr->op == TNS_AND && is_number (expr->arg[1], LOW_BITS))
    return low_halves (inner);
  if (expr->op == TNS_AND && is_number (inner, LOW_BITS))
    return low_halves (expr->arg[1]);
  bool is_back = expr->op == TNS_CAST && inner->op == TNS_CAST
                 && inner->type.elem == TNS_U32;
  const tns_expr *whole = is_back ? inner->arg[0] : expr;
  return is_back && whole->type.elem == expr->type.elem ? low_halves (whole)
                                                        : expr;
}

/* EXPR lies in LO .. HI in each lane.  */
static bool
lies_in (const tns_expr *expr, long long lo, long long hi)
{
  bool is_upper = expr->op == TNS_SHR && expr->type.elem == TNS_U64
                  && is_number (expr->arg[1], 32);
  return (is_upper && lo == 0 && hi == LOW_BITS)
         || tns_range_within (tns_range_of (NULL, expr), (tns_range){ lo, hi });
}

/* EXPR's operands, both in LO .. HI, multiplied as even halves of vectors of
   HALF; NULL_TREE where the target cannot.  */
static tree
even_product (tns_build *build, const tns_expr *expr, tree half, long long lo,
              long long hi)
{
  tree arg[2], type = tns_build_type (expr->type);
  if (!lies_in (expr->arg[0], lo, hi) || !lies_in (expr->arg[1], lo, hi)
      || !VECTOR_MODE_P (TYPE_MODE (half))
      || !target_supports_op_p (half, VEC_WIDEN_MULT_EVEN_EXPR, optab_default))
    return NULL_TREE;
  for (int k = 0; k < 2; k++)
    {
      const tns_expr *low = low_halves (expr->arg[k]);
      arg[k]
        = fold_build1 (VIEW_CONVERT_EXPR, half, tns_build_expr (build, low));
    }
  tree is = build_vector_type (
    build_nonstandard_integer_type (64, TYPE_UNSIGNED (TREE_TYPE (half))),
    expr->type.lanes);
  return fold_build1 (VIEW_CONVERT_EXPR, type,
                      build2 (VEC_WIDEN_MULT_EVEN_EXPR, is, arg[0], arg[1]));
}

tree
tns_build_long_product (tns_build *build, const tns_expr *expr)
{
  if (expr->op != TNS_MUL || expr->type.lanes == 1
      || (expr->type.elem != TNS_U64 && expr->type.elem != TNS_I64))
    return NULL_TREE;
  int lanes = 2 * expr->type.lanes;
  tree made = even_product (
    build, expr, build_vector_type (unsigned_type_node, lanes), 0, LOW_BITS);
  if (made || expr->type.elem == TNS_U64)
    return made;
  return even_product (build, expr,
                       build_vector_type (integer_type_node, lanes), INT_MIN,
                       INT_MAX);
}
