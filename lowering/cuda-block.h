/* What the threads of a block do together.

     m = x[n][0];                            each thread has m
     for c = 1 to C simd(32)                 for (c = 1 + threadIdx.x; c < C;
         reduce(max: t)                           c += blockDim.x)
       t max= x[n][c];              ->         t = max (t, x[n][c]);
                                             t = tns_fold (t, max);
     y[n] = t;                               if (threadIdx.x == 0) y[n] = t;

   Cells are the same in all threads, but in loops with lanes.  Between a store
   to memory and what reads or writes the same array in another place the
   threads wait for each other.  */

#ifndef TNS_LOWERING_CUDA_BLOCK_H
#define TNS_LOWERING_CUDA_BLOCK_H

#include "lowering/c99-text.h"
#include "lowering/grid-row.h"
#include "lowering/grid-slots.h"

/* Append NODE; AGAIN: it is done several times, one after the other.  ROW: what
   of its loops is kept in registers, NULL: nothing.  */
extern void tns_cuda_block (tns_c99 *c, tns_node *node, bool again,
                            const tns_grid_row *row);

/* The same of what is done several times, with SLOTS in registers.  */
extern void tns_cuda_block_slots (tns_c99 *c, tns_node *node,
                                  const tns_slots *slots);

/* Append OP on two of ELEM as a function.  */
extern void tns_cuda_operator (tns_c99 *c, tns_op op, tns_elem elem);

#endif
