/* Loops whose bounds move with other loops' iterators, as a box and what of it
   is there.

     for i = 0 to n                       for i = 0 to n
       for j = 0 to i + 1       ->          for j = 0 to n
         body                                 if (j < i + 1) body

   What holds for all, or for some, of a tile of a box follows from the bounds'
   extremes: sums, least and greatest numbers and products with constants grow
   or shrink with each iterator.  */

#ifndef TNS_LOWERING_GRID_EDGE_H
#define TNS_LOWERING_GRID_EDGE_H

#include "ir/nest.h"

/* Values that an iterator may have, FIRST to LAST, both included.  */
typedef struct tns_reach
{
  const tns_sym *iter;
  tns_expr *first;
  tns_expr *last;
} tns_reach;

/* A side of a loop of ITER that moves: iterations are there that are less than
   BOUND (UPPER), or at least BOUND.  */
typedef struct tns_edge
{
  tns_sym *iter;
  tns_expr *bound;
  bool upper;
} tns_edge;

/* The least value of EXPR (MOST: the greatest) where the iterators of
   REACH[0..N) have any of their values; others are what they are.  NULL: it
   does not just grow, or shrink, with each of them.  */
extern tns_expr *tns_reach_extreme (tns_arena *arena, tns_expr *expr, bool most,
                                    int n, const tns_reach *reach);

/* Whether an iteration of EDGE's loop is there, BOOL: for all values that
   REACH[0..N) has (SOME: for some, at least).  NULL as above.  */
extern tns_expr *tns_edge_holds (tns_arena *arena, const tns_edge *edge,
                                 bool some, int n, const tns_reach *reach);

#endif
