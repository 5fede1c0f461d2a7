/* Sums over what belongs to an entry of a row.

     for i = 0 to n                           for i
       for k = p[i] to p[i + 1]                 for k
         for j = 0 to m {             ->          if (0 < m) {
           v[k] += a[i][j] * x[c[k]][j];            local s;  s = 0;
           x'[c[k]][j] += a[i][j] * w[k];           for j simd(16) reduce(s) {
         }                                            s += a[i][j] * x[..][j];
                                                      x'[..][j] += ..; }
                                                    v[k] += s; }

   Loops whose bounds are in memory stay in one piece, which no plan looks into.
   The innermost loops inside of them get lanes here where they sum into
   elements that they do not move, and read and write nothing else but what lies
   side by side: such a sum takes as long as its additions wait for each
   other.  */

#ifndef TNS_LOWERING_ENTRIES_H
#define TNS_LOWERING_ENTRIES_H

#include "base/ctx.h"
#include "ir/nest.h"

/* Requires that different arrays do not overlap; under fp (strict) sums stay as
   they are.  REGION itself where there is no such loop.  */
extern tns_region *tns_region_entries (tns_ctx *ctx, tns_region *region);

#endif
