/* Small arrays taken apart.

     local f64 v[3];                        local f64 v_0, v_1, v_2;
     v[0] = x[i]; v[1] = y[i]; v[2] = 1;    v_0 = x[i]; v_1 = y[i]; v_2 = 1;
     z[i] = v[0] * v[1] + v[2];        ->   z[i] = v_0 * v_1 + v_2;

   What is a variable of an iteration is a lane of a register in a vector of
   iterations; an array of each lane is memory.  */

#ifndef TNS_IR_ELEMENTS_H
#define TNS_IR_ELEMENTS_H

#include "base/ctx.h"
#include "ir/nest.h"

/* Requires a verified region; gives one that computes the same, in the same
   order, REGION itself where there is no such array.  */
extern tns_region *tns_region_elements (tns_ctx *ctx, tns_region *region);

#endif
