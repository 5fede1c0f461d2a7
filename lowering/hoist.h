/* Work that is the same everywhere is done once.

     for i = 0 to n                       local f32 h; h = 1 - pow (b, t);
       y[i] = x[i] / (1 - pow (b, t))  -> for i = 0 to n
                                            y[i] = x[i] / h

   Runs before lowering/vectors.h: a function of math.h in a loop of vectors
   is something that GCC leaves there.  */

#ifndef TNS_LOWERING_HOIST_H
#define TNS_LOWERING_HOIST_H

#include "base/ctx.h"
#include "ir/nest.h"

/* REGION itself where nothing is hoisted.  */
extern tns_region *tns_region_hoist (tns_ctx *ctx, tns_region *region);

#endif
