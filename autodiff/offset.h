/* Copies that have some rows of a parameter, from 0 on.

     x[i + 3]   of which the copy x' has rows 2, 3, ...   ->   x'[i + 1]  */

#ifndef TNS_AUTODIFF_OFFSET_H
#define TNS_AUTODIFF_OFFSET_H

#include "base/ctx.h"
#include "ir/nest.h"

/* NODE, where the first subscripts of what FIRST[0..N), by symbol id, has a row
   for, not NULL, count from that.  */
extern tns_node *tns_node_offset (tns_ctx *ctx, tns_node *node, int n,
                                  tns_expr **first);

#endif
