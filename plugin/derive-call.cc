/* The function as if its gradient called it.

     double f (int n, const double *x);
     void f_gradient (int n, const double *x, double *dx);

     result = f (n, x);

   A parameter of f that its gradient lacks is a pointer that nobody sets:
   what is behind it is no memory of the caller's.  */

#include "plugin/derive-inside.hh"

#include "lowering/generic.hh"
#include "plugin/keep.hh"

extern "C"
{
#include "ir/walk.h"
}

location_t
tns_derive_place (const tns_wish *wish)
{
  return (location_t) wish->loc.handle;
}

tree
tns_derive_parameter (tree fndecl, const char *name)
{
  for (tree parm = DECL_ARGUMENTS (fndecl); parm; parm = DECL_CHAIN (parm))
    if (DECL_NAME (parm)
        && !strcmp (IDENTIFIER_POINTER (DECL_NAME (parm)), name))
      return parm;
  return NULL_TREE;
}

tree
tns_derive_variable (tns_derivation *d, tree name, tree type)
{
  tree made = build_decl (tns_derive_place (d->wish), VAR_DECL, name, type);
  DECL_CONTEXT (made) = d->g;
  DECL_ARTIFICIAL (made) = 1;
  TREE_USED (made) = 1;
  tns_gcc_quiet (made);
  DECL_CHAIN (made) = d->variables;
  d->variables = made;
  return made;
}

/* A pointer to elements as those of PARM, F's, which nobody sets.  */
static tree
pointer_like (tns_derivation *d, tree parm)
{
  tree elem = strip_array_types (TREE_TYPE (TREE_TYPE (parm)));
  return tns_derive_variable (d, DECL_NAME (parm), build_pointer_type (elem));
}

/* G's parameter GIVEN may stand for F's, PARM.  */
static bool
may_stand_for (tree parm, tree given)
{
  tree to = TREE_TYPE (parm);
  tree from = TREE_TYPE (given);
  if (INTEGRAL_TYPE_P (to) || INTEGRAL_TYPE_P (from))
    return INTEGRAL_TYPE_P (to) && INTEGRAL_TYPE_P (from);
  return POINTER_TYPE_P (to) == POINTER_TYPE_P (from)
         && tns_element_type (to) == tns_element_type (from);
}

bool
tns_derive_arguments (tns_derivation *d)
{
  for (tree parm = tns_kept_parms (d->f); parm; parm = DECL_CHAIN (parm))
    {
      const char *name = IDENTIFIER_POINTER (DECL_NAME (parm));
      tree given = tns_derive_parameter (d->g, name);
      bool is_pointer = POINTER_TYPE_P (TREE_TYPE (parm));
      if (!given && !is_pointer)
        {
          error_at (tns_derive_place (d->wish),
                    "the %s of %qD lacks its parameter %qs",
                    tns_wish_mode (d->wish), d->f, name);
          return false;
        }
      if (given && !may_stand_for (parm, given))
        {
          error_at (DECL_SOURCE_LOCATION (given),
                    "%qD of type %qT is no %qs of %qD, of type %qT", given,
                    TREE_TYPE (given), name, d->f, TREE_TYPE (parm));
          return false;
        }
      d->parms.safe_push (parm);
      d->absent.safe_push (!given);
      d->arguments.safe_push (given ? given : pointer_like (d, parm));
    }
  return true;
}

/* F's result is a number.  */
static bool
gives_number (const tns_derivation *d)
{
  tree type = TREE_TYPE (TREE_TYPE (d->f));
  return INTEGRAL_TYPE_P (type) || SCALAR_FLOAT_TYPE_P (type);
}

bool
tns_derive_check_result (const tns_derivation *d)
{
  tree of_f = TREE_TYPE (TREE_TYPE (d->f));
  tree of_g = TREE_TYPE (TREE_TYPE (d->g));
  location_t place = tns_derive_place (d->wish);
  bool is_same = TYPE_MAIN_VARIANT (of_f) == TYPE_MAIN_VARIANT (of_g);
  if (d->wish->derived.primal && (VOID_TYPE_P (of_f) || gives_number (d)))
    {
      if (!is_same)
        error_at (place,
                  "with the primal %qD must return what %qD returns, %qT", d->g,
                  d->f, of_f);
      return is_same;
    }
  if (d->wish->derived.primal)
    error_at (place, "%qD returns %qT, which its gradient cannot hand on", d->f,
              of_f);
  else if (!VOID_TYPE_P (of_g) && !INTEGRAL_TYPE_P (of_g))
    error_at (place, "%qD must return nothing or an %<int%>", d->g);
  else
    return true;
  return false;
}

/* REGION writes through the parameter PARM, which is a pointer to what is
   const.  */
static bool
writes_const (const tns_region *region, const tns_symbols *symbols, tree parm)
{
  tree to = POINTER_TYPE_P (TREE_TYPE (parm))
              ? strip_array_types (TREE_TYPE (TREE_TYPE (parm)))
              : NULL_TREE;
  bool writes = false;
  for (int k = 0; to && TYPE_READONLY (to) && k < region->n_params; k++)
    {
      const tns_sym *sym = region->params[k];
      tree root = tns_symbols_get (symbols, sym);
      writes |= root && TREE_CODE (to) != RECORD_TYPE
                && tns_place_is_in (root, parm)
                && tns_node_writes (region->body, sym);
    }
  return writes;
}

bool
tns_derive_check_const (const tns_derivation *d, const tns_region *region,
                        const tns_symbols *symbols)
{
  for (unsigned k = 0; d->wish->derived.primal && k < d->parms.length (); k++)
    {
      tree parm = d->arguments[k];
      if (d->absent[k] || !writes_const (region, symbols, parm))
        continue;
      error_at (tns_derive_place (d->wish),
                "%qD is %<const%> in %qD, but %qD writes it", parm, d->g, d->f);
      return false;
    }
  return true;
}

tree
tns_derive_call (tns_derivation *d)
{
  auto_vec<tree> given;
  tree type = TREE_TYPE (TREE_TYPE (d->f));
  for (unsigned k = 0; k < d->arguments.length (); k++)
    given.safe_push (fold_convert (TREE_TYPE (d->parms[k]), d->arguments[k]));
  tree call = build_call_array_loc (tns_derive_place (d->wish), type,
                                    build_fold_addr_expr (d->f),
                                    given.length (), given.address ());
  bool is_float = SCALAR_FLOAT_TYPE_P (type);
  if (!is_float && !(d->wish->derived.primal && gives_number (d)))
    return call;
  d->result = tns_derive_variable (d, get_identifier ("result"), type);
  if (is_float)
    d->seed = tns_derive_variable (d, get_identifier ("seed"), type);
  TREE_ADDRESSABLE (d->result) = 1;
  return build2 (MODIFY_EXPR, type, d->result, call);
}
