/* Parallel reductions with the same bits for any number of threads.

     for i = 0 to n parallel chunks(64) reduce(add: s)   s += x[i];

   becomes

     if (the work is that of two chunks) {
       local f32 part[64];
       for ch = 0 to K parallel {
         local f32 acc;  acc = 0;
         for i = ch * q to min (n, ch * q + q)  reduce(add: acc)  acc += x[i];
         part[ch] = acc;
       }
       for ch = 0 to K   s += part[ch];
     }
     else
       the loop without threads

   and, for arrays with a known box,

     for i = 0 to n parallel chunks(16) reduce(add: s[0 : m])
       for j = 0 to m   s[j] += x[i][j];

   becomes

     if (K >= 2 and the work is worth threads) {
       local f32 part[K][m];
       for ch = 0 to K parallel chunks(16) {
         for j = 0 to m  part[ch][j] = 0;
         for i = ch * q to min (n, ch * q + q)
           for j = 0 to m   part[ch][j] += x[i][j];
       }
       for ch = 0 to K  for j = 0 to m   s[j] += part[ch][j];
     }
     else
       the loop, where loops inside may be parallel

   K depends on values only, never on threads: the trip count, the memory
   that the parts take, and the work of a chunk, which must be far more than
   that of starting and combining its part.  The parts are combined in order.

   Where chunks do not pay, or cannot be, a loop whose marks ask for it is done
   by owner (lowering/owners.h), or in two halves (lowering/apart.h).

   Inside of a parallel loop such a loop is one of arrays for the case that
   the outer one runs once:

     if (trip (t) == 1)  the loop in chunks, t = lo;  else  for t parallel

   A loop with arrays whose boxes are unknown loses its parallel mark.

   On a device blocks take chunks in any case, at least one; its threads share
   what combines them.  A loop that only adds to elements of arrays is done by
   columns (lowering/chunk-columns.h).  */

#ifndef TNS_LOWERING_CHUNKS_H
#define TNS_LOWERING_CHUNKS_H

#include "base/ctx.h"
#include "ir/nest.h"
#include "lowering/made.h"

/* Requires marks; gives parallel loops without reductions, and notes in MADE
   which.  */
extern tns_region *tns_region_chunks (tns_ctx *ctx, tns_region *region,
                                      tns_made *made);

/* LOOP's iterations in chunk CHUNK of COUNT, a loop without threads; with
   lanes, chunks begin where whole lines do.  */
extern tns_node *tns_chunk_of (tns_ctx *ctx, const tns_node *loop,
                               tns_expr *chunk, tns_expr *count);

#endif
