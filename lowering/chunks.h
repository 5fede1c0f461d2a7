/* Parallel reductions with the same bits for any number of threads.

     for i = 0 to n parallel chunks(64) reduce(add: s)   s += x[i];

   becomes

     local f32 part[64];
     for ch = 0 to K parallel {               K = min (64, n / 4096), >= 1
       local f32 acc;  acc = 0;
       for i = ch * q to min (n, ch * q + q)  reduce(add: acc)   acc += x[i];
       part[ch] = acc;
     }
     for ch = 0 to K   s += part[ch];

   The number of chunks depends on the trip count only; they are combined in
   order.  Cells (rank 0) only: a loop with other reductions loses its
   parallel mark.  */

#ifndef TNS_LOWERING_CHUNKS_H
#define TNS_LOWERING_CHUNKS_H

#include "base/ctx.h"
#include "ir/nest.h"

/* Requires marks; gives parallel loops without reductions.  */
extern tns_region *tns_region_chunks (tns_ctx *ctx, tns_region *region);

#endif
