/* What the files of indexing share.  Not installed.

   An index names elements of a tensor by a list of where rows of them begin.
   The result has h parts of k rows of n elements:

     y[(a * k + i) * n + j]  is  x[a * m + at[i] + j * step]

     x [4][5][6], x[:, at]     h 4, m 30, at[i] * 6, n 6, step 1
     x [4][5], x[at1, at2]     h 1, at1[i] * 5 + at2[i], n 1  */

#ifndef TRM_INDEX_OWN_H
#define TRM_INDEX_OWN_H

#include "tensor.h"

/* rank, extent: the shape of the result; base_rank, base: that of the tensor;
   at: the list, i64 [k].  */
typedef struct trm_named
{
  int rank, base_rank;
  int64_t extent[TRM_RANK], base[TRM_RANK];
  int64_t h, m, k, n, step;
  trm_tensor *at;
} trm_named;

/* index-list.c: fill NAMED with what INDEX[0..n) names of T, for the function
   NAME.  The list belongs to the innermost scope, and so does what is needed on
   the way.  */
extern trm_status trm_named_find (trm_named *named, const char *name,
                                  const trm_tensor *t, int n,
                                  trm_tensor **index);

/* index-move.c: Y, contiguous and of the result's shape, := what NAMED names of
   X; that := Y; that += Y, in the order of the list, X not of a narrow type.  X
   has the strides that NAMED was found for, Y has X's type.  */
extern void trm_named_take (const trm_named *named, trm_tensor *y,
                            const trm_tensor *x);
extern void trm_named_put (const trm_named *named, trm_tensor *x,
                           const trm_tensor *y);
extern void trm_named_add (const trm_named *named, trm_tensor *x,
                           const trm_tensor *y);

#endif
