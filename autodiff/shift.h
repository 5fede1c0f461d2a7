/* Cells whose value cancels, as that of a maximum that is subtracted for
   stability does:

     m = max over j of x[j];  z = sum over j of exp (x[j] - m);
     y = log (z) + m

   Add c to m behind its last write.  A value v is followed as v e^(b c) + a c:
   m has a = 1; exp makes b of a, log a of b; products add b, quotients
   subtract; sums want equal b and add a.  Where all that is differentiated has
   a = b = 0, m's adjoint is 0, and is not computed: it would be what rounding
   leaves, at the cost of a search for the greatest.  */

#ifndef TNS_AUTODIFF_SHIFT_H
#define TNS_AUTODIFF_SHIFT_H

#include "autodiff/flow.h"
#include "autodiff/gradient.h"

/* Clear ACTIVE, by symbol id, of such cells.  */
extern void tns_shifts_cancel (tns_arena *arena, const tns_flow *flow,
                               const tns_gradient_wish *wish, bool *active);

#endif
