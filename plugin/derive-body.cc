/* The prototype of a gradient becomes a function.

     double f_gradient (...)
     {
       seed = g;                       of(return: g); of(return): 1
       body                            planned, careful, or given up
       return result;                  with(primal)
     }  */

#include "plugin/derive-inside.hh"

#include "lowering/generic.hh"

void
tns_derive_open (tns_derivation *d, tree body)
{
  tns_build_define (d->g);
  DECL_SAVED_TREE (d->g)
    = build3 (BIND_EXPR, void_type_node, NULL_TREE, body, DECL_INITIAL (d->g));
  TREE_SIDE_EFFECTS (DECL_SAVED_TREE (d->g)) = 1;
}

void
tns_derive_drop (tns_derivation *d)
{
  DECL_SAVED_TREE (d->g) = NULL_TREE;
  DECL_INITIAL (d->g) = NULL_TREE;
  DECL_RESULT (d->g) = NULL_TREE;
}

/* A call of dprintf, to stderr, of why G cannot be computed.  */
static tree
message_of (tns_derivation *d)
{
  static const char format[]
    = "%s: no memory for the derivative, or arrays overlap\n";
  tree text = build_pointer_type (char_type_node);
  tree type = build_varargs_function_type_list (
    integer_type_node, integer_type_node, text, NULL_TREE);
  const char *name = IDENTIFIER_POINTER (DECL_NAME (d->g));
  return build_call_expr_loc (tns_derive_place (d->wish),
                              build_fn_decl ("dprintf", type), 3,
                              build_int_cst (integer_type_node, STDERR_FILENO),
                              build_string_literal (sizeof format, format),
                              build_string_literal (strlen (name) + 1, name));
}

/* RESULT = VALUE, and the end of G.  */
static tree
return_of (const tns_derivation *d, tree value)
{
  tree type = TREE_TYPE (TREE_TYPE (d->g));
  tree set = build2 (MODIFY_EXPR, type, DECL_RESULT (d->g),
                     fold_convert (type, value));
  tree back = build1 (RETURN_EXPR, void_type_node, set);
  TREE_SIDE_EFFECTS (back) = 1;
  return back;
}

tree
tns_derive_give_up (tns_derivation *d)
{
  tree list = NULL_TREE;
  if (!VOID_TYPE_P (TREE_TYPE (TREE_TYPE (d->g))) && !d->wish->derived.primal)
    return return_of (d, integer_one_node);
  append_to_statement_list (message_of (d), &list);
  tree stop = builtin_decl_explicit (BUILT_IN_ABORT);
  append_to_statement_list (
    build_call_expr_loc (tns_derive_place (d->wish), stop, 0), &list);
  return list;
}

tree
tns_derive_seed (const tns_derivation *d)
{
  if (d->wish->derived.forward)
    return NULL_TREE;
  const tns_wish_list *of = &d->wish->derived.of;
  for (int k = 0; k < of->n; k++)
    if (!strcmp (of->names[k].name, "return"))
      return of->names[k].adjoint
               ? tns_derive_parameter (d->g, of->names[k].adjoint->name)
               : build_one_cst (TREE_TYPE (d->seed));
  return NULL_TREE;
}

void
tns_derive_close (tns_derivation *d, tree body)
{
  tree list = NULL_TREE;
  tree given = tns_derive_seed (d);
  if (given)
    append_to_statement_list (
      build2 (MODIFY_EXPR, TREE_TYPE (d->seed), d->seed,
              fold_convert (TREE_TYPE (d->seed), given)),
      &list);
  append_to_statement_list (body, &list);
  if (!VOID_TYPE_P (TREE_TYPE (TREE_TYPE (d->g))))
    append_to_statement_list (
      return_of (d, d->wish->derived.primal ? d->result : integer_zero_node),
      &list);
  DECL_SAVED_TREE (d->g) = NULL_TREE;
  tns_build_finish (d->g, d->variables, list);
}
