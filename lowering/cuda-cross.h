/* Reads across as text (lowering/grid-cross.h).

     for i for j                  for (at = blockIdx.x; at < tiles; ...) {
       y[i][j] = x[j][i];           for (q = 0; q < 4; q++)
                                      tile[..] = x[j * n + i];   i side by side
                              ->    __syncthreads ();
                                    for (q = 0; q < 4; q++)
                                      y[i * n + j] = tile[..];   j side by side
                                    __syncthreads ();
                                  }  */

#ifndef TNS_LOWERING_CUDA_CROSS_H
#define TNS_LOWERING_CUDA_CROSS_H

#include "lowering/c99-text.h"
#include "lowering/grid-cross.h"

/* Append what a kernel does with CROSS, in blocks of THREADS.  */
extern void tns_cuda_cross (tns_c99 *c, const tns_cross *cross, int threads);

#endif
