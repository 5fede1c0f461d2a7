/* Loops apart from those of their sums that are one thread's.

     for i parallel                            for i parallel
       for k = p[i] to p[i + 1] {                for k = p[i] to p[i + 1]
         v[k] += a[i] * x[c[k]];        ->         v[k] += a[i] * x[c[k]];
         x'[c[k]] += a[i] * w[k];              for i
       }                                         for k = p[i] to p[i + 1]
                                                   x'[c[k]] += a[i] * w[k];

   Where such a loop can be done neither in chunks nor by owner, threads share
   the rest of it.  What both need of an iteration is computed twice, so long as
   that takes no loop.  */

#ifndef TNS_LOWERING_APART_H
#define TNS_LOWERING_APART_H

#include "base/ctx.h"
#include "ir/nest.h"

/* LOOP, of REGION, which is free but for the one sum among its reductions, as
   two loops where its work is worth threads, else as OTHERWISE; NULL where
   nothing would be left to share, or one needs what the other writes.  REGION
   gains symbols.  */
extern tns_node *tns_loop_apart (tns_ctx *ctx, tns_region *region,
                                 tns_node *loop, tns_node *otherwise);

#endif
