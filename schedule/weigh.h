/* Predicted time of a tree: what decides whether steps pay, and the ratio in
   the report.

   Per body of an innermost loop, B bytes from each level of memory:

     cycles = max (arithmetic / fma_per_cycle, loads / load_per_cycle,
                   stores / store_per_cycle,
                   divisions * divide_cycles + functions * exp_cycles,
                   latency of what it carries / independent chains,
                   B (L2) / l2_bandwidth, B (L3) / l3_bandwidth,
                   B (memory) / memory_bandwidth)

   Sizes that the compiler does not know are assumed: 10^6 iterations where
   one loop of a nest has such a size, 10^3 where two have, else 400.  */

#ifndef TNS_SCHEDULE_WEIGH_H
#define TNS_SCHEDULE_WEIGH_H

#include "schedule/machine.h"
#include "schedule/tree.h"

/* Nanoseconds that one thread takes for TREE of SCOP, whose roles are filled:
   with the marks of TREE, or, for loops AS_WRITTEN, with what GCC does at -O3
   -ffast-math: lanes of half the width of the widest vectors, one chain.  0
   where nothing can be said.  */
extern double tns_weigh (tns_ctx *ctx, const tns_scop *scop,
                         const tns_machine *machine, tns_tree *tree,
                         bool as_written);

#endif
