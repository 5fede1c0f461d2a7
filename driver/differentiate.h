/* The gradient, or tangent, of a region as text asks for it.

     of=y:dy wrt=x:dx wrt=w:dw absent=y given=s clear=x store=h recompute=r
     primal=yes careful=yes tangent=yes directions=n

   Words between blanks; of and wrt may both name an array with one adjoint;
   clear names one that wrt has named.
   Meanings: autodiff/gradient.h.  */

#ifndef TNS_DRIVER_DIFFERENTIATE_H
#define TNS_DRIVER_DIFFERENTIATE_H

#include "autodiff/gradient.h"

/* REGION, whose arrays get shapes first, differentiated as WISH says.  NULL
   with the reason said.  */
extern tns_region *tns_differentiate (tns_ctx *ctx, tns_region *region,
                                      const char *wish);

/* The same, WISH told already.  */
extern tns_region *tns_derive (tns_ctx *ctx, tns_region *region,
                               tns_gradient_wish *wish);

/* REGION, which stays as it is, with what its guards must know of accesses.
   NULL with the reason said.  */
extern tns_region *tns_derive_guards (tns_ctx *ctx, tns_region *region);

#endif
