/* Straight lines of assignments to one cell made one.

     s = b;
     s += x[i] * h[0];
     s += x[i-1] * h[1];      ->     s = b + x[i] * h[0] + x[i-1] * h[1];
     y[i] = s;                       y[i] = s;

   A filter of 32 taps that is written out costs the analysis 32 statements,
   each of which depends on each; as one it costs one.  */

#ifndef TNS_IR_CHAIN_H
#define TNS_IR_CHAIN_H

#include "base/ctx.h"
#include "ir/nest.h"

/* REGION with such lines joined; the order of all operations stays, so that
   any fp mode may.  */
extern tns_region *tns_region_chains (tns_ctx *ctx, tns_region *region);

#endif
