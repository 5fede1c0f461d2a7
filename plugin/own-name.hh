/* Names that stay apart as identifiers.  */

#ifndef TNS_PLUGIN_OWN_NAME_HH
#define TNS_PLUGIN_OWN_NAME_HH

#include "plugin/gcc.hh"

extern "C"
{
#include "base/arena.h"
}

/* NAME itself, or with a number behind it where NAMES has one that is the same
   identifier, as for regions of a macro, which stand in one line.  NAMES gets
   what it is.  */
extern const char *tns_own_name (tns_arena *arena, vec<char *> *names,
                                 const char *name);

#endif
