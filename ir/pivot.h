/* Loops in which all iterations read an element that one of them writes.

     for i = lo to hi                 for i = lo to min (hi, k)
       a[i] = a[i] / a[k];              a[i] = a[i] / a[k];
                                 ->   if (lo <= k && k < hi)
                                        a[k] = a[k] / a[k];
                                      for i = max (lo, k + 1) to hi
                                        a[i] = a[i] / a[k];

   so that in both loops no iteration waits for another.  */

#ifndef TNS_IR_PIVOT_H
#define TNS_IR_PIVOT_H

#include "base/ctx.h"
#include "ir/nest.h"

/* Requires a verified region; gives one that computes the same, in the same
   order.  */
extern tns_region *tns_region_pivot (tns_ctx *ctx, tns_region *region);

#endif
