/* Floating numbers that grow by the same amount in each iteration, as functions
   of the iterator.

     for i = lo to hi {                s0 = s;
       a[i] = f (s);                   for i = lo to hi
       s += h; }                  ->     a[i] = f (s0 + (i - lo) * h);
                                       if (lo < hi) s = s0 + (hi - lo) * h;

   so that no iteration waits for another.  */

#ifndef TNS_IR_INDUCTION_H
#define TNS_IR_INDUCTION_H

#include "base/ctx.h"
#include "ir/nest.h"

/* Requires a region whose updates are recognised; gives one that computes the
   same, with sums in another order where fp allows that.  */
extern tns_region *tns_region_induction (tns_ctx *ctx, tns_region *region);

#endif
