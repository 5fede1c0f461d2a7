/* Lanes, masks, accumulators: loops marked simd become vector IR.

     for c = 0 to C simd(16) reduce(max: m)    m max= x[n][c];

   becomes

     if (C > 0) {
       local f32x16 acc; acc = splat (m)
       for c = 0 to C - 15 step 16               acc max= x[n][c]:f32x16;
       for c = C / 16 * 16 to C step 16          the rest, masked
       m max= reduce_max (acc);
     }  */

#ifndef TNS_LOWERING_VECTORS_H
#define TNS_LOWERING_VECTORS_H

#include "base/ctx.h"
#include "ir/nest.h"
#include "lowering/made.h"

/* Requires: loops marked simd are free but for their reductions; they may
   have loops inside.  unroll on such a loop asks for that many vectors side
   by side, accumulators for as many partial results, align for vectors that
   begin an array's cache lines.
   Gives IR without simd marks (a loop that cannot be vectorised keeps a
   plain loop); MADE notes which loops have lanes now.  The machine
   (ctx->machine) says the vector bytes and whether masks are cheap.  */
extern tns_region *tns_region_vectors (tns_ctx *ctx, tns_region *region,
                                       tns_made *made);

#endif
