/* The loops of a register tile, moved outside of the loops that accumulate
   into it.

     for k = 0 to K                         for i = i0 to min (i0 + 14, M)
       for i = i0 to min (i0 + 14, M)         for j = ... simd(16) unroll(2)
           unroll(14)                   ->      for k = 0 to K
         for j = ... simd(16) unroll(2)           C[i][j] += A[i][k]*B[k][j]
           C[i][j] += A[i][k]*B[k][j]

   so that the cells of the tile do not change in the innermost loop.  */

#ifndef TNS_LOWERING_OUTWARD_H
#define TNS_LOWERING_OUTWARD_H

#include "base/ctx.h"
#include "ir/nest.h"

/* BODY with such loops exchanged where that is safe; a loop moves only when
   it is marked unroll or simd and its trip count is bounded by a small
   constant.  */
extern tns_node *tns_node_outward (tns_ctx *ctx, tns_node *body);

#endif
