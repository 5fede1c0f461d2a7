/* The names and facts of the pragma's clauses.

   A name is an iterator of the region, a variable that it uses, or at least
   one that is in scope; anything else is an error at its place.  A fact is a
   condition over values that the region only reads.  */

#include "plugin/reader.hh"

/* The search for a variable of the function by name.  */
typedef struct name_search
{
  tree name;
  bool found;
} name_search;

/* walk_tree's visitor: the declarations of blocks.  */
static tree
find_name (tree *at, int *, void *self)
{
  name_search *search = (name_search *) self;
  if (TREE_CODE (*at) == DECL_EXPR
      && DECL_NAME (DECL_EXPR_DECL (*at)) == search->name)
    search->found = true;
  return search->found ? *at : NULL_TREE;
}

/* A variable called NAME is in scope.  */
static bool
is_variable (tns_reader *reader, const char *name)
{
  name_search search = { get_identifier (name), false };
  for (tree parm = DECL_ARGUMENTS (reader->fndecl); parm;
       parm = DECL_CHAIN (parm))
    if (DECL_NAME (parm) == search.name)
      return true;
  walk_tree_without_duplicates (&DECL_SAVED_TREE (reader->fndecl), find_name,
                                &search);
  tree global = search.found ? NULL_TREE : lookup_name (search.name);
  return search.found || (global && VAR_P (global));
}

/* A loop of the region has an iterator called NAME.  */
static bool
is_iterator (const tns_reader *reader, const char *name)
{
  for (int k = 0; k < reader->region->n_syms; k++)
    {
      const tns_sym *sym = reader->region->syms[k];
      if (sym->kind == TNS_SYM_ITER && !strcmp (sym->spelled, name))
        return true;
    }
  return false;
}

/* Each name of LIST is one of the kinds that are asked for.  */
static bool
check_list (tns_reader *reader, const tns_wish_list *list, bool variables,
            bool iterators)
{
  for (int k = 0; k < list->n; k++)
    {
      const tns_wish_name *name = &list->names[k];
      if ((variables && is_variable (reader, name->name))
          || (iterators && is_iterator (reader, name->name)))
        continue;
      tns_error (reader->ctx, name->loc, TNS_WHY_NAME, name->name);
      return false;
    }
  return true;
}

/* Each array of LIST, the wishes of require, is a variable.  */
static bool
check_required (tns_reader *reader, const tns_wish_list *list)
{
  for (int k = 0; k < list->n; k++)
    {
      const tns_wish_name *wish = &list->names[k];
      const char *colon = strchr (wish->name, ':');
      if (!colon || is_variable (reader, colon + 1))
        continue;
      tns_error (reader->ctx, wish->loc, TNS_WHY_NAME, colon + 1);
      return false;
    }
  return true;
}

bool
tns_check_names (tns_reader *reader)
{
  const tns_wish *wish = &reader->ctx->wish;
  return check_required (reader, &wish->require)
         && check_list (reader, &wish->temp, true, false)
         && check_list (reader, &wish->noalias, true, false)
         && check_list (reader, &wish->independent, true, true)
         && check_list (reader, &wish->tile, false, true)
         && check_list (reader, &wish->simd, false, true)
         && check_list (reader, &wish->parallel, false, true)
         && check_list (reader, &wish->unroll, false, true)
         && check_list (reader, &wish->interchange, false, true);
}

bool
tns_read_facts_of_wish (tns_reader *reader)
{
  const tns_wish *wish = &reader->ctx->wish;
  for (int k = 0; k < wish->n_facts; k++)
    {
      const tns_wish_fact *fact = &wish->facts[k];
      if (!fact->tree)
        continue;
      reader->loc = fact->loc.handle;
      tns_expr *cond = tns_read_cond (reader, (tree) fact->tree);
      if (!cond || !tns_is_pure (cond))
        {
          tns_error (reader->ctx, fact->loc, TNS_WHY_ASSUME, fact->text);
          return false;
        }
      tns_region_add_assume (reader->arena, reader->region, cond);
    }
  return true;
}
