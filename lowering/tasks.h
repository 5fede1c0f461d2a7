/* Nests side by side, as one loop over them that threads share.  */

#ifndef TNS_LOWERING_TASKS_H
#define TNS_LOWERING_TASKS_H

#include "base/ctx.h"
#include "ir/nest.h"
#include "schedule/plan.h"

/* REGION, PLAN's loops, with the nests that PLAN calls tasks of each other in
   a parallel loop over their number.  Nests that isl put into pieces that
   others stand between stay one after the other.  NULL gives NULL.  */
extern tns_region *tns_region_tasks (tns_ctx *ctx, const tns_plan *plan,
                                     tns_region *region);

#endif
