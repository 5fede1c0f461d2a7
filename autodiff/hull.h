/* Bounds of integer expressions over all iterations of the loops around.

     i + j   for i in [0, n), j in [0, i)     0 .. (n - 1) + (n - 2)

   Sizes of tapes and of copies.  */

#ifndef TNS_AUTODIFF_HULL_H
#define TNS_AUTODIFF_HULL_H

#include "autodiff/view.h"

/* The least (greatest, with MOST) that EXPR, read at site S, can be, over
   VALUEs; NULL where that cannot be written down.  Where a loop does not run
   at all it may be anything.  */
extern tns_expr *tns_hull (tns_arena *arena, const tns_view *view, int s,
                           tns_expr *expr, bool most);

/* A condition under which an expression is read.  */
typedef struct tns_known
{
  tns_expr *cond;
  bool negated;
  const struct tns_known *next;
} tns_known;

/* The same for what is read where the IFs around S let it come and KNOWN
   holds, NULL: nothing more: the bounds that comparisons of iterators say
   count too.  */
extern tns_expr *tns_hull_known (tns_arena *arena, const tns_view *view, int s,
                                 tns_expr *expr, bool most,
                                 const tns_known *known);

/* Whether the loops around site S may run, as far as the hulls of their bounds
   tell: where they may not, hulls of what is read at S mean nothing.  NULL:
   not known.  */
extern tns_expr *tns_hull_runs (tns_arena *arena, const tns_view *view, int s);

#endif
