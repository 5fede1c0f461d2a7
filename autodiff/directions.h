/* A tangent along several directions at once.

     du = dx[i] * w[i];              for d = 0 to m
     u = x[i] * w[i];                  du[d] = dx[d][i] * w[i];
     dy[i] = du * cos (u);     ->    u = x[i] * w[i];
                                     for d = 0 to m
                                       dy[d][i] = du[d] * cos (u);

   What depends on a tangent that comes in, or leaves, gets a first subscript,
   the direction; statements between which nothing else stands share a loop.
   All else is done once.  The planner finds the order of the loops.  */

#ifndef TNS_AUTODIFF_DIRECTIONS_H
#define TNS_AUTODIFF_DIRECTIONS_H

#include "autodiff/gradient.h"

/* REGION, a tangent made with WISH, along wish->directions of them; its seeds'
   adjoints become the wider arrays, which lie seed->row elements apart.  */
extern tns_region *tns_region_widen (tns_ctx *ctx, tns_region *region,
                                     tns_gradient_wish *wish);

#endif
