/* Calls of functions that work on arrays, backwards.

     layer (n, x, w, h)        gradient(layer) of(h: dh) wrt(x: dx, w: dw)

       h[0] = call layer (n, x[0], n, w[0], n * n, h[0], n)
         ->  dw[0] = call layer_back (n, x[0], n, w[0], n * n, dh[0], n,
                                      dx[0], n, dw[0], n * n)

   What the derivative takes as it was at the call, x, w, comes from a tape
   where it is destroyed later.  An adjoint that nobody wants goes into a LOCAL
   that nobody reads, that of a number into a cell.

   Where of names h and wrt does not, nobody knows what becomes of that which h
   held before: it must have held nothing that counts.  */

#ifndef TNS_AUTODIFF_BACK_H
#define TNS_AUTODIFF_BACK_H

#include "autodiff/needs.h"
#include "autodiff/partial.h"

/* partials  of the pass
   needs     of the function
   enters    as autodiff/reverse.h says
   notes     values are noted, not read  */
typedef struct tns_back
{
  const tns_partials *partials;
  tns_needs *needs;
  const bool *enters;
  bool notes;
} tns_back;

/* The first element of a new LOCAL of REGION, all 0, in BLOCK, for the adjoint
   of argument K of CALL, at site S of VIEW; NULL with the reason said.  */
extern tns_expr *tns_back_nothing (tns_ctx *ctx, tns_region *region,
                                   const tns_view *view, int s,
                                   const tns_expr *call, int k,
                                   tns_node *block);

/* Append to BLOCK the derivative of NODE, an ASSIGN of such a call, at site S.
   False with the reason said.  */
extern bool tns_back_call (const tns_back *back, tns_node *block,
                           const tns_node *node, int s);

#endif
