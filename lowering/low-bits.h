/* Small integers in few bits.

     mod (i64 (i32 (i) ^ i32 (j)), 2) != 0
       ->  ((u8 (i) ^ u8 (j)) & 1) != 0

     max (i32 (p[i]), i32 (p[i + 1]))
       ->  i32 (max (p[i], p[i + 1]))

   The low bits of sums, products and bitwise operations are those of their
   operands' low bits, and the greater of two bytes is a byte: lanes of eight
   bits do, and a vector of them is as long as one of bytes.  */

#ifndef TNS_LOWERING_LOW_BITS_H
#define TNS_LOWERING_LOW_BITS_H

#include "base/ctx.h"
#include "ir/nest.h"

/* Requires loops with marks of lanes.  In those loops, comparisons of a
   remainder by a power of two, 256 at most, with a number, and MIN and MAX of
   what was converted from the same type of one or two bytes.  */
extern tns_region *tns_region_low_bits (tns_ctx *ctx, tns_region *region);

#endif
