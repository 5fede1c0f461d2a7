/* Loops that were unrolled by hand, rolled up again.

     for i = 0 to n - 3 step 4 {            for i = 0 to n / 4 * 4
       a[i] += x * b[i];                      a[i] += x * b[i];
       a[i+1] += x * b[i+1];          ->
       a[i+2] += x * b[i+2];
       a[i+3] += x * b[i+3]; }

     for i { s += a[3*i] + a[3*i+1]         for i = 0 to 3 * n
                  + a[3*i+2]; }       ->      s += a[i];

   so that neighbours in memory are neighbouring iterations.  */

#ifndef TNS_IR_REROLL_H
#define TNS_IR_REROLL_H

#include "base/ctx.h"
#include "ir/nest.h"

/* Requires a region whose updates are recognised; gives one that computes the
   same, in the same order but for sums of floating numbers where fp allows
   that.  */
extern tns_region *tns_region_reroll (tns_ctx *ctx, tns_region *region);

#endif
