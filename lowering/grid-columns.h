/* Sums of columns for a device.

     for i parallel collapse(2)              a block takes L neighbouring j and
       for j {                               all r: L threads side by side have
         s = 0;                        ->    a j each, the groups of L threads
         for r simd(32) reduce(add: s)       share r, and put their sums
           s += x[r][j];                     together
         y[i][j] = s;
       }

   Where neighbours in memory differ in an iterator that threads share, and not
   in one that is added up over, a row of a block's threads reads what lies side
   by side.  L is a power of two up to a warp's 32, less where there are fewer
   j, or so few that most of the device would have nothing to do.  */

#ifndef TNS_LOWERING_GRID_COLUMNS_H
#define TNS_LOWERING_GRID_COLUMNS_H

#include "ir/nest.h"

enum
{
  TNS_LEAST_COLUMN_LANES = 8,
  TNS_COLUMN_THREADS = 256
};

/* In the loops with lanes of LOOP, which threads share, neighbours in memory
   differ in the last of the shared iterators more than in those loops' own.  */
extern bool tns_columns_pay (tns_arena *arena, tns_node *loop);

/* LOOP, for which that is so, can be done so: its statements are sums over
   loops with lanes, and what needs no other threads.  */
extern bool tns_columns_suit (tns_node *loop);

/* How many blocks LOOP takes, at most.  */
extern tns_expr *tns_columns_blocks (tns_arena *arena, tns_node *loop);

#endif
