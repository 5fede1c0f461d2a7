/* Functions in which a region stays as written, kept or refused.

   At -O2 GCC 11 makes no vectors, and GCC 12 only where nothing is left over:
   x[i] = x[i + 1] - x[i], which the planner leaves to GCC, would take five to
   ten times as long as at -O3.  */

#ifndef TNS_PLUGIN_LEFT_HH
#define TNS_PLUGIN_LEFT_HH

#include "plugin/gcc.hh"

/* GCC makes vectors of FN's loops as at -O3; nothing where the user asks for
   another level than -O2, or says whether there are vectors.  No attribute
   optimize says so: FN is inlined as before.  */
extern void tns_leave (tree fn);

/* The options that the user gave FN; NULL_TREE where it has no own ones.  */
extern tree tns_options_of (tree fn);

#endif
