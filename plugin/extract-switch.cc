/* switch -> if.

     switch (k)                       if (k == 1)
       {                                A;
       case 1: A; break;              else if (k == 2 || k == 3)
       case 2:                          { B; C; }
       case 3: B;               ->    else
       default: C;                      C;
       }

   What falls through stands in both branches.  A break inside an if, a label
   inside a statement and a condition with effects are refused.  The if that
   is made is for reading only.  */

#include "plugin/reader.hh"

/* walk_tree's visitor: stops at a break of the switch itself or at one of its
   labels.  */
static tree
find_break (tree *at, int *walk_subtrees, void *)
{
  switch (TREE_CODE (*at))
    {
    case BREAK_STMT:
    case CASE_LABEL_EXPR:
      return *at;
    case FOR_STMT:
    case WHILE_STMT:
    case DO_STMT:
    case SWITCH_STMT:
      *walk_subtrees = 0;
      return NULL_TREE;
    default:
      return NULL_TREE;
    }
}

/* Nothing behind STMT in its list is executed after it.  */
static bool
ends_branch (tree stmt)
{
  return TREE_CODE (stmt) == BREAK_STMT || TREE_CODE (stmt) == CONTINUE_STMT
         || TREE_CODE (stmt) == RETURN_EXPR;
}

/* What is executed from the label LIST[FROM] on.  */
static tree
branch_from (const tns_trees *list, int from)
{
  tree branch = alloc_stmt_list ();
  for (int k = from; k < list->n; k++)
    {
      tree stmt = list->item[k];
      if (TREE_CODE (stmt) == CASE_LABEL_EXPR)
        continue;
      if (TREE_CODE (stmt) == BREAK_STMT)
        break;
      append_to_statement_list_force (stmt, &branch);
      if (ends_branch (stmt))
        break;
    }
  return branch;
}

/* VALUE is what LABEL, which is no default, stands for.  */
static tree
is_at (tree value, tree label)
{
  tree type = TREE_TYPE (value);
  tree low = fold_convert (type, CASE_LOW (label));
  if (!CASE_HIGH (label))
    return build2 (EQ_EXPR, integer_type_node, value, low);
  tree high = fold_convert (type, CASE_HIGH (label));
  return build2 (TRUTH_ANDIF_EXPR, integer_type_node,
                 build2 (GE_EXPR, integer_type_node, value, low),
                 build2 (LE_EXPR, integer_type_node, value, high));
}

/* The labels that stand together in LIST from FIRST on: the one behind them
   in *NEXT, the condition in *COND; it is the default when that is among
   them.  */
static bool
labels_together (const tns_trees *list, int first, tree value, int *next,
                 tree *cond)
{
  bool is_default = false;
  *cond = NULL_TREE;
  int k = first;
  for (; k < list->n && TREE_CODE (list->item[k]) == CASE_LABEL_EXPR; k++)
    {
      tree label = list->item[k];
      is_default |= !CASE_LOW (label);
      if (!CASE_LOW (label))
        continue;
      tree here = is_at (value, label);
      *cond = *cond ? build2 (TRUTH_ORIF_EXPR, integer_type_node, *cond, here)
                    : here;
    }
  *next = k;
  return is_default;
}

/* The chain of ifs for LIST on VALUE.  */
static tree
chain_of (const tns_trees *list, tree value, location_t loc)
{
  tree otherwise = NULL_TREE;
  tree chain = NULL_TREE;
  tree *end = &chain;
  int next;
  for (int k = 0; k < list->n; k = next)
    {
      tree cond;
      next = k + 1;
      if (TREE_CODE (list->item[k]) != CASE_LABEL_EXPR)
        continue;
      tree branch = branch_from (list, k);
      if (labels_together (list, k, value, &next, &cond))
        otherwise = branch;
      else
        {
          *end = build3_loc (loc, COND_EXPR, void_type_node, cond, branch,
                             NULL_TREE);
          end = &COND_EXPR_ELSE (*end);
        }
    }
  *end = otherwise;
  return chain;
}

tree
tns_switch_as_if (tns_reader *reader, tree stmt)
{
  tns_trees list = {};
  tree value = SWITCH_STMT_COND (stmt);
  tns_list_statements (reader, SWITCH_STMT_BODY (stmt), &list);
  bool is_plain = !TREE_SIDE_EFFECTS (value) && list.n > 0
                  && TREE_CODE (list.item[0]) == CASE_LABEL_EXPR;
  for (int k = 0; k < list.n && is_plain; k++)
    {
      tree here = list.item[k];
      bool is_own
        = TREE_CODE (here) == CASE_LABEL_EXPR || TREE_CODE (here) == BREAK_STMT;
      is_plain
        = is_own || !walk_tree_without_duplicates (&here, find_break, NULL);
    }
  return is_plain ? chain_of (&list, value, reader->loc) : NULL_TREE;
}
