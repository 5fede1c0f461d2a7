/* Is a variable dead after the region?

   The statements that may run after the region are followed in the order of
   execution, around the loops that enclose it, until the variable is

     read                     it lives
     assigned on all paths    it is dead
     out of scope             it is dead

   A function with labels is not followed; what is not understood and
   mentions the variable reads it.  The answer errs towards "it lives".  */

#include "plugin/reader.hh"

/* What a piece of code does with the variable first.  JUMPS: a path leaves
   it for the end or the next turn of a loop around it, so that no
   assignment behind it is certain.  */
typedef enum first_use
{
  USE_NONE,
  USE_READS,
  USE_ASSIGNS,
  USE_JUMPS
} first_use;

/* The question.  found: the region was passed.  */
typedef struct lifetime
{
  tree decl;
  tree last;
  bool found;
} lifetime;

/* walk_tree's visitor: stops at the variable.  What a declaration computes
   is no operand of it.  */
static tree
find_decl (tree *at, int *, void *decl)
{
  if (TREE_CODE (*at) == DECL_EXPR && VAR_P (DECL_EXPR_DECL (*at)))
    {
      tree inside[2] = { DECL_SIZE_UNIT (DECL_EXPR_DECL (*at)),
                         DECL_INITIAL (DECL_EXPR_DECL (*at)) };
      for (int i = 0; i < 2; i++)
        if (inside[i]
            && walk_tree_without_duplicates (&inside[i], find_decl, decl))
          return *at;
    }
  return *at == (tree) decl ? *at : NULL_TREE;
}

/* CODE mentions DECL.  */
static bool
mentions (tree code, tree decl)
{
  return code && walk_tree_without_duplicates (&code, find_decl, (void *) decl);
}

static first_use use_of (tree code, tree decl);

/* FIRST and then SECOND.  */
static first_use
in_sequence (first_use first, first_use second)
{
  if (first == USE_NONE)
    return second;
  if (first == USE_JUMPS)
    return second == USE_READS ? USE_READS : USE_JUMPS;
  return first;
}

/* One of the two.  */
static first_use
either (first_use one, first_use other)
{
  if (one == USE_READS || other == USE_READS)
    return USE_READS;
  if (one == USE_JUMPS || other == USE_JUMPS)
    return USE_JUMPS;
  return one == other ? one : USE_NONE;
}

/* What is certain of code that may not be executed.  */
static first_use
perhaps (first_use use)
{
  return use == USE_READS ? USE_READS : USE_NONE;
}

/* The statements of LIST one after the other.  */
static first_use
use_of_list (tree list, tree decl)
{
  first_use use = USE_NONE;
  for (tree_stmt_iterator i = tsi_start (list); !tsi_end_p (i); tsi_next (&i))
    use = in_sequence (use, use_of (tsi_stmt (i), decl));
  return use;
}

/* The operands of an assignment, then the assignment.  */
static first_use
use_of_assignment (tree stmt, tree decl)
{
  tree target = TREE_OPERAND (stmt, 0);
  first_use use = use_of (TREE_OPERAND (stmt, 1), decl);
  if (target == decl)
    return in_sequence (use, USE_ASSIGNS);
  return in_sequence (use, mentions (target, decl) ? USE_READS : USE_NONE);
}

/* A for or while loop: only its condition is certain.  */
static first_use
use_of_loop (tree cond, tree body, tree expr, tree decl)
{
  first_use use = use_of (cond, decl);
  use = in_sequence (use, perhaps (use_of (body, decl)));
  return in_sequence (use, perhaps (use_of (expr, decl)));
}

/* What CODE does with DECL first.  */
static first_use
use_of (tree code, tree decl)
{
  if (!code || !mentions (code, decl))
    switch (code ? TREE_CODE (code) : ERROR_MARK)
      {
      case BREAK_STMT:
      case CONTINUE_STMT:
        return USE_JUMPS;
      case RETURN_EXPR:
        return USE_ASSIGNS;
      case STATEMENT_LIST:
      case BIND_EXPR:
      case COND_EXPR:
        break;
      default:
        return USE_NONE;
      }
  switch (TREE_CODE (code))
    {
    case STATEMENT_LIST:
      return use_of_list (code, decl);
    case BIND_EXPR:
      return use_of (BIND_EXPR_BODY (code), decl);
    case COND_EXPR:
      return in_sequence (use_of (COND_EXPR_COND (code), decl),
                          either (use_of (COND_EXPR_THEN (code), decl),
                                  use_of (COND_EXPR_ELSE (code), decl)));
    case FOR_STMT:
      return use_of_loop (FOR_COND (code), FOR_BODY (code), FOR_EXPR (code),
                          decl);
    case WHILE_STMT:
      return use_of_loop (WHILE_COND (code), WHILE_BODY (code), NULL_TREE,
                          decl);
    case MODIFY_EXPR:
    case INIT_EXPR:
      return use_of_assignment (code, decl);
    case COMPOUND_EXPR:
      return in_sequence (use_of (TREE_OPERAND (code, 0), decl),
                          use_of (TREE_OPERAND (code, 1), decl));
    case CONVERT_EXPR:
    case NOP_EXPR:
      return use_of (TREE_OPERAND (code, 0), decl);
    case RETURN_EXPR:
      return in_sequence (use_of (TREE_OPERAND (code, 0), decl), USE_ASSIGNS);
    default:
      return USE_READS;
    }
}

static first_use after (lifetime *life, tree code);

/* What follows the region inside LIST.  */
static first_use
after_in_list (lifetime *life, tree list)
{
  first_use use = USE_NONE;
  for (tree_stmt_iterator i = tsi_start (list); !tsi_end_p (i); tsi_next (&i))
    if (life->found)
      use = in_sequence (use, use_of (tsi_stmt (i), life->decl));
    else
      use = after (life, tsi_stmt (i));
  return use;
}

/* What follows the region inside the loop LOOP with BODY: the rest of the
   body, then perhaps the whole loop again.  */
static first_use
after_in_loop (lifetime *life, tree loop, tree body, tree expr)
{
  first_use use = after (life, body);
  if (!life->found || use == USE_READS || use == USE_ASSIGNS)
    return use;
  use = in_sequence (use, perhaps (use_of (expr, life->decl)));
  use = in_sequence (use, perhaps (use_of (loop, life->decl)));
  return use == USE_READS ? USE_READS : USE_NONE;
}

/* The end of a block ends the lives of what it declares.  */
static first_use
after_in_block (lifetime *life, tree bind)
{
  first_use use = after (life, BIND_EXPR_BODY (bind));
  if (life->found && use == USE_NONE)
    for (tree var = BIND_EXPR_VARS (bind); var; var = DECL_CHAIN (var))
      if (var == life->decl)
        return USE_ASSIGNS;
  return use;
}

/* What happens to the variable in CODE after the region; life->found says
   whether the region stands in CODE at all.  */
static first_use
after (lifetime *life, tree code)
{
  if (!code)
    return USE_NONE;
  if (code == life->last)
    {
      life->found = true;
      return USE_NONE;
    }
  switch (TREE_CODE (code))
    {
    case STATEMENT_LIST:
      return after_in_list (life, code);
    case BIND_EXPR:
      return after_in_block (life, code);
    case FOR_STMT:
      return after_in_loop (life, code, FOR_BODY (code), FOR_EXPR (code));
    case WHILE_STMT:
      return after_in_loop (life, code, WHILE_BODY (code), NULL_TREE);
    case DO_STMT:
      return after_in_loop (life, code, DO_BODY (code), NULL_TREE);
    case COND_EXPR:
      {
        first_use use = after (life, COND_EXPR_THEN (code));
        return life->found ? use : after (life, COND_EXPR_ELSE (code));
      }
    default:
      return USE_NONE;
    }
}

bool
tns_is_dead_after (const tns_reader *reader, tree decl)
{
  if (tns_is_memory (decl) || DECL_CONTEXT (decl) != reader->fndecl
      || reader->facts.jumps)
    return false;
  lifetime life = { decl, reader->stmts[reader->n_stmts - 1], false };
  first_use use = after (&life, DECL_SAVED_TREE (reader->fndecl));
  return life.found && use != USE_READS && use != USE_JUMPS;
}
