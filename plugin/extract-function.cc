/* Calls that stay: of functions of numbers whose derivatives the user has
   written.

     y[i] = solve (x[i], 3)    ->   y[i] = call solve (x[i], 3)

   The symbol of solve has those of its partials (plugin/derivative.hh), so
   that a gradient can call them.  */

#include "plugin/derivative.hh"
#include "plugin/reader.hh"

tns_sym *
tns_find_function (const tns_reader *reader, tree fn)
{
  for (int k = 0; k < reader->region->n_syms; k++)
    {
      tns_sym *sym = reader->region->syms[k];
      if (sym->kind == TNS_SYM_FUNCTION && reader->load[k] == fn)
        return sym;
    }
  return NULL;
}

tns_sym *
tns_new_function (tns_reader *reader, tree fn, tree type, int rank)
{
  tns_elem elem;
  if (!tns_type_of_tree (type, &elem) || rank > TNS_MOST_RANK)
    return (tns_sym *) tns_reader_refuse_tree (reader, type, TNS_WHY_TYPE);
  tns_sym *sym
    = tns_region_add_function (reader->arena, reader->region,
                               IDENTIFIER_POINTER (DECL_NAME (fn)), elem, rank);
  sym->loc = tns_loc_of (reader->loc);
  tns_note_sym (reader, sym, elem);
  reader->load[sym->id] = fn;
  return sym;
}

/* The symbol of F and, before it, those of its partials; NULL with the reason
   said.  */
static tns_sym *
function_of (tns_reader *reader, tree f)
{
  int rank = list_length (DECL_ARGUMENTS (f));
  int at = 0;
  tns_sym *found = tns_find_function (reader, f);
  if (found)
    return found;
  tns_sym **partial = TNS_NEW_ARRAY (reader->arena, tns_sym *, rank + 1);
  for (tree parm = DECL_ARGUMENTS (f); parm; parm = DECL_CHAIN (parm), at++)
    {
      tree fn = tns_derivative_partial (f, parm);
      if (fn
          && !(partial[at] = tns_new_function (
                 reader, fn, TREE_TYPE (TREE_TYPE (fn)), rank + 1)))
        return NULL;
    }
  found = tns_new_function (reader, f, TREE_TYPE (TREE_TYPE (f)), rank);
  if (found)
    found->partial = partial;
  return found;
}

tns_expr *
tns_read_opaque (tns_reader *reader, tree f, tree call)
{
  if (tns_derivative_back (f) || tns_derivative_ahead (f))
    return tns_read_handed (reader, f, call);
  int at = call_expr_nargs (call);
  tns_expr **arg = TNS_NEW_ARRAY (reader->arena, tns_expr *, at + 1);
  tns_sym *sym = function_of (reader, f);
  while (sym && --at >= 0)
    if (!(arg[at] = tns_read_expr (reader, CALL_EXPR_ARG (call, at))))
      return NULL;
  if (!sym)
    return NULL;
  tns_expr *made
    = tns_make (reader->arena, TNS_CALL, sym->type, sym, sym->rank, arg);
  made->loc = tns_loc_of (reader->loc);
  return made;
}
