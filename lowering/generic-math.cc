/* Functions of math.h as trees.

     scalar                    the builtin: expf (a)
     sqrt, floor, copysign     the target's instruction where it has one
     round                     of vectors: trunc (a + nearly 0.5 of a's sign)
     fma                       likewise
     fmin, fmax, fdim          of vectors: comparisons
     pow                       by small constants: products (generic-power.cc)
     exp, log, tanh, ...       of vectors: libmvec, as many calls as the
                               widest vectors need:  f32x16 with AVX2 is two
                               calls of _ZGVdN8v_expf
     the rest                  of vectors: lane by lane

   A function of libmvec is declared once: GCC computes calls of one
   declaration with the same operands once, of two declarations twice.

   Under fp (strict) nothing of libmvec: each lane is what the scalar
   function gives.  */

#include "lowering/build.hh"

extern "C"
{
#include "lowering/libmvec.h"
}

/* The builtins of OP in the three precisions, F32 first.  */
typedef struct builtin_row
{
  tns_op op;
  built_in_function f32;
  built_in_function f64;
  built_in_function f80;
} builtin_row;

#define ROW(id)                                                                \
  {                                                                            \
    TNS_##id, BUILT_IN_##id##F, BUILT_IN_##id, BUILT_IN_##id##L                \
  }

static const builtin_row builtins[] = {
  ROW (SQRT),      ROW (CBRT),
  ROW (EXP),       ROW (EXP2),
  ROW (EXP10),     ROW (EXPM1),
  ROW (LOG),       ROW (LOG2),
  ROW (LOG10),     ROW (LOG1P),
  ROW (SIN),       ROW (COS),
  ROW (TAN),       ROW (ASIN),
  ROW (ACOS),      ROW (ATAN),
  ROW (SINH),      ROW (COSH),
  ROW (TANH),      ROW (ASINH),
  ROW (ACOSH),     ROW (ATANH),
  ROW (ERF),       ROW (ERFC),
  ROW (LGAMMA),    ROW (TGAMMA),
  ROW (FLOOR),     ROW (CEIL),
  ROW (TRUNC),     ROW (ROUND),
  ROW (RINT),      ROW (POW),
  ROW (ATAN2),     ROW (HYPOT),
  ROW (FMOD),      ROW (FMIN),
  ROW (FMAX),      ROW (COPYSIGN),
  ROW (FDIM),      ROW (REMAINDER),
  ROW (NEXTAFTER), ROW (LOGB),
  ROW (LDEXP),     { TNS_FUSED, BUILT_IN_FMAF, BUILT_IN_FMA, BUILT_IN_FMAL }
};

/* The declaration of OP's function on ELEM, or NULL_TREE.  */
static tree
scalar_function (tns_op op, tns_elem elem)
{
  for (size_t k = 0; k < ARRAY_SIZE (builtins); k++)
    if (builtins[k].op == op)
      return builtin_decl_explicit (elem == TNS_F32   ? builtins[k].f32
                                    : elem == TNS_F64 ? builtins[k].f64
                                                      : builtins[k].f80);
  return NULL_TREE;
}

/* The internal function that means OP, IFN_LAST when there is none.  */
static internal_fn
instruction (tns_op op)
{
  switch (op)
    {
    case TNS_SQRT:
      return IFN_SQRT;
    case TNS_FLOOR:
      return IFN_FLOOR;
    case TNS_CEIL:
      return IFN_CEIL;
    case TNS_TRUNC:
      return IFN_TRUNC;
    case TNS_RINT:
      return IFN_RINT;
    case TNS_COPYSIGN:
      return IFN_COPYSIGN;
    case TNS_FUSED:
      return IFN_FMA;
    default:
      return IFN_LAST;
    }
}

/* CALL of FN.  GCC's folder moves a minus into odd functions, and takes for
   granted that they have a declaration: their calls are hidden from it.  */
static tree
hidden (internal_fn fn, tree call)
{
  return fn == IFN_TRUNC || fn == IFN_RINT ? save_expr (call) : call;
}

tree
tns_build_internal (tns_build *build, internal_fn fn, tree type, int n,
                    tree *arg)
{
  if (VECTOR_TYPE_P (type) && !VECTOR_MODE_P (TYPE_MODE (type)))
    return NULL_TREE;
  if (!direct_internal_fn_supported_p (fn, type, OPTIMIZE_FOR_SPEED))
    return NULL_TREE;
  return hidden (
    fn, build_call_expr_internal_loc_array (build->loc, fn, type, n, arg));
}

/* FN (ARG) on vectors of TYPE by the function that the target has for GCC's
   own vectors, or NULL_TREE.  */
static tree
target_call (tns_build *build, internal_fn fn, tree type, tree *arg)
{
  if (!VECTOR_TYPE_P (type) || !VECTOR_MODE_P (TYPE_MODE (type)))
    return NULL_TREE;
  tree found = targetm.vectorize.builtin_vectorized_function (
    as_combined_fn (fn), type, type);
  return found ? build_call_expr_loc_array (build->loc, found, 1, arg)
               : NULL_TREE;
}

/* OP, of one operand, as one instruction on TYPE, or NULL_TREE.  */
static tree
rounded (tns_build *build, tns_op op, tree type, tree a)
{
  internal_fn fn = instruction (op);
  tree value = tns_build_internal (build, fn, type, 1, &a);
  return value ? value : target_call (build, fn, type, &a);
}

/* round (A) of vectors: what lies half way goes away from zero, and what lies
   right below it must not, so less than a half is added.  */
static tree
rounded_away (tns_build *build, tree type, tree a)
{
  REAL_VALUE_TYPE half;
  if (!VECTOR_TYPE_P (type) || flag_rounding_math)
    return NULL_TREE;
  tree elem = TREE_TYPE (type);
  const real_format *format = REAL_MODE_FORMAT (TYPE_MODE (elem));
  real_nextafter (&half, format, &dconsthalf, &dconst0);
  a = tns_build_once (a);
  tree sign[2] = { build_vector_from_val (type, build_real (elem, half)), a };
  tree most = tns_build_internal (build, IFN_COPYSIGN, type, 2, sign);
  return most
           ? rounded (build, TNS_TRUNC, type, build2 (PLUS_EXPR, type, a, most))
           : NULL_TREE;
}

/* Whether OP on a scalar must be a call that may set errno.  */
static bool
wants_errno (const tns_build *build, tns_op op, tree type)
{
  return op == TNS_SQRT && !VECTOR_TYPE_P (type)
         && build->ctx->wish.fp == TNS_FP_STRICT
         && build->ctx->flags.math_errno;
}

/* The bytes of the widest vectors that libmvec serves on this target and
   the letter of their instruction set; 0 where there is no libmvec.  */
static int
libmvec_bytes (char *isa)
{
#if defined TARGET_AVX512F && defined TARGET_AVX2 && defined TARGET_AVX
  *isa = TARGET_AVX512F ? 'e' : TARGET_AVX2 ? 'd' : TARGET_AVX ? 'c' : 'b';
  if (POINTER_SIZE != 64)
    return 0;
  return TARGET_AVX512F ? 64 : TARGET_AVX ? 32 : 16;
#else
  *isa = 0;
  return 0;
#endif
}

/* The letter for vectors of BYTES bytes, WIDEST being that of the widest
   ones.  */
static char
libmvec_isa (int bytes, char widest)
{
  if (bytes == 64)
    return 'e';
  if (bytes == 32)
    return widest == 'c' ? 'c' : 'd';
  return 'b';
}

/* The declaration of SYMBOL, a pure function of N vectors of TYPE.  */
static tree
vector_function (tns_build *build, const char *symbol, tree type, int n)
{
  for (tree at = build->vector_fns; at; at = TREE_CHAIN (at))
    if (id_equal (DECL_NAME (TREE_VALUE (at)), symbol))
      return TREE_VALUE (at);
  tree types[2] = { type, type };
  tree fn_type = build_function_type_array (type, n, types);
  tree fn = build_fn_decl (symbol, fn_type);
  TREE_READONLY (fn) = 1;
  TREE_NOTHROW (fn) = 1;
  DECL_ARTIFICIAL (fn) = 1;
  build->vector_fns = tree_cons (NULL_TREE, fn, build->vector_fns);
  return fn;
}

/* Piece PIECE of VALUE, of type PART.  */
static tree
piece_of (tree value, tree part, int piece)
{
  tree bits = TYPE_SIZE (part);
  return build3 (BIT_FIELD_REF, part, value, bits,
                 bitsize_int (piece * tree_to_shwi (bits)));
}

/* FN called on each of N_PIECES pieces of type PART of the operands.  */
static tree
call_pieces (tree fn, tree type, tree part, int n_pieces, int n_args, tree *arg)
{
  vec<constructor_elt, va_gc> *pieces = NULL;
  for (int piece = 0; piece < n_pieces; piece++)
    {
      tree given[2];
      for (int k = 0; k < n_args; k++)
        given[k] = n_pieces == 1 ? arg[k] : piece_of (arg[k], part, piece);
      tree value
        = build_call_array (part, build_fold_addr_expr (fn), n_args, given);
      if (n_pieces == 1)
        return value;
      CONSTRUCTOR_APPEND_ELT (pieces, NULL_TREE, value);
    }
  return build_constructor (type, pieces);
}

/* OP on vectors by libmvec, or NULL_TREE.  */
static tree
libmvec_call (tns_build *build, tns_op op, tns_type to, tree *arg)
{
  char widest;
  int most = libmvec_bytes (&widest);
  int bytes = tns_elem_bytes (to.elem) * to.lanes;
  int part_bytes = bytes < most ? bytes : most;
  if (part_bytes == 0 || bytes % part_bytes
      || build->ctx->wish.fp == TNS_FP_STRICT)
    return NULL_TREE;
  int lanes = part_bytes / tns_elem_bytes (to.elem);
  const char *symbol = tns_vector_math_symbol (
    build->ctx->arena, op, to.elem, lanes, libmvec_isa (part_bytes, widest));
  if (!symbol)
    return NULL_TREE;
  tree part = tns_build_type (tns_vector (to.elem, lanes));
  int n = tns_op_arity (op);
  for (int k = 0; k < n; k++)
    arg[k] = tns_build_once (arg[k]);
  return call_pieces (vector_function (build, symbol, part, n),
                      tns_build_type (to), part, bytes / part_bytes, n, arg);
}

/* The greater of A and B for TNS_FMAX, the lesser for TNS_FMIN, lanes or
   scalars.  A NaN beside a number is not chosen; of lanes the choice of the
   greater alone is one instruction.  Scalars are evaluated before any
   choice.  */
static tree
extreme (tns_op op, tree type, tree a, tree b)
{
  bool lanes = VECTOR_TYPE_P (type);
  tree truth = lanes ? truth_type_for (type) : boolean_type_node;
  tree beats = build2 (op == TNS_FMIN ? LT_EXPR : GT_EXPR, truth, b, a);
  tree no_number = build2 (UNORDERED_EXPR, truth, a, a);
  if (lanes)
    return build3 (VEC_COND_EXPR, type, no_number, b,
                   build3 (VEC_COND_EXPR, type, beats, b, a));
  return build3 (COND_EXPR, type,
                 build2 (TRUTH_OR_EXPR, truth, beats, no_number), b, a);
}

/* The target's function that chooses numbers as fmin and fmax do, on vectors
   of TYPE; NULL_TREE where it has none.  */
static tree
range_function (tree type)
{
#if defined TARGET_AVX512DQ && defined TARGET_AVX512VL
  static const char *const names[][2]
    = { { "__builtin_ia32_rangeps128_mask", "__builtin_ia32_rangepd128_mask" },
        { "__builtin_ia32_rangeps256_mask", "__builtin_ia32_rangepd256_mask" },
        { "__builtin_ia32_rangeps512_mask",
          "__builtin_ia32_rangepd512_mask" } };
  unsigned HOST_WIDE_INT bytes = tree_to_uhwi (TYPE_SIZE_UNIT (type));
  bool is_double = TYPE_MODE (TREE_TYPE (type)) == DFmode;
  bool is_known = is_double || TYPE_MODE (TREE_TYPE (type)) == SFmode;
  int size = bytes == 16 ? 0 : bytes == 32 ? 1 : bytes == 64 ? 2 : -1;
  if (!is_known || size < 0 || !lookup_name || !VECTOR_MODE_P (TYPE_MODE (type))
      || !TARGET_AVX512DQ || (size < 2 && !TARGET_AVX512VL))
    return NULL_TREE;
  tree fn = lookup_name (get_identifier (names[size][is_double]));
  return fn && TREE_CODE (fn) == FUNCTION_DECL && fndecl_built_in_p (fn)
           ? fn
           : NULL_TREE;
#else
  (void) type;
  return NULL_TREE;
#endif
}

/* OP, fmin or fmax, of A and B, vectors, by the target's function, or
   NULL_TREE.  */
static tree
range_call (tns_build *build, tns_op op, tree type, tree a, tree b)
{
  const int lesser = 4, greater = 5, as_is = 4;
  tree fn = range_function (type);
  if (!fn)
    return NULL_TREE;
  tree given[6]
    = { a,
        b,
        build_int_cst (integer_type_node, op == TNS_FMIN ? lesser : greater),
        build_zero_cst (type),
        integer_minus_one_node,
        build_int_cst (integer_type_node, as_is) };
  int n = 0;
  for (tree t = TYPE_ARG_TYPES (TREE_TYPE (fn));
       t && !VOID_TYPE_P (TREE_VALUE (t)); t = TREE_CHAIN (t), n++)
    given[n] = VECTOR_TYPE_P (TREE_VALUE (t))
                 ? fold_build1 (VIEW_CONVERT_EXPR, TREE_VALUE (t), given[n])
                 : fold_convert (TREE_VALUE (t), given[n]);
  return fold_build1 (VIEW_CONVERT_EXPR, type,
                      build_call_expr_loc_array (build->loc, fn, n, given));
}

/* VALUE is a constant that is a number.  */
static bool
is_number (tree value)
{
  if (VECTOR_TYPE_P (TREE_TYPE (value)))
    value = uniform_vector_p (value);
  return value && TREE_CODE (value) == REAL_CST
         && !REAL_VALUE_ISNAN (TREE_REAL_CST (value));
}

/* FMIN, FMAX or FDIM of vectors, or FMIN or FMAX of scalars, by comparisons,
   or NULL_TREE.  FDIM of a NaN is one.  */
static tree
compared (tns_build *build, tns_op op, tree type, tree *arg)
{
  bool is_extreme = op == TNS_FMIN || op == TNS_FMAX;
  if (!is_extreme && (op != TNS_FDIM || !VECTOR_TYPE_P (type)))
    return NULL_TREE;
  tree a = tns_build_once (arg[0]);
  tree b = tns_build_once (arg[1]);
  if (is_extreme && (is_number (a) || is_number (b)))
    return is_number (b) ? extreme (op, type, b, a) : extreme (op, type, a, b);
  tree range = NULL_TREE;
  if (is_extreme && VECTOR_TYPE_P (type))
    range = range_call (build, op, type, a, b);
  if (is_extreme)
    return range ? range : extreme (op, type, a, b);
  return build3 (VEC_COND_EXPR, type,
                 build2 (LE_EXPR, truth_type_for (type), a, b),
                 build_zero_cst (type), build2 (MINUS_EXPR, type, a, b));
}

/* OP on scalars.  */
static tree
scalar_call (tns_build *build, tns_op op, tns_elem elem, tree *arg)
{
  tree fn = scalar_function (op, elem);
  if (op == TNS_LDEXP)
    arg[1] = fold_build1 (FIX_TRUNC_EXPR, integer_type_node, arg[1]);
  if (fn)
    return build_call_expr_loc_array (build->loc, fn, tns_op_arity (op), arg);
  build->failed = true;
  return build_zero_cst (tns_build_type (tns_scalar (elem)));
}

/* OP on each lane.  */
static tree
lane_calls (tns_build *build, tns_op op, tns_type to, tree *arg)
{
  vec<constructor_elt, va_gc> *lanes = NULL;
  int n = tns_op_arity (op);
  for (int k = 0; k < n; k++)
    arg[k] = tns_build_once (arg[k]);
  for (int lane = 0; lane < to.lanes; lane++)
    {
      tree given[3];
      for (int k = 0; k < n; k++)
        given[k] = tns_build_extract (arg[k], lane);
      CONSTRUCTOR_APPEND_ELT (lanes, NULL_TREE,
                              scalar_call (build, op, to.elem, given));
    }
  return build_constructor (tns_build_type (to), lanes);
}

tree
tns_build_math (tns_build *build, tns_op op, tns_type to, tree *arg)
{
  tree type = tns_build_type (to);
  internal_fn fn = instruction (op);
  tree value = NULL_TREE;
  if (op == TNS_SQRT && to.lanes > 1)
    value = tns_build_root (build, arg[0]);
  if (!value && fn != IFN_LAST && !wants_errno (build, op, type))
    value = tns_build_internal (build, fn, type, tns_op_arity (op), arg);
  if (!value && tns_op_rounds (op))
    value = op == TNS_ROUND ? rounded_away (build, type, arg[0])
                            : rounded (build, op, type, arg[0]);
  if (value)
    return value;
  value = op == TNS_POW ? tns_build_power (build, to, arg)
                        : compared (build, op, type, arg);
  if (value)
    return value;
  if (to.lanes == 1)
    return scalar_call (build, op, to.elem, arg);
  value = libmvec_call (build, op, to, arg);
  return value ? value : lane_calls (build, op, to, arg);
}
