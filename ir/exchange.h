/* One symbol in the place of another.  */

#ifndef TNS_IR_EXCHANGE_H
#define TNS_IR_EXCHANGE_H

#include "ir/walk.h"

/* REGION with the symbol MADE, which has OLD's id, wherever it lists OLD, and
   CHANGE's expressions in its body.  */
extern tns_region *tns_region_exchange (tns_arena *arena,
                                        const tns_region *region,
                                        const tns_sym *old, tns_sym *made,
                                        tns_expr_changer change, void *self);

#endif
