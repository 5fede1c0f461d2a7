/* Rows side by side, each some iterations behind the one before.

     for i = a to b rows(2) skew(1)          if (m - 1 >= 1) {
       for j = 1 to m                          for i = a to b-1 step 2 {
         x[i][j] += x[i-1][j] + x[i][j-1]        for j = 1 to 2      S(i, j)
                                                 for j = 2 to m { S(i, j)
                                        ->                   S(i+1, j-1) }
                                                 for j = m-1 to m  S(i+1, j)
                                               }
                                               i: what is left
                                             }
                                             else as it was

   and, with skew(0), as copies jammed (lowering/jam.h).

   A row waits for what its last iteration made; several of them wait
   together.  Runs after lowering/carry.h: what a row hands on in registers it
   has for its own.  */

#ifndef TNS_LOWERING_SKEW_H
#define TNS_LOWERING_SKEW_H

#include "base/ctx.h"
#include "ir/nest.h"

/* Marks rows are dropped where a body is not like that.  */
extern tns_region *tns_region_skew (tns_ctx *ctx, tns_region *region);

#endif
