/* Short rows as text (lowering/grid-short.h): a row's threads call themselves
   what a block's do.

     for (tns_at = blockIdx.x; ..         tns_lane = threadIdx.x % 8;
       for (j = threadIdx.x; j < c;       tns_unit
            j += blockDim.x)        ->      = blockIdx.x * 16 + threadIdx.x / 8;
         ..                               for (tns_at = tns_unit; ..
       s = tns_fold (s, ..,                 for (j = tns_lane; j < c; j += 8)
                     tns_parts)               ..
                                            s = tns_fold_row<8> (s, ..,
                                                                 tns_mask)  */

#ifndef TNS_LOWERING_CUDA_SHORT_H
#define TNS_LOWERING_CUDA_SHORT_H

#include "base/text.h"

/* Append BODY, what blocks of THREADS threads do, as what rows of LANES threads
   each do.  */
extern void tns_cuda_short (tns_text *text, const char *body, int threads,
                            int lanes);

#endif
