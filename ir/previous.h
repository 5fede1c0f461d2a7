/* What an iteration leaves to the next one, read again instead.

     x = b[n - 1];                       x = b[n - 1];
     for i = lo to hi {                  if (lo < hi) {
       a[i] = (b[i] + x) / 2;              a[lo] = (b[lo] + x) / 2;
       x = b[i];                           x = b[lo];
     }                          ->       }
                                         for i = lo + 1 to hi
                                           a[i] = (b[i] + b[i - 1]) / 2;
                                         if (lo + 1 < hi) x = b[hi - 1];

   so that no iteration waits for another.  Numbers that wrap around, such as
   the index of the neighbour on a ring, are of this kind.  */

#ifndef TNS_IR_PREVIOUS_H
#define TNS_IR_PREVIOUS_H

#include "base/ctx.h"
#include "ir/nest.h"

/* Requires a verified region; gives one that computes the same, bit for bit,
   REGION itself where there is nothing of the kind.  */
extern tns_region *tns_region_previous (tns_ctx *ctx, tns_region *region);

#endif
