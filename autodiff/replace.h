/* Arrays that are to be computed again, where no row of them would do: what
   they hold in their place.

     for i  h[i] = sin (x[i]);
     for i  y[i] = h[i] * h[i - 1];   ->   for i  y[i] = sin (x[i])
                                                         * sin (x[i - 1]);

   One statement sets the array, for each element once, from what nobody
   changes from there on; all that is read was set by it.  Source: Griewank and
   Walther, Evaluating Derivatives, 2nd ed., chapter 12: recomputation instead
   of storage.  */

#ifndef TNS_AUTODIFF_REPLACE_H
#define TNS_AUTODIFF_REPLACE_H

#include "autodiff/gradient.h"
#include "poly/scop.h"

/* The function of SCOP without one of the temporaries, or of what is absent,
   that WISH wants to be computed again; WISH has it as moved.  SCOP's own
   region where there is none.  */
extern tns_region *tns_region_replaced (tns_ctx *ctx, const tns_scop *scop,
                                        tns_gradient_wish *wish);

#endif
