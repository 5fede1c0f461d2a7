/* The door to GCC: its headers, and what differs between its versions.

   No other file includes a header of GCC or asks for its version.  The
   plug-in is loaded by cc1, and by cc1plus and lto1 when they get the same
   command line: the functions that only the C front end has are weak here,
   so that it loads in all three; plugin_init leaves at once in the others.  */

#ifndef TNS_PLUGIN_GCC_HH
#define TNS_PLUGIN_GCC_HH

#include "gcc-plugin.h"
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-variable"
#include "plugin-version.h"
#pragma GCC diagnostic pop

#include "tm.h"
#include "target.h"
#include "intl.h"
#include "input.h"
#include "tree.h"
#include "c-family/c-common.h"
#include "c-family/c-pragma.h"
#include "c-tree.h"
#include "tree-iterator.h"
#include "tree-dfa.h"
#include "tree-pretty-print.h"
#include "tree-vector-builder.h"
#include "vec-perm-indices.h"
#include "print-tree.h"
#include "stringpool.h"
#include "attribs.h"
#include "stor-layout.h"
#include "fold-const.h"
#include "varasm.h"
#include "alias.h"
#include "builtins.h"
#include "calls.h"
#include "real.h"
#include "function.h"
#include "cgraph.h"
#include "gimple.h"
#include "gimple-iterator.h"
#include "ssa.h"
#include "internal-fn.h"
#include "gimple-expr.h"
#include "gimplify.h"
#include "gomp-constants.h"
#include "omp-general.h"
#include "tree-inline.h"
#include "tree-pass.h"
#include "dumpfile.h"
#include "context.h"
#include "debug.h"
#include "diagnostic.h"
#include "diagnostic-core.h"
#include "gcc-rich-location.h"
#include "langhooks.h"
#include "opts.h"
#include "options.h"
#include "toplev.h"
#include "ggc.h"

#if GCCPLUGIN_VERSION < 11000 || GCCPLUGIN_VERSION >= 13000
#  error "this plug-in is for GCC 11 and GCC 12"
#endif

/* The C front end's own.  */
extern tree lookup_name (tree) __attribute__ ((weak));
extern tree identifier_global_value (tree) __attribute__ ((weak));
extern tree add_stmt (tree) __attribute__ ((weak));
extern void keep_next_level (void) __attribute__ ((weak));
extern enum cpp_ttype pragma_lex (tree *, location_t *) __attribute__ ((weak));
extern void c_register_pragma (const char *, const char *, pragma_handler_1arg)
  __attribute__ ((weak));
extern void
c_register_pragma_with_expansion_and_data (const char *, const char *,
                                           pragma_handler_2arg, void *)
  __attribute__ ((weak));
extern bool c_mark_addressable (tree, bool) __attribute__ ((weak));
extern struct cpp_reader *parse_in __attribute__ ((weak));
extern void cpp_register_pragma (cpp_reader *, const char *, const char *,
                                 void (*) (cpp_reader *), bool)
  __attribute__ ((weak));
extern void _cpp_backup_tokens (cpp_reader *, unsigned) __attribute__ ((weak));
extern int c_inhibit_evaluation_warnings __attribute__ ((weak));
extern stmt_tree current_stmt_tree (void) __attribute__ ((weak));
extern tree build_binary_op (location_t, enum tree_code, tree, tree, bool)
  __attribute__ ((weak));
extern tree build_unary_op (location_t, enum tree_code, tree, bool)
  __attribute__ ((weak));
extern tree build_indirect_ref (location_t, tree, ref_operator)
  __attribute__ ((weak));
extern tree build_component_ref (location_t, tree, tree, location_t)
  __attribute__ ((weak));
extern tree build_conditional_expr (location_t, tree, bool, tree, tree,
                                    location_t, tree, tree, location_t)
  __attribute__ ((weak));

/* Their headers need one that GCC does not install: whether the target converts
   vectors of type FROM to TYPE by CODE in one instruction; has CODE for vectors
   of TYPE; has, by MODE, the upper halves of products.  */
extern bool supportable_convert_operation (enum tree_code code, tree type,
                                           tree from, enum tree_code *found);
enum optab_subtype
{
  optab_default,
  optab_scalar,
  optab_vector
};
extern bool target_supports_op_p (tree type, enum tree_code code,
                                  enum optab_subtype amount);
extern int can_mult_highpart_p (machine_mode mode, bool is_unsigned);

/* Whether another definition may take the place of FNDECL's when the
   program is linked.  */
static inline bool
tns_gcc_is_replaceable (tree fndecl)
{
#if GCCPLUGIN_VERSION >= 12000
  return decl_replaceable_p (fndecl,
                             opt_for_fn (fndecl, flag_semantic_interposition));
#else
  return decl_replaceable_p (fndecl);
#endif
}

/* No warnings about NODE, a generated expression or declaration.  */
static inline void
tns_gcc_quiet (tree node)
{
#if GCCPLUGIN_VERSION >= 12000
  suppress_warning (node);
#else
  TREE_NO_WARNING (node) = 1;
#endif
}

#endif
