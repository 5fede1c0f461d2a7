/* Regions whose outermost loop several devices share: devices(all).

     for b = 0 to n parallel        ->   for b = first to end
       y[b] from x[b], w                   y[b] from x[b], w

   first and end are parameters, which are 0 and n where all of the loop is
   meant; a part of it is what libtensorrt-mini/abi-cuda.h calls a part.  */

#ifndef TNS_LOWERING_DEVICES_H
#define TNS_LOWERING_DEVICES_H

#include "base/ctx.h"
#include "ir/nest.h"

/* lo, hi      the loop's bounds, numbers or VALUEs
   first, end  the parameters
   words       why there are none; NULL: there are  */
typedef struct tns_shared
{
  tns_expr *lo;
  tns_expr *hi;
  tns_sym *first;
  tns_sym *end;
  const char *words;
} tns_shared;

/* REGION with such a loop, and *SHARE of it; REGION itself where its iterations
   cannot be shared.  */
extern tns_region *tns_region_devices (tns_ctx *ctx, tns_region *region,
                                       tns_shared *share);

#endif
