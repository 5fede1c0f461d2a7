/* Sums into elements that indices name, by owner.

     for i = 0 to n parallel owners(1) reduce(add: y)
       y[at[i]] += v[i];

   becomes

     for i = 0 to n parallel when(...) owners(3)
       owner(mod (floordiv (at[i], 16), 64)) reduce(add: y)
       y[at[i]] += v[i];

   Lines of the array, or rows, are dealt out to TNS_OWNERS owners in turn, and
   these to the threads.  Each thread goes over all iterations and does those
   that are its own (lowering/generic-owner.cc), so that each element gets its
   terms in the order of the loop: the same bits for any number of threads, and
   those of the loop as written.  Threads are asked for where there are enough
   of them that this pays (schedule/own.c), and, where one iteration is nearly
   nothing, where the elements are so far apart that they are in no cache.  */

#ifndef TNS_LOWERING_OWNERS_H
#define TNS_LOWERING_OWNERS_H

#include "base/ctx.h"
#include "ir/nest.h"

/* LOOP, of REGION, whose marks ask for owners, by owner where that pays, else
   as OTHERWISE; NULL where its body does not say whose an iteration is, or
   where that never pays.  REGION gains symbols.  */
extern tns_node *tns_loop_owned (tns_ctx *ctx, tns_region *region,
                                 tns_node *loop, tns_node *otherwise);

#endif
