/* Neighbours under one condition, as one.

     if (c) { A } else { B }          if (c) { A  C }
     if (c) { C } else { D }    ->    else { B  D }

   and what the first one does under one more condition stays so:

     if (k == 0) { if (c) { A } else { B } }    if (c) { if (k == 0) A  C }
     if (c) { C } else { D }                 -> else { if (k == 0) B  D }

   Each tile asks whether it is whole; what is done for its cells by
   statements beside each other is then a straight line, in which what one
   stores the next one need not load.  */

#ifndef TNS_LOWERING_MERGE_H
#define TNS_LOWERING_MERGE_H

#include "base/ctx.h"
#include "ir/nest.h"

/* REGION with such neighbours merged; REGION when it has none.  */
extern tns_region *tns_region_merge (tns_ctx *ctx, tns_region *region);

#endif
