/* Contraction: a temporary shrinks to what one iteration needs.

   For an array X that is dead after the region, with accesses
   A = { S[i] -> X[e] } and the values of the DIMs down to D,
   P_D = { S[i] -> [d_0 .. d_D] }, X may live inside D when each element is
   touched in one iteration of D only:

     A^-1 . P_D  = { X[e] -> [d] }  is single-valued.

   The deepest such D is taken.  A coordinate of e that is a function of [d]
   is dropped; of the others a box is kept:

     [d] -> [offset, offset + extent)      extent >= 1

     for i { t[i] = x[i] * x[i];  y[i] = t[i] + 1; }      t is a scalar
     for n { for c e[n][c] = ..;  for c y[n][c] = e[n][c] / s; }
                                                          e is a row  */

#ifndef TNS_SCHEDULE_CONTRACT_H
#define TNS_SCHEDULE_CONTRACT_H

#include "schedule/plan.h"

/* Fill plan->buffer for plan->tree.  Every DIM gets its sym.  NULL when a
   temporary has no bound, with the reason said.  */
extern tns_plan *tns_plan_contract (tns_ctx *ctx, tns_plan *plan);

#endif
