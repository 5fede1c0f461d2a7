/* One loop over the elements of an array as a loop for each of its rows.

     for k = 0 to n * C                    for k_0 = 0 to n
       a[k] = 0                              for k_1 = 0 to C
                                     ->        a[k_0 * C + k_1] = 0
     for i = 0 to n                        for i = 0 to n
       for j = 0 to C                        for j = 0 to C
         a[i * C + j] += x[i] * y[j]           a[i * C + j] += x[i] * y[j]

   The array has a shape then (ir/canon.h), and the two nests the same loops.
   What a loop does with its iterator stays as it is: the iterator is k_0 * C +
   k_1.  So it is always legal; whether it gains is the caller's business.

   That n * C iterations are n rows of C is guarded: C is not negative.  */

#ifndef TNS_IR_RESHAPE_H
#define TNS_IR_RESHAPE_H

#include "base/ctx.h"
#include "base/text.h"
#include "ir/nest.h"

/* Requires a verified region whose flat arrays are flat; gives one that
   computes the same, in the same order, where the guards hold; REGION itself
   where there is no such loop.  With ONLY_LONG short rows stay, or are guarded
   against.  Each loop's line of a plan, reshape k in S1: C, goes to STEPS.  A
   user's plan has those of the loops that it names, with the sizes of rows that
   it gives, the outermost first, whatever their length and other accesses
   are.  */
extern tns_region *tns_region_reshape (tns_ctx *ctx, tns_region *region,
                                       bool only_long, tns_text *steps);

#endif
