/* Pointers that live on, as plugin/moved.hh says: a variable of ours for each,
   written like one of the user's.  */

#include "plugin/moved.hh"

/* A variable for the bytes that DECL moves by.  */
static tree
bytes_of (location_t loc, tree decl)
{
  const char *name
    = DECL_NAME (decl) ? IDENTIFIER_POINTER (DECL_NAME (decl)) : "pointer";
  char *whole = concat (name, "_bytes", NULL);
  tree made = build_decl (loc, VAR_DECL, get_identifier (whole),
                          long_integer_type_node);
  free (whole);
  DECL_ARTIFICIAL (made) = 1;
  DECL_IGNORED_P (made) = 1;
  TREE_USED (made) = 1;
  return made;
}

bool
tns_note_moved (tns_reader *reader, tree decl)
{
  tns_symbols *symbols = reader->symbols;
  if (reader->called || reader->ctx->wish.check)
    return false;
  for (int k = 0; k < symbols->n_moved; k++)
    if (symbols->moved[k].pointer == decl)
      return true;
  symbols->moved = (tns_moved *) tns_arena_grow (
    reader->arena, symbols->moved, sizeof (tns_moved) * symbols->n_moved,
    sizeof (tns_moved) * (symbols->n_moved + 1));
  symbols->moved[symbols->n_moved++]
    = (tns_moved){ decl, bytes_of (reader->loc, decl) };
  return true;
}

/* How many elements lie between FROM and TO, places of one type in one array;
   NULL where they are no such.  */
static tns_expr *
distance (tns_reader *reader, const tns_address *from, const tns_address *to)
{
  if (from->base != to->base || from->n != to->n || from->n == 0
      || TYPE_MAIN_VARIANT (from->type) != TYPE_MAIN_VARIANT (to->type))
    return NULL;
  for (int k = 0; k < from->n - 1; k++)
    if (!tns_expr_equal (from->sub[k], to->sub[k]))
      return NULL;
  return tns_binary (reader->arena, TNS_SUB, to->sub[to->n - 1],
                     from->sub[from->n - 1]);
}

/* Read by how much M's pointer has moved.  */
static bool
read_moved (tns_reader *reader, const tns_moved *m)
{
  tns_holds now = tns_variable_of (reader, m->pointer)->holds;
  tree pointee = TREE_TYPE (TREE_TYPE (m->pointer));
  tree size = TYPE_SIZE_UNIT (pointee);
  tns_address start;
  if (now.is_entry)
    return true;
  tns_variable_of (reader, m->pointer)->holds
    = (tns_holds){ true, NULL, NULL, NULL };
  bool is_known
    = now.points && size && tree_fits_shwi_p (size)
      && tns_read_address (reader, m->pointer, &start)
      && TYPE_MAIN_VARIANT (start.type) == TYPE_MAIN_VARIANT (pointee);
  tns_expr *moved = is_known ? distance (reader, &start, now.points) : NULL;
  if (!moved)
    return tns_reader_refuse_tree (reader, m->pointer, TNS_WHY_POINTER_CHANGES)
           != NULL;
  tns_expr *bytes = tns_binary (reader->arena, TNS_MUL, moved,
                                tns_int (reader->arena, tree_to_shwi (size)));
  return tns_write_variable (reader, m->bytes, bytes, NULL_TREE);
}

bool
tns_read_moved (tns_reader *reader)
{
  for (int k = 0; k < reader->symbols->n_moved; k++)
    if (!read_moved (reader, &reader->symbols->moved[k]))
      return false;
  return true;
}

/* Append A = B to LIST.  */
static void
append (tree a, tree b, tree *list)
{
  append_to_statement_list (build2 (MODIFY_EXPR, TREE_TYPE (a), a, b), list);
}

tree
tns_with_moved (tree made, const tns_symbols *symbols, tree fndecl)
{
  tree vars = NULL_TREE, body = alloc_stmt_list (), after = alloc_stmt_list ();
  if (!made || symbols->n_moved == 0)
    return made;
  for (int k = 0; k < symbols->n_moved; k++)
    {
      const tns_moved *m = &symbols->moved[k];
      DECL_CONTEXT (m->bytes) = fndecl;
      DECL_CHAIN (m->bytes) = vars;
      vars = m->bytes;
      append (m->bytes, build_zero_cst (long_integer_type_node), &body);
      append (m->pointer,
              build2 (POINTER_PLUS_EXPR, TREE_TYPE (m->pointer), m->pointer,
                      fold_convert (sizetype, m->bytes)),
              &after);
    }
  append_to_statement_list (made, &body);
  append_to_statement_list (after, &body);
  return build3 (BIND_EXPR, void_type_node, vars, body, NULL_TREE);
}
