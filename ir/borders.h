/* Loops whose borders choose another element than their interior.

     for x = 0 to w                       for x = 0 to min (w, r)
       for k = -r to r + 1                  as before
         d[x] += g[k + r]                 for x = max (0, r) to min (w, w - r)
                 * s[clamp (x + k)];        for k = -r to r + 1
                                     ->       d[x] += g[k + r] * s[x + k];
                                          for x = max (max (0, r), w - r) to w
                                            as before

   where clamp (q) is q < 0 ? 0 : q >= w ? w - 1 : q: in the interior the loops
   inside go along memory.  What chooses in an innermost loop is left to
   lowering/cut.h, which knows the lanes.  */

#ifndef TNS_IR_BORDERS_H
#define TNS_IR_BORDERS_H

#include "base/ctx.h"
#include "ir/nest.h"

/* Requires a verified region; gives one that computes the same in the same
   order, REGION itself where no loop was taken apart.  */
extern tns_region *tns_region_borders (tns_ctx *ctx, tns_region *region);

#endif
