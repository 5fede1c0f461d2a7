/* Remainders of what leaves its range by one round at most.

     for i = 0 to n
       y[i] = x[(i + 1) % n] - x[(i + n - 1) % n];
   ->
     for i = 0 to n
       y[i] = x[i + 1 < n ? i + 1 : i + 1 - n] - x[i < 1 ? i + n - 1 : i - 1];

   so that subscripts are affine in parts: dependences are exact, and where the
   loop's ends are cut off (lowering/cut.h) its middle neither divides nor
   gathers.  */

#ifndef TNS_IR_WRAP_H
#define TNS_IR_WRAP_H

#include "base/ctx.h"
#include "ir/nest.h"

/* Requires a verified region; gives one that computes the same, in the same
   order, REGION itself where nothing wraps.  */
extern tns_region *tns_region_wrap (tns_ctx *ctx, tns_region *region);

#endif
