/* Vector code in two: what is computed, and what is stored.  */

#ifndef TNS_LOWERING_PUT_OFF_H
#define TNS_LOWERING_PUT_OFF_H

#include "base/ctx.h"
#include "ir/nest.h"

/* BODY, the vector code of LOOP's iterations, stores to an array that a loop
   around moves on.  */
extern bool tns_body_stores_row (const tns_node *loop, const tns_node *body);

/* Put BODY, with ITER at AT, to the end of FIRST and LAST: where it reads what
   it stores, its stores to arrays to LAST, all else to FIRST; else all to LAST.
   False, and nothing of use in them, when a part of BODY may need what another
   has stored.  */
extern bool tns_body_put_off (tns_ctx *ctx, tns_region *region, tns_node *body,
                              tns_sym *iter, tns_expr *at, tns_node *first,
                              tns_node *last);

#endif
