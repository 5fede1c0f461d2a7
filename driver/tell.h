/* Telling what a stage made: dump=NAME prints the region after it, dump=plan
   steps and tree, dump=time how long each took.  */

#ifndef TNS_DRIVER_TELL_H
#define TNS_DRIVER_TELL_H

#include "base/ctx.h"
#include "ir/nest.h"
#include "schedule/plan.h"

/* Milliseconds of processor time, for reports only.  */
extern double tns_milliseconds (void);

/* Print how long it took since the last stage, now that NAME ends, when the
   dump asks for it by name.  */
extern void tns_tell_time (tns_ctx *ctx, const char *name);

/* Print REGION, what stage NAME made, when it is asked for; REGION, which may
   be NULL.  */
extern tns_region *tns_tell (tns_ctx *ctx, const char *name,
                             tns_region *region);

/* Print PLAN's steps and tree when they are asked for; PLAN may be NULL.  */
extern void tns_tell_plan (tns_ctx *ctx, const tns_plan *plan);

#endif
