/* Iterators from the number of an iteration.

     tns_rows = tns_row_trip0 * tns_row_trip1;     how many there are
     const long i = tns_row / tns_row_trip1 + 1;   those of number tns_row
     const long j = tns_row % tns_row_trip1;  */

#ifndef TNS_LOWERING_CUDA_NUMBER_H
#define TNS_LOWERING_CUDA_NUMBER_H

#include "lowering/c99-text.h"

/* Append tns_WORDs, how many iterations LOOP[0..N), a box, has, and what it is
   the product of.  */
extern void tns_cuda_trips (tns_c99 *c, const char *word, int n,
                            tns_node *const *loop);

/* A number of ELEM that the text calls NAME.  */
extern tns_expr *tns_cuda_named (const tns_c99 *c, const char *name,
                                 tns_elem elem);

/* Append the iterators of LOOP[0..N) in iteration tns_WORD.  */
extern void tns_cuda_iterators (tns_c99 *c, const char *word, int n,
                                tns_node *const *loop);

#endif
