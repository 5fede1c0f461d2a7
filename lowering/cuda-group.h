/* Contractions by warpgroups as text (lowering/grid-group.h).

     a block has one tile, of 128 rows and 256 columns; four stages
     the last warpgroup, one thread of it
       for each step                      64 inner values
         wait until its stage is empty
         begin to copy both operands' boxes there
     the other two, 64 rows each
       sums = what the target holds before
       for each step
         wait until its stage is full
         sums += A B, four instructions   16 inner values each
         the products of the step before are done: its stage is empty
       the target = sums, and what comes behind

   A barrier of shared memory tells that a stage is full, when its bytes have
   come, and one that it is empty, when all warps that multiply have said so:
   no barrier holds all threads.  The copying warpgroup gives its registers to
   the others.  Blocks that run beside each other have tiles of the same few
   rows, so that these are read from memory once.

   Rows of a stage are 128 bytes, swizzled as copies by maps write them and
   wgmma reads them:

     along    64 inner values of a line
     across   64 lines of an inner value; the next 64 lines behind all inner
              values of the step

   After the PTX ISA, wgmma.mma_async, cp.async.bulk.tensor and mbarrier, and
   the CUTLASS manual, "Efficient GEMM in CUDA", warp specialization.  */

#ifndef TNS_LOWERING_CUDA_GROUP_H
#define TNS_LOWERING_CUDA_GROUP_H

#include "lowering/c99-text.h"
#include "lowering/grid-group.h"

/* Append what a kernel of TILE, which is MATRIX, does, whose argument tns_given
   has the operands' maps in map.  */
extern void tns_cuda_group (tns_c99 *c, const tns_tile *tile,
                            const tns_matrix *matrix);

#endif
