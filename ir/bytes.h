/* Integers computed in as many bytes as are kept of them.

     local i32 v;                           local u8 v;
     v = i32 (a[i] >= c)                    v = u8 (a[i] >= c)
         | (b[i] >= c ? 2i32 : 0i32);  ->       | (b[i] >= c ? 2u8 : 0u8);
     d[i] = u8 (v);                         d[i] = v;

   C computes in int.  The low bits of sums, differences and bitwise operations
   are those of their operands' low bits, and vectors hold more of what is
   short.  */

#ifndef TNS_IR_BYTES_H
#define TNS_IR_BYTES_H

#include "base/ctx.h"
#include "ir/nest.h"

/* Requires a verified region; gives one that computes the same, REGION itself
   where nothing is shorter.  */
extern tns_region *tns_region_bytes (tns_ctx *ctx, tns_region *region);

/* The low bits of EXPR, a scalar integer, as a value of ELEM, U8 or U16: what
   does not follow from low bits is computed as it is and cut.  */
extern tns_expr *tns_expr_low (tns_arena *arena, tns_expr *expr, tns_elem elem);

#endif
