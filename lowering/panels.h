/* Panels: copies of what a loop's iteration reads again and again.

   An iteration of a loop marked panel(B) reads elements of B in the order of
   some of the loops inside, for each iteration of others, the sweeps.  They are
   copied first, side by side in that order; P's extents are the most iterations
   that these loops have, constants:

     for j0 panel(B) sweeps(n)           for j0
       for i0                              if (n sweeps)
         for j1 for k for i for j    ->      for j1 for k for j
           C[i][j] += A[i][k] * B[k][j]        P[..][..][..] = B[k][j]
                                             for i0
                                               for j1 for k for i for j
                                                 C[i][j] += A[i][k] * P[..]
                                           else
                                             what was there

   Without sweeps (n) the panel is a small one: it is copied in any case, and
   lives in the iteration.  What is copied may be computed of the element and of
   VALUEs: of alpha * A[i][k] the product.

   The copy has the loops in their order, but for the one that moves the element
   to the next one in memory: that goes inside, with lanes of its own.

   Where a copy does not pay, i0 and j1 change places: a tile of columns of B
   stays in the first cache while all tiles of rows use it.

   Nothing is copied that is not read: where there are sweeps, all loops of the
   copy are run.  P lives in the region, or, where threads share a loop around,
   in that loop's iteration.

   A mark is dropped where B is read in more than one way or under a condition,
   a loop's bound reads memory, or loops of the copy depend on the sweeps.  */

#ifndef TNS_LOWERING_PANELS_H
#define TNS_LOWERING_PANELS_H

#include "base/ctx.h"
#include "ir/nest.h"

/* REGION without panel marks, with the panels.  Computes the same.  NULL gives
   NULL.  */
extern tns_region *tns_region_panels (tns_ctx *ctx, tns_region *region);

#endif
