/* The names and facts of the pragma's clauses.

   A name is an iterator of the region, a variable that it uses, or at least
   one that is in scope; anything else is an error at its place.  A fact is a
   condition over values that the region only reads; under check it is tested,
   and the loops as written run where it does not hold.  */

#include "plugin/reader.hh"

/* The variables in scope that have a name.

   region     the first statement of the region
   found      there is one
   is_memory  one of them is an array, a pointer or a structure  */
typedef struct name_search
{
  tree name;
  tree region;
  bool found;
  bool is_memory;
} name_search;

/* DECL is in scope, perhaps the one that SEARCH is for.  */
static void
note_variable (name_search *search, tree decl)
{
  if (DECL_NAME (decl) != search->name)
    return;
  tree type = TREE_TYPE (decl);
  search->found = true;
  search->is_memory |= !INTEGRAL_TYPE_P (type) && !SCALAR_FLOAT_TYPE_P (type);
}

/* walk_tree's visitor: the declarations of blocks.  */
static tree
find_name (tree *at, int *, void *self)
{
  if (TREE_CODE (*at) == DECL_EXPR)
    note_variable ((name_search *) self, DECL_EXPR_DECL (*at));
  return NULL_TREE;
}

/* walk_tree's visitor: the place of a statement.  */
static tree
find_statement (tree *at, int *, void *self)
{
  return *at == (tree) self ? *at : NULL_TREE;
}

/* walk_tree's visitor: the declarations in front of the region, but for those
   of blocks that end there.  */
static tree
find_in_front (tree *at, int *walk_subtrees, void *self)
{
  tree region = ((name_search *) self)->region;
  if (*at == region)
    return region;
  if (TREE_CODE (*at) == BIND_EXPR
      && !walk_tree_without_duplicates (at, find_statement, region))
    *walk_subtrees = 0;
  return find_name (at, walk_subtrees, self);
}

/* The variables called NAME that are in scope in the region or in a block of
   it; where a call is read, all of the function's.  */
static name_search
find_variables (tns_reader *reader, const char *name)
{
  name_search search
    = { get_identifier (name), reader->stmts[0], false, false };
  tree *body = &DECL_SAVED_TREE (reader->fndecl);
  for (tree parm = DECL_ARGUMENTS (reader->fndecl); parm;
       parm = DECL_CHAIN (parm))
    note_variable (&search, parm);
  walk_tree_without_duplicates (
    body, reader->called ? find_name : find_in_front, &search);
  for (int k = 0; k < reader->n_stmts; k++)
    walk_tree_without_duplicates (&reader->stmts[k], find_name, &search);
  tree global = search.found ? NULL_TREE : lookup_name (search.name);
  if (global && VAR_P (global))
    note_variable (&search, global);
  return search;
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

/* Each name of LIST, a clause over memory, is a variable that has some or,
   where LOOPS are allowed, that of one.  */
static bool
check_memory (tns_reader *reader, const tns_wish_list *list, bool loops)
{
  for (int k = 0; k < list->n; k++)
    {
      const tns_wish_name *name = &list->names[k];
      name_search search = find_variables (reader, name->name);
      if (search.is_memory || (loops && is_iterator (reader, name->name)))
        continue;
      tns_error (reader->ctx, name->loc,
                 search.found ? TNS_WHY_NO_ARRAY : TNS_WHY_NAME, name->name);
      return false;
    }
  return true;
}

/* Each name of LIST is that of a loop or, where VARIABLES are allowed, of
   one.  */
static bool
check_list (tns_reader *reader, const tns_wish_list *list, bool variables)
{
  for (int k = 0; k < list->n; k++)
    {
      const tns_wish_name *name = &list->names[k];
      bool is_loop = is_iterator (reader, name->name);
      bool is_variable = !is_loop && find_variables (reader, name->name).found;
      if (is_loop || (variables && is_variable))
        continue;
      tns_error (reader->ctx, name->loc,
                 is_variable ? TNS_WHY_NO_LOOP : TNS_WHY_NAME, name->name);
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
      if (!colon || find_variables (reader, colon + 1).found)
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
         && check_list (reader, &wish->temp, true)
         && check_memory (reader, &wish->noalias, false)
         && check_memory (reader, &wish->independent, true)
         && check_list (reader, &wish->tile, false)
         && check_list (reader, &wish->simd, false)
         && check_list (reader, &wish->parallel, false)
         && check_list (reader, &wish->unroll, false)
         && check_list (reader, &wish->interchange, false);
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
      if (wish->check && !wish->derived.function)
        tns_region_add_guard (reader->arena, reader->region, cond);
    }
  return true;
}
