/* Sums whose last elements were stored just before.  */

#ifndef TNS_LOWERING_LATE_H
#define TNS_LOWERING_LATE_H

#include "base/ctx.h"
#include "ir/nest.h"

/* Requires loops with marks of lanes; one with such a sum does those elements
   one by one.  */
extern tns_region *tns_region_late (tns_ctx *ctx, tns_region *region);

#endif
