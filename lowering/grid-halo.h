/* Sweeps that read several elements around one, for a device.

     for i parallel collapse(2)          a block takes 32 x 32 (i, j): it reads
       for j                             that tile of x once, with the halo
         y[i][j] = f (x[i - 1][j - 1],   around it that these need, and keeps
           .., x[i + 1][j + 1])    ->    it; each thread writes 4 y below each
                                         other from there

   The tile lies along the last two or three of the loops that threads share.
   What is read of x are its elements at SHIFTS, which an iteration reads in any
   case; a few boxes of these tell which elements of the halo are there.

   It pays where what is read of the tile, of which lines below each other have
   most in common, with what fills it and the barrier between, is less than what
   all shifts read one by one.

   Tiles with halos are after P. Micikevicius, "3D finite difference computation
   on GPUs using CUDA", 2009.  */

#ifndef TNS_LOWERING_GRID_HALO_H
#define TNS_LOWERING_GRID_HALO_H

#include "ir/nest.h"
#include "schedule/machine.h"

enum
{
  TNS_HALO_DIMS = 3,
  TNS_HALO_THREADS = 256,
  TNS_HALO_LINES = 4,
  TNS_MOST_HALO_LOOPS = 16,
  TNS_MOST_SHIFTS = 128,
  TNS_MOST_BOXES = 6
};

/* An element that is read: by[d] iterations of dimension d further on.  */
typedef struct tns_shift
{
  long long by[TNS_HALO_DIMS];
} tns_shift;

/* Shifts from lo to hi in each dimension, which are all read.  */
typedef struct tns_shift_box
{
  tns_shift lo;
  tns_shift hi;
} tns_shift_box;

/* loop[0..n)   the loops that threads share, outermost first
   dims         2 or 3: the tile's, of the last loops, outermost first
   side[d]      iterations of a tile in dimension d
   load[0..n_shifts)  what is read of the array, which nothing writes here
   shift        by load: where from load[0]
   around       the box of all shifts
   box[0..n_boxes)  which cover the shifts, and nothing else
   reads        what an iteration reads of the tile, on average  */
typedef struct tns_halo
{
  int n;
  tns_node *loop[TNS_MOST_HALO_LOOPS];
  int dims;
  int side[TNS_HALO_DIMS];
  int n_shifts;
  tns_expr *load[TNS_MOST_SHIFTS];
  tns_shift shift[TNS_MOST_SHIFTS];
  tns_shift_box around;
  int n_boxes;
  tns_shift_box box[TNS_MOST_BOXES];
  double reads;
} tns_halo;

/* LOOP, which threads share, as such a sweep that pays on MACHINE.  False where
   it is none.  */
extern bool tns_halo_find (tns_arena *arena, tns_node *loop,
                           const tns_machine *machine, tns_halo *halo);

/* The extent of the tile with its halo in dimension D.  */
extern int tns_halo_side (const tns_halo *halo, int d);

/* The shift of LOAD; -1: it is not of the array.  */
extern int tns_halo_shift (const tns_halo *halo, const tns_expr *load);

/* All sides are long enough for tiles, a BOOL; how many blocks there are.  */
extern tns_expr *tns_halo_pays (tns_arena *arena, const tns_halo *halo);
extern tns_expr *tns_halo_blocks (tns_arena *arena, const tns_halo *halo);

#endif
