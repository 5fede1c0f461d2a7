/* Regions of derived functions, in two chains, careful the second:

     TREE_LIST  purpose  the function
                value    TREE_VEC of a string, the text, and a list of trees
                         whose purposes are the names of their symbols  */

#include "plugin/keep-derived.hh"

#include "plugin/keep.hh"

extern "C"
{
#include "ir/parse.h"
#include "ir/print.h"
}

/* The chains; roots of the collector.  */
static GTY (()) tree kept_regions[2];

/* ROOT as the front end would have it: *p for an element of *p.  */
static tree
as_written (tree root)
{
  if (root && TREE_CODE (root) == MEM_REF)
    return build1 (INDIRECT_REF, TREE_TYPE (root), TREE_OPERAND (root, 0));
  return unshare_expr (root);
}

void
tns_keep_derived (tree fndecl, bool careful, const tns_region *region,
                  const tns_symbols *symbols)
{
  tns_arena *arena = tns_arena_new (tns_allocator_malloc ());
  tns_text text = tns_text_new (arena);
  tns_region_print (&text, region);
  const char *chars = tns_text_chars (&text);
  tree names = NULL_TREE;
  for (int k = 0; k < region->n_syms; k++)
    {
      const tns_sym *sym = region->syms[k];
      tree of = tns_symbols_get (symbols, sym);
      if (of && sym->kind != TNS_SYM_ITER && !tns_sym_is_local (sym))
        names = tree_cons (get_identifier (sym->name), as_written (of), names);
    }
  tree record = make_tree_vec (2);
  TREE_VEC_ELT (record, 0) = build_string (strlen (chars) + 1, chars);
  TREE_VEC_ELT (record, 1) = names;
  kept_regions[careful] = tree_cons (fndecl, record, kept_regions[careful]);
  tns_arena_free (arena);
}

/* The record of FNDECL, or NULL_TREE.  */
static tree
find_record (tree fndecl, bool careful)
{
  tree found = fndecl ? purpose_member (fndecl, kept_regions[careful]) : fndecl;
  return found ? TREE_VALUE (found) : NULL_TREE;
}

bool
tns_is_derived (tree fndecl)
{
  return find_record (fndecl, false) || find_record (fndecl, true);
}

tns_region *
tns_kept_derived (tns_arena *arena, tree fndecl, bool careful, tree *trees)
{
  tree record = find_record (fndecl, careful);
  tns_parse_error error = {};
  if (!record)
    return NULL;
  const char *chars = TREE_STRING_POINTER (TREE_VEC_ELT (record, 0));
  tns_region *region = tns_region_parse (arena, &chars, &error);
  *trees = make_tree_vec (region ? region->n_syms + 1 : 1);
  for (int k = 0; region && k < region->n_syms; k++)
    {
      tree found = purpose_member (get_identifier (region->syms[k]->name),
                                   TREE_VEC_ELT (record, 1));
      if (found)
        TREE_VEC_ELT (*trees, k) = unshare_expr (TREE_VALUE (found));
    }
  return region;
}

tree
tns_kept_parameters (tree fndecl)
{
  return tns_is_derived (fndecl) ? DECL_ARGUMENTS (fndecl)
                                 : tns_kept_parms (fndecl);
}

void
tns_keep_derived_register (const char *plugin_name)
{
  static const struct ggc_root_tab roots[]
    = { { &kept_regions, 2, sizeof kept_regions[0], &gt_ggc_mx_tree_node,
          &gt_pch_nx_tree_node },
        LAST_GGC_ROOT_TAB };
  register_callback (plugin_name, PLUGIN_REGISTER_GGC_ROOTS, NULL,
                     (void *) roots);
}
