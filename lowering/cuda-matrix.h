/* A contraction by tensor cores, as text.

     for each tile of the block's
       sums = what the target holds before
       for each few values of the inner loops
         the next ones of each operand: memory -> registers
         sums += A B, of what is in shared memory
         registers, rounded -> the other half of shared memory; wait
       the target = sums, and what comes behind

   A warp has some rows and columns of the tile, and takes them from shared
   memory as one instruction of the tensor cores wants them, ldmatrix, whether
   they lie there by rows or by columns: as they do in memory, four neighbours
   of which a thread reads and stores at once.  What is not to be rounded is
   copied there without threads, eight neighbours at once
   (lowering/cuda-stages.h).  Rows, columns and inner values that are not there
   are zeros.

   Instructions and layouts are those of the PTX ISA, mma.sync and ldmatrix; the
   warps' tiles are after the CUTLASS manual, "Efficient GEMM in CUDA".  */

#ifndef TNS_LOWERING_CUDA_MATRIX_H
#define TNS_LOWERING_CUDA_MATRIX_H

#include "lowering/c99-text.h"
#include "lowering/grid-stages.h"

/* Append what a kernel of TILE, which is MATRIX, does by tiles of its shape
   number SHAPE, with STAGES.  */
extern void tns_cuda_matrix (tns_c99 *c, const tns_tile *tile,
                             const tns_matrix *matrix, int shape,
                             const tns_stages *stages);

#endif
