/* Arrays that carry derivatives: those that depend on what is differentiated
   with respect to, and on which depends what is differentiated.

     varied   wrt; the target of a statement whose value varies in a varied one
     useful   of; what the value of a statement with a useful target varies in
     active   both

   Of whole arrays, in any order of the statements.  */

#ifndef TNS_AUTODIFF_ACTIVE_H
#define TNS_AUTODIFF_ACTIVE_H

#include "autodiff/gradient.h"
#include "autodiff/view.h"

/* By symbol id, whether the array is active.  */
extern bool *tns_active (tns_arena *arena, const tns_view *view,
                         const tns_gradient_wish *wish);

/* False, with TNS_WHY_DERIVATIVE said, where an array carries derivatives that
   nobody can hand on: by way of bits (autodiff/bits.h).  */
extern bool tns_active_can_be (tns_ctx *ctx, const tns_view *view,
                               const tns_gradient_wish *wish);

#endif
