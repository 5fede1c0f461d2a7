/* The options of functions in which a region stays as written, as
   plugin/left.hh says.  What the user asked for is kept in an attribute that
   nobody can write.  */

#include "plugin/left.hh"

#define LEFT "tensor left"

/* The user says whether there are vectors.  */
static bool
is_said_of_vectors (void)
{
  bool is_said = global_options_set.x_flag_tree_loop_vectorize;
  for (unsigned k = 0; k < save_decoded_options_count; k++)
    is_said |= save_decoded_options[k].opt_index == OPT_ftree_vectorize;
  return is_said;
}

/* GCC's vectors of FN may round other than its loops do.  */
static bool
may_contract (tree fn)
{
  /* GCC's PR 107647, mended in 12.3 and 13: pairs of lanes become vfmaddsub
     under -ffp-contract=off, too.  */
  bool is_ill = GCCPLUGIN_VERSION >= 12000 && GCCPLUGIN_VERSION < 12003;
  return is_ill && opt_for_fn (fn, flag_fp_contract_mode) != FP_CONTRACT_FAST;
}

tree
tns_options_of (tree fn)
{
  tree left = lookup_attribute (LEFT, DECL_ATTRIBUTES (fn));
  return left ? TREE_VALUE (left) : DECL_FUNCTION_SPECIFIC_OPTIMIZATION (fn);
}

void
tns_leave (tree fn)
{
  struct gcc_options all = global_options;
  struct gcc_options set = global_options_set;
  tree own = DECL_FUNCTION_SPECIFIC_OPTIMIZATION (fn);
  if (opt_for_fn (fn, optimize) != 2 || opt_for_fn (fn, optimize_size)
      || is_said_of_vectors () || may_contract (fn)
      || lookup_attribute (LEFT, DECL_ATTRIBUTES (fn)))
    return;
  if (own)
    cl_optimization_restore (&all, &set, TREE_OPTIMIZATION (own));
  all.x_flag_tree_loop_vectorize = 1;
  all.x_flag_tree_slp_vectorize = 1;
  if (!set.x_flag_vect_cost_model)
    all.x_flag_vect_cost_model = VECT_COST_MODEL_DYNAMIC;
  DECL_ATTRIBUTES (fn)
    = tree_cons (get_identifier (LEFT), own, DECL_ATTRIBUTES (fn));
  DECL_FUNCTION_SPECIFIC_OPTIMIZATION (fn)
    = build_optimization_node (&all, &set);
}
