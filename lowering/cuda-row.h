/* Rows that a block shares, as text.

     tns_first, tns_frame               where the first group begins
     tns_keep0[8][4]                    what a thread has of the row
     for j                              its groups, of which all, or a part,
       tns_keep0[q][w] = x[i][j]        are in the row: read
     for j                              computed
       m = max (m, tns_keep0[q][w])

   A row that registers have no room for is read by each loop, a few groups at a
   time.  A group of a thread is the same in all loops.  Which elements a thread
   has depends on the row's number and length alone, not on addresses: so do
   sums.  */

#ifndef TNS_LOWERING_CUDA_ROW_H
#define TNS_LOWERING_CUDA_ROW_H

#include "lowering/c99-text.h"
#include "lowering/grid-row.h"

/* Append what stands in front of ROW's loops.  */
extern void tns_cuda_row_begin (tns_c99 *c, const tns_grid_row *row);

/* Append what the threads of a block do of ROW's loop K, but for putting sums
   together.  */
extern void tns_cuda_row_loop (tns_c99 *c, const tns_grid_row *row, int k);

#endif
