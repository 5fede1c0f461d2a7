/* Steps: the only things that change a schedule tree.

   Each takes a tree, leaves it alone, and gives a new one, or NULL when the
   step does not apply to it (the names do not stand there, the loops are not
   nested that way).  Whether the result is legal is schedule/check.c's
   business.  A step addresses DIMs by a statement below and the DIM's
   name.  */

#ifndef TNS_SCHEDULE_STEP_H
#define TNS_SCHEDULE_STEP_H

#include "schedule/tree.h"

/* The nest of statement A and the next sibling, that of B, whose outermost
   DIMs below their common SEQ become one; B's rows gain SHIFT.

     seq { dim i { X }, dim j { Y } }  ->  dim i { seq { X, Y } }  */
extern tns_tree *tns_step_fuse (tns_arena *arena, const tns_tree *tree, int a,
                                int b, long shift);

/* The nest of statement A goes into the next sibling, the DIM of B, at its
   value VALUE, before what stands there.

     seq { X, dim k { Y } }  ->  dim k { seq { X where k = value, Y } }  */
extern tns_tree *tns_step_embed (tns_arena *arena, const tns_tree *tree, int a,
                                 int b, long value);

/* The nest of statement A goes into the sibling before, the DIM of B, behind
   what stands there, at the values ROW of A's instances.

     seq { dim k { Y }, X }  ->  dim k { seq { Y, X where k = row } }  */
extern tns_tree *tns_step_sink (tns_arena *arena, const tns_tree *tree, int a,
                                int b, const tns_row *row);

/* DIM NAME above STMT, with a SEQ below it, goes into each kid; where N is not
   0, into each that holds one of APART[0..N), and around each run of others.

     dim i { seq { X, Y } }  ->  seq { dim i { X }, dim i { Y } }  */
extern tns_tree *tns_step_split (tns_arena *arena, const tns_tree *tree,
                                 int stmt, const char *name, int n,
                                 const int *apart);

/* DIM NAME above STMT goes into each of N parts of what is below it, one behind
   the other: PART[s] of statement s, 0 to N - 1.

     dim i { seq { X, dim j { seq { Y, Z } } } }, X and Z in part 0
       ->  seq { dim i { seq { X, dim j { Z } } }, dim i { dim j { Y } } }  */
extern tns_tree *tns_step_distribute (tns_arena *arena, const tns_tree *tree,
                                      int stmt, const char *name, int n,
                                      const int *part);

/* DIM NAME above STMT becomes NAME.0, of tiles of SIZE values, with NAME.1,
   the values in a tile, right below.  */
extern tns_tree *tns_step_tile (tns_arena *arena, const tns_tree *tree,
                                int stmt, const char *name, long size);

/* DIM NAME above STMT moves down one level: it changes places with the DIM
   below, or is split over the SEQ below.  */
extern tns_tree *tns_step_down (tns_arena *arena, const tns_tree *tree,
                                int stmt, const char *name);

/* DIM NAME above STMT moves down until all of ABOVE[0..N) stand above it.  */
extern tns_tree *tns_step_below (tns_arena *arena, const tns_tree *tree,
                                 int stmt, const char *name, int n,
                                 const char *const *above);

/* The DIMs of the perfect chain right above STMT, from the first to the last
   of NAME[0..N), stand in that order (all of them are named).  */
extern tns_tree *tns_step_order (tns_arena *arena, const tns_tree *tree,
                                 int stmt, int n, const char *const *name);

/* DIM NAME above STMT and the one right below, J, become NAME.0, of tiles of
   ROWS values, J + SKEW * NAME, and NAME.1, the values in a tile:

     for i for j X   ->   for i.0 for j + 2*i for i.1 X  */
extern tns_tree *tns_step_skew (tns_arena *arena, const tns_tree *tree,
                                int stmt, const char *name, long rows,
                                long skew);

/* DIM NAME above STMT runs the other way: the rows are negated.  */
extern tns_tree *tns_step_reverse (tns_arena *arena, const tns_tree *tree,
                                   int stmt, const char *name);

/* DIMs A and B above STMT, of one perfect chain, change places.  */
extern tns_tree *tns_step_interchange (tns_arena *arena, const tns_tree *tree,
                                       int stmt, const char *a, const char *b);

/* Two adjacent kids of a SEQ, the nests of A and of B, change places.  */
extern tns_tree *tns_step_swap (tns_arena *arena, const tns_tree *tree, int a,
                                int b);

#endif
