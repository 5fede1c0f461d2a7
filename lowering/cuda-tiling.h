/* What the text of all tiles has (lowering/cuda-tile.h, cuda-matrix.h): how
   many there are, which one a block takes, the sums that a thread has of it,
   from what the target holds before to what comes behind, and the steps through
   the inner loops.  */

#ifndef TNS_LOWERING_CUDA_TILING_H
#define TNS_LOWERING_CUDA_TILING_H

#include "lowering/c99-text.h"
#include "lowering/grid-stages.h"

/* A tile being printed.

   place  of TNS_TILE_ROW and TNS_TILE_COLUMN: what is added to the first one
          of the tile for the row of the thread's sum tns_i, the column of
          tns_j, text
   sum    that sum, text
   stages what of it is copied by itself
   band   0, or: blocks that follow each other have tiles of so many rows of
          tiles, one column of these after the other
   early  a step keeps what the next one needs before it computes, else then
   look   what the thread wants to know of operand O in this tile; or NULL
   whole  append tns_whole: all elements of the tile's lines are there, and lie
          as take wants them, but for the last step's; or NULL: nobody asks
   take   operand O's elements of a step, whose inner values begin at tns_from:
          memory -> registers; with tns_whole all of them are there
   keep   these: registers -> half tns_half of shared memory
   send   begin to copy them, of an operand that goes by itself, to stage
          tns_into; NULL: none does
   add    the sums get what half tns_half of shared memory gives, or stage
          tns_stage
   rest   the same of its value tns_k alone: then add is for whole steps; or
          NULL: what is not there is 0 and adds nothing
   some   the same for those elements that have this value; or NULL: all have
          each (lowering/cuda-edge.h)  */
typedef struct tns_tiling
{
  tns_c99 *c;
  const tns_tile *tile;
  const tns_tile_shape *shape;
  const tns_stages *stages;
  const char *place[3];
  const char *sum;
  int band;
  bool early;
  void (*look) (const struct tns_tiling *t, int o);
  void (*whole) (const struct tns_tiling *t);
  void (*take) (const struct tns_tiling *t, int o);
  void (*keep) (const struct tns_tiling *t, int o);
  void (*send) (const struct tns_tiling *t, int o);
  void (*add) (const struct tns_tiling *t);
  void (*rest) (const struct tns_tiling *t);
  void (*some) (const struct tns_tiling *t);
} tns_tiling;

/* A block of the text begins, and ends.  */
extern void tns_tiling_open (const tns_tiling *t);
extern void tns_tiling_close (const tns_tiling *t);

/* The loops of T with ROLE, outermost first: how many.  The word of ROLE.  */
extern int tns_tiling_loops (const tns_tiling *t, tns_tile_role role,
                             tns_node **loop);
extern const char *tns_tiling_word (tns_tile_role role);

/* How many rows, or columns, a block has, and a thread.  */
extern int tns_tiling_lines (const tns_tiling *t, tns_tile_role role);
extern int tns_tiling_own (const tns_tiling *t, tns_tile_role role);

/* The type of OPERAND's elements.  */
extern const char *tns_tiling_type (const tns_operand *operand);

/* For each element of the thread's, its row and column known, a block of the
   text begins, and ends.  */
extern void tns_tiling_open_elements (const tns_tiling *t);
extern void tns_tiling_close_elements (const tns_tiling *t);

/* Append how many tiles there are, of what.  */
extern void tns_tiling_extents (const tns_tiling *t);

/* Append which tile number tns_at is; that its sums begin with what the target
   holds before the inner loops; that they go where they belong, and what comes
   behind is done.  */
extern void tns_tiling_position (const tns_tiling *t);
extern void tns_tiling_begin (const tns_tiling *t);
extern void tns_tiling_end (const tns_tiling *t);

/* Append the loop over the block's tiles, and what each of them takes.  */
extern void tns_tiling_tiles (const tns_tiling *t);

#endif
