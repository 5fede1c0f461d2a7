/* Recurrences that look ahead.

     for i = lo to hi {                  for i = lo to hi - 3 step 4 {
       v = a * v + b[i];                   t = b[i];
       x[i] = v;                           w0 = a * v + t;     x[i] = w0;
     }                                     t = a * t + b[i + 1];
                                   ->      w1 = a*a * v + t;   x[i + 1] = w1;
                                           ...
                                           v = w3;
                                         }
                                         for i = the rest ...

   Each iteration waits for the one before as long as its operations take.  What
   four of them make of the first one's value is known but for that: they wait
   once.  Running sums, products and extremes likewise.  Numbers are regrouped,
   as fp(reassoc) allows.  */

#ifndef TNS_LOWERING_LOOKAHEAD_H
#define TNS_LOWERING_LOOKAHEAD_H

#include "base/ctx.h"
#include "ir/nest.h"
#include "lowering/made.h"

/* Requires that cells which loops hand on are LOCALs (lowering/promote.h).
   REGION with straight loops of step 1 or -1 and one such recurrence, by a
   factor or factors, looking ahead, which MADE notes as carried; REGION under
   fp(strict).  */
extern tns_region *tns_region_lookahead (tns_ctx *ctx, tns_region *region,
                                         tns_made *made);

#endif
