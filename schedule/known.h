/* Distances of dependences that isl was asked for before.

   Planning asks the same again and again: a step changes a few rows of a
   tree, and all of it is checked anew.  The answer depends on the rows alone,
   and not on the order of the DIMs above.  */

#ifndef TNS_SCHEDULE_KNOWN_H
#define TNS_SCHEDULE_KNOWN_H

#include "poly/legal.h"
#include "schedule/tree.h"

/* A row of the source and one of the target.  */
typedef struct tns_row_pair
{
  tns_row *source;
  tns_row *target;
} tns_row_pair;

/* PAIR, of the ends of DEP, for poly/legal.h; it keeps the rows.  */
extern tns_moments tns_pair_moments (const tns_scop *scop, const tns_dep *dep,
                                     const tns_row_pair *pair);

/* How far DEP reaches along ASKED (NULL: whether there is a pair at all),
   of its pairs that are equal on ABOVE[0..N).  */
typedef struct tns_question
{
  int dep;
  int n;
  const tns_row_pair *above;
  const tns_row_pair *asked;
} tns_question;

/* The answer to QUESTION in *DISTANCE; false when it is not known yet.  */
extern bool tns_known_find (const tns_deps *deps, const tns_question *question,
                            tns_distance *distance);

/* Remember the answer, with copies of the rows.  */
extern void tns_known_add (tns_arena *arena, const tns_deps *deps,
                           const tns_question *question, tns_distance distance);

#endif
