/* Contractions that warpgroups of a device of compute capability 9.0 take.

     the host:    maps of both operands: where they begin, how many lines and
                  inner values, how far apart
     one thread:  boxes of them -> stages of shared memory, swizzled
     the others:  sums += A B, by wgmma, out of the stages

   Rows and columns that are not there are zeros, which the copies make.  So a
   kernel of this kind wants operands that are of 16 bits as the product takes
   them, go through memory in equal steps, by one loop each and one inner loop,
   and whose lines are aligned to 16 bytes.  Whether they are is seen when it is
   launched; where they are not, and on all other devices, the kernel beside
   which it stands does the same.  After the PTX ISA and the CUTLASS manual; the
   shape of the tiles is what an H100 was fastest with of those that were tried
   by hand: bf16 products of 4096 at 98 to 100 of 100 parts of cuBLAS's speed,
   where copies of all threads have 62, and of some threads 72.  */

#ifndef TNS_LOWERING_GRID_GROUP_H
#define TNS_LOWERING_GRID_GROUP_H

#include "lowering/grid-matrix.h"

/* Stages; what a stage has of the inner loop; the threads that multiply, 64
   rows for every 128, and all; blocks whose tiles neighbour each other take so
   many rows of tiles.  */
enum
{
  TNS_GROUP_STAGES = 4,
  TNS_GROUP_DEPTH = 64,
  TNS_GROUP_WORKERS = 256,
  TNS_GROUP_THREADS = 384,
  TNS_GROUP_BAND = 8
};

/* An operand: elements of sym from first on; from one line to the next, and
   from one inner value to the next, by so many; how many lines there are, all
   I64, and a block has.  */
typedef struct tns_group_operand
{
  const tns_sym *sym;
  tns_expr *first;
  tns_expr *line;
  tns_expr *inner;
  tns_expr *lines;
  int tile;
} tns_group_operand;

/* operand  in the order of the tile's
   inners   how many inner values there are, I64
   bytes    of a block's stages  */
typedef struct tns_group
{
  tns_group_operand operand[2];
  tns_expr *inners;
  int bytes;
} tns_group;

/* TILE, which is MATRIX, as one; NULL where it is none.  */
extern tns_group *tns_group_find (tns_arena *arena, const tns_tile *tile,
                                  const tns_matrix *matrix);

/* The tiles that it is cut into, as large as the larger ones of MATRIX.  */
extern tns_tile_shape tns_group_shape (const tns_matrix *matrix);

#endif
