/* Sums that are taken from an element in the end begin with it.

     local s;                             local s;
     s = 0;                               s = a[i][j];
     for k  s += l[i][k] * l[j][k];  ->   for k  s += -(l[i][k] * l[j][k]);
     l[i][j] = (a[i][j] - s) / l[j][j];   l[i][j] = s / l[j][j];

   as one writes factorisations, too: then the sum may live where it ends
   (schedule/slab.h).  */

#ifndef TNS_IR_OWED_H
#define TNS_IR_OWED_H

#include "base/ctx.h"
#include "ir/nest.h"

/* BLOCK with such sums, of floats; BLOCK itself when it has none.  The terms
   are added in another order.  */
extern tns_node *tns_block_begin_sums (tns_ctx *ctx, tns_node *block);

#endif
