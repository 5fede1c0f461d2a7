/* Remainders by powers of two in few bits.

     mod (i64 (i32 (i) ^ i32 (j)), 2) != 0
       ->  ((u8 (i) ^ u8 (j)) & 1) != 0

   The low bits of sums, products and bitwise operations are those of their
   operands' low bits: lanes of eight bits do for conditions on bytes, and a
   vector of them is as long as one of bytes.  */

#ifndef TNS_LOWERING_LOW_BITS_H
#define TNS_LOWERING_LOW_BITS_H

#include "base/ctx.h"
#include "ir/nest.h"

/* Requires loops with marks of lanes.  Comparisons in those loops, of such a
   remainder by at most 256 with a number.  */
extern tns_region *tns_region_low_bits (tns_ctx *ctx, tns_region *region);

#endif
