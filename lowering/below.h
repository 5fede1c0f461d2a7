/* Which iterators and variables may be below 0.

     for i = -4 to 1              i may
     for i = 1 - N to 1           i may
     for i = n + floordiv (m - n, 2) * 2 to m, of a remainder
                                  i may not: as far as is seen n and m are none
     k = at[j];                   k may, where at has signed elements

   No proof: sizes, and what tiles begin with, count as no less than 0; a VALUE
   that a loop begins with is no size.  */

#ifndef TNS_LOWERING_BELOW_H
#define TNS_LOWERING_BELOW_H

#include "ir/affine.h"
#include "ir/range.h"

/* arena    for sums
   ranges   of the region's symbols
   sym[id]  an ITER, or a LOCAL of rank 0, may be below 0
   begin    [id]: where the first loop of an ITER begins that goes up, or
            NULL  */
typedef struct tns_below
{
  tns_arena *arena;
  tns_ranges ranges;
  bool *sym;
  tns_expr **begin;
} tns_below;

/* What may be below 0 in REGION.  */
extern tns_below tns_below_of (tns_arena *arena, tns_region *region);

/* SUM but for its constant may be below 0.  */
extern bool tns_is_sum_below (const tns_below *below, tns_sum sum);

#endif
