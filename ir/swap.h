/* Two values put in order are their extremes.

     if (y < x) { local t; t = x; x = y; y = t; }
       ->  { local t; t = x; x = min (x, y); y = max (y, t); }

   which lanes do without a mask, and without asking.  */

#ifndef TNS_IR_SWAP_H
#define TNS_IR_SWAP_H

#include "ir/nest.h"

/* NODE, where it is an IF that puts two elements of LOCAL arrays or two LOCAL
   cells in order, without the question; else NULL.  Equal values may change
   places where they are the same to the last bit.  */
extern tns_node *tns_node_unasked_swap (tns_arena *arena, const tns_node *node);

#endif
