/* Sums that the threads of a block share.

     for c simd(32) reduce(add: s)     if (there are iterations) {
       s += x[n][c];                     local f32 s_1;  s_1 = 0;
                                  ->     for c simd(32) reduce(add: s_1)
                                           s_1 += x[n][c];
                                         s += s_1;
                                       }

   so that what is added up in a loop is a cell that begins with nothing in it:
   each thread has one, and they are put together behind the loop.  */

#ifndef TNS_LOWERING_BLOCK_SUMS_H
#define TNS_LOWERING_BLOCK_SUMS_H

#include "base/ctx.h"
#include "ir/nest.h"

/* REGION with such cells in its loops with lanes.  A loop whose sums are of
   elements that change in it loses its lanes.  NULL gives NULL.  */
extern tns_region *tns_region_block_sums (tns_ctx *ctx, tns_region *region);

#endif
