/* The invariants of the IR, as a list.  Run after extraction and before
   lowering in every build, after each stage in checking builds.  */

#ifndef TNS_IR_VERIFY_H
#define TNS_IR_VERIFY_H

#include "base/ctx.h"
#include "ir/nest.h"

/* REGION itself when it keeps every invariant, else NULL with
   TNS_WHY_INTERNAL about STAGE said in CTX; the dump stream gets the details.
   The invariants stand at the head of ir/verify.c.  */
extern tns_region *tns_region_verify (tns_ctx *ctx, tns_region *region,
                                      const char *stage);

#endif
