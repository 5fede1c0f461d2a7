/* The tokens of the pragma that GCC is reading.  */

#ifndef TNS_PRAGMAS_COLLECT_HH
#define TNS_PRAGMAS_COLLECT_HH

#include "plugin/gcc.hh"

extern "C"
{
#include "base/arena.h"
#include "pragmas/token.h"
}

/* Read the rest of the pragma's line: *N tokens, the last END.  */
extern tns_token *tns_pragma_collect (tns_arena *arena, int *n);

/* A handler for cpp_register_pragma, with -E: print the line, its arguments
   expanded.  With -M and -dM, where nothing is printed: none.  */
extern void tns_pragma_print (cpp_reader *reader);

#endif
