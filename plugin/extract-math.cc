/* Functions of math.h in expressions.

     y = fma (a, b, c)         ->  fused (a, b, c), an operator of ir/op.def
     n = lrint (x)             ->  (long) rint (x)
     m = frexp (x, &e)         ->  e = ..logb (x) + 1.., m = ldexp (x, -e)
     sincos (x, &s, &c)        ->  s = sin (x), c = cos (x)

   Those that give a second result give it to the variable or the element that
   their pointer names, as a statement before the one that calls.  What is not
   here is refused as a call: the Bessel functions, remquo, lgamma_r,
   nexttoward, significand.  */

#include "plugin/math.hh"

#include <math.h>

/* The operator of the built-in function CODE, NONE when it has none.  */
static tns_op
math_op (enum built_in_function code)
{
  switch (code)
    {
      CASE_FLT_FN (BUILT_IN_SQRT) : return TNS_SQRT;
      CASE_FLT_FN (BUILT_IN_CBRT) : return TNS_CBRT;
      CASE_FLT_FN (BUILT_IN_EXP) : return TNS_EXP;
      CASE_FLT_FN (BUILT_IN_EXP2) : return TNS_EXP2;
      CASE_FLT_FN (BUILT_IN_EXP10)
          : CASE_FLT_FN (BUILT_IN_POW10) : return TNS_EXP10;
      CASE_FLT_FN (BUILT_IN_EXPM1) : return TNS_EXPM1;
      CASE_FLT_FN (BUILT_IN_LOG) : return TNS_LOG;
      CASE_FLT_FN (BUILT_IN_LOG2) : return TNS_LOG2;
      CASE_FLT_FN (BUILT_IN_LOG10) : return TNS_LOG10;
      CASE_FLT_FN (BUILT_IN_LOG1P) : return TNS_LOG1P;
      CASE_FLT_FN (BUILT_IN_SIN) : return TNS_SIN;
      CASE_FLT_FN (BUILT_IN_COS) : return TNS_COS;
      CASE_FLT_FN (BUILT_IN_TAN) : return TNS_TAN;
      CASE_FLT_FN (BUILT_IN_ASIN) : return TNS_ASIN;
      CASE_FLT_FN (BUILT_IN_ACOS) : return TNS_ACOS;
      CASE_FLT_FN (BUILT_IN_ATAN) : return TNS_ATAN;
      CASE_FLT_FN (BUILT_IN_SINH) : return TNS_SINH;
      CASE_FLT_FN (BUILT_IN_COSH) : return TNS_COSH;
      CASE_FLT_FN (BUILT_IN_TANH) : return TNS_TANH;
      CASE_FLT_FN (BUILT_IN_ASINH) : return TNS_ASINH;
      CASE_FLT_FN (BUILT_IN_ACOSH) : return TNS_ACOSH;
      CASE_FLT_FN (BUILT_IN_ATANH) : return TNS_ATANH;
      CASE_FLT_FN (BUILT_IN_ERF) : return TNS_ERF;
      CASE_FLT_FN (BUILT_IN_ERFC) : return TNS_ERFC;
      CASE_FLT_FN (BUILT_IN_TGAMMA) : return TNS_TGAMMA;
      CASE_FLT_FN (BUILT_IN_FLOOR) : return TNS_FLOOR;
      CASE_FLT_FN (BUILT_IN_CEIL) : return TNS_CEIL;
      CASE_FLT_FN (BUILT_IN_TRUNC) : return TNS_TRUNC;
      CASE_FLT_FN (BUILT_IN_ROUND) : return TNS_ROUND;
      CASE_FLT_FN (BUILT_IN_RINT)
          : CASE_FLT_FN (BUILT_IN_NEARBYINT) : return TNS_RINT;
      CASE_FLT_FN (BUILT_IN_POW) : return TNS_POW;
      CASE_FLT_FN (BUILT_IN_ATAN2) : return TNS_ATAN2;
      CASE_FLT_FN (BUILT_IN_HYPOT) : return TNS_HYPOT;
      CASE_FLT_FN (BUILT_IN_FMOD) : return TNS_FMOD;
      CASE_FLT_FN (BUILT_IN_REMAINDER)
          : CASE_FLT_FN (BUILT_IN_DREM) : return TNS_REMAINDER;
      CASE_FLT_FN (BUILT_IN_NEXTAFTER) : return TNS_NEXTAFTER;
      CASE_FLT_FN (BUILT_IN_LOGB) : return TNS_LOGB;
      CASE_FLT_FN (BUILT_IN_FMA) : return TNS_FUSED;
      CASE_FLT_FN (BUILT_IN_FMIN) : return TNS_FMIN;
      CASE_FLT_FN (BUILT_IN_FMAX) : return TNS_FMAX;
      CASE_FLT_FN (BUILT_IN_COPYSIGN) : return TNS_COPYSIGN;
      CASE_FLT_FN (BUILT_IN_FDIM) : return TNS_FDIM;
      CASE_FLT_FN (BUILT_IN_FABS)
          : case BUILT_IN_ABS : case BUILT_IN_LABS : case BUILT_IN_LLABS
          : return TNS_ABS;
    default:
      return TNS_NONE;
    }
}

/* The same for functions whose loops cannot take their place: lgamma also sets
   signgam, so that it is an operator only of what is differentiated; roundeven
   where the way of rounding does not change.  */
static tns_op
special_op (const tns_reader *reader, enum built_in_function code)
{
  switch (code)
    {
      CASE_FLT_FN (BUILT_IN_LGAMMA)
          : CASE_FLT_FN (BUILT_IN_GAMMA)
          : return reader->ctx->wish.derived.function
        ? TNS_LGAMMA
        : TNS_NONE;
      CASE_FLT_FN (BUILT_IN_ROUNDEVEN)
          : return flag_rounding_math ? TNS_NONE : TNS_RINT;
    default:
      return math_op (code);
    }
}

/* A call of a function of math.h, under OP.  */
static tns_expr *
read_operands (tns_reader *reader, tns_op op, tree call)
{
  tns_expr *a = tns_read_expr (reader, CALL_EXPR_ARG (call, 0));
  if (tns_op_arity (op) == 1)
    return tns_unary (reader->arena, op, a);
  tns_expr *b = a ? tns_read_expr (reader, CALL_EXPR_ARG (call, 1)) : NULL;
  if (tns_op_arity (op) == 2)
    return tns_binary (reader->arena, op, a, b);
  tns_expr *c = b ? tns_read_expr (reader, CALL_EXPR_ARG (call, 2)) : NULL;
  return c ? tns_ternary (reader->arena, op, a, b, c) : NULL;
}

/* The operator that gives what the built-in function CODE makes an integer of,
   NONE when it is none that rounds.  */
static tns_op
rounding_op (enum built_in_function code)
{
  switch (code)
    {
      CASE_FLT_FN (BUILT_IN_IRINT)
          : CASE_FLT_FN (BUILT_IN_LRINT)
          : CASE_FLT_FN (BUILT_IN_LLRINT) : return TNS_RINT;
      CASE_FLT_FN (BUILT_IN_IROUND)
          : CASE_FLT_FN (BUILT_IN_LROUND)
          : CASE_FLT_FN (BUILT_IN_LLROUND) : return TNS_ROUND;
      CASE_FLT_FN (BUILT_IN_IFLOOR)
          : CASE_FLT_FN (BUILT_IN_LFLOOR)
          : CASE_FLT_FN (BUILT_IN_LLFLOOR) : return TNS_FLOOR;
      CASE_FLT_FN (BUILT_IN_ICEIL)
          : CASE_FLT_FN (BUILT_IN_LCEIL)
          : CASE_FLT_FN (BUILT_IN_LLCEIL) : return TNS_CEIL;
    default:
      return TNS_NONE;
    }
}

/* A call that rounds its argument under OP to an integer.  */
static tns_expr *
read_rounded (tns_reader *reader, tns_op op, tree call)
{
  tns_elem elem;
  if (!tns_type_of_tree (TREE_TYPE (call), &elem))
    return (tns_expr *) tns_reader_refuse_tree (reader, call, TNS_WHY_TYPE);
  return tns_cast (reader->arena, tns_scalar (elem),
                   read_operands (reader, op, call));
}

/* A truth value as the int that C has for it.  */
static tns_expr *
as_int (tns_reader *reader, tns_expr *cond)
{
  return tns_cast (reader->arena, tns_scalar (TNS_I32), cond);
}

/* Calls of built-in functions that are neither math nor memory; *KNOWN tells
   whether this is one.  */
static tns_expr *
read_predicate (tns_reader *reader, tree call, enum built_in_function code,
                bool *known)
{
  tns_arena *arena = reader->arena;
  *known = true;
  switch (code)
    {
    case BUILT_IN_EXPECT:
      return tns_read_expr (reader, CALL_EXPR_ARG (call, 0));
      CASE_FLT_FN (BUILT_IN_ISNAN) :
      {
        tns_expr *x = tns_read_expr (reader, CALL_EXPR_ARG (call, 0));
        return as_int (reader, tns_binary (arena, TNS_NE, x, x));
      }
    case BUILT_IN_ISGREATER:
    case BUILT_IN_ISGREATEREQUAL:
    case BUILT_IN_ISLESS:
    case BUILT_IN_ISLESSEQUAL:
      {
        tns_op op = code == BUILT_IN_ISGREATER        ? TNS_GT
                    : code == BUILT_IN_ISGREATEREQUAL ? TNS_GE
                    : code == BUILT_IN_ISLESS         ? TNS_LT
                                                      : TNS_LE;
        return as_int (reader, read_operands (reader, op, call));
      }
    default:
      *known = false;
      return NULL;
    }
}

/* The number NUMBER, of the type of LIKE.  */
static tns_expr *
number_as (tns_reader *reader, const tns_expr *like, long double number)
{
  return tns_real (reader->arena, like->type.elem, number);
}

/* X is neither infinite nor a NaN.  */
static tns_expr *
is_finite (tns_reader *reader, tns_expr *x)
{
  tns_expr *rest = tns_binary (reader->arena, TNS_SUB, x, x);
  return tns_binary (reader->arena, TNS_EQ, rest, number_as (reader, x, 0));
}

/* The argument K of CALL, which may be used again; NULL with the reason said.
   */
static tns_expr *
kept_argument (tns_reader *reader, tree call, int k)
{
  if (reader->conditional)
    return (tns_expr *) tns_reader_refuse_tree (reader, call,
                                                TNS_WHY_SIDE_EFFECT);
  tns_expr *x = tns_read_expr (reader, CALL_EXPR_ARG (call, k));
  return x ? tns_keep_value (reader, x) : NULL;
}

/* X times 2 to the N, an integer: what an int of a few digits does not hold
   gives 0 and infinity just so.  */
static tns_expr *
scaled (tns_reader *reader, tns_expr *x, tns_expr *n)
{
  const long long most = 100000;
  tns_arena *arena = reader->arena;
  tns_elem elem = n->type.elem;
  long long number;
  bool is_small
    = tns_expr_is_int (n, &number) && number >= -most && number <= most;
  if (!is_small)
    {
      n = tns_binary (arena, TNS_MIN, n, tns_int_of (arena, elem, most));
      n = tns_binary (arena, TNS_MAX, n, tns_int_of (arena, elem, -most));
    }
  return tns_binary (arena, TNS_LDEXP, x, tns_cast (arena, x->type, n));
}

/* ldexp and its like.  */
static tns_expr *
read_scaled (tns_reader *reader, tree call)
{
  tns_expr *x = tns_read_expr (reader, CALL_EXPR_ARG (call, 0));
  tns_expr *n = x ? tns_read_expr (reader, CALL_EXPR_ARG (call, 1)) : NULL;
  return n ? scaled (reader, x, n) : NULL;
}

/* __builtin_powi.  */
static tns_expr *
read_whole_power (tns_reader *reader, tree call)
{
  tns_expr *x = tns_read_expr (reader, CALL_EXPR_ARG (call, 0));
  tns_expr *n = x ? tns_read_expr (reader, CALL_EXPR_ARG (call, 1)) : NULL;
  return n ? tns_binary (reader->arena, TNS_POW, x,
                         tns_cast (reader->arena, x->type, n))
           : NULL;
}

/* ilogb: of 0, infinities and NaNs what math.h says.  */
static tns_expr *
read_exponent (tns_reader *reader, tree call)
{
  tns_arena *arena = reader->arena;
  tns_expr *x = kept_argument (reader, call, 0);
  if (!x)
    return NULL;
  tns_type type = tns_scalar (TNS_I32);
  tns_expr *whole = tns_cast (arena, type, tns_unary (arena, TNS_LOGB, x));
  tns_expr *other
    = tns_ternary (arena, TNS_SELECT, tns_binary (arena, TNS_EQ, x, x),
                   tns_int_of (arena, TNS_I32, INT_MAX),
                   tns_int_of (arena, TNS_I32, FP_ILOGBNAN));
  other = tns_ternary (arena, TNS_SELECT, is_finite (reader, x), whole, other);
  return tns_ternary (arena, TNS_SELECT,
                      tns_binary (arena, TNS_EQ, x, number_as (reader, x, 0)),
                      tns_int_of (arena, TNS_I32, FP_ILOGB0), other);
}

/* VALUE, of TYPE, goes to where POINTER, an argument of a call, points.  */
static bool
store_through (tns_reader *reader, tree pointer, tree type, tns_expr *value)
{
  tree slot
    = build_decl (UNKNOWN_LOCATION, VAR_DECL, get_identifier ("part"), type);
  DECL_CONTEXT (slot) = reader->fndecl;
  tree to = build_fold_indirect_ref (pointer);
  return tns_declare_cell (reader, slot)
         && tns_write_variable (reader, slot, value, NULL_TREE)
         && tns_read_effect (reader,
                             build2 (MODIFY_EXPR, TREE_TYPE (to), to, slot));
}

/* sincos (x, s, c).  */
static tns_expr *
read_sine_and_cosine (tns_reader *reader, tree call)
{
  tns_arena *arena = reader->arena;
  tree type = TREE_TYPE (CALL_EXPR_ARG (call, 0));
  tns_expr *x = kept_argument (reader, call, 0);
  bool is_done = x
                 && store_through (reader, CALL_EXPR_ARG (call, 1), type,
                                   tns_unary (arena, TNS_SIN, x))
                 && store_through (reader, CALL_EXPR_ARG (call, 2), type,
                                   tns_unary (arena, TNS_COS, x));
  return is_done ? tns_int (arena, 0) : NULL;
}

/* modf (x, p): *p gets the whole part; the rest has the sign of x, and the
   derivative 1.  */
static tns_expr *
read_parts (tns_reader *reader, tree call)
{
  tns_arena *arena = reader->arena;
  tns_expr *x = kept_argument (reader, call, 0);
  if (!x
      || !store_through (reader, CALL_EXPR_ARG (call, 1), TREE_TYPE (call),
                         tns_unary (arena, TNS_TRUNC, x)))
    return NULL;
  tns_expr *nothing
    = tns_binary (arena, TNS_COPYSIGN, number_as (reader, x, 0), x);
  tns_expr *is_infinite
    = tns_binary (arena, TNS_LAND, tns_binary (arena, TNS_EQ, x, x),
                  tns_unary (arena, TNS_LNOT, is_finite (reader, x)));
  return tns_ternary (
    arena, TNS_SELECT, is_infinite, nothing,
    tns_binary (arena, TNS_FMOD, x, number_as (reader, x, 1)));
}

/* frexp (x, p): *p gets the exponent that leaves what is in [1/2, 1).  */
static tns_expr *
read_mantissa (tns_reader *reader, tree call)
{
  tns_arena *arena = reader->arena;
  tns_expr *x = kept_argument (reader, call, 0);
  if (!x)
    return NULL;
  tns_expr *above = tns_binary (arena, TNS_ADD, tns_unary (arena, TNS_LOGB, x),
                                number_as (reader, x, 1));
  tns_expr *has_one
    = tns_binary (arena, TNS_LAND, is_finite (reader, x),
                  tns_binary (arena, TNS_NE, x, number_as (reader, x, 0)));
  tns_expr *exponent = tns_cast (
    arena, tns_scalar (TNS_I32),
    tns_ternary (arena, TNS_SELECT, has_one, above, number_as (reader, x, 0)));
  exponent = tns_keep_value (reader, exponent);
  return store_through (reader, CALL_EXPR_ARG (call, 1), integer_type_node,
                        exponent)
           ? tns_binary (
             arena, TNS_LDEXP, x,
             tns_cast (arena, x->type, tns_unary (arena, TNS_NEG, exponent)))
           : NULL;
}

/* Calls of functions that have no operator of their own: integers beside
   numbers, results through pointers; *KNOWN tells whether this is one.  */
static tns_expr *
read_taken_apart (tns_reader *reader, tree call, enum built_in_function code,
                  bool *known)
{
  *known = true;
  switch (code)
    {
      CASE_FLT_FN (BUILT_IN_LDEXP)
          : CASE_FLT_FN (BUILT_IN_SCALBN)
          : CASE_FLT_FN (BUILT_IN_SCALBLN) : return read_scaled (reader, call);
      CASE_FLT_FN (BUILT_IN_POWI) : return read_whole_power (reader, call);
      CASE_FLT_FN (BUILT_IN_ILOGB) : return read_exponent (reader, call);
      CASE_FLT_FN (BUILT_IN_SINCOS)
          : return read_sine_and_cosine (reader, call);
      CASE_FLT_FN (BUILT_IN_MODF) : return read_parts (reader, call);
      CASE_FLT_FN (BUILT_IN_FREXP) : return read_mantissa (reader, call);
    default:
      *known = false;
      return NULL;
    }
}

int
tns_results_of (tree fndecl)
{
  if (!fndecl || !fndecl_built_in_p (fndecl, BUILT_IN_NORMAL))
    return 0;
  switch (DECL_FUNCTION_CODE (fndecl))
    {
      CASE_FLT_FN (BUILT_IN_SINCOS) : return 2;
      CASE_FLT_FN (BUILT_IN_MODF) : CASE_FLT_FN (BUILT_IN_FREXP) : return 1;
    default:
      return 0;
    }
}

/* The call of __builtin_cexpi, which GCC makes of sincos, that EXPR, a part of
   a complex number, is of; NULL_TREE where there is none.  */
static tree
angle_call (tree expr)
{
  tree call = TREE_OPERAND (expr, 0);
  if (TREE_CODE (call) == SAVE_EXPR)
    call = TREE_OPERAND (call, 0);
  tree fndecl
    = TREE_CODE (call) == CALL_EXPR ? get_callee_fndecl (call) : NULL_TREE;
  if (!fndecl || !fndecl_built_in_p (fndecl, BUILT_IN_NORMAL))
    return NULL_TREE;
  switch (DECL_FUNCTION_CODE (fndecl))
    {
      CASE_FLT_FN (BUILT_IN_CEXPI) : return call;
    default:
      return NULL_TREE;
    }
}

tns_expr *
tns_read_part (tns_reader *reader, tree expr)
{
  tree call = angle_call (expr);
  tree save = TREE_OPERAND (expr, 0);
  if (!call)
    return (tns_expr *) tns_reader_refuse (reader, expr, TNS_WHY_EXPRESSION,
                                           tns_spell (reader->arena, expr));
  const tns_saved *known = tns_find_saved (reader, save);
  tns_expr *angle = known ? known->value : kept_argument (reader, call, 0);
  if (angle && !known)
    tns_add_saved (reader, save, (tns_saved){ angle, NULL });
  tns_op op = TREE_CODE (expr) == REALPART_EXPR ? TNS_COS : TNS_SIN;
  return angle ? tns_unary (reader->arena, op, angle) : NULL;
}

tns_expr *
tns_read_math (tns_reader *reader, tree call, enum built_in_function code,
               bool *known)
{
  *known = true;
  tns_op op = special_op (reader, code);
  if (op != TNS_NONE)
    return read_operands (reader, op, call);
  op = rounding_op (code);
  if (op != TNS_NONE)
    return read_rounded (reader, op, call);
  tns_expr *read = read_predicate (reader, call, code, known);
  return *known ? read : read_taken_apart (reader, call, code, known);
}
