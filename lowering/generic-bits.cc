/* Counts of bits.

     a scalar           the built-in function
     a vector           the target's instruction, or sums of neighbours:
                        of 2 bits, of 4, of 8 and so on

   Of those before the first 1 a vector without the instruction counts what is
   0 when the bits behind that 1 are set.  */

#include "lowering/build.hh"

/* A value of TYPE, each lane all ones divided by BY: ones and zeros by
   turns.  */
static tree
pattern (tree type, int by)
{
  tree lane = TREE_TYPE (type);
  tree ones = build_all_ones_cst (lane);
  tree bits
    = fold_build2 (TRUNC_DIV_EXPR, lane, ones, build_int_cst (lane, by));
  return build_vector_from_val (type, bits);
}

/* A >> BY in each lane.  */
static tree
shifted (tree type, tree a, int by)
{
  tree lane = TREE_TYPE (type);
  return build2 (RSHIFT_EXPR, type, a,
                 build_vector_from_val (type, build_int_cst (lane, by)));
}

/* A op B in each lane, evaluated once.  */
static tree
once (tree_code code, tree type, tree a, tree b)
{
  return tns_build_once (build2 (code, type, a, b));
}

/* The counts of A, a vector of TYPE, by sums of neighbours.  */
static tree
sum_neighbours (tree type, tree a)
{
  int bits = TYPE_PRECISION (TREE_TYPE (type));
  tree pairs = pattern (type, 3);
  tree fours = pattern (type, 5);
  a = tns_build_once (a);
  a = once (MINUS_EXPR, type, a,
            build2 (BIT_AND_EXPR, type, shifted (type, a, 1), pairs));
  a = once (PLUS_EXPR, type, build2 (BIT_AND_EXPR, type, a, fours),
            build2 (BIT_AND_EXPR, type, shifted (type, a, 2), fours));
  a = once (PLUS_EXPR, type, a, shifted (type, a, 4));
  a = once (BIT_AND_EXPR, type, a, pattern (type, 17));
  for (int by = 8; by < bits; by *= 2)
    a = once (PLUS_EXPR, type, a, shifted (type, a, by));
  tree most = build_int_cst (TREE_TYPE (type), 2 * bits - 1);
  return build2 (BIT_AND_EXPR, type, a, build_vector_from_val (type, most));
}

tree
tns_build_popcount (tns_build *build, tree type, tree a)
{
  if (!VECTOR_TYPE_P (type))
    {
      tree fn = builtin_decl_explicit (BUILT_IN_POPCOUNTLL);
      tree wide = fold_convert (long_long_unsigned_type_node, a);
      return fold_convert (type, build_call_expr_loc (build->loc, fn, 1, wide));
    }
  if (direct_internal_fn_supported_p (IFN_POPCOUNT, type, OPTIMIZE_FOR_SPEED))
    return build_call_expr_internal_loc (build->loc, IFN_POPCOUNT, type, 1, a);
  return sum_neighbours (type, a);
}

/* The bits before the first 1 of A, a scalar of TYPE.  */
static tree
count_before_first (tns_build *build, tree type, tree a)
{
  int bits = TYPE_PRECISION (type);
  tree wide = save_expr (fold_convert (long_long_unsigned_type_node, a));
  tree fn = builtin_decl_explicit (BUILT_IN_CLZLL);
  tree value = build_call_expr_loc (build->loc, fn, 1, wide);
  value = build2 (MINUS_EXPR, integer_type_node, value,
                  build_int_cst (integer_type_node, 64 - bits));
  tree is_zero = build2 (EQ_EXPR, boolean_type_node, wide,
                         build_zero_cst (TREE_TYPE (wide)));
  tree all = build_int_cst (integer_type_node, bits);
  return fold_convert (
    type, build3 (COND_EXPR, integer_type_node, is_zero, all, value));
}

tree
tns_build_clz (tns_build *build, tree type, tree a)
{
  if (!VECTOR_TYPE_P (type))
    return count_before_first (build, type, a);
  if (direct_internal_fn_supported_p (IFN_CLZ, type, OPTIMIZE_FOR_SPEED))
    return build_call_expr_internal_loc (build->loc, IFN_CLZ, type, 1, a);
  int bits = TYPE_PRECISION (TREE_TYPE (type));
  a = tns_build_once (a);
  for (int by = 1; by < bits; by *= 2)
    a = once (BIT_IOR_EXPR, type, a, shifted (type, a, by));
  return tns_build_popcount (build, type, build1 (BIT_NOT_EXPR, type, a));
}
