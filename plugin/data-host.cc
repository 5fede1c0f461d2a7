/* What the host does inside of a data block asks the runtime first.

     x[0] = 1;               ->   trm_cuda_host (&x[0], 4, WRITE); x[0] = 1;
     for (...) s += x[i];    ->   trm_cuda_host (x, 4 * n, READ); for (...)
     f (x);                  ->   trm_cuda_host (NULL, -1, READ | WRITE);
                                  trm_cuda_data_end (..); f (x);
                                  trm_cuda_data_begin (..);

   A statement asks once, in front, for all that it touches, unless in the
   middle of it something may run on a device: a region, a call of a function
   that is known to touch no array outside of regions.  Then it is taken apart,
   as conditions and blocks are, and stores of what a call returns.  Where that
   cannot be done, as inside of other expressions, what runs on a device is
   followed by asking for everything.

   Around a call of which nothing is known the block does not keep its arrays:
   the function may have regions, and statements of its own that know of no
   block.  */

#include "plugin/data-inside.hh"

#include "pragmas/register.hh"

/* STMT is a construct of OpenMP.  */
static bool
is_openmp (tree stmt)
{
  return TREE_CODE (stmt) >= OACC_PARALLEL && TREE_CODE (stmt) < OMP_CLAUSE;
}

/* LABEL may be jumped to from somewhere else.  */
static bool
is_of_user (tree stmt)
{
  return TREE_CODE (stmt) == LABEL_EXPR
         && !DECL_ARTIFICIAL (LABEL_EXPR_LABEL (stmt));
}

/* walk_tree's visitor: stops at what may run on a device, at a data block.  */
static tree
find_device (tree *at, int *walk_subtrees, void *)
{
  if (TYPE_P (*at) || tns_data_is_fallback (*at))
    *walk_subtrees = 0;
  if (tns_data_is_device (*at) || tns_data_is_mark (*at))
    return *at;
  if (TREE_CODE (*at) == DECL_EXPR && VAR_P (DECL_EXPR_DECL (*at)))
    return walk_tree (&DECL_INITIAL (DECL_EXPR_DECL (*at)), find_device, NULL,
                      NULL);
  return TREE_CODE (*at) == CALL_EXPR
             && tns_data_call_of (*at) == TNS_CALL_KEEPS
           ? *at
           : NULL_TREE;
}

/* STMT has to be taken apart: something in it may run on a device, or be jumped
   to.  */
static bool
has_device (tree stmt)
{
  return walk_tree (&stmt, find_device, NULL, NULL) != NULL_TREE;
}

/* walk_tree's visitor: stops at a label.  */
static tree
find_label (tree *at, int *walk_subtrees, void *)
{
  if (TYPE_P (*at))
    *walk_subtrees = 0;
  return is_of_user (*at) ? *at : NULL_TREE;
}

/* walk_tree's visitor: stops at a call that the block must know of.  */
static tree
find_call (tree *at, int *walk_subtrees, void *)
{
  if (TYPE_P (*at) || tns_data_is_fallback (*at))
    *walk_subtrees = 0;
  if (TREE_CODE (*at) != CALL_EXPR)
    return NULL_TREE;
  tns_data_call kind = tns_data_call_of (*at);
  return kind == TNS_CALL_ANYTHING || kind == TNS_CALL_FREE ? *at : NULL_TREE;
}

/* FIRST, statements, and then VALUE; one of them may be missing.  */
static tree
in_turn (tree first, tree value)
{
  if (!first || !value)
    return first ? first : value;
  tree made = build2_loc (EXPR_LOCATION (value), COMPOUND_EXPR,
                          TREE_TYPE (value), first, value);
  TREE_SIDE_EFFECTS (made) = 1;
  tns_gcc_quiet (made);
  return made;
}

/* CALL, while DATA keeps nothing.  */
static tree
suspended (tns_data *data, tree call)
{
  tree before = NULL_TREE;
  tree after = NULL_TREE;
  tns_data_suspend (data, &before);
  tns_data_resume (data, &after);
  tns_data_tell_call (data, call);
  if (!after || VOID_TYPE_P (TREE_TYPE (call)))
    return in_turn (before, in_turn (call, after));
  tree value = build1 (SAVE_EXPR, TREE_TYPE (call), call);
  TREE_SIDE_EFFECTS (value) = 1;
  return in_turn (before, in_turn (in_turn (value, after), value));
}

/* CALL, of free, after the array has left DATA.  */
static tree
freed (tns_data *data, tree call)
{
  tree before = NULL_TREE;
  tree pointer = CALL_EXPR_ARG (call, 0);
  if (!DECL_P (pointer))
    pointer = save_expr (pointer);
  CALL_EXPR_ARG (call, 0) = pointer;
  tns_data_free (data, pointer, &before);
  return in_turn (before, call);
}

/* DEVICE, a device dispatch, and after it all arrays are asked for.  */
static tree
brought_back (tns_data *data, tree device)
{
  tree list = NULL_TREE;
  tns_touches all;
  all.data = data;
  all.all = TRM_CUDA_READ | TRM_CUDA_WRITE;
  append_to_statement_list_force (device, &list);
  tns_data_ask (data->loc, &all, &list);
  return list;
}

/* What is put around calls.

   left  a call that stays as it is where it may run on a device
   all   so do the others
   done  what was met  */
typedef struct wrapping
{
  tns_data *data;
  tree left;
  bool all;
  hash_set<tree> *done;
} wrapping;

/* walk_tree's visitor: puts around what may run on a device, and around calls
   of which nothing is known, what keeps the host right.  */
static tree
wrap (tree *at, int *walk_subtrees, void *self)
{
  const wrapping *w = (const wrapping *) self;
  if (TYPE_P (*at) || tns_data_is_fallback (*at))
    *walk_subtrees = 0;
  if (tns_data_is_device (*at) && !w->done->add (*at))
    {
      *at = brought_back (w->data, *at);
      *walk_subtrees = 0;
    }
  if (TREE_CODE (*at) == DECL_EXPR && VAR_P (DECL_EXPR_DECL (*at)))
    walk_tree (&DECL_INITIAL (DECL_EXPR_DECL (*at)), wrap, self, NULL);
  if (TREE_CODE (*at) != CALL_EXPR)
    return NULL_TREE;
  *walk_subtrees = 0;
  if (w->done->add (*at))
    return NULL_TREE;
  for (int k = 0; k < call_expr_nargs (*at); k++)
    walk_tree (&CALL_EXPR_ARG (*at, k), wrap, self, NULL);
  tns_data_call kind = tns_data_call_of (*at);
  if (kind == TNS_CALL_FREE)
    *at = freed (w->data, *at);
  else if (kind == TNS_CALL_ANYTHING
           || (kind == TNS_CALL_KEEPS && !w->all && *at != w->left))
    *at = suspended (w->data, *at);
  return NULL_TREE;
}

/* Append to *LIST what asks for what STMT touches, and wrap its calls.  LEFT,
   all that STMT does, may run on a device; so may any call where STMT touches
   nothing itself.  */
static void
ask_for (tns_data *data, tree *stmt, tree left, tree *list)
{
  tns_touches found;
  hash_set<tree> done;
  found.data = data;
  found.all = 0;
  tns_data_touch (*stmt, &found);
  bool touches = found.all != 0 || !found.some.is_empty ();
  wrapping w = { data, left, !touches, &done };
  tns_data_ask (EXPR_LOC_OR_LOC (*stmt, data->loc), &found, list);
  walk_tree (stmt, wrap, &w, NULL);
}

/* Put LIST, if there is any, in front of the statement at AT.  */
static void
put_before (tree *at, tree list)
{
  if (!list)
    return;
  append_to_statement_list_force (*at, &list);
  *at = list;
}

/* The construct of OpenMP at AT asks in front; where its threads call what the
   block must know of, the block keeps nothing meanwhile.  */
static void
guard_openmp (tns_data *data, tree *at)
{
  tree list = NULL_TREE;
  if (!has_device (*at) && !walk_tree (at, find_call, NULL, NULL))
    {
      ask_for (data, at, NULL_TREE, &list);
      put_before (at, list);
      return;
    }
  tns_data_suspend (data, &list);
  append_to_statement_list_force (*at, &list);
  tns_data_resume (data, &list);
  *at = list;
}

/* walk_tree's visitor: stops at a construct of OpenMP.  */
static tree
find_openmp (tree *at, int *walk_subtrees, void *)
{
  if (TYPE_P (*at) || tns_data_is_fallback (*at))
    *walk_subtrees = 0;
  return is_openmp (*at) ? *at : NULL_TREE;
}

/* The call that STMT is, whose value goes nowhere, or into a variable that is
   no array; NULL_TREE where it is anything else.  */
static tree
only_call (tree stmt)
{
  for (;;)
    if (CONVERT_EXPR_P (stmt) || TREE_CODE (stmt) == CLEANUP_POINT_EXPR)
      stmt = TREE_OPERAND (stmt, 0);
    else if (TREE_CODE (stmt) == RETURN_EXPR && TREE_OPERAND (stmt, 0))
      stmt = TREE_OPERAND (stmt, 0);
    else if (TREE_CODE (stmt) == DECL_EXPR && VAR_P (DECL_EXPR_DECL (stmt))
             && DECL_INITIAL (DECL_EXPR_DECL (stmt)))
      stmt = DECL_INITIAL (DECL_EXPR_DECL (stmt));
    else if ((TREE_CODE (stmt) == MODIFY_EXPR || TREE_CODE (stmt) == INIT_EXPR)
             && DECL_P (TREE_OPERAND (stmt, 0))
             && !AGGREGATE_TYPE_P (TREE_TYPE (stmt)))
      stmt = TREE_OPERAND (stmt, 1);
    else
      break;
  return TREE_CODE (stmt) == CALL_EXPR ? stmt : NULL_TREE;
}

/* The statement at AT, which is not taken apart.  */
static void
guard_whole (tns_data *data, tree *at)
{
  tree list = NULL_TREE;
  ask_for (data, at, only_call (*at), &list);
  put_before (at, list);
}

/* The store at AT of what a call that may run on a device returns, to an
   element: by way of a variable, so that the element is asked for behind the
   call.  False where it is none.  */
static bool
guard_store (tns_data *data, tree *at)
{
  tree store = *at;
  while (CONVERT_EXPR_P (store) || TREE_CODE (store) == CLEANUP_POINT_EXPR)
    store = TREE_OPERAND (store, 0);
  if (TREE_CODE (store) != MODIFY_EXPR || DECL_P (TREE_OPERAND (store, 0))
      || AGGREGATE_TYPE_P (TREE_TYPE (store)))
    return false;
  tree call = TREE_OPERAND (store, 1);
  while (CONVERT_EXPR_P (call))
    call = TREE_OPERAND (call, 0);
  if (TREE_CODE (call) != CALL_EXPR || tns_data_call_of (call) != TNS_CALL_KEEPS
      || TREE_SIDE_EFFECTS (TREE_OPERAND (store, 0)))
    return false;
  tree value = tns_data_variable (EXPR_LOC_OR_LOC (store, data->loc), "value",
                                  TYPE_MAIN_VARIANT (TREE_TYPE (call)));
  tree list = NULL_TREE;
  tree first = build2 (MODIFY_EXPR, TREE_TYPE (value), value, call);
  TREE_SIDE_EFFECTS (first) = 1;
  guard_whole (data, &first);
  append_to_statement_list_force (first, &list);
  TREE_OPERAND (store, 1) = fold_convert (TREE_TYPE (store), value);
  guard_whole (data, at);
  append_to_statement_list_force (*at, &list);
  *at = build3 (BIND_EXPR, void_type_node, value, list, NULL_TREE);
  TREE_SIDE_EFFECTS (*at) = 1;
  return true;
}

/* The expression at AT, of a statement that is taken apart.  */
static void
guard_value (tns_data *data, tree *at)
{
  tree list = NULL_TREE;
  if (!*at)
    return;
  ask_for (data, at, NULL_TREE, &list);
  if (list)
    *at = in_turn (list, *at);
}

/* The statements of the list LIST, one by one.  */
static void
guard_list (tns_data *data, tree list)
{
  for (tree_stmt_iterator i = tsi_start (list); !tsi_end_p (i); tsi_next (&i))
    if (tns_data_is_mark (tsi_stmt (i)))
      tns_data_take (data, i);
    else
      tns_data_guard (data, tsi_stmt_ptr (i));
}

/* The device dispatch at AT asks for what it is given itself; its kernels, and
   their version for the CPU, do that on their own.  */
static void
guard_device (tns_data *data, tree *at)
{
  tree list = NULL_TREE;
  tns_touches found;
  found.data = data;
  found.all = 0;
  tns_data_touch (*at, &found);
  tns_data_ask (data->loc, &found, &list);
  put_before (at, list);
}

/* The part at AT of a statement, which may be missing.  */
static void
guard_part (tns_data *data, tree *at)
{
  if (*at)
    tns_data_guard (data, at);
}

/* The parts of the statement at AT one by one; false where it has none.  */
static bool
guard_parts (tns_data *data, tree *at)
{
  tree stmt = *at;
  switch (TREE_CODE (stmt))
    {
    case BIND_EXPR:
      guard_part (data, &BIND_EXPR_BODY (stmt));
      return true;
    case FOR_STMT:
      guard_part (data, &FOR_INIT_STMT (stmt));
      guard_value (data, &FOR_COND (stmt));
      guard_value (data, &FOR_EXPR (stmt));
      guard_part (data, &FOR_BODY (stmt));
      return true;
    case WHILE_STMT:
      guard_value (data, &WHILE_COND (stmt));
      guard_part (data, &WHILE_BODY (stmt));
      return true;
    case DO_STMT:
      guard_value (data, &DO_COND (stmt));
      guard_part (data, &DO_BODY (stmt));
      return true;
    case SWITCH_STMT:
      guard_value (data, &SWITCH_STMT_COND (stmt));
      guard_part (data, &SWITCH_STMT_BODY (stmt));
      return true;
    case COND_EXPR:
      if (!VOID_TYPE_P (TREE_TYPE (stmt)))
        return false;
      guard_value (data, &COND_EXPR_COND (stmt));
      guard_part (data, &COND_EXPR_THEN (stmt));
      guard_part (data, &COND_EXPR_ELSE (stmt));
      return true;
    case TRY_FINALLY_EXPR:
      guard_part (data, &TREE_OPERAND (stmt, 0));
      guard_part (data, &TREE_OPERAND (stmt, 1));
      return true;
    default:
      return false;
    }
}

/* STMT asks once for all that it touches: it is a loop or a simple statement.
   A block or a condition is better taken apart, since not all of it may be
   executed.  */
static bool
is_whole (tree stmt)
{
  tree_code code = TREE_CODE (stmt);
  bool is_open = code == BIND_EXPR || code == SWITCH_STMT || code == COND_EXPR;
  return tns_data_is_whole (stmt)
         || (!is_open && !has_device (stmt)
             && !walk_tree (&stmt, find_label, NULL, NULL)
             && !walk_tree (&stmt, find_openmp, NULL, NULL));
}

void
tns_data_guard (tns_data *data, tree *at)
{
  if (TREE_CODE (*at) == STATEMENT_LIST)
    guard_list (data, *at);
  else if (tns_data_is_device (*at))
    guard_device (data, at);
  else if (is_openmp (*at))
    guard_openmp (data, at);
  else if (is_whole (*at)
           || (!guard_parts (data, at) && !guard_store (data, at)))
    guard_whole (data, at);
}
