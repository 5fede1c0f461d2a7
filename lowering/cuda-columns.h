/* Sums of columns as text (lowering/grid-columns.h).

     for j {                       const int wide = tns_lanes (1, J);
       s = 0;                      for (at = blockIdx.x; at < tiles; ...) {
       for r simd(32)                const long j = at * wide + lane;
           reduce(add: s)            float s = 0;
         s += x[r][j];        ->     for (r = group; r < R; r += groups)
       y[j] = s;                       s += x[r * J + j];
     }                               s = tns_fold_groups (s, add, parts, wide);
                                     if (group == 0 && there)
                                       y[j] = s;
                                   }

   A thread behind the last column does what that of the last one does, but
   stores nothing.  */

#ifndef TNS_LOWERING_CUDA_COLUMNS_H
#define TNS_LOWERING_CUDA_COLUMNS_H

#include "lowering/c99-text.h"

/* Append what a kernel of columns does with LOOP[0..N), a box that threads
   share.  */
extern void tns_cuda_columns (tns_c99 *c, int n, tns_node **loop);

#endif
