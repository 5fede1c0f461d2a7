/* Products that are added: one operation where contraction is allowed.

     c += a * b         c = fma (a, b, c)
     a * b - c     ->   fma (a, b, -c)
     c - a * b          fma (-a, b, c)  */

#ifndef TNS_LOWERING_FMA_H
#define TNS_LOWERING_FMA_H

#include "base/ctx.h"
#include "ir/nest.h"

/* BODY itself where ctx->flags or fp(strict) forbid it, or the machine has
   none.  */
extern tns_node *tns_node_fma (tns_ctx *ctx, tns_node *body);

#endif
