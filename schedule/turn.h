/* Convolutions are turned: what moves with their channels gets these last, so
   that lanes go along them.

     for o for c for k for l for i for j
       dw[o][c][k][l] += dy[o][i][j] * x[c][i + k][j + l]

       T[o][k][l][c] = 0;  P[r][s][c] = x[c][r][s]
       for o for c for k for l for i for j
     ->  T[o][k][l][c] += dy[o][i][j] * P[i + k][j + l][c]
       dw[o][c][k][l] += T[o][k][l][c]

   Rows of a picture seldom fill vectors, and begin anywhere in a line when a
   tap shifts them; channels do neither.  */

#ifndef TNS_SCHEDULE_TURN_H
#define TNS_SCHEDULE_TURN_H

#include "schedule/pack.h"

/* Statement S of PLAN is a sum that may be turned: OPERAND gets the iterator
   of its channels.  */
extern bool tns_plan_turned (const tns_plan *plan, int s, tns_operand *operand);

/* Turn OPERAND's update in REGION, whose body changes, where that may pay, and
   say so; PACKING gets the condition and the step.  */
extern bool tns_region_turn (tns_ctx *ctx, const tns_operand *operand,
                             tns_region *region, tns_packing *packing);

#endif
