/* Bodies of functions, kept for inlining.

   When a function's turn comes (PLUGIN_PRE_GENERICIZE) its body is as the
   parser left it; afterwards it is lowered in place.  A copy of every small
   body is kept, in the one root that lives as long as the compilation.  */

#ifndef TNS_PLUGIN_KEEP_HH
#define TNS_PLUGIN_KEEP_HH

#include "plugin/gcc.hh"

/* Make the root known to GCC's collector.  Called once.  */
extern void tns_keep_register (const char *plugin_name);

/* Keep a copy of FNDECL's body, if it is small and can be inlined at all.  */
extern void tns_keep_function (tree fndecl);

/* The copy of FNDECL's body, its parameters and its result; NULL_TREE when
   none is kept.  */
extern tree tns_kept_body (tree fndecl);
extern tree tns_kept_parms (tree fndecl);
extern tree tns_kept_result (tree fndecl);

/* FNDECL has a body, but no copy of it is kept; say in an error why there is
   no MODE of it, "gradient".  */
extern bool tns_is_unfit (tree fndecl);
extern void tns_complain_unfit (tree fndecl, const char *mode);

#endif
