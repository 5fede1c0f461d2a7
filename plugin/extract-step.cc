/* Steps: what a loop adds to its iterator in each iteration.

     i += 2          2
     i = i - k       -1 where k is 1 and the loop leaves it alone
     i += 1 + (i & 1)   no constant, whatever i is when the loop begins  */

#include "plugin/reader.hh"

/* LOOP changes a variable that stands in EXPR.  */
static bool
is_changed (tns_reader *reader, tree loop, tree expr)
{
  tns_trees written = {};
  tree parts[] = { FOR_BODY (loop), FOR_EXPR (loop), FOR_COND (loop) };
  for (int k = 0; k < 3; k++)
    tns_written_in (reader->arena, parts[k], &written);
  return tns_tree_has_any (expr, &written);
}

/* The constant that EXPR is in all iterations of LOOP.  */
static bool
constant_value (tns_reader *reader, tree loop, tree expr, long long *value)
{
  if (TREE_CODE (expr) == INTEGER_CST)
    {
      *value = wi::to_wide (expr).to_shwi ();
      return true;
    }
  if (TREE_SIDE_EFFECTS (expr) || !INTEGRAL_TYPE_P (TREE_TYPE (expr))
      || is_changed (reader, loop, expr))
    return false;
  tns_expr *read = tns_as_index (reader, tns_read_expr (reader, expr));
  return read && tns_expr_is_int (read, value);
}

bool
tns_read_step (tns_reader *reader, tree loop, tree expr, tree *decl,
               long long *step)
{
  expr = tns_bare (expr);
  tree target = EXPR_P (expr) && TREE_OPERAND_LENGTH (expr)
                  ? TREE_OPERAND (expr, 0)
                  : NULL_TREE;
  if (!target || !DECL_P (target) || POINTER_TYPE_P (TREE_TYPE (target)))
    return false;
  *decl = target;
  *step = 0;
  switch (TREE_CODE (expr))
    {
    case PREINCREMENT_EXPR:
    case POSTINCREMENT_EXPR:
      *step = 1;
      return INTEGRAL_TYPE_P (TREE_TYPE (target));
    case PREDECREMENT_EXPR:
    case POSTDECREMENT_EXPR:
      *step = -1;
      return INTEGRAL_TYPE_P (TREE_TYPE (target));
    case MODIFY_EXPR:
      break;
    default:
      return false;
    }
  tree sum = tns_bare (TREE_OPERAND (expr, 1));
  bool is_sum = TREE_CODE (sum) == PLUS_EXPR;
  if (!is_sum && TREE_CODE (sum) != MINUS_EXPR)
    return true;
  tree a = TREE_OPERAND (sum, 0);
  tree b = TREE_OPERAND (sum, 1);
  if (is_sum && tns_bare (b) == target)
    std::swap (a, b);
  if (tns_bare (a) == target && constant_value (reader, loop, b, step)
      && !is_sum)
    *step = -*step;
  return true;
}
