/* Vectors that are built inside a conversion, set apart, as plugin/unnest.hh
   says.  */

#include "plugin/gcc.hh"
#include "plugin/quiet.hh"
#include "plugin/unnest.hh"

/* Whether the plug-in's functions are, or may be, among those compiled.  */
static bool is_needed;

/* STMT converts a vector that it builds itself.  */
static bool
is_nested (gimple *stmt)
{
  return is_gimple_assign (stmt)
         && gimple_assign_rhs_code (stmt) == VIEW_CONVERT_EXPR
         && TREE_CODE (TREE_OPERAND (gimple_assign_rhs1 (stmt), 0))
              == CONSTRUCTOR;
}

/* Build the vector that the statement at AT converts in one of its own.  */
static void
unnest (gimple_stmt_iterator *at)
{
  gimple *stmt = gsi_stmt (*at);
  tree nested = gimple_assign_rhs1 (stmt);
  tree vector = TREE_OPERAND (nested, 0);
  tree name = make_ssa_name (TREE_TYPE (vector));
  gimple *built = gimple_build_assign (name, vector);
  gimple_set_location (built, gimple_location (stmt));
  gsi_insert_before (at, built, GSI_SAME_STMT);
  gimple_assign_set_rhs1 (stmt,
                          build1 (VIEW_CONVERT_EXPR, TREE_TYPE (nested), name));
  update_stmt (stmt);
}

/* PLUGIN_PASS_EXECUTION, of the pass DATA.  */
static void
on_pass (void *data, void *)
{
  const opt_pass *pass = (const opt_pass *) data;
  is_needed |= in_lto_p || tns_quiet_is_written (current_function_decl);
  if (!is_needed || !cfun || pass->type != GIMPLE_PASS
      || strcmp (pass->name, "pre"))
    return;
  basic_block block;
  FOR_EACH_BB_FN (block, cfun)
  for (gimple_stmt_iterator at = gsi_start_bb (block); !gsi_end_p (at);
       gsi_next (&at))
    if (is_nested (gsi_stmt (at)))
      unnest (&at);
}

void
tns_unnest_register (const char *plugin_name)
{
  register_callback (plugin_name, PLUGIN_PASS_EXECUTION, on_pass, NULL);
}
