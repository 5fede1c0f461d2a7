/* Tiles in registers that a triangle leaves whole.  */

#ifndef TNS_LOWERING_SQUARE_H
#define TNS_LOWERING_SQUARE_H

#include "base/ctx.h"
#include "ir/nest.h"

/* Requires loops with marks of copies.  A nest of rows, whose copies are to be
   jammed, and of columns, as many in each row as the row allows, gets a version
   for tiles in which that is no limit; a loop around such rows that limits them
   is cut where it does.  */
extern tns_region *tns_region_square (tns_ctx *ctx, tns_region *region);

#endif
