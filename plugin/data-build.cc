/* The calls of the runtime that data blocks make (libtensorrt-mini/abi-cuda.h).
   Its functions are weak: without them nothing is done.  */

#include "plugin/data-inside.hh"

#include "lowering/site.hh"

enum
{
  ROW = sizeof (trm_cuda_array) / sizeof (void *),
  BASE = 0,
  BYTES = 1,
  USE = 2,
  NAME = 3
};

/* I64.  */
static tree
number_type (void)
{
  return long_long_integer_type_node;
}

/* VALUE as a number.  */
static tree
number (long value)
{
  return build_int_cst (number_type (), value);
}

/* Append to *LIST: TARGET = VALUE.  */
static void
set (location_t loc, tree target, tree value, tree *list)
{
  tree type = TREE_TYPE (target);
  tree made
    = build2_loc (loc, MODIFY_EXPR, type, target, fold_convert (type, value));
  TREE_SIDE_EFFECTS (made) = 1;
  tns_gcc_quiet (made);
  append_to_statement_list (made, list);
}

/* Append to *LIST: if (COND) THEN.  */
static void
add_if (location_t loc, tree cond, tree then, tree *list)
{
  tree made = build3_loc (loc, COND_EXPR, void_type_node, cond, then,
                          build_empty_stmt (loc));
  TREE_SIDE_EFFECTS (made) = 1;
  append_to_statement_list (made, list);
}

/* Append to *LIST the call of the runtime's function NAME with GIVEN[0..N),
   where it is there.  */
static void
call (location_t loc, const char *name, int n, tree *given, tree *list)
{
  auto_vec<tree> types;
  for (int k = 0; k < n; k++)
    types.safe_push (TREE_TYPE (given[k]));
  tree fn = tns_build_runtime (
    name, build_function_type_array (void_type_node, n, types.address ()));
  tree made = build_call_expr_loc_array (loc, fn, n, given);
  tree address = CALL_EXPR_FN (made);
  add_if (loc,
          build2 (NE_EXPR, boolean_type_node, address,
                  build_zero_cst (TREE_TYPE (address))),
          made, list);
}

/* Append to *LIST trm_cuda_host (BASE, BYTES, USE).  */
static void
call_host (location_t loc, tree base, tree bytes, int use, tree *list)
{
  tree given[] = { fold_convert (ptr_type_node, base),
                   fold_convert (number_type (), bytes), number (use) };
  call (loc, "trm_cuda_host", 3, given, list);
}

/* The address of row K of DATA.  */
static tree
address_of_row (const tns_data *data, int k)
{
  tree field = tns_data_field (data, k, 0);
  return fold_convert (ptr_type_node, build_fold_addr_expr (field));
}

tree
tns_data_field (const tns_data *data, int k, int field)
{
  return build4 (ARRAY_REF, number_type (), data->rows,
                 size_int (ROW * k + field), NULL_TREE, NULL_TREE);
}

tree
tns_data_variable (location_t loc, const char *name, tree type)
{
  tree variable = build_decl (loc, VAR_DECL, create_tmp_var_name (name), type);
  DECL_ARTIFICIAL (variable) = 1;
  DECL_IGNORED_P (variable) = 1;
  DECL_CONTEXT (variable) = current_function_decl;
  TREE_USED (variable) = 1;
  layout_decl (variable, 0);
  return variable;
}

tree
tns_data_variables (tns_data *data)
{
  tree type = build_array_type_nelts (number_type (), ROW * data->n);
  tree variables = data->rows = tns_data_variable (data->loc, "arrays", type);
  TREE_ADDRESSABLE (data->rows) = 1;
  for (int k = 0; k < data->n; k++)
    if (data->row[k].begins)
      {
        tree begins = tns_data_variable (data->loc, "begins", ptr_type_node);
        data->row[k].begins = begins;
        DECL_CHAIN (begins) = variables;
        variables = begins;
      }
  return variables;
}

void
tns_data_fill (const tns_data *data, tree *list)
{
  for (int k = 0; k < data->n; k++)
    {
      const tns_data_row *row = &data->row[k];
      tree name = build_string_literal (strlen (row->name) + 1, row->name);
      set (data->loc, tns_data_field (data, k, BASE), row->base, list);
      set (data->loc, tns_data_field (data, k, BYTES), row->bytes, list);
      set (data->loc, tns_data_field (data, k, USE), number (row->use), list);
      set (data->loc, tns_data_field (data, k, NAME), name, list);
      if (row->begins)
        set (data->loc, row->begins, unshare_expr (row->object), list);
    }
}

/* Append to *LIST the call of NAME with the rows of DATA.  */
static void
call_rows (const tns_data *data, const char *name, tree *list)
{
  if (data->n == 0)
    return;
  tree given[] = { address_of_row (data, 0), number (data->n) };
  call (data->loc, name, 2, given, list);
}

void
tns_data_begin (const tns_data *data, tree *list)
{
  call_rows (data, "trm_cuda_data_begin", list);
}

void
tns_data_end (const tns_data *data, tree *list)
{
  call_rows (data, "trm_cuda_data_end", list);
}

void
tns_data_suspend (tns_data *data, tree *list)
{
  call_host (data->loc, null_pointer_node, number (-1),
             TRM_CUDA_READ | TRM_CUDA_WRITE, list);
  for (; data; data = data->outer)
    {
      tns_data_end (data, list);
      data->whole = false;
    }
}

void
tns_data_resume (const tns_data *data, tree *list)
{
  if (data->outer)
    tns_data_resume (data->outer, list);
  tns_data_begin (data, list);
}

void
tns_data_ask (location_t loc, const tns_touches *found, tree *list)
{
  if (found->all)
    call_host (loc, null_pointer_node, number (-1), found->all, list);
  for (unsigned k = 0; k < found->some.length (); k++)
    {
      const tns_touch *touch = &found->some[k];
      if (touch->use & ~found->all)
        call_host (loc, unshare_expr (touch->base), unshare_expr (touch->bytes),
                   touch->use, list);
    }
}

/* Append to *LIST: where POINTER is what row K of DATA began as, it is not kept
   any more, and what it holds is not copied.  */
static void
drop_row (const tns_data *data, int k, tree pointer, tree *list)
{
  tree begins = data->row[k].begins;
  tree given[] = { address_of_row (data, k), number (1) };
  tree drop = NULL_TREE;
  call_host (data->loc, tns_data_field (data, k, BASE),
             tns_data_field (data, k, BYTES), TRM_CUDA_WRITE | TRM_CUDA_ALL,
             &drop);
  call (data->loc, "trm_cuda_data_end", 2, given, &drop);
  set (data->loc, tns_data_field (data, k, BYTES), number (0), &drop);
  add_if (data->loc, build2 (EQ_EXPR, boolean_type_node, pointer, begins), drop,
          list);
}

void
tns_data_free (const tns_data *data, tree pointer, tree *list)
{
  tree none = boolean_true_node;
  tree copy = NULL_TREE;
  for (const tns_data *at = data; at; at = at->outer)
    for (int k = 0; k < at->n; k++)
      if (at->row[k].begins)
        {
          drop_row (at, k, pointer, list);
          tree other
            = build2 (NE_EXPR, boolean_type_node, pointer, at->row[k].begins);
          none = build2 (TRUTH_AND_EXPR, boolean_type_node, none, other);
        }
  call_host (data->loc, null_pointer_node, number (-1), TRM_CUDA_READ, &copy);
  add_if (data->loc, none, copy, list);
}
