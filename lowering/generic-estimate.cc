/* Quotients, roots and reciprocal roots of vectors without the instructions,
   where these take longer.

     a / b          r = estimate of 1 / b, good to 14 bits
                    q = a * r
                    q + r * (a - b*q)
     sqrt (x)       r = estimate of 1 / sqrt (x)
                    q = x * r
                    q + r/2 * (x - q*q)
     a / sqrt (x)   r += r * (1/2 - x*r*r/2), twice
                    a * r
     a / z          r = 1 / z, a little less
                    s = r * (1 - z*r)
                    a*r + a*s

   Products and sums have one rounding.  What is left of the dividend is exact
   to its 24 bits, so that the first two are within 2^-28 of the result before
   the last rounding: what is a float is found exactly, and a last bit differs
   from the instruction's once in some dozen results (P. Markstein, Computation
   of elementary functions on the IBM RISC System/6000 processor, 1990).  In the
   last, of one z in all lanes, r + s is 1 / z to almost twice the bits of a
   number; that the two have one sign keeps infinities.  Under fp(fast) and
   -freciprocal-math there it is a * r, within 2 ulp.

   Where that does not hold in some lane, for an operand or what is left is
   denormal, infinite or no number, the instruction itself is taken for the
   whole vector:

     zeros, infinities and the ends of the range are as ever

   but for -0 / b, which may be 0.

   Only of vectors, and not under fp(strict).  Of double, and on machines that
   divide as fast as that, only the last.  */

#include "lowering/build.hh"

extern "C"
{
#include "schedule/machine.h"
}

/* Kinds of numbers by fpclass: none, infinite; denormal; below 0.  */
#define NO_NUMBER 0x81
#define INFINITE  0x18
#define ZERO      0x06
#define DENORMAL  0x20
#define NEGATIVE  0x40

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

/* Some lane of VALUE is of KINDS: a number that is 0 where none is.  */
static tree
lanes_of_kinds (tns_build *build, tree value, int kinds)
{
  tree fn = target_function ("fpclassps", TREE_TYPE (value));
  tree given[3] = { value, build_int_cst (integer_type_node, kinds),
                    integer_minus_one_node };
  return tns_build_target_call (build, fn, 3, given);
}

/* MADE, or OTHERWISE where LANES, a number, is not 0.  */
static tree
unless (tns_build *build, tree lanes, tree made, tree otherwise)
{
  tree some = build2 (NE_EXPR, boolean_type_node, lanes,
                      build_zero_cst (TREE_TYPE (lanes)));
  return build3 (COND_EXPR, TREE_TYPE (made), tns_build_rarely (build, some),
                 otherwise, made);
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
  return build->ctx->wish.fp == TNS_FP_FAST || build->ctx->flags.reciprocal;
}

tree
tns_build_quotient (tns_build *build, tree a, tree b)
{
  tree type = TREE_TYPE (b);
  b = tns_build_once (b);
  tree r = build->ctx->machine->divides ? NULL_TREE
                                        : estimate (build, "rcp14ps", type, b);
  if (!r)
    return NULL_TREE;
  a = tns_build_once (a);
  tree q = tns_build_once (times (a, r));
  tree left = tns_build_once (fused (build, type, negated (b), q, a));
  tree odd = lanes_of_kinds (build, left, NO_NUMBER | INFINITE | DENORMAL);
  odd = build2 (BIT_IOR_EXPR, TREE_TYPE (odd), odd,
                lanes_of_kinds (build, a, DENORMAL));
  return behind (a, unless (build, odd, fused (build, type, left, r, q),
                            build2 (RDIV_EXPR, type, a, b)));
}

/* 2^EXPONENT of TYPE, a scalar's.  */
static tree
power_of_two (tree type, int exponent)
{
  REAL_VALUE_TYPE value;
  real_ldexp (&value, &dconst1, exponent);
  return build_real (type, value);
}

/* R, a scalar, and what is twice a number's bits below it have all their
   bits.  */
static tree
is_normal (tree r)
{
  tree type = TREE_TYPE (r);
  const struct real_format *format = REAL_MODE_FORMAT (TYPE_MODE (type));
  REAL_VALUE_TYPE most;
  real_maxval (&most, 0, TYPE_MODE (type));
  tree least = power_of_two (type, format->emin - 1 + 2 * format->p);
  tree size = tns_build_once (fold_build1 (ABS_EXPR, type, r));
  return build2 (
    TRUTH_AND_EXPR, boolean_type_node,
    build2 (GE_EXPR, boolean_type_node, size, least),
    build2 (LE_EXPR, boolean_type_node, size, build_real (type, most)));
}

/* A / Z, R being 1 / Z, rounded, as two products.  *AHEAD is what to evaluate
   before any branch: that it is the same for all iterations of a loop is not
   seen inside of one.  */
static tree
scaled_by (tns_build *build, tree a, tree z, tree r, tree *ahead)
{
  tree type = TREE_TYPE (a);
  tree scalar = TREE_TYPE (z);
  tree one = build_one_cst (scalar);
  int bits = REAL_MODE_FORMAT (TYPE_MODE (scalar))->p;
  tree little = power_of_two (scalar, 2 - bits);
  r = tns_build_once (times (r, fold_build2 (MINUS_EXPR, scalar, one, little)));
  tree rest
    = tns_build_once (times (r, fused (build, scalar, negated (z), r, one)));
  *ahead = rest;
  return fused (build, type, a, tns_build_splat (type, r),
                times (a, tns_build_splat (type, rest)));
}

tree
tns_build_scaled (tns_build *build, tree a, tree z)
{
  tree type = TREE_TYPE (a);
  bool loose = is_loose (build);
  if (build->ctx->wish.fp == TNS_FP_STRICT
      || (!loose
          && !direct_internal_fn_supported_p (IFN_FMA, type,
                                              OPTIMIZE_FOR_SPEED)))
    return NULL_TREE;
  z = tns_build_once (z);
  a = tns_build_once (a);
  tree scalar = TREE_TYPE (z);
  tree one = build_one_cst (scalar);
  tree r = tns_build_once (build2 (RDIV_EXPR, scalar, one, z));
  tree odd = fold_build1 (TRUTH_NOT_EXPR, boolean_type_node, is_normal (r));
  tree ahead = a;
  tree made = loose ? times (a, tns_build_splat (type, r))
                    : scaled_by (build, a, z, r, &ahead);
  tree divided = build2 (RDIV_EXPR, type, a, tns_build_splat (type, z));
  return behind (
    a, behind (ahead, build3 (COND_EXPR, type, tns_build_rarely (build, odd),
                              divided, made)));
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

/* What an estimate R of 1 / sqrt (X) comes to in one step.  */
static tree
improved (tns_build *build, tree x, tree r)
{
  tree type = TREE_TYPE (r);
  tree rest = fused (build, type, negated (times (x, r)), half (r),
                     half (build_one_cst (type)));
  return tns_build_once (fused (build, type, r, rest, r));
}

/* sqrt (X) by the instruction, or NULL_TREE.  */
static tree
exact_root (tns_build *build, tree x)
{
  return tns_build_internal (build, IFN_SQRT, TREE_TYPE (x), 1, &x);
}

/* Some lane of X has a root that estimates do not give.  */
static tree
odd_roots (tns_build *build, tree x)
{
  return lanes_of_kinds (build, x,
                         NO_NUMBER | INFINITE | ZERO | DENORMAL | NEGATIVE);
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
  tree q = tns_build_once (times (x, r));
  tree left = fused (build, type, negated (q), q, x);
  tree root = fused (build, type, left, half (r), q);
  return behind (x, unless (build, odd_roots (build, x), root, exact));
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
  tree over = improved (build, x, r);
  if (!is_loose (build))
    over = improved (build, x, over);
  tree divided = build2 (RDIV_EXPR, type, a, exact);
  return behind (a, behind (x, unless (build, odd_roots (build, x),
                                       times (a, over), divided)));
}
