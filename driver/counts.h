/* The numbers of a region's report, taken from what the stages made.  */

#ifndef TNS_DRIVER_COUNTS_H
#define TNS_DRIVER_COUNTS_H

#include "driver/pipeline.h"
#include "lowering/made.h"
#include "schedule/plan.h"

/* A region with its model, its plan, and the loops that come of it; planned:
   before any of them stands there twice; made: what the passes made of
   them.  */
typedef struct tns_variant
{
  tns_scop *scop;
  tns_deps *deps;
  tns_plan *plan;
  tns_region *planned;
  tns_region *loops;
  tns_made *made;
} tns_variant;

/* Fill the numbers of RESULT's report, those of V.  The region is kept where
   all that V's plan did was to ask for lanes that no loop got.  */
extern void tns_fill_counts (tns_ctx *ctx, tns_result *result,
                             const tns_variant *v);

/* Lanes that the user requires are among those MADE.  False, with an error
   at the clause, when they are not.  */
extern bool tns_required_made (tns_ctx *ctx, const tns_made *made);

#endif
