/* Rows of temporaries begin where cache lines do.

     local f32 t[36][w - 4];
     for y { for x = 0 to w - 4 simd(16)  t[y][x] = ..; }

   becomes, of the same values,

     local f32 t[36][32 * floor ((w + 11) / 32) + 16];

   A vector that crosses the border of a line costs two accesses, and of
   vectors as long as a line all do that do not begin with one.  Rows have an
   odd number of lines, so that neighbours do not meet in one set of the
   cache, nor in the bits by which a load is held against stores before it.  */

#ifndef TNS_LOWERING_LINES_H
#define TNS_LOWERING_LINES_H

#include "base/ctx.h"
#include "ir/nest.h"

/* Lengthen the rows of REGION's LOCAL arrays that loops marked simd walk
   along, and give REGION.  A row of less than four lines stays, as do rows
   of constant extent that are whole lines, and what a gradient keeps or has
   adjoints in: the user may have bounded its bytes.  NULL gives NULL.  */
extern tns_region *tns_region_lines (tns_ctx *ctx, tns_region *region);

#endif
