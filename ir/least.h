/* Loops that are worth it only when they are long.  */

#ifndef TNS_IR_LEAST_H
#define TNS_IR_LEAST_H

#include "base/ctx.h"
#include "ir/nest.h"

/* Guard REGION: its innermost loops whose length is known when it begins have
   LEAST iterations or more.  Where that is a smaller constant, the loop around
   it counts.  False, and no guard, where no loop is left that may be long.  */
extern bool tns_region_ask_least (tns_ctx *ctx, tns_region *region, int least);

#endif
