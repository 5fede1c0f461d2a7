/* Copies of function bodies, in a chain:

     TREE_LIST  purpose  the function
                value    TREE_VEC of body, parameters, result

   Not kept: bodies of more than max_nodes trees, functions with a variable
   number of arguments, with static variables, labels or asm.  */

#include "plugin/keep.hh"

static const int max_nodes = 4000;

/* The chain; a root of the collector.  */
static GTY (()) tree kept_functions;

/* What a body holds that keeps it from being inlined.  */
typedef struct body_census
{
  int n_nodes;
  bool is_unfit;
} body_census;

/* walk_tree's visitor.  */
static tree
census_tree (tree *at, int *, void *self)
{
  body_census *census = (body_census *) self;
  switch (TREE_CODE (*at))
    {
    case LABEL_EXPR:
    case GOTO_EXPR:
    case ASM_EXPR:
      census->is_unfit = true;
      break;
    case DECL_EXPR:
      if (VAR_P (DECL_EXPR_DECL (*at)) && TREE_STATIC (DECL_EXPR_DECL (*at))
          && !TREE_READONLY (DECL_EXPR_DECL (*at)))
        census->is_unfit = true;
      break;
    default:
      break;
    }
  census->n_nodes++;
  return census->is_unfit || census->n_nodes > max_nodes ? *at : NULL_TREE;
}

void
tns_keep_function (tree fndecl)
{
  body_census census = { 0, false };
  if (!DECL_SAVED_TREE (fndecl) || stdarg_p (TREE_TYPE (fndecl))
      || DECL_STATIC_CHAIN (fndecl) || decl_function_context (fndecl)
      || walk_tree_without_duplicates (&DECL_SAVED_TREE (fndecl), census_tree,
                                       &census))
    return;
  tree parms = NULL_TREE;
  tree result = NULL_TREE;
  tree body = copy_fn (fndecl, parms, result);
  tree record = make_tree_vec (3);
  TREE_VEC_ELT (record, 0) = body;
  TREE_VEC_ELT (record, 1) = parms;
  TREE_VEC_ELT (record, 2) = result;
  kept_functions = tree_cons (fndecl, record, kept_functions);
}

/* Part K of FNDECL's record.  */
static tree
kept_part (tree fndecl, int k)
{
  tree record = fndecl ? purpose_member (fndecl, kept_functions) : NULL_TREE;
  return record ? TREE_VEC_ELT (TREE_VALUE (record), k) : NULL_TREE;
}

tree
tns_kept_body (tree fndecl)
{
  return kept_part (fndecl, 0);
}

tree
tns_kept_parms (tree fndecl)
{
  return kept_part (fndecl, 1);
}

tree
tns_kept_result (tree fndecl)
{
  return kept_part (fndecl, 2);
}

void
tns_keep_register (const char *plugin_name)
{
  static const struct ggc_root_tab roots[]
    = { { &kept_functions, 1, sizeof kept_functions, &gt_ggc_mx_tree_node,
          &gt_pch_nx_tree_node },
        LAST_GGC_ROOT_TAB };
  register_callback (plugin_name, PLUGIN_REGISTER_GGC_ROOTS, NULL,
                     (void *) roots);
}
