/* Copies of function bodies, in a chain:

     TREE_LIST  purpose  the function
                value    TREE_VEC of body, parameters, result

   Not kept: bodies of more than max_nodes trees, functions with a variable
   number of arguments, with static variables, labels or asm.  Those stand in
   another chain, with the tree because of which they are not, or none.  */

#include "plugin/keep.hh"

extern "C"
{
#include "base/why.h"
}

static const int max_nodes = 20000;

/* The chains; roots of the collector.  */
static GTY (()) tree kept_functions;
static GTY (()) tree unfit_functions;

/* What a body holds: how many trees, the first that keeps it from being
   inlined.  */
typedef struct body_census
{
  int n_nodes;
  tree unfit;
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
      census->unfit = *at;
      break;
    case DECL_EXPR:
      if (VAR_P (DECL_EXPR_DECL (*at)) && TREE_STATIC (DECL_EXPR_DECL (*at))
          && !TREE_READONLY (DECL_EXPR_DECL (*at)))
        census->unfit = *at;
      break;
    default:
      break;
    }
  census->n_nodes++;
  return census->unfit || census->n_nodes > max_nodes ? *at : NULL_TREE;
}

void
tns_keep_function (tree fndecl)
{
  body_census census = { 0, NULL_TREE };
  if (!DECL_SAVED_TREE (fndecl) || DECL_STATIC_CHAIN (fndecl)
      || decl_function_context (fndecl))
    return;
  if (stdarg_p (TREE_TYPE (fndecl))
      || walk_tree_without_duplicates (&DECL_SAVED_TREE (fndecl), census_tree,
                                       &census))
    {
      unfit_functions = tree_cons (fndecl, census.unfit, unfit_functions);
      return;
    }
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

bool
tns_is_unfit (tree fndecl)
{
  return fndecl && purpose_member (fndecl, unfit_functions);
}

void
tns_complain_unfit (tree fndecl, const char *mode)
{
  tree unfit = TREE_VALUE (purpose_member (fndecl, unfit_functions));
  location_t place = DECL_SOURCE_LOCATION (fndecl);
  if (!unfit && stdarg_p (TREE_TYPE (fndecl)))
    error_at (place, "no %s of %qD: it takes any number of arguments", mode,
              fndecl);
  else if (!unfit)
    error_at (place, "no %s of %qD: it is too long; take it apart", mode,
              fndecl);
  else if (TREE_CODE (unfit) == DECL_EXPR)
    error_at (EXPR_LOCATION (unfit),
              "no %s of %qD: %qD keeps its value from call to call", mode,
              fndecl, DECL_EXPR_DECL (unfit));
  else if (TREE_CODE (unfit) == ASM_EXPR)
    error_at (EXPR_LOCATION (unfit), "no %s of %qD: %s", mode, fndecl,
              tns_why_words (TNS_WHY_ASM));
  else
    error_at (EXPR_LOCATION (unfit), "no %s of %qD: it has %<goto%> and labels",
              mode, fndecl);
}

void
tns_keep_register (const char *plugin_name)
{
  static const struct ggc_root_tab roots[]
    = { { &kept_functions, 1, sizeof kept_functions, &gt_ggc_mx_tree_node,
          &gt_pch_nx_tree_node },
        { &unfit_functions, 1, sizeof unfit_functions, &gt_ggc_mx_tree_node,
          &gt_pch_nx_tree_node },
        LAST_GGC_ROOT_TAB };
  register_callback (plugin_name, PLUGIN_REGISTER_GGC_ROOTS, NULL,
                     (void *) roots);
}
