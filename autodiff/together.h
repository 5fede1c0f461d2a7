/* Loops over the same rows, together.

     for i  for j  h[i][j] = b[j] + ...       for i {
                                         ->     for j  h[i][j] = b[j] + ...
     for i  for j  y[i][j] = tanh (h[i][j])      for j  y[i][j] = tanh (h[i][j])
                                              }

   so that a temporary, h, is needed in rows only (autodiff/ranges.h), which
   the backward pass makes again.  Done where no value goes from a later
   iteration of the first loop to an earlier one of the second, and a
   temporary of two or more subscripts loses one.  */

#ifndef TNS_AUTODIFF_TOGETHER_H
#define TNS_AUTODIFF_TOGETHER_H

#include "autodiff/gradient.h"

/* F so.  */
extern tns_region *tns_region_together (tns_ctx *ctx, tns_region *f,
                                        const tns_gradient_wish *wish);

#endif
