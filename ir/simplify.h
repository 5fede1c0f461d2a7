/* Algebra that is always right: constants folded, neutral elements dropped,
   casts of casts merged, dead locals and empty loops removed.

   Floating rules obey fp: under strict nothing that changes a bit (x + 0 and
   x * 1 have their cases), under reassoc and fast more (ir/rules.c lists
   them).  */

#ifndef TNS_IR_SIMPLIFY_H
#define TNS_IR_SIMPLIFY_H

#include "base/ctx.h"
#include "ir/nest.h"

/* Requires a verified region; gives one that computes the same.  */
extern tns_region *tns_region_simplify (tns_ctx *ctx, tns_region *region);

/* One expression.  */
extern tns_expr *tns_expr_simplify (tns_ctx *ctx, tns_expr *expr);

#endif
