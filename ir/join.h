/* Straight lines of updates made short.

     local t; t = x[i-1]; v max= t;                 v max= max (x[i-1], x[i]);
     local t; t = x[i];   v max= t;          ->
     s += x[i-1]; s += x[i];                        s += x[i-1] + x[i];

   What is one statement costs the analysis and the planner as much as one,
   however long its value is.  */

#ifndef TNS_IR_JOIN_H
#define TNS_IR_JOIN_H

#include "base/ctx.h"
#include "ir/nest.h"

/* BLOCK, which holds no loops, with cells that are read once replaced by
   their values, and updates of one cell joined where fp allows their sum to
   be done in another order.  It computes the same.  */
extern tns_node *tns_block_join (tns_ctx *ctx, tns_node *block);

#endif
