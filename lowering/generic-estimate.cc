/* Quotients, roots and reciprocal roots of vectors without the instructions,
   which take three times as long.

     a / b          r = estimate of 1 / b, good to 14 bits
                    r += r * (1 - b*r)
                    q = a * r
                    q + r * (a - b*q)
     sqrt (x)       s = estimate of 1 / sqrt (x)
                    q = x*s + x*s * (1/2 - x*s*s/2)
                    q + s/2 * (x - q*q)
     a / sqrt (x)   s += s * (1/2 - x*s*s/2), twice
                    a * s

   The last line takes what is left of the dividend into account, with one
   rounding each: what is a float is found exactly, and the last bit of other
   results hardly ever differs from the instruction's (P. Markstein, Computation
   of elementary functions on the IBM RISC System/6000 processor, 1990).
   Where r is 1 / b correctly rounded, as it is for one b in all lanes, it never
   does.  Under fp(fast) and -freciprocal-math the last line is left out, and
   the result is within 2 ulp.

   Where the estimate of any lane is zero, too small for all its bits, infinite
   or no number, the instruction itself is taken for the whole vector:

     zeros, infinities and the ends of the range are as ever

   but for -0 / b, which may be 0.

   Only of vectors, and not under fp(strict).  Of double the instruction is as
   fast as estimates.  */

#include "lowering/build.hh"

/* Kinds of numbers for which an estimate is of no use: quiet and signalling
   NaN, zeros, infinities, denormal numbers.  */
#define USELESS 0xbf

/* The target's function PREFIX, of float vectors of TYPE under a mask;
   NULL_TREE where it has none.  */
static tree
target_function (const char *prefix, tree type)
{
#if defined TARGET_AVX512DQ && defined TARGET_AVX512VL
  char name[48];
  unsigned HOST_WIDE_INT bytes = tree_to_uhwi (TYPE_SIZE_UNIT (type));
  if (!VECTOR_MODE_P (TYPE_MODE (type))
      || TYPE_MODE (TREE_TYPE (type)) != SFmode || !TARGET_AVX512DQ
      || (bytes < 64 && !TARGET_AVX512VL) || bytes < 16)
    return NULL_TREE;
  snprintf (name, sizeof name, "__builtin_ia32_%s%d_mask", prefix,
            (int) bytes * 8);
  return tns_build_target_function (name);
#else
  (void) prefix;
  (void) type;
  return NULL_TREE;
#endif
}

/* The estimate that PREFIX gives of VALUE, of vector TYPE; NULL_TREE where
   there is none, or no test of it.  */
static tree
estimate (tns_build *build, const char *prefix, tree type, tree value)
{
  tree fn = target_function (prefix, type);
  if (!fn || build->ctx->wish.fp == TNS_FP_STRICT
      || !target_function ("fpclassps", type)
      || !direct_internal_fn_supported_p (IFN_FMA, type, OPTIMIZE_FOR_SPEED))
    return NULL_TREE;
  tree given[3] = { value, build_zero_cst (type), integer_minus_one_node };
  return tns_build_once (build1 (VIEW_CONVERT_EXPR, type,
                                 tns_build_target_call (build, fn, 3, given)));
}

/* MADE, from estimate R, or OTHERWISE where R is of no use.  */
static tree
where_useful (tns_build *build, tree r, tree made, tree otherwise)
{
  tree type = TREE_TYPE (r);
  tree fn = target_function ("fpclassps", type);
  tree given[3]
    = { r, build_int_cst (integer_type_node, USELESS), integer_minus_one_node };
  tree found = tns_build_target_call (build, fn, 3, given);
  tree some = build2 (NE_EXPR, boolean_type_node, found,
                      build_zero_cst (TREE_TYPE (found)));
  return build3 (COND_EXPR, type, tns_build_rarely (build, some), otherwise,
                 made);
}

/* VALUE, in whose branches A is used, which is evaluated before them.  */
static tree
behind (tree a, tree value)
{
  return build2 (COMPOUND_EXPR, TREE_TYPE (value), a, value);
}

/* A * B + C on TYPE.  */
static tree
fused (tns_build *build, tree type, tree a, tree b, tree c)
{
  tree arg[3] = { a, b, c };
  return tns_build_internal (build, IFN_FMA, type, 3, arg);
}

/* -A.  */
static tree
negated (tree a)
{
  return fold_build1 (NEGATE_EXPR, TREE_TYPE (a), a);
}

/* A times B.  */
static tree
times (tree a, tree b)
{
  return fold_build2 (MULT_EXPR, TREE_TYPE (a), a, b);
}

/* The user does not ask for the last bit.  */
static bool
is_loose (const tns_build *build)
{
  return build->ctx->wish.fp == TNS_FP_FAST || flag_reciprocal_math;
}

/* A * R, where R is about 1 / B, and what B times that leaves of A: no number
   where the product is infinite, which stays.  */
static tree
quotient_by (tns_build *build, tree a, tree b, tree r)
{
  tree type = TREE_TYPE (a);
  if (is_loose (build))
    return times (a, r);
  r = tns_build_once (r);
  tree q = tns_build_once (times (a, r));
  tree left = fused (build, type, negated (b), q, a);
  return tns_build_number_or (build, fused (build, type, left, r, q), q);
}

tree
tns_build_quotient (tns_build *build, tree a, tree b)
{
  tree type = TREE_TYPE (b);
  b = tns_build_once (b);
  tree r = estimate (build, "rcp14ps", type, b);
  if (!r)
    return NULL_TREE;
  a = tns_build_once (a);
  tree rest = fused (build, type, negated (b), r, build_one_cst (type));
  tree better = fused (build, type, r, rest, r);
  return behind (a, where_useful (build, r, quotient_by (build, a, b, better),
                                  build2 (RDIV_EXPR, type, a, b)));
}

/* R, a scalar, has all its bits.  */
static tree
is_normal (tree r)
{
  tree type = TREE_TYPE (r);
  REAL_VALUE_TYPE least, most;
  real_ldexp (&least, &dconst1, REAL_MODE_FORMAT (TYPE_MODE (type))->emin - 1);
  real_maxval (&most, 0, TYPE_MODE (type));
  tree size = tns_build_once (fold_build1 (ABS_EXPR, type, r));
  return build2 (
    TRUTH_AND_EXPR, boolean_type_node,
    build2 (GE_EXPR, boolean_type_node, size, build_real (type, least)),
    build2 (LE_EXPR, boolean_type_node, size, build_real (type, most)));
}

tree
tns_build_scaled (tns_build *build, tree a, tree z)
{
  tree type = TREE_TYPE (a);
  if (build->ctx->wish.fp == TNS_FP_STRICT
      || (!is_loose (build)
          && !direct_internal_fn_supported_p (IFN_FMA, type,
                                              OPTIMIZE_FOR_SPEED)))
    return NULL_TREE;
  z = tns_build_once (z);
  a = tns_build_once (a);
  tree one = build_one_cst (TREE_TYPE (type));
  tree r = tns_build_once (build2 (RDIV_EXPR, TREE_TYPE (type), one, z));
  tree all = tns_build_splat (type, z);
  tree odd = fold_build1 (TRUTH_NOT_EXPR, boolean_type_node, is_normal (r));
  tree made = quotient_by (build, a, all, tns_build_splat (type, r));
  return behind (a, build3 (COND_EXPR, type, tns_build_rarely (build, odd),
                            build2 (RDIV_EXPR, type, a, all), made));
}

/* Half of A.  */
static tree
half (tree a)
{
  tree type = TREE_TYPE (a);
  tree factor
    = build_vector_from_val (type, build_real (TREE_TYPE (type), dconsthalf));
  return times (a, factor);
}

/* What sqrt (X) or its reciprocal comes to: AS + AS * (1/2 - XR * HR), where XR
   is the product of X and estimate R, HR half of R, and AS is XR or R.  */
static tree
improved (tns_build *build, tree xr, tree hr, tree as)
{
  tree type = TREE_TYPE (hr);
  tree rest
    = fused (build, type, negated (xr), hr, half (build_one_cst (type)));
  return tns_build_once (fused (build, type, as, rest, as));
}

/* sqrt (X) by the instruction, or NULL_TREE.  */
static tree
exact_root (tns_build *build, tree x)
{
  return tns_build_internal (build, IFN_SQRT, TREE_TYPE (x), 1, &x);
}

tree
tns_build_root (tns_build *build, tree x)
{
  tree type = TREE_TYPE (x);
  x = tns_build_once (x);
  tree r = estimate (build, "rsqrt14ps", type, x);
  tree exact = r ? exact_root (build, x) : NULL_TREE;
  if (!exact)
    return NULL_TREE;
  tree xr = tns_build_once (times (x, r));
  tree hr = tns_build_once (half (r));
  tree root = improved (build, xr, hr, xr);
  if (!is_loose (build))
    root = fused (build, type, fused (build, type, negated (root), root, x), hr,
                  root);
  return where_useful (build, r, root, exact);
}

tree
tns_build_over_root (tns_build *build, tree a, tree x)
{
  tree type = TREE_TYPE (x);
  x = tns_build_once (x);
  tree r = estimate (build, "rsqrt14ps", type, x);
  tree exact = r ? exact_root (build, x) : NULL_TREE;
  if (!exact)
    return NULL_TREE;
  a = tns_build_once (a);
  tree over = improved (build, times (x, r), half (r), r);
  if (!is_loose (build))
    over = improved (build, times (x, over), half (over), over);
  return behind (a, where_useful (build, r, times (a, over),
                                  build2 (RDIV_EXPR, type, a, exact)));
}
