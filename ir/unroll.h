/* Short inner loops written out.

     for x { s = g[0]*in[x];                for x { s = g[0]*in[x];
             for k = 1 to 3                   ->     s += g[1]*in[x-1];
               s += g[k]*in[x-k];                    s += g[2]*in[x-2];
             out[x] = s; }                           out[x] = s; }

   so that the loop around, which is long, becomes the innermost one.  */

#ifndef TNS_IR_UNROLL_H
#define TNS_IR_UNROLL_H

#include "base/ctx.h"
#include "ir/nest.h"

/* Requires a verified region; gives one that computes the same, in the same
   order.  */
extern tns_region *tns_region_unroll (tns_ctx *ctx, tns_region *region);

#endif
