/* Threads only where they pay.

     for i parallel { ... }  ->  for i parallel when(work (i) >= threshold)
                                                work(work (i))

   Small calls then cost no parallel region at all.  work is estimated from
   trip counts and operations, as an I64 expression.  The loop keeps it: the
   first threads of a program take longer to start than a parallel region
   (lowering/generic-threads.cc).  */

#ifndef TNS_LOWERING_VERSIONS_H
#define TNS_LOWERING_VERSIONS_H

#include "base/ctx.h"
#include "ir/nest.h"

/* The I64 expression over what is in scope at LOOP: about how many cycles one
   run of it takes (a load, a store or an operation on a scalar or a vector is
   1, a division or a function of math.h 8).  */
extern tns_expr *tns_loop_work (tns_ctx *ctx, const tns_node *loop);

/* The same of NODE where it begins: what bounds read is known.  */
extern tns_expr *tns_work_here (tns_ctx *ctx, const tns_node *node);

/* WORK, of tns_loop_work, is worth threads: BOOL.  The threshold is
   wish.parallel_threshold, or follows from the machine's fork_ns.  */
extern tns_expr *tns_work_pays (tns_ctx *ctx, tns_expr *work);

/* Requires marks; every parallel loop gets its condition, but for those over
   chunks, which have one around them, and its work, but where the user said
   what is enough.  */
extern tns_region *tns_region_versions (tns_ctx *ctx, tns_region *region);

#endif
