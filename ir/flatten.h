/* Two loops as one.

     for i = 0 to n                      for i_j = 0 to max (n, 0) * m
       for j = 0 to m               ->     y[i_j] = x[i_j] + 1
         y[i][j] = x[i][j] + 1

   where rows follow each other without gaps: short rows fill no vectors.  */

#ifndef TNS_IR_FLATTEN_H
#define TNS_IR_FLATTEN_H

#include "base/ctx.h"
#include "base/text.h"
#include "ir/nest.h"

/* Requires a verified region; gives one that computes the same, in the same
   order.  Each nest's line of a plan, flatten i j in S1, goes to STEPS; a
   user's plan has it for the nests that it names only.  */
extern tns_region *tns_region_flatten (tns_ctx *ctx, tns_region *region,
                                       tns_text *steps);

#endif
