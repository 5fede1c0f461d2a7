/* Operators as trees, of scalars and of whole vectors.

     (a + b) * c        PLUS_EXPR, MULT_EXPR in the type of the operands
     max (a, b)         MAX_EXPR where NaN and -0 do not matter or cannot
                        be, else b > a ? b : a with a and b evaluated once
     fma (a, b, c)      the target's instruction, else a * b + c
     a ? b : c          COND_EXPR: only the chosen one is evaluated; of
                        vectors VEC_COND_EXPR

   Signed arithmetic overflows as C's does.  Nothing here depends on the
   order in which GCC evaluates operands: expressions have no side
   effects.  */

#include "lowering/build.hh"

extern "C"
{
#include "ir/handed.h"
#include "lowering/quotient.h"
}

#include <math.h>

/* The integer VALUE as TYPE, in each lane.  */
static tree
integer_tree (tns_type type, long long value)
{
  tree scalar = tns_build_type (tns_scalar (type.elem));
  tree number = build_int_cst (scalar, value);
  if (type.lanes == 1)
    return number;
  tree vector = tns_build_type (type);
  return build_vector_from_val (vector,
                                fold_convert (TREE_TYPE (vector), number));
}

/* VALUE as TYPE, in each lane.  */
static tree
real_tree (tns_type type, long double value)
{
  tree scalar = tns_build_type (tns_scalar (type.elem));
  REAL_VALUE_TYPE real;
  char spelled[64];
  if (isnan (value))
    real_nan (&real, "", 1, TYPE_MODE (scalar));
  else if (isinf (value))
    {
      real_inf (&real);
      real = value < 0 ? real_value_negate (&real) : real;
    }
  else
    {
      snprintf (spelled, sizeof spelled, "%La", value);
      real_from_string (&real, spelled);
      real_convert (&real, TYPE_MODE (scalar), &real);
    }
  tree number = build_real (scalar, real);
  if (type.lanes == 1)
    return number;
  return build_vector_from_val (tns_build_type (type), number);
}

/* The value that a LOAD reads, as EXPR's type.  */
static tree
load_tree (tns_build *build, const tns_expr *expr)
{
  tree type = tns_build_type (expr->type);
  if (expr->type.lanes > expr->sym->type.lanes
      && !tns_build_is_contiguous (expr->sym))
    return tns_build_lanes (build, expr);
  tree element = tns_build_element (build, expr->sym, expr->arg, expr->type, 0);
  if (expr->type.lanes > 1)
    return TREE_TYPE (element) == type
             ? element
             : build1 (VIEW_CONVERT_EXPR, type, element);
  return fold_convert (type, element);
}

/* The code of OP where GCC has one that means the same on TYPE.  */
static tree_code
plain_code (tns_op op, tree type)
{
  switch (op)
    {
    case TNS_NEG:
      return NEGATE_EXPR;
    case TNS_ADD:
      return PLUS_EXPR;
    case TNS_SUB:
      return MINUS_EXPR;
    case TNS_MUL:
      return MULT_EXPR;
    case TNS_DIV:
      return FLOAT_TYPE_P (type) ? RDIV_EXPR : TRUNC_DIV_EXPR;
    case TNS_REM:
      return TRUNC_MOD_EXPR;
    case TNS_FLOORDIV:
      return FLOOR_DIV_EXPR;
    case TNS_MOD:
      return FLOOR_MOD_EXPR;
    case TNS_AND:
      return BIT_AND_EXPR;
    case TNS_OR:
      return BIT_IOR_EXPR;
    case TNS_XOR:
      return BIT_XOR_EXPR;
    case TNS_SHL:
      return LSHIFT_EXPR;
    case TNS_SHR:
      return RSHIFT_EXPR;
    default:
      return ERROR_MARK;
    }
}

/* The code of OP, a comparison or a truth operator.  */
static tree_code
truth_code (tns_op op)
{
  switch (op)
    {
    case TNS_LT:
      return LT_EXPR;
    case TNS_LE:
      return LE_EXPR;
    case TNS_GT:
      return GT_EXPR;
    case TNS_GE:
      return GE_EXPR;
    case TNS_EQ:
      return EQ_EXPR;
    case TNS_NE:
      return NE_EXPR;
    case TNS_LAND:
      return TRUTH_ANDIF_EXPR;
    case TNS_LOR:
      return TRUTH_ORIF_EXPR;
    case TNS_LNOT:
      return TRUTH_NOT_EXPR;
    default:
      return ERROR_MARK;
    }
}

/* COND ? A : B, of scalars or vectors.  */
static tree
choose (tree cond, tree a, tree b)
{
  if (!VECTOR_TYPE_P (TREE_TYPE (cond)))
    return build3 (COND_EXPR, TREE_TYPE (a), cond, a, b);
  tree made = tns_build_chosen_bits (cond, a, b);
  return made ? made : build3 (VEC_COND_EXPR, TREE_TYPE (a), cond, a, b);
}

/* A CODE B, truth of scalars or a mask of vectors.  */
static tree
compare (tree_code code, tree a, tree b)
{
  tree type = TREE_TYPE (a);
  if (VECTOR_TYPE_P (type))
    return build2 (code, truth_type_for (type), a, b);
  return fold_build2 (code, boolean_type_node, a, b);
}

/* A CODE B.  */
static tree
two_trees (tree_code code, tree type, tree a, tree b)
{
  tree made = tns_build_short (code, type, a, b);
  return made ? made : fold_build2 (code, type, a, b);
}

/* CODE A.  */
static tree
one_tree (tree_code code, tree type, tree a)
{
  tree made = tns_build_short (code, type, a, NULL_TREE);
  return made ? made : fold_build1 (code, type, a);
}

/* MIN or MAX of A and B: the first stays unless the second beats it.  */
static tree
extremum (tns_build *build, tns_op op, tree a, tree b)
{
  tree type = TREE_TYPE (a);
  if (!HONOR_NANS (type) && !HONOR_SIGNED_ZEROS (type))
    return two_trees (op == TNS_MIN ? MIN_EXPR : MAX_EXPR, type, a, b);
  tree made = tns_build_target_extremum (build, op, a, b);
  if (made)
    return made;
  a = tns_build_once (a);
  b = tns_build_once (b);
  tree beats = compare (op == TNS_MIN ? LT_EXPR : GT_EXPR, b, a);
  return choose (beats, b, a);
}

/* |A|, -A or ~A.  */
static tree
one_operand (tns_op op, tree type, tree a)
{
  if (op == TNS_NEG)
    return one_tree (NEGATE_EXPR, type, a);
  if (op == TNS_NOT)
    return TREE_CODE (type) == BOOLEAN_TYPE
             ? fold_build1 (TRUTH_NOT_EXPR, type, a)
             : one_tree (BIT_NOT_EXPR, type, a);
  if (TYPE_UNSIGNED (VECTOR_TYPE_P (type) ? TREE_TYPE (type) : type)
      && !FLOAT_TYPE_P (type))
    return a;
  return one_tree (ABS_EXPR, type, a);
}

/* A * B + C.  */
static tree
multiply_add (tns_build *build, tree type, tree *arg)
{
  const tns_ctx *ctx = build->ctx;
  bool once = ctx->flags.contract || ctx->wish.fp == TNS_FP_FAST;
  tree fused = NULL_TREE;
  if (once && ctx->wish.fp != TNS_FP_STRICT)
    fused = tns_build_internal (build, IFN_FMA, type, 3, arg);
  if (fused)
    return fused;
  tree product = fold_build2 (MULT_EXPR, type, arg[0], arg[1]);
  return fold_build2 (PLUS_EXPR, type, product, arg[2]);
}

/* A CODE B.  Lanes of signed integers wrap: their order is ours, and those
   under a mask hold anything.  */
static tree
two_operands (tree_code code, tree type, tree a, tree b)
{
  bool wraps = VECTOR_TYPE_P (type) && INTEGRAL_TYPE_P (TREE_TYPE (type))
               && !TYPE_UNSIGNED (TREE_TYPE (type))
               && (code == PLUS_EXPR || code == MINUS_EXPR || code == MULT_EXPR
                   || code == LSHIFT_EXPR);
  if (!wraps)
    return two_trees (code, type, a, b);
  tree bits = unsigned_type_for (type);
  a = fold_build1 (VIEW_CONVERT_EXPR, bits, a);
  if (code != LSHIFT_EXPR)
    b = fold_build1 (VIEW_CONVERT_EXPR, bits, b);
  return fold_build1 (VIEW_CONVERT_EXPR, type, two_trees (code, bits, a, b));
}

tree
tns_build_apply (tns_build *build, tns_op op, tns_type to, tree *arg)
{
  tree type = tns_build_type (to);
  char kind = tns_op_class (op);
  if (kind == 'M')
    return tns_build_math (build, op, to, arg);
  if (kind == 'C')
    return compare (truth_code (op), arg[0], arg[1]);
  if (op == TNS_LNOT)
    return fold_build1 (TRUTH_NOT_EXPR, type, arg[0]);
  if (kind == 'B')
    return build2 (truth_code (op), type, arg[0], arg[1]);
  if (op == TNS_SELECT)
    return choose (arg[0], arg[1], arg[2]);
  if (op == TNS_MIN || op == TNS_MAX)
    return extremum (build, op, arg[0], arg[1]);
  if (op == TNS_FMA)
    return multiply_add (build, type, arg);
  if (op == TNS_POPCOUNT)
    return tns_build_popcount (build, type, arg[0]);
  if (op == TNS_CLZ)
    return tns_build_clz (build, type, arg[0]);
  if (tns_op_arity (op) == 1 && kind == 'A')
    return one_operand (op, type, arg[0]);
  tree_code code = plain_code (op, type);
  if (code != ERROR_MARK)
    return two_operands (code, type, arg[0], arg[1]);
  build->failed = true;
  return build_zero_cst (type);
}

/* EXPR, a vector of BOOL, as bytes.  */
static tree
mask_as_bytes (tns_build *build, const tns_expr *expr)
{
  tree bytes = tns_build_type (expr->type);
  tree mask = tns_build_mask (build, expr, bytes);
  return choose (mask, build_one_cst (bytes), build_zero_cst (bytes));
}

/* EXPR, a division of lanes by one constant, without a division where that
   gives the same bits; NULL_TREE where not.  */
static tree
quotient_tree (tns_build *build, const tns_expr *expr)
{
  const tns_expr *divisor = expr->arg[1];
  if (expr->type.lanes == 1 || divisor->op != TNS_SPLAT
      || divisor->arg[0]->op != TNS_REAL)
    return NULL_TREE;
  long double number = divisor->arg[0]->real;
  tns_quotient how = tns_quotient_of (expr->arg[0], expr->type.elem, number);
  if (how == TNS_QUOTIENT_DIVIDED)
    return NULL_TREE;
  tree type = tns_build_type (expr->type);
  tree a = tns_build_once (tns_build_expr (build, expr->arg[0]));
  tree z = tns_build_expr (build, divisor);
  tree r = fold_build2 (RDIV_EXPR, type, build_one_cst (type), z);
  tree q = tns_build_once (build2 (MULT_EXPR, type, a, r));
  if (how == TNS_QUOTIENT_PRODUCT)
    return q;
  tree rest[3] = { fold_build1 (NEGATE_EXPR, type, q), z, a };
  tree left = tns_build_internal (build, IFN_FMA, type, 3, rest);
  tree whole[3] = { left, r, q };
  return left ? tns_build_internal (build, IFN_FMA, type, 3, whole) : NULL_TREE;
}

/* EXPR, a division of floating lanes, faster than the instruction and nearly
   as good, or NULL_TREE.  */
static tree
fast_quotient (tns_build *build, const tns_expr *expr)
{
  const tns_expr *divisor = expr->arg[1];
  tree made = quotient_tree (build, expr);
  if (made || expr->type.lanes == 1 || !tns_elem_is_float (expr->type.elem)
      || (divisor->op != TNS_SPLAT && expr->type.elem != TNS_F32))
    return made;
  tree a = tns_build_expr (build, expr->arg[0]);
  if (divisor->op == TNS_SPLAT)
    return tns_build_scaled (build, a, tns_build_expr (build, divisor->arg[0]));
  return divisor->op == TNS_SQRT
           ? tns_build_over_root (build, a,
                                  tns_build_expr (build, divisor->arg[0]))
           : tns_build_quotient (build, a, tns_build_expr (build, divisor));
}

/* EXPR, a SELECT of the one of two float vectors that is more, or less, than
   the other, as MAX or MIN; NULL_TREE where it is none.  */
static tree
chosen_extremum (tns_build *build, const tns_expr *expr)
{
  const tns_expr *cond = expr->arg[0];
  if (expr->type.lanes == 1 || !tns_elem_is_float (expr->type.elem)
      || (cond->op != TNS_GT && cond->op != TNS_LT))
    return NULL_TREE;
  bool takes_first = tns_expr_equal (cond->arg[0], expr->arg[1])
                     && tns_expr_equal (cond->arg[1], expr->arg[2]);
  bool takes_second = tns_expr_equal (cond->arg[1], expr->arg[1])
                      && tns_expr_equal (cond->arg[0], expr->arg[2]);
  if (!takes_first && !takes_second)
    return NULL_TREE;
  tree arg[2] = { tns_build_expr (build, expr->arg[2]),
                  tns_build_expr (build, expr->arg[1]) };
  tns_op op = (cond->op == TNS_GT) == takes_first ? TNS_MAX : TNS_MIN;
  return tns_build_apply (build, op, expr->type, arg);
}

/* EXPR's operands built, then EXPR.  */
static tree
operator_tree (tns_build *build, const tns_expr *expr)
{
  tree *arg = TNS_NEW_ARRAY (build->ctx->arena, tree, expr->n_args + 1);
  tree type = tns_build_type (expr->type);
  tree faster = expr->op == TNS_DIV ? fast_quotient (build, expr)
                                    : tns_build_long_product (build, expr);
  if (faster)
    return faster;
  tree chosen
    = expr->op == TNS_SELECT ? chosen_extremum (build, expr) : NULL_TREE;
  if (chosen)
    return chosen;
  for (int k = 0; k < expr->n_args; k++)
    if (expr->op == TNS_SELECT && k == 0 && expr->arg[0]->type.lanes > 1)
      arg[k] = tns_build_mask (build, expr->arg[0], type);
    else
      arg[k] = tns_build_expr (build, expr->arg[k]);
  return tns_build_apply (build, expr->op, expr->type, arg);
}

/* The address of LOAD's element.  */
static tree
place_tree (tns_build *build, const tns_expr *load)
{
  tree element = tns_build_element (build, load->sym, load->arg, load->type, 0);
  tree base = get_base_address (element);
  if (base && DECL_P (base))
    TREE_ADDRESSABLE (base) = 1;
  return build_fold_addr_expr (element);
}

tree
tns_build_call (tns_build *build, const tns_expr *expr)
{
  tree fn = tns_symbols_get (build->symbols, expr->sym);
  tree types = TYPE_ARG_TYPES (TREE_TYPE (fn));
  const tns_handed *handed = tns_call_arguments (expr);
  auto_vec<tree> arg;
  for (int k = 0; k < expr->n_args; k++)
    {
      if (handed && handed[k].kind == TNS_HANDED_COUNT)
        continue;
      bool is_place = handed && tns_argument_is_place (expr, k);
      tree made = is_place ? place_tree (build, expr->arg[k])
                           : tns_build_expr (build, expr->arg[k]);
      arg.safe_push (fold_convert (TREE_VALUE (types), made));
      types = TREE_CHAIN (types);
    }
  return build_call_expr_loc_array (build->loc, fn, arg.length (),
                                    arg.address ());
}

/* PAST_LINE: the low bits of an address.  */
static tree
past_line_tree (tns_build *build, const tns_expr *expr)
{
  int bytes = tns_elem_bytes (expr->sym->type.elem);
  tree type = tns_build_type (expr->type);
  tree address = tns_build_address (build, expr->sym, expr->arg);
  tree past = build2 (BIT_AND_EXPR, sizetype, fold_convert (sizetype, address),
                      size_int (TNS_LINE_BYTES - 1));
  return fold_convert (
    type, build2 (TRUNC_DIV_EXPR, sizetype, past, size_int (bytes)));
}

/* Whether EXPR is a BOOL vector that is computed or kept as a mask.  */
static bool
is_mask (const tns_build *build, const tns_expr *expr)
{
  char kind = tns_op_class (expr->op);
  return expr->type.lanes > 1 && expr->type.elem == TNS_BOOL
         && (kind == 'C' || kind == 'B' || expr->op == TNS_SELECT
             || expr->op == TNS_NOT || expr->op == TNS_CAST
             || expr->op == TNS_SPLAT || tns_build_is_kept_mask (build, expr));
}

tree
tns_build_expr (tns_build *build, const tns_expr *expr)
{
  tree counted = tns_build_counted (build, expr);
  if (counted)
    return counted;
  if (is_mask (build, expr))
    return mask_as_bytes (build, expr);
  switch (expr->op)
    {
    case TNS_INT:
      return integer_tree (expr->type, expr->integer);
    case TNS_REAL:
      return real_tree (expr->type, expr->real);
    case TNS_SYM:
      return fold_convert (tns_build_type (expr->type),
                           build->decl[expr->sym->id]);
    case TNS_LOAD:
      return load_tree (build, expr);
    case TNS_CALL:
      return fold_convert (tns_build_type (expr->type),
                           tns_build_call (build, expr));
    case TNS_PAST_LINE:
      return past_line_tree (build, expr);
    case TNS_CAST:
    case TNS_BITS:
    case TNS_SPLAT:
    case TNS_IOTA:
    case TNS_MASKED:
    case TNS_GATHER:
    case TNS_REDUCE_ADD:
    case TNS_REDUCE_MUL:
    case TNS_REDUCE_MIN:
    case TNS_REDUCE_MAX:
    case TNS_REDUCE_AND:
    case TNS_REDUCE_OR:
    case TNS_REDUCE_XOR:
      return tns_build_vector (build, expr);
    default:
      return operator_tree (build, expr);
    }
}
