/* What else can be made of a function that has a derivative: itself, and how
   far its arrays reach (TRM_GRADCHECK, libtensorrt-mini/abi.h).  */

#ifndef TNS_DRIVER_REACH_H
#define TNS_DRIVER_REACH_H

#include "base/ctx.h"
#include "ir/nest.h"

/* REGION, ready to be run as written.  NULL with the reason said.  */
extern tns_region *tns_primal (tns_ctx *ctx, tns_region *region);

/* A region with REGION's parameters and one more, the array of I64 *REACH,
   zeros at first, in whose row k it stores of the array that is REGION's
   parameter k

     lo, hi     elements [lo, hi) are read or written; hi < lo: not known
     rank
     extent     TNS_REACH_RANK numbers, 0: not known
     stride     as many, elements from one subscript to the next

   NULL with the reason said.  */
enum
{
  TNS_REACH_RANK = 8,
  TNS_REACH_ROW = 3 + 2 * TNS_REACH_RANK
};
extern tns_region *tns_region_reach (tns_ctx *ctx, tns_region *region,
                                     tns_sym **reach);

#endif
