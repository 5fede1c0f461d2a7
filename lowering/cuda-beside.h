/* Kernels beside each other as text.

     extern "C" __global__ void __launch_bounds__ (256)
     f_k2 (const __grid_constant__ struct f_k2_args tns_given)
     {
       __shared__ union { struct { long tns_room0[32]; } part0; } tns_room;
       if (blockIdx.x < tns_given.tns_end[0])
         {
           const long tns_block = tns_anew ((long) blockIdx.x);
           const long tns_blocks = tns_given.tns_end[0];
           const auto &tns_args = tns_given.part0;
           what a kernel of its own does, tns_block being its block
         }
       else
         ..
     }

   What threads of a block share is as large as the largest part needs.  */

#ifndef TNS_LOWERING_CUDA_BESIDE_H
#define TNS_LOWERING_CUDA_BESIDE_H

#include "base/text.h"

/* Append BODY, what a kernel does, as part K of one: its blocks are tns_block
   of tns_blocks, and what it shares are members of tns_room.part<K>, whose
   declarations are appended to ROOM.  */
extern void tns_cuda_part (tns_text *text, tns_text *room, const char *body,
                           int k);

#endif
