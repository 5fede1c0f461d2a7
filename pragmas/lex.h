/* Tokens of a text: for the command line and for tests, where no compiler
   cuts them.  */

#ifndef TNS_PRAGMAS_LEX_H
#define TNS_PRAGMAS_LEX_H

#include "base/arena.h"
#include "pragmas/token.h"

/* The tokens of TEXT, *N of them, the last END; columns count from 1.  */
extern tns_token *tns_pragma_lex (tns_arena *arena, const char *text, int *n);

#endif
