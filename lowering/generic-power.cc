/* Constant powers as products.

     pow (x, 3)      x*x * x
     pow (x, 2.5)    abs (x*x * sqrt (x)), and infinite for -infinity
     pow (x, -1)     1 / x

   Each multiplication adds half a unit of the last place, of which vector math
   may have four wrong: so the exponent is MOST_HALVES / 2 at most; under fp
   (fast) FAST_HALVES / 2.  Infinities, zeros and what is no number come out
   as pow has them.

   Nothing of it under fp (strict).  */

#include "lowering/build.hh"

#define MOST_HALVES 10
#define FAST_HALVES 32

/* Twice EXPONENT, a scalar or the same in all lanes, where that is an integer
   constant of at most MOST; 0 where not.  */
static int
halves_of (tree exponent, int most)
{
  HOST_WIDE_INT n = 0;
  if (VECTOR_TYPE_P (TREE_TYPE (exponent)))
    exponent = uniform_vector_p (exponent);
  if (!exponent)
    return 0;
  STRIP_NOPS (exponent);
  if (TREE_CODE (exponent) != REAL_CST)
    return 0;
  REAL_VALUE_TYPE twice;
  REAL_VALUE_TYPE back;
  real_arithmetic (&twice, PLUS_EXPR, &TREE_REAL_CST (exponent),
                   &TREE_REAL_CST (exponent));
  n = real_to_integer (&twice);
  real_from_integer (&back, VOIDmode, n, SIGNED);
  bool is_exact = real_identical (&back, &twice);
  return is_exact && (n == -2 || (n > 0 && n <= most)) ? (int) n : 0;
}

/* X, evaluated once, N times.  */
static tree
product (tree type, tree x, int n)
{
  if (n == 1)
    return x;
  tree half = tns_build_once (product (type, x, n / 2));
  tree square = build2 (MULT_EXPR, type, half, half);
  return n % 2 ? build2 (MULT_EXPR, type, square, x) : square;
}

/* A constant of TYPE, VALUE in all lanes.  */
static tree
constant (tree type, const REAL_VALUE_TYPE &value)
{
  tree element = VECTOR_TYPE_P (type) ? TREE_TYPE (type) : type;
  tree scalar = build_real (element, value);
  return VECTOR_TYPE_P (type) ? build_vector_from_val (type, scalar) : scalar;
}

/* X, evaluated once, to the power of HALVES / 2, HALVES odd; ROOT is its
   square root.  */
static tree
with_root (tree type, tree x, tree root, int halves)
{
  bool lanes = VECTOR_TYPE_P (type);
  REAL_VALUE_TYPE lowest;
  REAL_VALUE_TYPE highest;
  real_inf (&highest);
  real_arithmetic (&lowest, NEGATE_EXPR, &highest, NULL);
  tree value = root;
  if (halves > 1)
    value = build2 (MULT_EXPR, type, product (type, x, halves / 2), root);
  value = build1 (ABS_EXPR, type, value);
  tree truth = lanes ? truth_type_for (type) : boolean_type_node;
  tree is_lowest = build2 (EQ_EXPR, truth, x, constant (type, lowest));
  return build3 (lanes ? VEC_COND_EXPR : COND_EXPR, type, is_lowest,
                 constant (type, highest), value);
}

tree
tns_build_power (tns_build *build, tns_type to, tree *arg)
{
  tree type = tns_build_type (to);
  tns_fp fp = build->ctx->wish.fp;
  int halves
    = halves_of (arg[1], fp == TNS_FP_FAST ? FAST_HALVES : MOST_HALVES);
  if (halves == 0 || fp == TNS_FP_STRICT || to.elem == TNS_F80)
    return NULL_TREE;
  tree x = tns_build_once (arg[0]);
  if (halves == -2)
    return build2 (RDIV_EXPR, type, constant (type, dconst1), x);
  if (halves % 2 == 0)
    return product (type, x, halves / 2);
  tree root = tns_build_internal (build, IFN_SQRT, type, 1, &x);
  return root ? with_root (type, x, tns_build_once (root), halves) : NULL_TREE;
}
