/* A region with all that it takes to run it alone, on arrays of its own.  */

#ifndef TNS_DRIVER_ALONE_H
#define TNS_DRIVER_ALONE_H

#include "lowering/c99-bench.h"

/* REGION, as the user wrote it: what its arrays are for, and how far they
   reach; CTX's wish are its clauses, of which those that name loops are left
   out.  Says nothing.  */
extern tns_bench *tns_alone (tns_ctx *ctx, const tns_region *region);

#endif
