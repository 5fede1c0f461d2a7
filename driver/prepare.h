/* The stages between reading a region and modelling it.  */

#ifndef TNS_DRIVER_PREPARE_H
#define TNS_DRIVER_PREPARE_H

#include "base/ctx.h"
#include "base/text.h"
#include "ir/nest.h"

/* REGION, read, with blocks that begin at 0 and shapes for its flat arrays.  */
extern tns_region *tns_prepare_shapes (tns_ctx *ctx, tns_region *region);

/* The same as it is modelled, but for what forward does; lines of a plan go to
   STEPS.  What lives around a part keeps its shape.  */
extern tns_region *tns_prepare (tns_ctx *ctx, tns_region *region,
                                tns_text *steps);

#endif
