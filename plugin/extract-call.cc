/* Calls: functions of math.h by their identity, functions of the unit by
   their bodies, memset and memcpy as loops.

   Inlining binds each parameter to a variable of its own, reads the body as
   statements before the one that calls, and gives the variable of the
   result.  Pointers are bound to places, so that x[i] in the body is an
   element of the caller's array.  */

#include "plugin/derivative.hh"
#include "plugin/keep-derived.hh"
#include "plugin/keep.hh"
#include "plugin/known.hh"
#include "plugin/left.hh"

static const int max_inlined = 400;

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
      CASE_FLT_FN (BUILT_IN_EXP10) : return TNS_EXP10;
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
   signgam, so that it is an operator only of what is differentiated; fma where
   that is one instruction, which nothing may take apart.  */
static tns_op
special_op (const tns_reader *reader, tree call, enum built_in_function code)
{
  const tns_ctx *ctx = reader->ctx;
  switch (code)
    {
      CASE_FLT_FN (BUILT_IN_LGAMMA)
          : return ctx->wish.derived.function
        ? TNS_LGAMMA
        : TNS_NONE;
      CASE_FLT_FN (BUILT_IN_FMA)
          : return ctx->flags.contract
          && ctx->wish.fp != TNS_FP_STRICT
          && direct_internal_fn_supported_p (IFN_FMA, TREE_TYPE (call),
                                             OPTIMIZE_FOR_SPEED)
        ? TNS_FMA
        : TNS_NONE;
    default:
      return math_op (code);
    }
}

/* A call of a function of math.h, under OP.  */
static tns_expr *
read_math (tns_reader *reader, tns_op op, tree call)
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
                   read_math (reader, op, call));
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
        return as_int (reader, read_math (reader, op, call));
      }
    default:
      *known = false;
      return NULL;
    }
}

/* What a sanitizer's call of the built-in CODE checks, NULL when it is none
   that stands in the user's expressions.  */
static const char *
checked_by (enum built_in_function code)
{
  switch (code)
    {
    case BUILT_IN_UBSAN_HANDLE_DIVREM_OVERFLOW:
    case BUILT_IN_UBSAN_HANDLE_DIVREM_OVERFLOW_ABORT:
      return "this division";
    case BUILT_IN_UBSAN_HANDLE_SHIFT_OUT_OF_BOUNDS:
    case BUILT_IN_UBSAN_HANDLE_SHIFT_OUT_OF_BOUNDS_ABORT:
      return "this shift";
    case BUILT_IN_UBSAN_HANDLE_FLOAT_CAST_OVERFLOW:
    case BUILT_IN_UBSAN_HANDLE_FLOAT_CAST_OVERFLOW_ABORT:
      return "this conversion";
    default:
      return NULL;
    }
}

/* CALL tells of what a sanitizer found, or is the trap that
   -fsanitize-undefined-trap-on-error puts there.  */
static bool
is_complaint (tree call)
{
  tree fndecl
    = TREE_CODE (call) == CALL_EXPR ? get_callee_fndecl (call) : NULL_TREE;
  if (!fndecl || !fndecl_built_in_p (fndecl, BUILT_IN_NORMAL))
    return false;
  enum built_in_function code = DECL_FUNCTION_CODE (fndecl);
  return checked_by (code)
         || (code == BUILT_IN_TRAP && flag_sanitize_undefined_trap_on_error);
}

bool
tns_is_idle_check (tree expr)
{
  if (!flag_sanitize || TREE_CODE (expr) != COND_EXPR
      || !is_complaint (COND_EXPR_THEN (expr)))
    return false;
  tree cond = COND_EXPR_COND (expr);
  while (TREE_CODE (cond) == COMPOUND_EXPR)
    cond = TREE_OPERAND (cond, 1);
  return integer_zerop (cond);
}

bool
tns_may_drop_check (const tns_reader *reader, tree expr)
{
  return tns_is_idle_check (expr)
         || (reader->called && flag_sanitize && TREE_CODE (expr) == COND_EXPR
             && is_complaint (COND_EXPR_THEN (expr)));
}

bool
tns_guard_length (tns_reader *reader, tree check)
{
  tree call = TREE_CODE (check) == COND_EXPR ? COND_EXPR_THEN (check) : NULL;
  tree fndecl = call && TREE_CODE (call) == CALL_EXPR ? get_callee_fndecl (call)
                                                      : NULL_TREE;
  tree cond = call ? COND_EXPR_COND (check) : NULL_TREE;
  if (!fndecl || !fndecl_built_in_p (fndecl, BUILT_IN_NORMAL)
      || TREE_CODE (cond) != LE_EXPR
      || (DECL_FUNCTION_CODE (fndecl)
            != BUILT_IN_UBSAN_HANDLE_VLA_BOUND_NOT_POSITIVE
          && DECL_FUNCTION_CODE (fndecl)
               != BUILT_IN_UBSAN_HANDLE_VLA_BOUND_NOT_POSITIVE_ABORT))
    return false;
  tns_expr *length = tns_read_expr (reader, TREE_OPERAND (cond, 0));
  tns_expr *zero = tns_read_expr (reader, TREE_OPERAND (cond, 1));
  return length && zero && tns_guard_at_entry (reader, TNS_LT, zero, length);
}

/* walk_tree's visitor: stops at a check that may fail.  */
static tree
find_check (tree *at, int *walk_subtrees, void *)
{
  if (tns_is_idle_check (*at))
    *walk_subtrees = 0;
  return is_complaint (*at) ? *at : NULL_TREE;
}

bool
tns_refuse_checked (tns_reader *reader, tree stmt)
{
  tree call = flag_sanitize && !reader->called
                ? walk_tree_without_duplicates (&stmt, find_check, NULL)
                : NULL_TREE;
  if (!call)
    return false;
  const char *what = checked_by (DECL_FUNCTION_CODE (get_callee_fndecl (call)));
  tns_reader_refuse (reader, call, TNS_WHY_SANITIZE,
                     what ? what : "this expression");
  return true;
}

/* Whether FNDECL's body may stand in for its call: that of an inline function
   may, even where there is another definition.  */
static bool
may_inline (tns_reader *reader, tree fndecl)
{
  if (fndecl && fndecl == reader->called && !reader->inlined)
    return true;
  if (!fndecl || !(tns_kept_body (fndecl) || tns_is_derived (fndecl))
      || reader->conditional
      || lookup_attribute ("noinline", DECL_ATTRIBUTES (fndecl))
      || lookup_attribute ("noipa", DECL_ATTRIBUTES (fndecl))
      || (tns_gcc_is_replaceable (fndecl) && !DECL_DECLARED_INLINE_P (fndecl))
      || tns_options_of (fndecl) != tns_options_of (reader->fndecl)
      || DECL_FUNCTION_SPECIFIC_TARGET (fndecl)
           != DECL_FUNCTION_SPECIFIC_TARGET (reader->fndecl))
    return false;
  for (const tns_inlined *in = reader->inlined; in; in = in->outer)
    if (in->fndecl == fndecl)
      return false;
  return reader->n_inlined < max_inlined;
}

/* PARM, a structure that FNDECL only reads, is ARG, a variable that it cannot
   reach: nobody has its address, or nobody that calls FNDECL.  */
static bool
may_share (const tns_reader *reader, tree fndecl, tree parm, tree arg)
{
  tree body = tns_kept_body (fndecl);
  bool is_own = TREE_CODE (arg) == PARM_DECL && fndecl == reader->called;
  return (is_own || (DECL_P (arg) && !tns_is_memory (arg)))
         && !TREE_THIS_VOLATILE (TREE_TYPE (parm)) && !tns_changes (body, parm);
}

/* PARM, a structure, stands for ARG, which has its value.  */
static bool
share_record (tns_reader *reader, tree parm, tree arg)
{
  tns_base *base = tns_object_base (reader, arg);
  tree entry = tns_object_at_entry (reader, arg);
  tns_variable *variable = tns_declare (reader, parm);
  variable->base = base;
  variable->holds.entry = entry;
  return base != NULL;
}

/* PARM, a structure of FNDECL, gets ARG, which may be another call's PARM.  */
static bool
bind_record (tns_reader *reader, tree fndecl, tree parm, tree arg)
{
  tns_address from, to;
  if (may_share (reader, fndecl, parm, tns_strip (arg)))
    return share_record (reader, parm, tns_strip (arg));
  return tns_read_place (reader, arg, &from)
         && tns_declare_record (reader, parm)
         && tns_read_place (reader, parm, &to)
         && tns_copy_place (reader, &to, &from, arg);
}

/* PARM of FNDECL, which is being inlined, gets ARG.  */
static bool
bind_parameter (tns_reader *reader, tree fndecl, tree parm, tree arg)
{
  tree type = TREE_TYPE (parm);
  if (POINTER_TYPE_P (type))
    {
      tns_address *place = TNS_NEW (reader->arena, tns_address);
      tree entry = tns_at_entry (reader, arg);
      if (!tns_read_address (reader, arg, place))
        return false;
      tns_variable *variable = tns_declare (reader, parm);
      variable->holds.points = place;
      variable->holds.entry = entry;
      return true;
    }
  if (TREE_CODE (type) == RECORD_TYPE)
    return bind_record (reader, fndecl, parm, arg);
  if (!INTEGRAL_TYPE_P (type) && !SCALAR_FLOAT_TYPE_P (type))
    return tns_reader_refuse_tree (reader, type, TNS_WHY_TYPE) != NULL;
  tns_expr *value = tns_read_expr (reader, arg);
  tree entry = tns_at_entry (reader, arg);
  if (!value || !tns_declare_cell (reader, parm)
      || !tns_write_variable (reader, parm, value, NULL_TREE))
    return false;
  tns_variable_of (reader, parm)->holds.entry = entry;
  return true;
}

bool
tns_bind_parameters (tns_reader *reader, tree fndecl, tree call)
{
  tns_trees parms = {};
  for (tree parm = tns_kept_parameters (fndecl); parm; parm = DECL_CHAIN (parm))
    tns_trees_add (reader->arena, &parms, parm);
  if (parms.n > call_expr_nargs (call))
    return tns_reader_refuse_tree (reader, call, TNS_WHY_CALL) != NULL;
  tns_variable **bound
    = TNS_NEW_ARRAY (reader->arena, tns_variable *, parms.n + 1);
  for (int k = parms.n - 1; k >= 0; k--)
    {
      if (!bind_parameter (reader, fndecl, parms.item[k],
                           CALL_EXPR_ARG (call, k)))
        return false;
      bound[k] = tns_variable_of (reader, parms.item[k]);
    }
  for (int k = 0; k < parms.n; k++)
    tns_show_again (reader, bound[k]);
  return true;
}

/* The body of FNDECL in place of CALL.  */
static tns_expr *
read_inlined (tns_reader *reader, tree fndecl, tree call, bool used)
{
  tree result = tns_kept_result (fndecl);
  bool has_value = result && !VOID_TYPE_P (TREE_TYPE (result));
  if (tns_refuse_checked (reader, tns_kept_body (fndecl)))
    return NULL;
  reader->n_inlined++;
  bool is_record = has_value && TREE_CODE (TREE_TYPE (result)) == RECORD_TYPE;
  bool is_pointer = has_value && POINTER_TYPE_P (TREE_TYPE (result));
  if (!tns_bind_parameters (reader, fndecl, call))
    return NULL;
  if (is_pointer)
    tns_declare (reader, result);
  else if (has_value
           && !(is_record ? tns_declare_record (reader, result)
                          : tns_declare_cell (reader, result)))
    return NULL;
  tns_inlined inlined = { fndecl, reader->inlined };
  tns_frame frame
    = { TNS_FRAME_CALL, NULL_TREE, {}, tns_kept_body (fndecl), NULL };
  location_t loc = reader->loc;
  int first_save = reader->first_save;
  int n_saves = reader->saves.n;
  reader->inlined = &inlined;
  reader->first_save = n_saves;
  bool is_read = tns_read_frame (reader, &frame);
  reader->inlined = inlined.outer;
  reader->first_save = first_save;
  reader->saves.n = n_saves;
  reader->loc = loc;
  if (!is_read)
    return NULL;
  return has_value && used && !is_record && !is_pointer
           ? tns_read_variable (reader, result)
           : tns_int (reader->arena, 0);
}

bool
tns_read_returned_pointer (tns_reader *reader, tree call, tns_address *address)
{
  tree fndecl = get_callee_fndecl (call);
  if (!may_inline (reader, fndecl) || tns_is_derived (fndecl))
    return tns_reader_refuse_tree (reader, call, TNS_WHY_CALL) != NULL;
  if (!read_inlined (reader, fndecl, call, true))
    return false;
  const tns_address *points
    = tns_variable_of (reader, tns_kept_result (fndecl))->holds.points;
  if (!points)
    return tns_reader_refuse_tree (reader, call, TNS_WHY_POINTER) != NULL;
  *address = *points;
  return true;
}

bool
tns_read_returned (tns_reader *reader, tree call, tns_address *address)
{
  tree fndecl = get_callee_fndecl (call);
  if (!tns_read_call (reader, call, true))
    return false;
  tree result = fndecl ? tns_kept_result (fndecl) : NULL_TREE;
  return (result && tns_read_place (reader, result, address))
         || tns_reader_refuse_tree (reader, call, TNS_WHY_CALL);
}

/* FNDECL does what GCC knows of a function of its name: the unit does not
   define one of its own.  */
static bool
is_built_in (tree fndecl)
{
  return fndecl && fndecl_built_in_p (fndecl, BUILT_IN_NORMAL)
         && (DECL_EXTERNAL (fndecl) || !tns_kept_body (fndecl));
}

tns_expr *
tns_read_call (tns_reader *reader, tree call, bool used)
{
  tree fndecl = get_callee_fndecl (call);
  if (is_built_in (fndecl))
    {
      bool known;
      enum built_in_function code = DECL_FUNCTION_CODE (fndecl);
      tns_op op = special_op (reader, call, code);
      if (op != TNS_NONE)
        return read_math (reader, op, call);
      op = rounding_op (code);
      if (op != TNS_NONE)
        return read_rounded (reader, op, call);
      tns_expr *read = read_predicate (reader, call, code, &known);
      if (!known)
        read = tns_read_bits (reader, call, code, &known);
      if (known)
        return read;
      if (!used && code == BUILT_IN_FREE)
        return tns_read_free (reader, call) ? tns_int (reader->arena, 0) : NULL;
      if (!used && tns_read_memory_call (reader, call, code, &known))
        return tns_int (reader->arena, 0);
      if (known)
        return NULL;
    }
  if (reader->called && tns_derivative_is_there (fndecl))
    return tns_read_opaque (reader, fndecl, call);
  if (may_inline (reader, fndecl))
    return tns_is_derived (fndecl) ? tns_read_derived (reader, fndecl, call)
                                   : read_inlined (reader, fndecl, call, used);
  const char *name = tns_spell (reader->arena, call);
  bool is_atomic
    = !strncmp (name, "__atomic_", 9) || !strncmp (name, "__sync_", 7);
  return (tns_expr *) tns_reader_refuse_tree (
    reader, call, is_atomic ? TNS_WHY_ATOMIC : TNS_WHY_CALL);
}
