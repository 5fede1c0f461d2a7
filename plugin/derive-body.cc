/* The prototype of a gradient becomes a function.

     double f_gradient (...)
     {
       seed = g;                       of(return: g); of(return): 1
       body                            planned, careful, or given up
       return result;                  with(primal)
     }  */

#include "plugin/derive-inside.hh"

#include "lowering/generic.hh"
#include "plugin/data.hh"

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

/* A call of dprintf, to stderr, that prints G's name in front of WORDS, and the
   number VALUE in them, if there is one.  */
static tree
message_of (tns_derivation *d, const char *words, tree value)
{
  char *format = concat ("%s: ", words, "\n", NULL);
  tree text = build_pointer_type (char_type_node);
  tree type = build_varargs_function_type_list (
    integer_type_node, integer_type_node, text, NULL_TREE);
  const char *name = IDENTIFIER_POINTER (DECL_NAME (d->g));
  tree call = build_call_expr_loc (
    tns_derive_place (d->wish), build_fn_decl ("dprintf", type), value ? 4 : 3,
    build_int_cst (integer_type_node, STDERR_FILENO),
    build_string_literal (strlen (format) + 1, format),
    build_string_literal (strlen (name) + 1, name), value);
  free (format);
  return call;
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

/* Whether the user asks to be told, by TRM_VERBOSE as the runtime reads it.  */
static tree
is_verbose (void)
{
  tree pointer = build_pointer_type (char_type_node);
  tree name = build_string_literal (sizeof "TRM_VERBOSE", "TRM_VERBOSE");
  tree type = build_function_type_list (pointer, TREE_TYPE (name), NULL_TREE);
  tree value
    = save_expr (build_call_expr (build_fn_decl ("getenv", type), 1, name));
  tree there = build2 (NE_EXPR, boolean_type_node, value,
                       build_zero_cst (TREE_TYPE (value)));
  tree differs = build_call_expr (builtin_decl_explicit (BUILT_IN_STRCMP), 2,
                                  value, build_string_literal (2, "0"));
  tree some = build2 (NE_EXPR, boolean_type_node, build_simple_mem_ref (value),
                      build_zero_cst (char_type_node));
  tree is_on = build2 (NE_EXPR, boolean_type_node, differs,
                       build_zero_cst (TREE_TYPE (differs)));
  return build2 (TRUTH_ANDIF_EXPR, boolean_type_node, there,
                 build2 (TRUTH_ANDIF_EXPR, boolean_type_node, some, is_on));
}

/* G returns 1, with a message of WORDS and VALUE for who asks to be told, or
   the program ends with that message.  */
static tree
stop (tns_derivation *d, const char *words, tree value)
{
  tree list = NULL_TREE;
  tree message = message_of (d, words, value);
  if (!VOID_TYPE_P (TREE_TYPE (TREE_TYPE (d->g))) && !d->wish->derived.primal)
    {
      append_to_statement_list (
        build3 (COND_EXPR, void_type_node, is_verbose (), message, NULL_TREE),
        &list);
      append_to_statement_list (return_of (d, integer_one_node), &list);
      return list;
    }
  append_to_statement_list (message, &list);
  tree abort = builtin_decl_explicit (BUILT_IN_ABORT);
  append_to_statement_list (
    build_call_expr_loc (tns_derive_place (d->wish), abort, 0), &list);
  return list;
}

tree
tns_derive_give_up (tns_derivation *d)
{
  return stop (
    d, "no memory for the derivative, or arrays overlap or lie unevenly",
    NULL_TREE);
}

/* The variable *VARIABLE of G for bytes, called NAME.  */
static tree
variable_for_bytes (tns_derivation *d, tree *variable, const char *name)
{
  if (!*variable)
    *variable = tns_derive_variable (d, get_identifier (name), intDI_type_node);
  return *variable;
}

tree
tns_derive_least (tns_derivation *d)
{
  TREE_ADDRESSABLE (variable_for_bytes (d, &d->least, "least")) = 1;
  return d->least;
}

tree
tns_derive_limit (tns_derivation *d)
{
  return variable_for_bytes (d, &d->limit, "limit");
}

/* VARIABLE = VALUE.  */
static tree
set_variable (tree variable, tree value)
{
  return build2 (MODIFY_EXPR, TREE_TYPE (variable), variable,
                 fold_convert (TREE_TYPE (variable), value));
}

/* Stop where the least bytes that can do are more than those given.  */
static tree
check_least (tns_derivation *d)
{
  tree some = build2 (NE_EXPR, boolean_type_node, d->least,
                      build_zero_cst (TREE_TYPE (d->least)));
  tree value = fold_convert (long_long_integer_type_node, d->least);
  tree no = stop (d, "the time loop needs %lld bytes at least", value);
  return build3 (COND_EXPR, void_type_node, some, no, NULL_TREE);
}

tree
tns_derive_needs (tns_derivation *d, tree bytes)
{
  tree needed
    = fold_convert (long_long_integer_type_node, unshare_expr (bytes));
  return stop (d, "the gradient needs %lld bytes at least", needed);
}

bool
tns_derive_within_bytes (tns_derivation *d, tree bytes, tree *way,
                         tree otherwise)
{
  tree type = long_long_integer_type_node;
  unsigned long long memory = d->wish->derived.memory;
  tree needed = fold_convert (type, unshare_expr (bytes));
  tree fits = fold_build2 (LE_EXPR, boolean_type_node, needed,
                           build_int_cst (type, memory));
  if (integer_zerop (fits) && !otherwise)
    {
      error_at ((location_t) d->wish->derived.memory_loc.handle,
                "%qD needs %ld bytes at least", d->g,
                (long) tree_to_shwi (needed));
      return false;
    }
  if (!otherwise)
    otherwise = tns_derive_needs (d, bytes);
  if (!integer_onep (fits))
    *way = build3 (COND_EXPR, void_type_node, fits, *way, otherwise);
  TREE_SIDE_EFFECTS (*way) = 1;
  return true;
}

tree
tns_derive_lower (tns_derivation *d)
{
  d->again = create_artificial_label (tns_derive_place (d->wish));
  DECL_CONTEXT (d->again) = d->g;
  tree type = TREE_TYPE (tns_derive_limit (d));
  tree half = build2 (RSHIFT_EXPR, type, d->limit, integer_one_node);
  tree none
    = build2 (EQ_EXPR, boolean_type_node, d->limit, build_zero_cst (type));
  tree list = NULL_TREE;
  append_to_statement_list (set_variable (d->limit, half), &list);
  append_to_statement_list (
    build3 (COND_EXPR, void_type_node, none, tns_derive_give_up (d),
            build1 (GOTO_EXPR, void_type_node, d->again)),
    &list);
  return list;
}

tree
tns_derive_within (tns_derivation *d, tree way)
{
  tree most = build_int_cst (TREE_TYPE (d->limit), HOST_WIDE_INT_1 << 60);
  tree list = NULL_TREE;
  append_to_statement_list (set_variable (d->limit, most), &list);
  append_to_statement_list (build1 (LABEL_EXPR, void_type_node, d->again),
                            &list);
  append_to_statement_list (way, &list);
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
  if (d->least)
    append_to_statement_list (build2 (MODIFY_EXPR, TREE_TYPE (d->least),
                                      d->least,
                                      build_zero_cst (TREE_TYPE (d->least))),
                              &list);
  append_to_statement_list (d->enter, &list);
  append_to_statement_list (body, &list);
  if (d->least)
    append_to_statement_list (check_least (d), &list);
  append_to_statement_list (d->leave, &list);
  if (!VOID_TYPE_P (TREE_TYPE (TREE_TYPE (d->g))))
    append_to_statement_list (
      return_of (d, d->wish->derived.primal ? d->result : integer_zero_node),
      &list);
  tns_data_derived (d->g, d->on_device && !d->enter);
  DECL_SAVED_TREE (d->g) = NULL_TREE;
  tns_build_finish (d->g, d->variables, list);
}
