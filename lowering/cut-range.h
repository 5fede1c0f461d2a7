/* The iterations of which a condition may hold, cut out of the others.

     for w = 0 to m simd(16)                     for w = 0 to from
       y[w] = (r < h && w*2 + q >= 0               y[w] = 0;
               && w*2 + q < n                    for w = from to to
               ? x[r][w*2 + q] : 0);        ->     y[w] = x[r][w*2 + q];
                                                 for w = to to m
                                                   y[w] = 0;

     from = min (max (0, -q /^ 2), m)
     to   = max (from, r < h ? min (m, (n - q) /^ 2) : 0)

   Unlike the borders of lowering/cut.c, which the compiler knows, these are
   computed: from the parts of a conjunction that compare what moves with the
   iterator by a constant or by a VALUE, and those that all iterations decide
   alike.  Parts that are neither stay a condition of the loop in the middle.
   A VALUE that divides, or that the iterator is multiplied by, must be
   positive; where it is not the loop runs as it was.

   Only conditions that guard loads or stores of a loop in lanes without sums:
   there a mask is computed for each vector, and elements that are not
   neighbours are gathered one by one.  Of several conditions, as those of a
   window that reaches beyond the border, the range is where what moves in them
   holds in all; outside all stay, and inside there is one loop for when what
   does not move holds in all of them, too, and one for when it does not:

     for j = 0 to m simd(16)                     for j = 0 to from
       if (i >= p && j >= p) S1;                   as before
       if (i >= p && j < m - p) S2;         ->   if (i >= p)
                                                   for j = from to to
                                                     S1; S2;
                                                 else
                                                   for j = from to to
                                                     if (i >= p) S1;
                                                     if (i >= p) S2;
                                                 for j = to to m
                                                   as before  */

#ifndef TNS_LOWERING_CUT_RANGE_H
#define TNS_LOWERING_CUT_RANGE_H

#include "base/ctx.h"
#include "ir/nest.h"

/* What stands in the place of LOOP, innermost, of step 1, of REGION, which
   gets fresh LOCALs; NULL where LOOP has no such conditions.  */
extern tns_node *tns_loop_cut_range (tns_ctx *ctx, tns_region *region,
                                     const tns_node *loop);

#endif
