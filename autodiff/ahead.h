/* Calls of functions that work on arrays, forwards.

     layer (n, x, w, h)        tangent(layer) of(h: dh) wrt(x: dx, w: dw)

       h[0] = call layer (n, x[0], n, w[0], n * n, h[0], n)
         ->  dh[0] = call layer_tangent (n, x[0], n, w[0], n * n, dh[0], n,
                                         dx[0], n, dw[0], n * n);
             h[0] = call layer (...)

   What does not vary has a tangent of zeros.  Where of names h and wrt does
   not, nothing that counts may be in h before, as in autodiff/back.h.  */

#ifndef TNS_AUTODIFF_AHEAD_H
#define TNS_AUTODIFF_AHEAD_H

#include "autodiff/partial.h"
#include "autodiff/tangent.h"

/* Append to BLOCK the tangent of NODE, an ASSIGN of such a call.  False with
   the reason said.  */
extern bool tns_ahead_call (const tns_tangent *about,
                            const tns_partials *partials, tns_node *block,
                            const tns_node *node);

#endif
