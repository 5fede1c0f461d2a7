/* Reads across for a device.

     for i parallel collapse(2)           a block takes 32 x 32 (i, j): its
       for j                              threads read x with neighbouring i,
         y[i][j] = f (x[j][i])      ->    and keep what they read; then write y
                                          with neighbouring j, from that

   Where stores go from one element to the next along one of the iterators that
   threads share, and reads along another, a warp can do both only in turn.  */

#ifndef TNS_LOWERING_GRID_CROSS_H
#define TNS_LOWERING_GRID_CROSS_H

#include "ir/nest.h"

enum
{
  TNS_MOST_CROSSED = 16,
  TNS_MOST_CROSS_READS = 4,
  TNS_CROSS_SIDE = 32,
  TNS_CROSS_THREADS = 256
};

/* loop[0..n)  the loops that threads share, outermost first
   along       the place among these of the one along which stores go
   across      of that along which reads go
   read        what is read so, in any case  */
typedef struct tns_cross
{
  int n;
  tns_node *loop[TNS_MOST_CROSSED];
  int along;
  int across;
  int n_reads;
  tns_expr *read[TNS_MOST_CROSS_READS];
} tns_cross;

/* LOOP, which threads share, as such.  False where it is none.  */
extern bool tns_cross_find (tns_arena *arena, tns_node *loop, tns_cross *cross);

/* Both sides are long enough, a BOOL; how many blocks there are.  */
extern tns_expr *tns_cross_pays (tns_arena *arena, const tns_cross *cross);
extern tns_expr *tns_cross_blocks (tns_arena *arena, const tns_cross *cross);

#endif
