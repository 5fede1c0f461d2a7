/* What a call inside of a data block may do to the arrays that are kept.

   Functions of the unit are known when their bodies have been seen: what they
   do outside of their regions was looked at.  A function of the system's
   headers that is given no function runs no region, and touches what it is
   handed.  Of everything else nothing is known.  */

#include "plugin/data-inside.hh"

/* What calls of a function do.  */
typedef struct doing
{
  tns_data_call kind;
  tns_data_reach *reach;
} doing;

/* The same of functions of the unit, by DECL_UID.  */
static hash_map<int_hash<unsigned, 0>, doing> known;

void
tns_data_remember (tree fndecl, tns_data_call kind, tns_data_reach *reach)
{
  doing made = { kind, reach };
  known.put (DECL_UID (fndecl), made);
}

const tns_data_reach *
tns_data_reach_of (tree fndecl)
{
  doing *seen = known.get (DECL_UID (fndecl));
  return seen ? seen->reach : NULL;
}

/* Some argument of CALL is a function.  */
static bool
is_given_function (const_tree call)
{
  for (int k = 0; k < call_expr_nargs (call); k++)
    {
      tree type = TREE_TYPE (CALL_EXPR_ARG (call, k));
      if (POINTER_TYPE_P (type)
          && TREE_CODE (TREE_TYPE (type)) == FUNCTION_TYPE)
        return true;
    }
  return false;
}

/* FNDECL is declared in a header of the system, and defined there or
   elsewhere.  */
static bool
is_of_system (const_tree fndecl)
{
  return in_system_header_at (DECL_SOURCE_LOCATION (fndecl))
         && DECL_EXTERNAL (fndecl);
}

/* That of a function of GCC's own.  */
static tns_data_call
call_of_builtin (tree fndecl)
{
  if (!fndecl_built_in_p (fndecl, BUILT_IN_NORMAL))
    return TNS_CALL_HANDED;
  switch (DECL_FUNCTION_CODE (fndecl))
    {
    case BUILT_IN_FREE:
      return TNS_CALL_FREE;
    case BUILT_IN_LONGJMP:
    case BUILT_IN_APPLY:
    case BUILT_IN_FORK:
      return TNS_CALL_ANYTHING;
    default:
      return TNS_CALL_HANDED;
    }
}

tns_data_call
tns_data_call_of (const_tree call)
{
  tree fndecl = get_callee_fndecl (call);
  if (!fndecl)
    return CALL_EXPR_FN (call) ? TNS_CALL_ANYTHING : TNS_CALL_NOTHING;
  int flags = flags_from_decl_or_type (fndecl);
  if (flags & ECF_CONST)
    return TNS_CALL_NOTHING;
  if (fndecl_built_in_p (fndecl))
    return call_of_builtin (fndecl);
  if (DECL_ARTIFICIAL (fndecl))
    return TNS_CALL_NOTHING;
  doing *seen = known.get (DECL_UID (fndecl));
  if (seen && !tns_gcc_is_replaceable (fndecl))
    return seen->kind;
  if (is_of_system (fndecl) && !is_given_function (call))
    return TNS_CALL_HANDED;
  return flags & ECF_PURE ? TNS_CALL_READ : TNS_CALL_ANYTHING;
}
