/* Regions of functions that the plug-in has written, kept for inlining.

   A derived function has no body that the parser left.  What takes the place
   of its call is the region that it was made of, as text (ir/print.h), with
   GCC's trees for what the region is given, over the function's parameters, and
   for the functions that it calls.
   Two of them: one is for arrays that do not overlap, under its guards, the
   other, careful, for all.  */

#ifndef TNS_PLUGIN_KEEP_DERIVED_HH
#define TNS_PLUGIN_KEEP_DERIVED_HH

#include "plugin/symbols.hh"

/* Make the root known to GCC's collector.  Called once.  */
extern void tns_keep_derived_register (const char *plugin_name);

/* FNDECL consists of REGION, whose parameters SYMBOLS knows.  */
extern void tns_keep_derived (tree fndecl, bool careful,
                              const tns_region *region,
                              const tns_symbols *symbols);

/* Whether anything is kept for FNDECL.  */
extern bool tns_is_derived (tree fndecl);

/* The region of FNDECL, in ARENA; *TREES is a TREE_VEC by the ids of its
   symbols, NULL_TREE for its own.  NULL when none is kept.  */
extern tns_region *tns_kept_derived (tns_arena *arena, tree fndecl,
                                     bool careful, tree *trees);

/* The parameters of FNDECL, whose body or region is kept.  */
extern tree tns_kept_parameters (tree fndecl);

#endif
