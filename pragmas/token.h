/* A token of a pragma line, neutral: the parser of clauses knows no GCC.  */

#ifndef TNS_PRAGMAS_TOKEN_H
#define TNS_PRAGMAS_TOKEN_H

#include "base/loc.h"

typedef enum tns_token_kind
{
  TNS_TOKEN_END,
  TNS_TOKEN_NAME,
  TNS_TOKEN_NUMBER,
  TNS_TOKEN_STRING,
  TNS_TOKEN_PUNCT
} tns_token_kind;

/* text   the spelling; of a STRING its contents without quotes
   number of a NUMBER  */
typedef struct tns_token
{
  tns_token_kind kind;
  const char *text;
  long number;
  tns_loc loc;
} tns_token;

#endif
