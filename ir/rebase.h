/* Loops over blocks whose size is a VALUE, from 0 on.

     for g = 0 to G                         for g = 0 to G
       for c = g*cs to (g + 1)*cs      ->     for c = 0 to cs
         x[(b*C + c)*L]                         x[(b*C + g*cs + c)*L]

   g*cs is not affine, cs is; then ir/shapes sees blocks as a dimension of
   their own.  */

#ifndef TNS_IR_REBASE_H
#define TNS_IR_REBASE_H

#include "base/ctx.h"
#include "ir/nest.h"

/* Requires a verified region; gives one that computes the same, in the same
   order: REGION itself where no such loop is in it.  */
extern tns_region *tns_region_rebase (tns_ctx *ctx, tns_region *region);

#endif
