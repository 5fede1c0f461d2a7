/* Pointers that the function follows before it comes to the region.

     int n = m->n;
     #pragma tensor
     for (i = 0; i < n; i++)
       if (c[i])
         ... m->data[i] ...

   m->data is read at the entry (plugin/extract-entry.cc) whether or not the
   loops come to it: there is something at m.  Only pointers that are assigned
   once, and that statements follow which the function always executes before
   the region, from the blocks around it.  */

#include "plugin/reader.hh"

/* walk_tree's visitor of what is executed: the pointers that are followed,
   whatever is true.  */
static tree
note_followed (tree *at, int *walk_subtrees, void *self)
{
  tns_reader *reader = (tns_reader *) self;
  switch (TREE_CODE (*at))
    {
    case INDIRECT_REF:
      {
        tree pointer = tns_strip (TREE_OPERAND (*at, 0));
        if (DECL_P (pointer) && tns_is_assigned_once (reader, pointer))
          {
            tns_followed *now = TNS_NEW (reader->arena, tns_followed);
            now->pointer = pointer;
            now->next = reader->followed;
            reader->followed = now;
          }
        break;
      }
    case TRUTH_ANDIF_EXPR:
    case TRUTH_ORIF_EXPR:
    case COND_EXPR:
      walk_tree (&TREE_OPERAND (*at, 0), note_followed, self, NULL);
      *walk_subtrees = 0;
      break;
    case ADDR_EXPR:
    case BIND_EXPR:
    case STATEMENT_LIST:
      *walk_subtrees = 0;
      break;
    default:
      if (TYPE_P (*at) || TREE_CODE_CLASS (TREE_CODE (*at)) == tcc_statement)
        *walk_subtrees = 0;
      break;
    }
  return NULL_TREE;
}

/* STMT stands before the region.  One that can be jumped to may be all that was
   executed.  */
static void
note_statement (tns_reader *reader, tree stmt)
{
  if (TREE_CODE (stmt) == CASE_LABEL_EXPR)
    reader->followed = NULL;
  else if (TREE_CODE (stmt) == DECL_EXPR)
    {
      tree decl = DECL_EXPR_DECL (stmt);
      if (VAR_P (decl) && !TREE_STATIC (decl) && DECL_INITIAL (decl))
        walk_tree (&DECL_INITIAL (decl), note_followed, reader, NULL);
    }
  else
    walk_tree (&stmt, note_followed, reader, NULL);
}

/* T is the region or holds it.  */
static bool
holds_region (const tns_reader *reader, tree t)
{
  return t && tns_tree_has (t, reader->stmts[0]);
}

/* What stands in T, which holds the region, before it.  */
static void
note_before (tns_reader *reader, tree t)
{
  if (t == reader->stmts[0])
    return;
  if (TREE_CODE (t) == STATEMENT_LIST)
    {
      tree_stmt_iterator i = tsi_start (t);
      for (; !holds_region (reader, tsi_stmt (i)); tsi_next (&i))
        note_statement (reader, tsi_stmt (i));
      note_before (reader, tsi_stmt (i));
      return;
    }
  for (int k = 0; EXPR_P (t) && k < TREE_OPERAND_LENGTH (t); k++)
    if (holds_region (reader, TREE_OPERAND (t, k)))
      {
        note_before (reader, TREE_OPERAND (t, k));
        return;
      }
}

void
tns_note_before (tns_reader *reader)
{
  tree body = DECL_SAVED_TREE (reader->fndecl);
  if (!reader->facts.jumps && holds_region (reader, body))
    note_before (reader, body);
}
