/* What one iteration computes on its way to a value, for once more elsewhere.

     for c {
       local s;  s = 0;                         local s;  s = 0;
       for j  s += w[c][j] * x[j];        ->    for j  s += w[c][j] * x[j];
       count += 1;
       m max= s;                                  s, at another place
     }

   It takes nothing from other iterations and changes nothing for them.  */

#ifndef TNS_AUTODIFF_AGAIN_H
#define TNS_AUTODIFF_AGAIN_H

#include "ir/nest.h"

/* The statements of LOOP, a BLOCK of its nodes, that make VALUE, read by the
   statement NODE in it, for given iterators of LOOP and of the loops around
   NODE; NULL where there are no such.  */
extern tns_node *tns_again_block (tns_arena *arena, tns_node *loop,
                                  const tns_node *node, tns_expr *value);

#endif
