/* Why a line of a plan does not apply to the loops at hand.

   For "tile j in S2: 0", "simd j in S9: 8" and their like: a statement, a loop
   or a number that is not there, else what the step takes.  */

#ifndef TNS_SCHEDULE_MISFIT_H
#define TNS_SCHEDULE_MISFIT_H

#include "schedule/planner.h"

/* The reason in words, in the planner's arena.  */
extern const char *tns_plan_misfit (tns_planner *planner, const char *line);

/* The same for a LINE about storage, "contract x at i in S1" or "expand x",
   of PLAN.  */
extern const char *tns_storage_misfit (tns_ctx *ctx, const tns_plan *plan,
                                       const char *line);

#endif
