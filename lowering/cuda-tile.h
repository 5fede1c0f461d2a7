/* A contraction by tiles of blocks and threads, as text.

     for each tile of the block's
       tns_sum[r][c] = what the target holds before
       for each few values of the inner loops
         the next ones of each operand: memory -> registers
         tns_sum[r][c] += of those in shared memory
         registers -> the other half of shared memory; wait
       the target = tns_sum[r][c], and what comes behind

   There is one barrier for each few values, and what memory takes is hidden
   behind what is computed.  Where there are fewer values than a tile has, the
   rest is not added; rows and columns beyond the last ones are not stored.
   Operands that lie in memory as in shared memory do not go through registers
   (lowering/cuda-stages.h).

   The halves and the rows of a thread, four neighbours and four others, are
   after V. Volkov, J. Demmel, "Benchmarking GPUs to tune dense linear algebra",
   2008, and the CUDA C++ Programming Guide, shared memory.  */

#ifndef TNS_LOWERING_CUDA_TILE_H
#define TNS_LOWERING_CUDA_TILE_H

#include "lowering/c99-text.h"
#include "lowering/grid-stages.h"

/* Append what a kernel of TILE with SHAPE does, with STAGES.  */
extern void tns_cuda_tile (tns_c99 *c, const tns_tile *tile,
                           const tns_tile_shape *shape,
                           const tns_stages *stages);

#endif
