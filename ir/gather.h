/* Sums that are scattered to shifted elements, gathered.

     for i = 0 to n {                    for i = 0 to n + 2
       a[i] += u * x[i];                   a[i] += (i < n ? u * x[i] : -0)
       a[i+1] += v * x[i];         ->              + (i >= 1 && i < n + 1
       a[i+2] += w * x[i];                            ? v * x[i-1] : -0)
     }                                             + (i >= 2 ? w * x[i-2] : -0);

   so that no two iterations of the loop meet in an element.  What is dear is
   computed once, into a row:

     for i = 0 to n {                    for i = 0 to n  r[i] = exp (x[i]);
       a[i] += exp (x[i]);               for i = 0 to n + 1
       a[i+1] -= exp (x[i]);       ->      a[i] += (i < n ? r[i] : -0)
     }                                             + (i >= 1 ? -r[i-1] : -0);

   A loop that shifts, as k of a[i + k], goes inside, and the loop that owns the
   elements is three then: the middle one asks nothing.  The same where that
   loop has others inside.  */

#ifndef TNS_IR_GATHER_H
#define TNS_IR_GATHER_H

#include "base/ctx.h"
#include "ir/nest.h"

/* Requires a verified region; gives one that computes the same, but for the
   order of sums, of floating numbers where fp allows that; REGION where
   nothing is gathered.  */
extern tns_region *tns_region_gather (tns_ctx *ctx, tns_region *region);

#endif
