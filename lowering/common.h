/* Numbers that stand in several places, computed once.

     for c = 0 to max (min (N / 16, 64), 1)     {
       for i = c * (N / max (min ...))            local i64 n;
         ...                                      n = max (min (N / 16, 64), 1);
                                            ->    for c = 0 to n {
                                                    local i64 n_1;
                                                    n_1 = c * (N / n);
                                                    for i = n_1 ...

   GCC gets less to compile by it.  The C text of emit-c is made before.  */

#ifndef TNS_LOWERING_COMMON_H
#define TNS_LOWERING_COMMON_H

#include "base/ctx.h"
#include "ir/nest.h"

/* The last change to REGION.  */
extern tns_region *tns_region_common (tns_ctx *ctx, tns_region *region);

#endif
