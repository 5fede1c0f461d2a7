/* The arrays of #pragma tensor data as GCC's trees.  */

#ifndef TNS_PRAGMAS_SECTION_HH
#define TNS_PRAGMAS_SECTION_HH

#include "plugin/gcc.hh"

extern "C"
{
#include "base/wish.h"
}

/* Make trees of GIVEN's place and bounds, whose names are looked up in the
   scope that is being parsed.  False, with the error given at its place, where
   it is no structure and no array whose length is known.  */
extern bool tns_section_trees (tns_wish_section *given);

/* Whether objects of TYPE hold pointers, or may.  */
extern bool tns_holds_pointers (const_tree type);

#endif
