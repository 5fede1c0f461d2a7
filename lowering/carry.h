/* What one iteration stores and the next one loads stays in a register.

     for j = 1 to m                        if (1 < m) {
       x[i][j] = e + a * x[i][j-1] + f       local c; c = x[i][0];
                                             for j = 1 to m {
                                   ->          local v; v = e + f + a * c;
                                               x[i][j] = v;
                                               c = v;
                                             }
                                           }

   A processor hands a store over to the next load after some cycles, which
   such a loop waits for.  In sums and products of floating numbers that may be
   done in another order, what comes from the iteration before is the last
   operand: the rest is ready by then.

   Runs before lowering/promote.h.  */

#ifndef TNS_LOWERING_CARRY_H
#define TNS_LOWERING_CARRY_H

#include "base/ctx.h"
#include "ir/nest.h"
#include "lowering/made.h"

/* Requires that different arrays do not overlap (the region's guards say
   so).  Notes in MADE which loops carry a value.  */
extern tns_region *tns_region_carry (tns_ctx *ctx, tns_region *region,
                                     tns_made *made);

#endif
