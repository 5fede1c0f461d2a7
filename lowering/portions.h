/* Temporaries that go from kernel to kernel, for a portion of the outermost
   loops at a time.

     local f32 p[n][t][t];           local f32 p[c][t][t];
     for h = 0 to n parallel         for w = 0 to ceil (n / c)
       .. p[h][i][j] = ..              for b = w * c to w * c + 1 {
     for h = 0 to n parallel    ->       for h = b to min (n, b + c) parallel
       .. = p[h][i][j] ..                  .. p[h - b][i][j] = ..
                                         for h = b to min (n, b + c) parallel
                                           .. = p[h - b][i][j] ..
                                       }

   c is how many iterations have room in so many bytes, one at least.  Each
   iteration has its own cells of all that is written, so that it does not
   matter which of them come first.  */

#ifndef TNS_LOWERING_PORTIONS_H
#define TNS_LOWERING_PORTIONS_H

#include "base/ctx.h"
#include "ir/nest.h"

/* REGION, planned for a device, with temporaries of at most BYTES, where that
   can be: for loops that follow each other in its body, run equally often, and
   have cells of their own in each iteration.  Computes the same.  NULL gives
   NULL.  */
extern tns_region *tns_region_portions (tns_ctx *ctx, tns_region *region,
                                        long bytes);

#endif
