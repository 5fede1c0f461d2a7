/* The machine that GCC compiles for, as the planner's description.  */

#ifndef TNS_PLUGIN_TARGET_HH
#define TNS_PLUGIN_TARGET_HH

#include "plugin/gcc.hh"

extern "C"
{
#include "schedule/machine.h"
}

/* The description for the vectors that the target flags of this compilation
   allow.  */
extern const tns_machine *tns_target_machine (void);

#endif
