/* What two loops add to the same elements is added by the later one.

     for i  for j {                       for i  for j
       t = a[i][j] * s[j];                  m[j] += a[i][j] * s[j];
       y[i][j] += t;                      ...
       m[j] += t;                 ->      for i  for j {
     }                                      y[i][j] += a[i][j] * s[j];
     ...                                    y[i][j] += m[j];
     for i  for j                         }
       y[i][j] += m[j];

   so that y goes through the caches once: backward passes are full of this.
   What the first loop sets y to is no less than what it adds.  */

#ifndef TNS_IR_DELAY_H
#define TNS_IR_DELAY_H

#include "base/ctx.h"
#include "ir/nest.h"

/* REGION with such sums delayed; the order of all terms stays, so that any fp
   mode may.  */
extern tns_region *tns_region_delay (tns_ctx *ctx, tns_region *region);

#endif
