/* Variables of C and what they hold.  */

#include "plugin/known.hh"

/* Put VARIABLE at the end of the table: the last of its name is the one in
   scope.  */
static void
put_variable (tns_reader *reader, tns_variable *variable)
{
  if (reader->n_variables == reader->variables_room)
    {
      int room = 2 * reader->variables_room + 16;
      reader->variable = (tns_variable **) tns_arena_grow (
        reader->arena, reader->variable,
        sizeof (tns_variable *) * reader->variables_room,
        sizeof (tns_variable *) * room);
      reader->variables_room = room;
    }
  reader->variable[reader->n_variables++] = variable;
}

/* A new variable for DECL.  */
static tns_variable *
add_variable (tns_reader *reader, tree decl)
{
  tns_variable *variable = TNS_NEW (reader->arena, tns_variable);
  variable->decl = decl;
  put_variable (reader, variable);
  return variable;
}

tns_variable *
tns_variable_of (tns_reader *reader, tree decl)
{
  for (int k = reader->n_variables - 1; k >= 0; k--)
    if (reader->variable[k]->decl == decl)
      return reader->variable[k];
  tns_variable *variable = add_variable (reader, decl);
  variable->holds.is_entry = true;
  return variable;
}

tns_variable *
tns_declare (tns_reader *reader, tree decl)
{
  tns_variable *variable = add_variable (reader, decl);
  variable->is_local = true;
  return variable;
}

void
tns_show_again (tns_reader *reader, tns_variable *variable)
{
  if (tns_variable_of (reader, variable->decl) != variable)
    put_variable (reader, variable);
}

tns_expr *
tns_cell_of (tns_reader *reader, tree decl, bool write)
{
  tns_address place
    = { tns_object_base (reader, decl), 0, {}, TREE_TYPE (decl), false };
  return tns_place_load (reader, &place, decl, write);
}

tns_holds *
tns_holds_save (tns_reader *reader)
{
  tns_holds *saved
    = TNS_NEW_ARRAY (reader->arena, tns_holds, reader->n_variables + 1);
  for (int k = 0; k < reader->n_variables; k++)
    saved[k] = reader->variable[k]->holds;
  return saved;
}

void
tns_holds_restore (tns_reader *reader, const tns_holds *saved, int n)
{
  for (int k = 0; k < reader->n_variables; k++)
    if (k < n)
      reader->variable[k]->holds = saved[k];
    else if (!reader->variable[k]->is_local)
      reader->variable[k]->holds = (tns_holds){ true, NULL, NULL, NULL };
}

bool
tns_same_address (const tns_address *a, const tns_address *b)
{
  if (!a || !b || a->base != b->base || a->n != b->n || a->type != b->type)
    return a == b;
  for (int k = 0; k < a->n; k++)
    if (!tns_expr_equal (a->sub[k], b->sub[k]))
      return false;
  return true;
}

/* What is certain when a variable holds B where COND, else A; COND may be
   NULL.  */
static tns_holds
holds_of_both (tns_arena *arena, const tns_holds *a, const tns_holds *b,
               tns_expr *cond)
{
  tns_holds both = { a->is_entry && b->is_entry, NULL, NULL, NULL };
  if (tns_expr_equal (a->known, b->known))
    both.known = a->known;
  else if (a->known && b->known && cond)
    {
      both.known = tns_ternary (arena, TNS_SELECT, cond, b->known, a->known);
      if (!tns_is_pure (both.known))
        both.known = NULL;
    }
  if (tns_same_address (a->points, b->points))
    both.points = a->points;
  if (a->entry && b->entry && tns_same_tree (a->entry, b->entry))
    both.entry = a->entry;
  return both;
}

void
tns_holds_merge (tns_reader *reader, const tns_holds *one, int n,
                 tns_expr *cond)
{
  static const tns_holds at_entry = { true, NULL, NULL, NULL };
  for (int k = 0; k < reader->n_variables; k++)
    {
      tns_variable *variable = reader->variable[k];
      const tns_holds *other = k < n ? &one[k] : &at_entry;
      if (k < n || !variable->is_local)
        variable->holds
          = holds_of_both (reader->arena, &variable->holds, other, cond);
    }
}

void
tns_forget (tns_reader *reader, const tns_trees *written)
{
  for (int k = 0; k < written->n; k++)
    tns_variable_of (reader, written->item[k])->holds
      = (tns_holds){ false, NULL, NULL, NULL };
}

/* The value of DECL at the entry.  */
static tns_expr *
read_entry (tns_reader *reader, tree decl)
{
  bool is_integer = INTEGRAL_TYPE_P (TREE_TYPE (decl));
  tns_expr *expanded = is_integer ? tns_expanded (reader, decl) : NULL;
  if (expanded)
    return expanded;
  tns_expr *value
    = tns_entry_value (reader, tns_at_entry (reader, decl), TREE_TYPE (decl),
                       tns_spell (reader->arena, decl));
  if (is_integer)
    tns_note_definition (reader, decl, value);
  return value;
}

tns_expr *
tns_read_variable (tns_reader *reader, tree decl)
{
  tns_variable *variable = tns_variable_of (reader, decl);
  bool is_integer = INTEGRAL_TYPE_P (TREE_TYPE (decl));
  tns_elem elem;
  if (!tns_type_of_tree (TREE_TYPE (decl), &elem))
    return (tns_expr *) tns_reader_refuse_tree (reader, TREE_TYPE (decl),
                                                TNS_WHY_TYPE);
  if (TREE_THIS_VOLATILE (decl))
    return (tns_expr *) tns_reader_refuse_tree (reader, decl, TNS_WHY_VOLATILE);
  if (variable->holds.known)
    return variable->holds.known;
  if (!variable->is_local && variable->holds.is_entry
      && (is_integer || !tns_trees_have (&reader->facts.written, decl)))
    {
      tns_expr *value = read_entry (reader, decl);
      if (value)
        return value;
    }
  return tns_cell_of (reader, decl, false);
}

bool
tns_write_variable (tns_reader *reader, tree decl, tns_expr *value, tree rhs)
{
  tns_variable *variable = tns_variable_of (reader, decl);
  if (!value)
    return false;
  tns_holds now = { false, NULL, NULL, NULL };
  if (!tns_is_memory (decl))
    {
      if (INTEGRAL_TYPE_P (TREE_TYPE (decl)) && tns_is_settled (value))
        now.known = value;
      now.entry = rhs ? tns_at_entry (reader, rhs) : NULL_TREE;
    }
  tns_expr *cell = tns_cell_of (reader, decl, true);
  if (!cell || !tns_store (reader, cell, value))
    return false;
  variable->holds = now;
  return true;
}
