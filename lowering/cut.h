/* Borders cut out of the interior.

     for j = 0 to m                          for j = 0 to min (1, m)
       y[j] = x[j < m-1 ? j+1 : m-1]           as before
              + x[max (j-1, 0)];             for j = 1 to m - 1 simd(16)
                                       ->      y[j] = x[j+1] + x[j-1];
                                             for j = max (1, m - 1) to m
                                               as before

   A condition on the iterator that only the first or the last few iterations
   decide otherwise is known in all others: subscripts are affine there, and
   vectors are loaded whole.  */

#ifndef TNS_LOWERING_CUT_H
#define TNS_LOWERING_CUT_H

#include "base/ctx.h"
#include "ir/nest.h"

/* Requires scheduled loops; gives loops that execute the same iterations in
   the same order, REGION itself where no loop was cut.  */
extern tns_region *tns_region_cut (tns_ctx *ctx, tns_region *region);

#endif
