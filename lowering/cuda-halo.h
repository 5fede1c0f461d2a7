/* Sweeps with halos as text (lowering/grid-halo.h).

     for i for j                  for (at = blockIdx.x; at < tiles; ...) {
       y[i][j] = x[i - 1][j]        for (e = threadIdx.x; e < 34 * 34; e += 256)
               + ..;          ->      if (some iteration reads it)
                                        tile[e] = x[..];
                                    __syncthreads ();
                                    for (v = 0; v < 4; v++)
                                      y[i * n + j] = tile[own - 34] + ..;
                                    __syncthreads ();
                                  }

   A thread's lines lie below each other: where all of a tile is there nothing
   stands between them, and what several of them read is read once.  */

#ifndef TNS_LOWERING_CUDA_HALO_H
#define TNS_LOWERING_CUDA_HALO_H

#include "lowering/c99-text.h"
#include "lowering/grid-halo.h"

/* Append what a kernel does with HALO, in blocks of TNS_HALO_THREADS.  */
extern void tns_cuda_halo (tns_c99 *c, const tns_halo *halo);

#endif
