/* The whole compiler on one screen: region in, scheduled regions out.  */

#ifndef TNS_DRIVER_PIPELINE_H
#define TNS_DRIVER_PIPELINE_H

#include "base/ctx.h"
#include "driver/kept.h"
#include "ir/nest.h"
#include "lowering/made.h"

/* What became of a region.

   status     done, refused or failed; the reason stands in ctx->remarks
   kept       done, and the planner keeps the user's order: emit nothing
   looked_up  loops were written out for what tables of constants hold: as
              written they look these up each time
   read_through  arrays, no cells, that were read through before planning
   rare       it hardly ever runs: GCC need not work hard for it
   unguarded  not the pipeline's: the caller's arrays may overlap, and out reads
              and writes them in an order that is right then
   workspace  not the pipeline's: the VALUE of out, I64, that is the address of
              memory for its temporaries; NULL: it is taken where it can be had
   in         the region as extracted, canonical
   scheduled  after lowering/loops and buffers: loops with marks, scalar;
              what lowering/c99 prints
   out        after registers and vectors: what lowering/generic builds
   grid       (planned for a device) the kernels of out; of what the CPU does
              as well, those that stand beside; NULL: there are none
   plan       the steps, a line each
   made       what the passes made of the loops
   loops_before, loops_after, parallel_loops, simd_loops, recurrences,
   contracted counts for the report
   side_by_side  nests that run at the same time as another before them
   flops_after  operations of the loops that came out; peak_before,
              peak_after  bytes of temporaries: F64 expressions, or NULL where
              they are not known
   share      not the pipeline's: what of the region devices share, or why they
              do not; NULL: it was not asked
   memory     (a gradient) what it leaves in memory; NULL: no gradient
   predicted  how many times as long the loops as written are to take on one
              thread; 0 where nothing can be said
   milliseconds  what the pipeline took (reports only, never decides)  */
typedef struct tns_result
{
  tns_status status;
  bool kept;
  bool looked_up;
  int read_through;
  bool rare;
  bool unguarded;
  const tns_sym *workspace;
  tns_region *in;
  tns_region *scheduled;
  tns_region *out;
  const struct tns_grid *grid;
  const char *plan;
  tns_made made;
  int loops_before;
  int loops_after;
  int parallel_loops;
  int simd_loops;
  int recurrences;
  int contracted;
  int side_by_side;
  tns_expr *flops_after;
  tns_expr *peak_before;
  tns_expr *peak_after;
  const struct tns_shared *share;
  const tns_kept *memory;
  double predicted;
  double milliseconds;
} tns_result;

/* Run the stages on REGION.  Never exits; out of memory is a failure like any
   other, and NULL where there is none for the result itself.  out is NULL
   unless the status is done.  Everything lives in CTX's arena.  */
extern tns_result *tns_pipeline (tns_ctx *ctx, tns_region *region);

#endif
