/* A second copy of statements, with LOCALs of its own.

     if (c) { local x; S (x) } else { local x; S (x) }
       ->  if (c) { local x; S (x) } else { local y; S (y) }

   What a LOCAL becomes depends on where it stands, in a loop that threads
   share or outside: two places need two.  */

#ifndef TNS_IR_FRESH_H
#define TNS_IR_FRESH_H

#include "base/ctx.h"
#include "ir/nest.h"

/* A fresh symbol like SYM, a LOCAL.  */
extern tns_sym *tns_local_like (tns_arena *arena, tns_region *region,
                                const tns_sym *sym);

/* A copy of NODE whose LOCALs are new symbols of REGION, its statements
   without names.  */
extern tns_node *tns_node_fresh (tns_ctx *ctx, tns_region *region,
                                 tns_node *node);

/* The same, its statements named like those of NODE, with SUFFIX.  */
extern tns_node *tns_node_fresh_named (tns_ctx *ctx, tns_region *region,
                                       tns_node *node, const char *suffix);

/* A copy of NODE with the symbol TO[id] wherever it mentions the one of that
   id, id < N, for which there is one; its statements without names.  */
extern tns_node *tns_node_renamed (tns_arena *arena, tns_node *node, int n,
                                   tns_sym *const *to);

/* REGION with a symbol of its own for each LOCAL node: copies of a block share
   theirs, and what a LOCAL becomes goes by its symbol.

     { local x; S (x) } { local x; T (x) }
       ->  { local x; S (x) } { local y; T (y) }

   Statements keep their names.  REGION itself where no two share one; NULL
   gives NULL.  */
extern tns_region *tns_own_locals (tns_ctx *ctx, tns_region *region);

#endif
