/* A region with sizes that it does nothing with is left first.

     for j_0 = 0 to floordiv (m - 1, 4096) + 1  ..
       ->
     if (m >= 1)  for j_0 = 0 to floordiv (m - 1, 4096) + 1  ..

   where m has 64 bits: LONG_MIN - 1 would be a large number.  Where
   something is done with any m, that it is not so small is a guard.  */

#ifndef TNS_LOWERING_IDLE_H
#define TNS_LOWERING_IDLE_H

#include "base/ctx.h"
#include "ir/nest.h"
#include "poly/scop.h"

/* REGION, made of SCOP's, asked before its bounds and conditions reckon with
   its values of 64 bits, or guarded from the least ones; NULL gives NULL.  */
extern tns_region *tns_region_idle (tns_ctx *ctx, tns_region *region,
                                    const tns_scop *scop);

#endif
