/* What stays in registers over a loop.

   A cell whose subscripts do not change in a loop is loaded before it, kept
   in a LOCAL, and stored behind it when it was written; what is only read is
   loaded before it; what a straight line reads several times is read once;
   products that are added become FMA where contraction is allowed:

     for k = 0 to K                        if (K > 0) {
       C[i][j]:f32x16 += splat (A[i][k])     local f32x16 c; c = C[i][j];
                         * B[k][j];          for k = 0 to K
                                       ->      c = fma (splat (A[i][k]),
                                                        B[k][j], c);
                                             C[i][j] = c;
                                           }

   Runs after lowering/vectors.h; scalars are promoted as vectors are.  */

#ifndef TNS_LOWERING_PROMOTE_H
#define TNS_LOWERING_PROMOTE_H

#include "base/ctx.h"
#include "ir/nest.h"

/* Requires that different arrays do not overlap (the region's guards say
   so).  */
extern tns_region *tns_region_promote (tns_ctx *ctx, tns_region *region);

#endif
