/* The text form of the IR; ir/parse.h reads it back.

   print (parse (text)) = text for texts that print made.  Same region, same
   bytes: no pointers, no hash order.  */

#ifndef TNS_IR_PRINT_H
#define TNS_IR_PRINT_H

#include "base/text.h"
#include "ir/nest.h"

extern void tns_expr_print (tns_text *text, const tns_expr *expr);
extern void tns_node_print (tns_text *text, const tns_node *node);
extern void tns_region_print (tns_text *text, const tns_region *region);

/* The same to stderr, for a debugger.  */
extern void tns_expr_debug (const tns_expr *expr);
extern void tns_node_debug (const tns_node *node);
extern void tns_region_debug (const tns_region *region);

#endif
