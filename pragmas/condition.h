/* A condition of assume (...), or a place of wrt (...), as a neutral tree: the
   host looks its names up and makes its own form of it.  */

#ifndef TNS_PRAGMAS_CONDITION_H
#define TNS_PRAGMAS_CONDITION_H

#include "base/loc.h"

struct tns_cursor;

/* NAME     name
   NUMBER   number
   MEMBER   arg[0].name
   POINTED  arg[0]->name
   UNARY    name arg[0], name one of - ! ~ +
   CAST     (name) arg[0], name the words of a type, a space between two
   BINARY   arg[0] name arg[1], name an operator of C: || && | ^ & == != < >
            <= >= << >> + - * / %
   CHOICE   arg[0] ? arg[1] : arg[2]  */
typedef enum tns_condition_kind
{
  TNS_CONDITION_NAME,
  TNS_CONDITION_NUMBER,
  TNS_CONDITION_MEMBER,
  TNS_CONDITION_POINTED,
  TNS_CONDITION_UNARY,
  TNS_CONDITION_CAST,
  TNS_CONDITION_BINARY,
  TNS_CONDITION_CHOICE
} tns_condition_kind;

typedef struct tns_condition
{
  tns_condition_kind kind;
  const char *name;
  long number;
  tns_loc loc;
  struct tns_condition *arg[3];
} tns_condition;

/* Read a condition up to a comma or parenthesis outside of it.  NULL with
   the cursor's error set when there is none.  */
extern tns_condition *tns_condition_parse (struct tns_cursor *cursor);

/* Read a name and the members taken of it: NAME, MEMBER and POINTED alone.
   NULL likewise.  */
extern tns_condition *tns_place_parse (struct tns_cursor *cursor);

#endif
