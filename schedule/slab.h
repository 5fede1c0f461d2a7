/* Slabs of a loop whose iterations wait for each other.

     for k = 0 to n                     for b = 0 to n step 32
       for i = k + 1 to n                 for k = b to min (b + 32, n)
         A[i][k] /= A[k][k]      ->         for i = k + 1 to min (b + 32, n) ..
         for j = k + 1 to n                 for i = b + 32 to n
           A[i][j] -= A[i][k]*A[k][j]         A[i][k] /= A[k][k]
                                              for j = k + 1 to min (b + 32, n)
                                                A[i][j] -= A[i][k]*A[k][j]
                                              for j = b + 32 to n
                                                A[i][j] -= A[i][k]*A[k][j]

   The loop is cut into slabs, and each loop inside that goes over what the
   slab's iterations are about, where the slab begins and ends.  No iteration
   changes places: the same is computed in the same order.  But some of the
   parts are products now, whose sums are the slab's iterations and whose
   operands nobody changes meanwhile; the planner gives them nests and tiles of
   their own (schedule/trailing.c), where that is legal, and proves it.

   Before that, scalars that end in elements, as the sums of a factorisation's
   inner products do, live there.  */

#ifndef TNS_SCHEDULE_SLAB_H
#define TNS_SCHEDULE_SLAB_H

#include "schedule/plan.h"

/* What was cut: when (NULL: always) it pays, and its line of a plan.  */
typedef struct tns_slab
{
  tns_expr *when;
  tns_text steps;
} tns_slab;

/* BODY, that of PLAN's region before it was planned, with a loop in slabs, in
   a region that has the symbols of LIKE besides; its name is LIKE's and
   "_slabs".  NULL where no loop suits.  Where ctx->plan_text has a section with
   that name its line is asked for: an error in CTX when no loop is like that.
   Says nothing else in CTX.  */
extern tns_region *tns_region_slabs (tns_ctx *ctx, const tns_plan *plan,
                                     tns_node *body, const tns_region *like,
                                     tns_slab *slab);

/* ctx->plan_text has a section for the slabs of LIKE.  */
extern bool tns_slab_is_given (tns_ctx *ctx, const tns_region *like);

/* BODY, that of SCOP's region, with scalars in the elements where they end
   (schedule/slab-cells.c).  */
extern tns_node *tns_slab_cells (tns_ctx *ctx, const tns_scop *scop,
                                 tns_node *body);

/* BODY with LOOP, of step 1 or -1, in slabs of SIZE iterations; symbols go to
   REGION (schedule/slab-cut.c).  *N_CUT: how many loops inside were cut.  */
extern tns_node *tns_slab_cut (tns_ctx *ctx, tns_region *region, tns_node *body,
                               const tns_node *loop, long size, int *n_cut);

#endif
