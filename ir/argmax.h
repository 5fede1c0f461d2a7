/* Where the greatest value stands: searches for an extreme value and its place
   as reductions.

     for i                            b = best;
       if (e(i) > best)               for i  b max= e(i);
         { best = e(i); at = i; } ->  p = none;
                                      for i  p min= e(i) == b ? i : none;
                                      if (b > best) { best = b; at = p; }

   Both loops may then have lanes.  */

#ifndef TNS_IR_ARGMAX_H
#define TNS_IR_ARGMAX_H

#include "base/ctx.h"
#include "ir/nest.h"

/* Requires a region whose updates are recognised; gives one that computes the
   same.  */
extern tns_region *tns_region_argmax (tns_ctx *ctx, tns_region *region);

#endif
