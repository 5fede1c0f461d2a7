/* Loops that are written another way than for, as for loops.

     while (i < n) { A; i++; }             for (; i < n; i++) { A }
     do { A; i++; } while (i < n);         the same, run at least once
     do A while (--n > 0);                 for (; n > 0; --n) A, at least once
     for (;; i++) { if (i >= n) break; A } for (; i < n; i++) { A }
     for (;;) { A; i++; if (i >= n) break; }   the same, at least once

   The step is the last statement of the body; what continues the loop from
   above it would leave it out, so that such a loop is none of these.  The for
   statement that is made is for reading only: the user's trees stay.  */

#include "plugin/reader.hh"

/* A loop taken to pieces.  once: the body runs before COND is asked.  */
typedef struct pieces
{
  tree cond;
  tree step;
  tns_trees body;
  bool once;
} pieces;

/* walk_tree's visitor: stops at a continue of the loop itself.  */
static tree
find_continue (tree *at, int *walk_subtrees, void *)
{
  switch (TREE_CODE (*at))
    {
    case CONTINUE_STMT:
      return *at;
    case FOR_STMT:
    case WHILE_STMT:
    case DO_STMT:
      *walk_subtrees = 0;
      return NULL_TREE;
    default:
      return NULL_TREE;
    }
}

/* What must hold for STMT, if (C) break, not to leave the loop; NULL_TREE
   when it is something else.  */
static tree
stays_when (tns_reader *reader, tree stmt)
{
  tns_trees then = {};
  if (TREE_CODE (stmt) != COND_EXPR || COND_EXPR_ELSE (stmt))
    return NULL_TREE;
  tns_list_statements (reader, COND_EXPR_THEN (stmt), &then);
  if (then.n != 1 || TREE_CODE (then.item[0]) != BREAK_STMT)
    return NULL_TREE;
  return invert_truthvalue_loc (reader->loc, COND_EXPR_COND (stmt));
}

/* The condition of a loop without one: its first or last statement.  */
static void
take_break (tns_reader *reader, pieces *p)
{
  if (p->body.n == 0)
    return;
  p->cond = stays_when (reader, p->body.item[0]);
  if (p->cond)
    {
      p->body.item++;
      p->body.n--;
      p->body.room = p->body.n;
    }
  else if (!p->step)
    {
      p->cond = stays_when (reader, p->body.item[p->body.n - 1]);
      p->body.n -= p->cond != NULL_TREE;
      p->once = p->cond != NULL_TREE;
    }
}

/* The variable that EXPR steps, NULL_TREE when it is no step.  */
static tree
stepped (tree expr)
{
  while (CONVERT_EXPR_P (expr))
    expr = TREE_OPERAND (expr, 0);
  switch (TREE_CODE (expr))
    {
    case PREINCREMENT_EXPR:
    case PREDECREMENT_EXPR:
    case POSTINCREMENT_EXPR:
    case POSTDECREMENT_EXPR:
    case MODIFY_EXPR:
      return DECL_P (TREE_OPERAND (expr, 0)) ? TREE_OPERAND (expr, 0)
                                             : NULL_TREE;
    default:
      return NULL_TREE;
    }
}

/* walk_tree's visitor: stops at a variable.  */
static tree
find_decl (tree *at, int *, void *decl)
{
  return *at == (tree) decl ? *at : NULL_TREE;
}

/* The last statement of the body steps what the condition asks for.  False
   when a continue would leave it out.  */
static bool
take_step (pieces *p)
{
  tree last = p->body.n > 0 ? p->body.item[p->body.n - 1] : NULL_TREE;
  tree decl = last ? stepped (last) : NULL_TREE;
  if (!decl
      || !walk_tree_without_duplicates (&p->cond, find_decl, (void *) decl))
    return true;
  p->step = last;
  p->body.n--;
  for (int k = 0; k < p->body.n; k++)
    if (walk_tree_without_duplicates (&p->body.item[k], find_continue, NULL))
      return false;
  return true;
}

/* --n > 0 behind the body: the step and then n > 0.  */
static void
take_stepping_cond (pieces *p)
{
  tree cond = tns_strip (p->cond);
  bool compares = COMPARISON_CLASS_P (cond);
  tree side = compares ? TREE_OPERAND (cond, 0) : cond;
  tree step = side;
  while (CONVERT_EXPR_P (step))
    step = TREE_OPERAND (step, 0);
  if (TREE_CODE (step) != PREINCREMENT_EXPR
      && TREE_CODE (step) != PREDECREMENT_EXPR)
    return;
  p->step = step;
  p->cond = fold_convert (TREE_TYPE (side), TREE_OPERAND (step, 0));
  if (compares)
    p->cond = build2 (TREE_CODE (cond), TREE_TYPE (cond), p->cond,
                      TREE_OPERAND (cond, 1));
}

/* EXPR without conversions is a variable.  */
static bool
is_variable (tree expr)
{
  while (CONVERT_EXPR_P (expr))
    expr = TREE_OPERAND (expr, 0);
  return DECL_P (expr);
}

/* COND compares variables, which may move wherever the body does that.  */
static bool
compares_variables (tree cond)
{
  cond = tns_strip (cond);
  return COMPARISON_CLASS_P (cond)
         && (is_variable (TREE_OPERAND (cond, 0))
             || is_variable (TREE_OPERAND (cond, 1)));
}

/* LOOP as a for loop; NULL_TREE when it is none.  *ONCE when the body runs
   before the condition is asked for the first time.  */
static tree
as_for (tns_reader *reader, tree loop, bool *once)
{
  enum tree_code code = TREE_CODE (loop);
  pieces p = {};
  p.cond = code == WHILE_STMT ? WHILE_COND (loop)
           : code == DO_STMT  ? DO_COND (loop)
                              : FOR_COND (loop);
  p.step = code == FOR_STMT ? FOR_EXPR (loop) : NULL_TREE;
  p.once = code == DO_STMT;
  tns_list_statements (reader,
                       code == WHILE_STMT ? WHILE_BODY (loop)
                       : code == DO_STMT  ? DO_BODY (loop)
                                          : FOR_BODY (loop),
                       &p.body);
  if (!p.cond || integer_nonzerop (p.cond))
    take_break (reader, &p);
  if (!p.cond || integer_nonzerop (p.cond))
    return NULL_TREE;
  if (!p.step && p.once && TREE_SIDE_EFFECTS (p.cond))
    take_stepping_cond (&p);
  if (!p.step && !TREE_SIDE_EFFECTS (p.cond) && !take_step (&p))
    return NULL_TREE;
  if (!p.step && !TREE_SIDE_EFFECTS (p.cond) && !compares_variables (p.cond))
    return NULL_TREE;
  tree body = alloc_stmt_list ();
  for (int k = 0; k < p.body.n; k++)
    append_to_statement_list_force (p.body.item[k], &body);
  *once = p.once;
  tree made = make_node (FOR_STMT);
  TREE_TYPE (made) = void_type_node;
  TREE_SIDE_EFFECTS (made) = 1;
  SET_EXPR_LOCATION (made, reader->loc);
  FOR_COND (made) = p.cond;
  FOR_EXPR (made) = p.step;
  FOR_BODY (made) = body;
  return made;
}

bool
tns_read_while (tns_reader *reader, tree loop)
{
  bool once = false;
  const char *name = TREE_CODE (loop) == WHILE_STMT ? "the while loop"
                     : TREE_CODE (loop) == DO_STMT  ? "the do loop"
                                                    : "the for loop";
  tree made = as_for (reader, loop, &once);
  if (!made || (once && TREE_SIDE_EFFECTS (FOR_COND (made))))
    return tns_reader_refuse (reader, loop, TNS_WHY_WHILE, name) != NULL;
  reader->words = name;
  return tns_read_for (reader, made, once);
}
