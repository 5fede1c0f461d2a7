/* Rows that only a look at memory tells.

     for i  if (c[i] > 0)          least = FAR; end = -FAR
       y[k[i]] = x[i];      ->     for i  if (c[i] > 0) {
                                     least = min (least, k[i]);
                                     end = max (end, k[i] + 1)
                                   }
                                   if (end < least)  least = end = 0

   A function of its own, which runs before the gradient; this has what it finds
   as VALUEs.  What subscripts of y, and what leads to them, are made of, must
   be memory that nobody writes.  */

#ifndef TNS_AUTODIFF_LOOK_H
#define TNS_AUTODIFF_LOOK_H

#include "autodiff/gradient.h"
#include "autodiff/rows.h"

/* Look for the rows of SYM, a parameter that the function, of which VIEW is,
   touches: they become ROWS, over VALUEs of MADE, and WISH has one look more.
   False where WISH wants none, or memory that is written, or not the caller's,
   would be looked at: the gradient cannot be made then.  */
extern bool tns_look_for (tns_ctx *ctx, const tns_view *view, tns_region *made,
                          const tns_sym *sym, tns_gradient_wish *wish,
                          tns_rows *rows);

/* LOOKS, if there are any, are executed where MADE's guards hold, the
   gradient's.  */
extern void tns_looks_guard (const tns_region *made, tns_looks *looks);

#endif
