/* The clauses of #pragma tensor: tokens -> wish.  */

#ifndef TNS_PRAGMAS_PARSE_H
#define TNS_PRAGMAS_PARSE_H

#include "base/arena.h"
#include "base/wish.h"
#include "pragmas/token.h"

/* An error in the user's words: where, what, and, when a known word is
   near, the word that was probably meant (else NULL).  */
typedef struct tns_pragma_error
{
  tns_loc loc;
  const char *words;
  const char *meant;
} tns_pragma_error;

typedef enum tns_directive
{
  TNS_DIRECTIVE_REGION,
  TNS_DIRECTIVE_FUNCTION,
  TNS_DIRECTIVE_GRADIENT,
  TNS_DIRECTIVE_DATA,
  TNS_DIRECTIVE_LATER
} tns_directive;

/* Read TOKEN[0..N), what follows "#pragma tensor" (the last is END), on
   top of DEFAULTS.  True when it is right; else *ERROR is set.  A directive
   or clause of the table that is not there yet is such an error.  */
extern bool tns_pragma_parse (tns_arena *arena, const tns_token *token, int n,
                              const tns_wish *defaults,
                              tns_directive *directive, tns_wish *wish,
                              tns_pragma_error *error);

#endif
