/* Unroll-and-jam.

   A loop marked unroll(m) is unrolled m times and its copies are jammed into
   the loops below, so that what they share is loaded once and what they
   accumulate has one name each:

     for i = 0 to M unroll(4)          for i = 0 to M-3 step 4
       for k                             for k
         for j simd(16) unroll(2)  ->      for j simd(16) unroll(2)
           C[i][j] += A[i][k]*B[k][j]        C[i][j] += A[i][k]*B[k][j]
                                             C[i+1][j] += A[i+1][k]*B[k][j]
                                             ...
                                       (the remaining i, with fewer copies)

   What then stays in registers over an inner loop is decided after
   lowering/vectors.h, by lowering/promote.h.  */

#ifndef TNS_LOWERING_REGISTERS_H
#define TNS_LOWERING_REGISTERS_H

#include "base/ctx.h"
#include "ir/nest.h"

/* Requires marks that may be jammed; a body without loops may be ordered.
   Gives IR without unroll marks, but for those of loops that are marked simd
   too: these are for vectors.  */
extern tns_region *tns_region_registers (tns_ctx *ctx, tns_region *region);

#endif
