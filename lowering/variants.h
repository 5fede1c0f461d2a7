/* Two ways to do a region, one of which is chosen at run time.  */

#ifndef TNS_LOWERING_VARIANTS_H
#define TNS_LOWERING_VARIANTS_H

#include "base/ctx.h"
#include "ir/nest.h"

/* The region that does FIRST when WHEN, a BOOL over VALUEs, holds, else
   SECOND; FIRST alone when WHEN is NULL.  FIRST has all symbols of SECOND,
   and the same parameters.  */
extern tns_region *tns_region_choose (tns_ctx *ctx, tns_expr *when,
                                      tns_region *first, tns_region *second);

#endif
