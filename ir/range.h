/* Intervals that integer expressions lie in, from the types of VALUEs and
   the bounds of loops.  */

#ifndef TNS_IR_RANGE_H
#define TNS_IR_RANGE_H

#include "ir/nest.h"

/* lo <= value <= hi; the ends of long long stand for no bound.  */
typedef struct tns_range
{
  long long lo;
  long long hi;
} tns_range;

/* sym[id]: where an ITER or VALUE of the region lies, in any loop that it
   iterates.  */
typedef struct tns_ranges
{
  int n;
  tns_range *sym;
} tns_ranges;

/* The intervals of REGION's symbols.  */
extern tns_ranges tns_ranges_of (tns_arena *arena, tns_region *region);

/* The values of ELEM, an integer type.  */
extern tns_range tns_range_of_elem (tns_elem elem);

/* Where EXPR, an integer or lanes of integers, lies; RANGES may be NULL.  */
extern tns_range tns_range_of (const tns_ranges *ranges, const tns_expr *expr);

/* A lies in B.  */
extern bool tns_range_within (tns_range a, tns_range b);

#endif
