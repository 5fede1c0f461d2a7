/* An invariant factor leaves a sum.

     for j = 0 to n                   for j = 0 to n
       s += x[j] / z;          ->       t += x[j];
                                      if (0 < n)
                                        s += t / z;

   so that a sum divides once, not in each iteration.  */

#ifndef TNS_IR_FACTOR_H
#define TNS_IR_FACTOR_H

#include "base/ctx.h"
#include "base/text.h"
#include "ir/nest.h"

/* Requires a verified region; gives one that computes the same but for
   rounding and overflow, REGION itself where no factor leaves and under
   fp(strict).  Each sum's line of a plan, factor S1, goes to STEPS; a user's
   plan has it for the sums that it names only.  */
extern tns_region *tns_region_factor (tns_ctx *ctx, tns_region *region,
                                      tns_text *steps);

#endif
