/* Sums that are multiples of each other, and sums of what other loops read.

     for i = 0 to n                        for i = 0 to n
       for j = 0 to m {                      for j = 0 to m {
         s[j] += y[i][j];                      t[j] += y[i][j];
         d[j] -= y[i][j] * g[j];               u[j] += x[i][j] - a[j];
       }                            ->       }
     for j                                 for j {
       r[j] = f (d[j]);                      s[j] += t[j]; d[j] -= t[j] * g[j];
     for i = 0 to n                        }
       for j = 0 to m                      for j
         d[j] += (x[i][j] - a[j]) * r[j];    r[j] = f (d[j]);
                                           for j
                                             d[j] += u[j] * r[j];

   Factors that are the same in all iterations which a sum runs over leave it:
   two sums become one, or a sum that waited for nothing but its factor need not
   go through memory once more.  Gradients are full of both.  */

#ifndef TNS_IR_MULTIPLES_H
#define TNS_IR_MULTIPLES_H

#include "base/ctx.h"
#include "ir/nest.h"

/* Requires a verified region; gives one that computes the same but for
   rounding and overflow, REGION itself where no sum is like that and under
   fp(strict).  Loops that could be one stand side by side.  */
extern tns_region *tns_region_multiples (tns_ctx *ctx, tns_region *region);

#endif
