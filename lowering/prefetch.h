/* Elements on their way before they are needed.

     for i = 0 to n              for i = 0 to n
       y[i] = x[k[i]]       ->     prefetch x[k[min (i + 8, n - 1)]]
                                   y[i] = x[k[i]]

   The element is one that a later iteration of the loop reads in any case, so
   that nothing is read, and no address made, that the program does not read.
   How many iterations later: as many as run while memory answers, by the
   machine's description, or what the line says.

   Where whole rows are looked for, x[k[i]][j] with a loop over j inside, the
   first lines of the row are prefetched in the loop over i.

   Runs before lowering/registers.h.  */

#ifndef TNS_LOWERING_PREFETCH_H
#define TNS_LOWERING_PREFETCH_H

#include "base/ctx.h"
#include "ir/nest.h"

/* REGION with what LINE, a plan's "prefetch x" or "prefetch x: 8", asks for,
   in all loops that it can be done in; REGION itself where there are none.  */
extern tns_region *tns_region_prefetch (tns_ctx *ctx, tns_region *region,
                                        const char *line);

#endif
