/* Tables of constants looked up while compiling.

     array const i32 ex[9] = {0, 1, -1, ...};

     for q = 0 to 9                        for y for x
       for y for x                           g[0][y][x] = f[0][y][x];
         g[q][y][x]                 ->     for y for x
           = f[q][y][x - ex[q]];             g[1][y][x] = f[1][y][x - 1];
                                           ...

   so that subscripts which a table decides are affine: else they would be
   gathered, each iteration anew, and nothing would be known of where they
   lie.  */

#ifndef TNS_IR_KNOWN_H
#define TNS_IR_KNOWN_H

#include "base/ctx.h"
#include "ir/nest.h"

/* Requires a verified region; gives one that computes the same, in the same
   order, REGION itself where no table decides anything.  */
extern tns_region *tns_region_known (tns_ctx *ctx, tns_region *region);

#endif
