/* One room for temporaries that do not live at the same time.  */

#ifndef TNS_LOWERING_STORAGE_H
#define TNS_LOWERING_STORAGE_H

#include "base/ctx.h"
#include "ir/nest.h"

/* REGION with LOCAL arrays of one block that have the same elements and
   extents put into one array, where the last statement with one comes before
   the first with the other.  Computes the same.  NULL gives NULL.  */
extern tns_region *tns_region_storage (tns_ctx *ctx, tns_region *region);

#endif
