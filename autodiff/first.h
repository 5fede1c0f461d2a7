/* Sums to what was cleared: the first one sets it.

     for e  dx[e] = 0
     for i  { dx[i] += t;             for i  { dx[i] = t;
              for j  dx[i] += u }  ->          for j  dx[i] += u }

   Where one statement adds to each element that was cleared once, before all
   others, nothing need be cleared, and nothing read.  */

#ifndef TNS_AUTODIFF_FIRST_H
#define TNS_AUTODIFF_FIRST_H

#include "autodiff/gradient.h"

/* REGION, simplified, the gradient that was made with WISH, whose adjoints are
   set so where they can be; itself where none can.  */
extern tns_region *tns_region_first (tns_ctx *ctx, tns_region *region,
                                     const tns_gradient_wish *wish);

#endif
