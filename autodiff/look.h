/* Rows that only a look at memory tells.

     for i  if (c[i] > 0)          least = FAR; end = -FAR
       y[k[i]] = x[i];      ->     for i  if (c[i] > 0) {
                                     least = min (least, k[i]);
                                     end = max (end, k[i] + 1)
                                   }
                                   if (end < least)  least = end = 0

   A function of its own, which runs before the gradient; this has what it finds
   as VALUEs.  What subscripts of y, and what leads to them, are made of, must
   be memory that nobody writes; but for floating numbers that only the
   function knows and that choose: the rows are found as if they chose all, and
   are loose.  So are the lengths of loops looked for whose
   bounds are in memory,

     for i                            for i
       for k = p[i] to p[i + 1]  ->     span = max (span, p[i + 1] - p[i])  */

#ifndef TNS_AUTODIFF_LOOK_H
#define TNS_AUTODIFF_LOOK_H

#include "autodiff/gradient.h"
#include "autodiff/rows.h"

/* Who looks: MADE, the gradient of the function that VIEW is of; WISH may have
   one look more.  */
typedef struct tns_looking
{
  tns_ctx *ctx;
  const tns_view *view;
  tns_region *made;
  tns_gradient_wish *wish;
} tns_looking;

/* Look for the rows of SYM, a parameter that the function touches: they become
   ROWS, over VALUEs of MADE.  False where WISH wants no look, or memory that is
   written, or not the caller's, would be looked at: the gradient cannot be made
   then.  */
extern bool tns_look_for (const tns_looking *about, const tns_sym *sym,
                          tns_rows *rows);

/* Look how far the bounds of the LOOP at site S lie apart at most (ALL: in
   sum, over all times that it runs); NULL in the same cases.  */
extern tns_expr *tns_look_span (const tns_looking *about, int s, bool all);

/* LOOKS, if there are any, are executed where MADE's guards hold, the
   gradient's.  */
extern void tns_looks_guard (const tns_region *made, tns_looks *looks);

#endif
