/* Regions that cells steer: planned part by part.

     for k = 0 to n {
       from = place[k]; to = ...;          control: stores to such cells,
       if (from > 0) { ... }               conditions that ask them
       for t = from to to { ... }          a part: one that poly/ can read,
       for i = ... { ... }                 from and to being values
     }

   In each block, what follows each other without control is a part.  It goes
   through the pipeline as a region of its own, in which the cells that steer
   are VALUEs, what lives around it are parameters that overlap nothing, and all
   that is guarded around it is known; what comes out takes its place, where its
   own guards hold.  A part that is refused or kept stays as it is.  */

#ifndef TNS_DRIVER_PARTS_H
#define TNS_DRIVER_PARTS_H

#include "driver/pipeline.h"

/* REGION has symbols that steer.  */
extern bool tns_region_is_steered (const tns_region *region);

/* REGION is a part of such a one: nothing comes before it.  */
extern bool tns_region_is_part (const tns_region *region);

/* Plan the parts of REGION; RESULT gets the region with them in their
   places, and their numbers together.  */
extern void tns_pipeline_parts (tns_ctx *ctx, tns_region *region,
                                tns_result *result);

#endif
