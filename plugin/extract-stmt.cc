/* Statements, in the order in which they are executed.

   A position in nested lists is a frame; what follows a statement is the
   rest of its frame, then the rest of the frame around it, up to the end of
   the loop's body, the inlined function or the region.  continue and return
   drop the rest up to that end:

     if (c) { A; continue; }  B    ->   if (c) { A }  else { B }
     if (c) return x;  return y    ->   if (c) r = x;  else r = y;  */

#include "plugin/counter.hh"
#include "plugin/moved.hh"

extern "C"
{
#include "ir/simplify.h"
}

/* What became of a statement: the next one follows, the rest of the frame is
   dealt with, or it was refused.  */
typedef enum step
{
  STEP_NEXT,
  STEP_STOP,
  STEP_REFUSED
} step;

void *
tns_reader_refuse (tns_reader *reader, tree where, tns_why why,
                   const char *words)
{
  location_t loc = where && EXPR_P (where)
                     ? EXPR_LOC_OR_LOC (where, reader->loc)
                     : reader->loc;
  return tns_refuse (reader->ctx, tns_loc_of (loc), why, words);
}

void *
tns_reader_refuse_tree (tns_reader *reader, tree where, tns_why why)
{
  const char *words;
  if (TYPE_P (where))
    {
      char *text = print_generic_expr_to_str (where);
      words = tns_arena_string (reader->arena, text);
      free (text);
    }
  else
    words = tns_spell (reader->arena, where);
  return tns_reader_refuse (reader, where, why, words);
}

void
tns_emit (tns_reader *reader, tns_node *node)
{
  tns_block_add (reader->arena, reader->block, node);
}

bool
tns_store (tns_reader *reader, tns_expr *target, tns_expr *value)
{
  if (!target || !value)
    return false;
  value = tns_cast (reader->arena, target->type, value);
  tns_node *node = tns_assign (reader->arena, tns_loc_of (reader->loc), target,
                               TNS_NONE, value);
  tns_emit (reader, node);
  return true;
}

bool
tns_declare_cell (tns_reader *reader, tree decl)
{
  tns_declare (reader, decl);
  tns_expr *cell = tns_cell_of (reader, decl, false);
  if (!cell)
    return false;
  tns_emit (reader,
            tns_local (reader->arena, tns_loc_of (reader->loc), cell->sym));
  return true;
}

/* Pointer variable DECL points where RHS points from now on.  */
static bool
write_pointer (tns_reader *reader, tree decl, tree rhs)
{
  tns_variable *variable = tns_variable_of (reader, decl);
  tns_address *place = TNS_NEW (reader->arena, tns_address);
  tree entry = tns_at_entry (reader, rhs);
  if (tns_is_memory (decl)
      || (!variable->is_local && !tns_is_dead_after (reader, decl)
          && !tns_note_moved (reader, decl)))
    return tns_reader_refuse_tree (reader, decl, TNS_WHY_POINTER_CHANGES)
           != NULL;
  bool is_read = tns_is_allocation (rhs)
                   ? tns_read_allocation (reader, rhs, decl, place)
                   : tns_read_address (reader, rhs, place);
  if (!is_read)
    return false;
  variable->holds = (tns_holds){ false, NULL, place, entry };
  return true;
}

/* A declaration inside the region.  */
static bool
read_declaration (tns_reader *reader, tree decl)
{
  tns_elem elem;
  tree init = VAR_P (decl) ? DECL_INITIAL (decl) : NULL_TREE;
  if (!VAR_P (decl) || TREE_STATIC (decl) || DECL_EXTERNAL (decl))
    return true;
  if (TREE_THIS_VOLATILE (decl))
    return tns_reader_refuse_tree (reader, decl, TNS_WHY_VOLATILE) != NULL;
  if (POINTER_TYPE_P (TREE_TYPE (decl)))
    {
      tns_declare (reader, decl);
      return !init || write_pointer (reader, decl, init);
    }
  if (tns_scalar_of_union (TREE_TYPE (decl)))
    return tns_declare_union (reader, decl);
  if (AGGREGATE_TYPE_P (TREE_TYPE (decl)))
    return tns_declare_aggregate (reader, decl);
  if (!tns_type_of_tree (TREE_TYPE (decl), &elem))
    return tns_reader_refuse_tree (reader, TREE_TYPE (decl), TNS_WHY_TYPE)
           != NULL;
  if (!init)
    return tns_declare_cell (reader, decl);
  tns_expr *value = tns_read_expr (reader, init);
  return value && tns_declare_cell (reader, decl)
         && tns_write_variable (reader, decl, value, init);
}

/* A pointer variable moves by BYTES, a constant tree.  */
static bool
step_pointer (tns_reader *reader, tree decl, tree bytes, bool down)
{
  tree type = TREE_TYPE (decl);
  tree offset = fold_convert (sizetype, bytes);
  if (down)
    offset = fold_build1 (NEGATE_EXPR, sizetype, offset);
  return write_pointer (reader, decl,
                        build2 (POINTER_PLUS_EXPR, type, decl, offset));
}

/* ++x, x--, ... as statements.  */
static bool
read_step (tns_reader *reader, tree expr)
{
  tree target = TREE_OPERAND (expr, 0);
  tree amount = TREE_OPERAND (expr, 1);
  bool down = TREE_CODE (expr) == PREDECREMENT_EXPR
              || TREE_CODE (expr) == POSTDECREMENT_EXPR;
  if (POINTER_TYPE_P (TREE_TYPE (target)) && DECL_P (target))
    return step_pointer (reader, target, amount, down);
  tns_expr *old = tns_read_expr (reader, target);
  tns_expr *by = old ? tns_read_expr (reader, amount) : NULL;
  if (!by)
    return false;
  tns_expr *value = tns_binary (reader->arena, down ? TNS_SUB : TNS_ADD, old,
                                tns_cast (reader->arena, old->type, by));
  if (DECL_P (target))
    return tns_write_variable (reader, target, value, NULL_TREE);
  return tns_store_ref (reader, target, value);
}

/* target = rhs.  */
static bool
read_assignment (tns_reader *reader, tree expr)
{
  tree target = tns_strip (TREE_OPERAND (expr, 0));
  tree rhs = TREE_OPERAND (expr, 1);
  tree type = TREE_TYPE (target);
  if (TREE_THIS_VOLATILE (target))
    return tns_reader_refuse_tree (reader, target, TNS_WHY_VOLATILE) != NULL;
  if (TREE_CODE (target) == COMPONENT_REF
      && DECL_BIT_FIELD (TREE_OPERAND (target, 1)))
    return tns_reader_refuse_tree (reader, target, TNS_WHY_EXPRESSION) != NULL;
  if (POINTER_TYPE_P (type))
    {
      if (DECL_P (target))
        return write_pointer (reader, target, rhs);
      return tns_reader_refuse_tree (reader, target, TNS_WHY_POINTER_CHANGES)
             != NULL;
    }
  if (AGGREGATE_TYPE_P (type))
    return tns_copy_aggregate (reader, target, rhs);
  tns_expr *value = tns_read_expr (reader, rhs);
  if (!value)
    return false;
  if (DECL_P (target))
    return tns_write_variable (reader, target, value, rhs);
  return tns_store_ref (reader, target, value);
}

/* A choice as a statement: A && B as if (A) B, A || B as if (A); else B, and
   A ? B : C.  */
static bool
read_choice (tns_reader *reader, tree expr)
{
  tree a = TREE_OPERAND (expr, 0);
  tree b = TREE_OPERAND (expr, 1);
  if (TREE_CODE (expr) == TRUTH_ANDIF_EXPR)
    expr = build3 (COND_EXPR, boolean_type_node, a, b, NULL_TREE);
  else if (TREE_CODE (expr) == TRUTH_ORIF_EXPR)
    expr = build3 (COND_EXPR, boolean_type_node, a, NULL_TREE, b);
  return tns_read_inner (reader, expr);
}

/* An expression statement that changes nothing itself but whose operands
   may.  */
static bool
read_operands (tns_reader *reader, tree expr)
{
  if (reader->conditional || !EXPR_P (expr)
      || TREE_CODE_CLASS (TREE_CODE (expr)) == tcc_statement)
    return tns_reader_refuse (reader, expr, TNS_WHY_STATEMENT,
                              get_tree_code_name (TREE_CODE (expr)))
           != NULL;
  for (int k = 0; k < TREE_OPERAND_LENGTH (expr); k++)
    if (TREE_OPERAND (expr, k)
        && !tns_read_effect (reader, TREE_OPERAND (expr, k)))
      return false;
  return true;
}

bool
tns_read_effect (tns_reader *reader, tree expr)
{
  if (!TREE_SIDE_EFFECTS (expr))
    return true;
  switch (TREE_CODE (expr))
    {
    case MODIFY_EXPR:
    case INIT_EXPR:
      return read_assignment (reader, expr);
    case PREINCREMENT_EXPR:
    case PREDECREMENT_EXPR:
    case POSTINCREMENT_EXPR:
    case POSTDECREMENT_EXPR:
      return read_step (reader, expr);
    case COMPOUND_EXPR:
      return tns_read_effect (reader, TREE_OPERAND (expr, 0))
             && tns_read_effect (reader, TREE_OPERAND (expr, 1));
    case SAVE_EXPR:
      return tns_read_expr (reader, expr) != NULL;
    case CALL_EXPR:
      return tns_read_call (reader, expr, false) != NULL;
    case ASM_EXPR:
      return tns_reader_refuse (reader, expr, TNS_WHY_ASM, "") != NULL;
    case BIND_EXPR:
    case STATEMENT_LIST:
      return tns_read_inner (reader, expr);
    case COND_EXPR:
    case TRUTH_ANDIF_EXPR:
    case TRUTH_ORIF_EXPR:
      return read_choice (reader, expr);
    case TARGET_EXPR:
      return tns_read_expr (reader, expr) != NULL;
    default:
      if (TREE_THIS_VOLATILE (expr))
        return tns_reader_refuse_tree (reader, expr, TNS_WHY_VOLATILE) != NULL;
      return read_operands (reader, expr);
    }
}

void
tns_list_statements (tns_reader *reader, tree body, tns_trees *list)
{
  if (!body || TREE_CODE (body) == DEBUG_BEGIN_STMT
      || TREE_CODE (body) == PREDICT_EXPR)
    return;
  if (TREE_CODE (body) == BIND_EXPR)
    tns_list_statements (reader, BIND_EXPR_BODY (body), list);
  else if (TREE_CODE (body) == STATEMENT_LIST)
    for (tree_stmt_iterator i = tsi_start (body); !tsi_end_p (i); tsi_next (&i))
      tns_list_statements (reader, tsi_stmt (i), list);
  else
    tns_trees_add (reader->arena, list, body);
}

/* The frame that STMT begins before what OUTER still has.  */
static tns_frame
frame_of (tree stmt, const tns_frame *outer)
{
  tns_frame frame = { TNS_FRAME_PLAIN, NULL_TREE, {}, NULL_TREE, outer };
  if (stmt && TREE_CODE (stmt) == STATEMENT_LIST)
    {
      frame.list = stmt;
      frame.at = tsi_start (stmt);
    }
  else
    frame.single = stmt;
  return frame;
}

/* The next statement of FRAME, NULL_TREE at its end.  */
static tree
next_statement (tns_frame *frame)
{
  tree stmt = frame->single;
  frame->single = NULL_TREE;
  if (frame->list && !tsi_end_p (frame->at))
    {
      stmt = tsi_stmt (frame->at);
      tsi_next (&frame->at);
    }
  return stmt;
}

/* How far the frame reaches that continue or return leaves.  */
static tns_frame_kind
end_of (const tns_frame *frame)
{
  while (frame->kind == TNS_FRAME_PLAIN && frame->outer)
    frame = frame->outer;
  return frame->kind;
}

/* walk_tree's visitor: stops at what leaves the statement.  */
static tree
find_exit (tree *at, int *walk_subtrees, void *)
{
  switch (TREE_CODE (*at))
    {
    case CONTINUE_STMT:
    case BREAK_STMT:
    case RETURN_EXPR:
      return *at;
    case DO_STMT:
      *walk_subtrees = integer_zerop (DO_COND (*at));
      return NULL_TREE;
    case FOR_STMT:
    case WHILE_STMT:
    case SWITCH_STMT:
      *walk_subtrees = 0;
      return NULL_TREE;
    default:
      return NULL_TREE;
    }
}

/* The same, but at what leaves a loop around it and stays in the function.  */
static tree
find_jump (tree *at, int *walk_subtrees, void *self)
{
  return TREE_CODE (*at) == RETURN_EXPR ? NULL_TREE
                                        : find_exit (at, walk_subtrees, self);
}

/* A branch of an if in a block of its own; NULL when refused.  */
static tns_node *
read_branch (tns_reader *reader, tree stmt, const tns_frame *rest)
{
  static const tns_frame nothing
    = { TNS_FRAME_REGION, NULL_TREE, {}, NULL_TREE, NULL };
  tns_node *outer = reader->block;
  const tns_when *around = reader->when;
  int n_never = reader->n_never;
  tns_when *when = TNS_NEW (reader->arena, tns_when);
  when->outer = around;
  reader->block = tns_block (reader->arena, tns_loc_of (reader->loc));
  reader->when = when;
  tns_frame frame = frame_of (stmt, rest ? rest : &nothing);
  bool is_read = tns_read_frame (reader, &frame);
  tns_node *branch = reader->block;
  tns_when_leave (reader, around, n_never, NULL);
  reader->block = outer;
  return is_read ? branch : NULL;
}

/* if (COND) THEN else OTHERWISE, STMT's, each followed by REST, which may be
   NULL: then what follows both is read by the caller.  */
static bool
read_if (tns_reader *reader, tns_expr *cond, tree stmt, const tns_frame *rest)
{
  tns_loc loc = tns_loc_of (reader->loc);
  int n = reader->n_variables;
  tns_holds *before = tns_holds_save (reader);
  tns_node *then = read_branch (reader, COND_EXPR_THEN (stmt), rest);
  int n_then = reader->n_variables;
  tns_holds *after_then = tns_holds_save (reader);
  tns_holds_restore (reader, before, n);
  tns_node *otherwise
    = then ? read_branch (reader, COND_EXPR_ELSE (stmt), rest) : NULL;
  if (!otherwise)
    return false;
  tns_holds_merge (reader, after_then, n_then,
                   tns_is_pure (cond) ? cond : NULL);
  if (otherwise->n_kids == 0)
    otherwise = NULL;
  if (then->n_kids || otherwise)
    tns_emit (reader, tns_if (reader->arena, loc, cond, then, otherwise));
  return true;
}

/* return, in an inlined function.  */
static step
read_return (tns_reader *reader, tree stmt, const tns_frame *here)
{
  tree value = TREE_OPERAND (stmt, 0);
  if (end_of (here) != TNS_FRAME_CALL)
    {
      tns_reader_refuse (reader, stmt, TNS_WHY_CONTROL, "return");
      return STEP_REFUSED;
    }
  return !value || tns_read_effect (reader, value) ? STEP_STOP : STEP_REFUSED;
}

/* The rest of the frame SELF.  */
static bool
read_rest (tns_reader *reader, void *self)
{
  return tns_read_frame (reader, (const tns_frame *) self);
}

/* Behind a loop that IS_READ: where it has swapped pointers the rest of the
   frame is read for each turn.  */
static step
behind_loop (tns_reader *reader, bool is_read, tns_frame *here)
{
  const tns_swap *swap = reader->swap;
  reader->swap = NULL;
  if (!is_read || !swap)
    return is_read ? STEP_NEXT : STEP_REFUSED;
  return tns_swap_read (reader, swap, swap->times, read_rest, here)
           ? STEP_STOP
           : STEP_REFUSED;
}

/* STMT, a statement or a list of them, before the rest of HERE.  */
static step
go_into (tns_reader *reader, tree stmt, tns_frame *here)
{
  tns_frame *outer = TNS_NEW (reader->arena, tns_frame);
  *outer = *here;
  *here = frame_of (stmt, outer);
  return STEP_NEXT;
}

/* do BODY while (0), as macros have it, is its body; other do statements are
   loops.  */
static step
read_do (tns_reader *reader, tree stmt, tns_frame *here)
{
  tree body = DO_BODY (stmt);
  if (!integer_zerop (DO_COND (stmt))
      || (body && walk_tree_without_duplicates (&body, find_jump, NULL)))
    return behind_loop (reader, tns_read_while (reader, stmt), here);
  return go_into (reader, body, here);
}

/* An if: when a branch leaves it, the rest of the frame goes into both.  Of
   one whose condition is known, as that which asks whether there was memory,
   only the branch that is taken.  */
static step
read_cond_stmt (tns_reader *reader, tree stmt, tns_frame *here)
{
  tree asked = COND_EXPR_COND (stmt);
  long long holds = tns_is_null (reader, asked);
  tns_expr *cond = holds < 0 ? tns_read_cond (reader, asked) : NULL;
  if (holds < 0 && !cond)
    return STEP_REFUSED;
  if (!cond || tns_expr_is_int (tns_expr_simplify (reader->ctx, cond), &holds))
    return go_into (
      reader, holds ? COND_EXPR_THEN (stmt) : COND_EXPR_ELSE (stmt), here);
  tree other;
  if (tns_read_never (reader, cond, stmt, end_of (here), &other))
    return go_into (reader, other, here);
  if (walk_tree_without_duplicates (&stmt, find_exit, NULL))
    return read_if (reader, cond, stmt, here) ? STEP_STOP : STEP_REFUSED;
  return read_if (reader, cond, stmt, NULL) ? STEP_NEXT : STEP_REFUSED;
}

/* A switch, as the if or the single branch that it is.  */
static step
read_switch (tns_reader *reader, tree stmt, tns_frame *here)
{
  tree made = tns_switch_as_if (reader, stmt);
  if (!made)
    {
      tns_reader_refuse (reader, stmt, TNS_WHY_STATEMENT, "switch");
      return STEP_REFUSED;
    }
  if (TREE_CODE (made) == COND_EXPR)
    return read_cond_stmt (reader, made, here);
  return go_into (reader, made, here);
}

/* What STMT, a statement that moves control, becomes.  */
static step
read_control (tns_reader *reader, tree stmt, tns_frame *here)
{
  switch (TREE_CODE (stmt))
    {
    case CONTINUE_STMT:
      if (end_of (here) == TNS_FRAME_LOOP)
        return STEP_STOP;
      tns_reader_refuse (reader, stmt, TNS_WHY_CONTROL, "continue");
      return STEP_REFUSED;
    case BREAK_STMT:
      tns_reader_refuse (reader, stmt, TNS_WHY_CONTROL, "break");
      return STEP_REFUSED;
    case GOTO_EXPR:
      tns_reader_refuse (reader, stmt, TNS_WHY_CONTROL, "goto");
      return STEP_REFUSED;
    case RETURN_EXPR:
      return read_return (reader, stmt, here);
    case WHILE_STMT:
      return behind_loop (reader, tns_read_while (reader, stmt), here);
    case DO_STMT:
      return read_do (reader, stmt, here);
    case SWITCH_STMT:
      return read_switch (reader, stmt, here);
    case ASM_EXPR:
      tns_reader_refuse (reader, stmt, TNS_WHY_ASM, "");
      return STEP_REFUSED;
    default:
      tns_reader_refuse (reader, stmt, TNS_WHY_STATEMENT,
                         get_tree_code_name (TREE_CODE (stmt)));
      return STEP_REFUSED;
    }
}

/* One statement; HERE stands behind it.  */
static step
read_statement (tns_reader *reader, tree stmt, tns_frame *here)
{
  if (EXPR_HAS_LOCATION (stmt))
    reader->loc = EXPR_LOCATION (stmt);
  reader->saves.n = reader->first_save;
  switch (TREE_CODE (stmt))
    {
    case DEBUG_BEGIN_STMT:
    case PREDICT_EXPR:
      return STEP_NEXT;
    case STATEMENT_LIST:
    case BIND_EXPR:
      {
        bool is_block = TREE_CODE (stmt) == BIND_EXPR;
        return go_into (reader, is_block ? BIND_EXPR_BODY (stmt) : stmt, here);
      }
    case DECL_EXPR:
      reader->loc = DECL_SOURCE_LOCATION (DECL_EXPR_DECL (stmt));
      return read_declaration (reader, DECL_EXPR_DECL (stmt)) ? STEP_NEXT
                                                              : STEP_REFUSED;
    case FOR_STMT:
      tns_swap_expect (reader, FOR_BODY (stmt));
      return behind_loop (reader, tns_read_for (reader, stmt, false), here);
    case COND_EXPR:
      return read_cond_stmt (reader, stmt, here);
    default:
      if (TREE_CODE_CLASS (TREE_CODE (stmt)) == tcc_statement
          || TREE_CODE (stmt) == GOTO_EXPR || TREE_CODE (stmt) == RETURN_EXPR)
        return read_control (reader, stmt, here);
      return tns_read_effect (reader, stmt) ? STEP_NEXT : STEP_REFUSED;
    }
}

bool
tns_read_frame (tns_reader *reader, const tns_frame *frame)
{
  tns_frame here = *frame;
  if (here.single && TREE_CODE (here.single) == STATEMENT_LIST)
    {
      here.list = here.single;
      here.at = tsi_start (here.list);
      here.single = NULL_TREE;
    }
  for (;;)
    {
      tree stmt = next_statement (&here);
      if (!stmt)
        {
          if (here.kind != TNS_FRAME_PLAIN)
            return true;
          here = *here.outer;
          continue;
        }
      step became = read_statement (reader, stmt, &here);
      if (became != STEP_NEXT)
        return became == STEP_STOP;
    }
}

bool
tns_read_inner (tns_reader *reader, tree block)
{
  if (reader->conditional)
    return tns_reader_refuse_tree (reader, block, TNS_WHY_SIDE_EFFECT) != NULL;
  tns_frame frame = { TNS_FRAME_REGION, NULL_TREE, {}, block, NULL };
  location_t loc = reader->loc;
  int first_save = reader->first_save;
  int n_saves = reader->saves.n;
  reader->first_save = n_saves;
  bool is_read = tns_read_frame (reader, &frame);
  reader->first_save = first_save;
  reader->saves.n = n_saves;
  reader->loc = loc;
  return is_read;
}
