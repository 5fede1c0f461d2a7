/* Choices whose operands need statements of their own.

     y = c ? f (x) : b            if (c) { t = ...f's body... } else t = b;
                            ->    y = t
     if (a && f (x)) ...          t = 0;  if (a) t = f (x) != 0;
                            ->    if (t) ...

   What an operand does that is not always evaluated stands in a branch.  */

#include "plugin/keep.hh"
#include "plugin/reader.hh"

/* walk_tree's visitor: stops at what changes something, or is inlined.  */
static tree
find_effect (tree *at, int *walk_subtrees, void *)
{
  switch (TREE_CODE (*at))
    {
    case MODIFY_EXPR:
    case PREINCREMENT_EXPR:
    case PREDECREMENT_EXPR:
    case POSTINCREMENT_EXPR:
    case POSTDECREMENT_EXPR:
      return *at;
    case CALL_EXPR:
      {
        tree fndecl = get_callee_fndecl (*at);
        return fndecl && tns_kept_body (fndecl) ? *at : NULL_TREE;
      }
    default:
      if (TYPE_P (*at))
        *walk_subtrees = 0;
      return NULL_TREE;
    }
}

bool
tns_needs_branch (tree operand)
{
  return walk_tree_without_duplicates (&operand, find_effect, NULL)
         != NULL_TREE;
}

void
tns_begin_conditional (tns_reader *reader, tns_expr *cond)
{
  tns_when *when = TNS_NEW (reader->arena, tns_when);
  when->cond = tns_holds_first (reader, cond)
                 ? tns_int_of (reader->arena, TNS_BOOL, 1)
                 : cond;
  when->outer = reader->when;
  reader->when = when;
  reader->conditional++;
}

void
tns_end_conditional (tns_reader *reader)
{
  reader->conditional--;
  reader->when = reader->when->outer;
}

tns_sym *
tns_fresh_cell (tns_reader *reader, tns_elem elem)
{
  tns_sym *sym = tns_region_add_array (reader->arena, reader->region, "t", elem,
                                       0, TNS_SYM_LOCAL);
  sym->loc = tns_loc_of (reader->loc);
  tns_note_sym (reader, sym, elem);
  tns_emit (reader, tns_local (reader->arena, tns_loc_of (reader->loc), sym));
  return sym;
}

tns_expr *
tns_keep_value (tns_reader *reader, tns_expr *value)
{
  tns_expr *cell
    = tns_cell (reader->arena, tns_fresh_cell (reader, value->type.elem));
  return tns_store (reader, cell, value) ? cell : NULL;
}

/* CELL gets EXPR, a condition with AS_COND, in a block of its own; NULL when
   refused.  */
static tns_node *
read_arm (tns_reader *reader, tree expr, bool as_cond, tns_sym *cell)
{
  tns_arena *arena = reader->arena;
  tns_node *outer = reader->block;
  const tns_when *around = reader->when;
  int n_never = reader->n_never;
  tns_when *when = TNS_NEW (arena, tns_when);
  when->outer = around;
  reader->when = when;
  reader->block = tns_block (arena, tns_loc_of (reader->loc));
  tns_expr *read
    = as_cond ? tns_read_cond (reader, expr) : tns_read_expr (reader, expr);
  bool is_read = read && tns_store (reader, tns_cell (arena, cell), read);
  tns_node *arm = reader->block;
  reader->block = outer;
  tns_when_leave (reader, around, n_never, NULL);
  return is_read ? arm : NULL;
}

tns_expr *
tns_read_chosen (tns_reader *reader, tns_expr *cond, tree a, tree b,
                 tns_elem elem)
{
  tns_arena *arena = reader->arena;
  tns_sym *cell = tns_fresh_cell (reader, elem);
  int n = reader->n_variables;
  tns_holds *before = tns_holds_save (reader);
  tns_node *then = read_arm (reader, a, false, cell);
  int n_then = reader->n_variables;
  tns_holds *after_then = tns_holds_save (reader);
  tns_holds_restore (reader, before, n);
  tns_node *otherwise = then ? read_arm (reader, b, false, cell) : NULL;
  if (!otherwise)
    return NULL;
  tns_holds_merge (reader, after_then, n_then, NULL);
  tns_emit (reader,
            tns_if (arena, tns_loc_of (reader->loc), cond, then, otherwise));
  return tns_cell (arena, cell);
}

tns_expr *
tns_read_both (tns_reader *reader, tns_op op, tns_expr *first, tree second)
{
  tns_arena *arena = reader->arena;
  tns_sym *cell = tns_fresh_cell (reader, TNS_I32);
  int is_or = op == TNS_LOR;
  tns_store (reader, tns_cell (arena, cell),
             tns_int_of (arena, TNS_I32, is_or));
  int n = reader->n_variables;
  tns_holds *before = tns_holds_save (reader);
  tns_node *then = read_arm (reader, second, true, cell);
  if (!then)
    return NULL;
  int n_then = reader->n_variables;
  tns_holds *after_then = tns_holds_save (reader);
  tns_holds_restore (reader, before, n);
  tns_holds_merge (reader, after_then, n_then, NULL);
  tns_expr *asked = is_or ? tns_unary (arena, TNS_LNOT, first) : first;
  tns_emit (reader,
            tns_if (arena, tns_loc_of (reader->loc), asked, then, NULL));
  return tns_binary (arena, TNS_NE, tns_cell (arena, cell),
                     tns_int_of (arena, TNS_I32, 0));
}
