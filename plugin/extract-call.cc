/* Calls: functions of math.h by their identity (extract-math.cc), functions of
   the unit by their bodies, memset and memcpy as loops.

   Inlining binds each parameter to a variable of its own, reads the body as
   statements before the one that calls, and gives the variable of the
   result.  Pointers are bound to places, so that x[i] in the body is an
   element of the caller's array.  */

#include "plugin/derivative.hh"
#include "plugin/keep-derived.hh"
#include "plugin/keep.hh"
#include "plugin/known.hh"
#include "plugin/left.hh"
#include "plugin/math.hh"

static const int max_inlined = 400;

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
      tns_expr *read = tns_read_math (reader, call, code, &known);
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
