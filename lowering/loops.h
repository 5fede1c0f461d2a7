/* Plan -> loops: isl's AST generator, and its result as our IR.

     dim i.0 parallel                    for i_0 = 0 to ... parallel
       seq                                 local f32 t[14][32];
         dim i.1  leaf S0          ->      for i_1 = 14*i_0 to min (...)
         dim k dim i.1 leaf S1               ...

   The last file to see isl.  */

#ifndef TNS_LOWERING_LOOPS_H
#define TNS_LOWERING_LOOPS_H

#include "schedule/plan.h"

/* The region that executes PLAN: loops with the tree's marks, temporaries
   as LOCAL arrays where the plan put them.  NULL with TNS_WHY_BUDGET or
   TNS_WHY_INTERNAL said.  */
extern tns_region *tns_loops (tns_ctx *ctx, const tns_plan *plan);

#endif
