/* The algebra of ir/simplify.c: one expression whose operands are simple
   already.  */

#ifndef TNS_IR_RULES_H
#define TNS_IR_RULES_H

#include "base/ctx.h"
#include "ir/range.h"

/* ranges  of the region's symbols, or NULL  */
typedef struct tns_rules
{
  tns_ctx *ctx;
  const tns_ranges *ranges;
} tns_rules;

/* EXPR, or something simpler of the same type and value.  */
extern tns_expr *tns_rules_apply (const tns_rules *rules, tns_expr *expr);

#endif
