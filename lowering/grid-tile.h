/* Contractions for a device.

     for b for i for j {                      batch b, row i, column j
       s = 0;
       for k                                  inner
         s += A[b][i][k] * B[b][k][j];
       C[b][i][j] = f (s);
     }

   An operand that does not depend on the columns is a row operand, one that
   does not depend on the rows a column operand: a block takes a tile of rows
   and columns, reads both once into shared memory, a few values of the inner
   loops at a time, and each of its threads adds up a part of the tile in
   registers.  Which iterator is what follows from the operands' subscripts; any
   update that is a reduction will do, and any function of the operands.

   Bounds may move with iterators of loops around them: then the tiles are those
   of a box, of which elements, and inner iterations, are left out that are not
   there; tiles without any are skipped.  */

#ifndef TNS_LOWERING_GRID_TILE_H
#define TNS_LOWERING_GRID_TILE_H

#include "lowering/grid-edge.h"

enum
{
  TNS_MOST_TILED = 16,
  TNS_MOST_OPERANDS = 4,
  TNS_MOST_EDGES = 8,
  TNS_TILE_SHAPES = 3
};

typedef enum tns_tile_role
{
  TNS_TILE_BATCH,
  TNS_TILE_ROW,
  TNS_TILE_COLUMN
} tns_tile_role;

/* Rows and columns of a block, values of the inner loops in shared memory, rows
   and columns of a thread, threads of a block, blocks that a processor has
   registers for.  */
typedef struct tns_tile_shape
{
  int rows;
  int columns;
  int depth;
  int thread_rows;
  int thread_columns;
  int threads;
  int beside;
} tns_tile_shape;

/* load    an element that the product reads
   role    TNS_TILE_ROW or TNS_TILE_COLUMN
   along   neighbours in memory differ in the inner iterator
   wide    how many neighbours are read at once, where that is aligned: 1,
           where neighbours differ in more than one iterator, or lie apart
   even    whether they are aligned is the same in all steps  */
typedef struct tns_operand
{
  tns_expr *load;
  tns_tile_role role;
  bool along;
  int wide;
  bool even;
} tns_operand;

/* loop[0..n)    the loops that threads share, outermost first; role of each
   inner[0..n_inner)  the loops that are added up over
   edge[0..n_edges)  where the box of loop has more than they: which elements
                 are there
   inner_edge[0..n_inner_edges)  the same of inner, then one loop: which
                 iterations are there for an element
   moving        that loop as it was; NULL: there are none
   before, after statements of the body around them, blocks
   update        the ASSIGN inside: its target does not change there
   operand       what it reads
   stages        the most stages that what it reads may have
                 (lowering/grid-stages.h); 0: it goes through registers  */
typedef struct tns_tile
{
  int n;
  tns_node *loop[TNS_MOST_TILED];
  tns_tile_role role[TNS_MOST_TILED];
  int n_inner;
  tns_node *inner[TNS_MOST_TILED];
  int n_edges;
  tns_edge edge[TNS_MOST_EDGES];
  int n_inner_edges;
  tns_edge inner_edge[TNS_MOST_EDGES];
  tns_node *moving;
  tns_node *before;
  tns_node *after;
  const tns_node *update;
  int n_operands;
  tns_operand operand[TNS_MOST_OPERANDS];
  int stages;
} tns_tile;

/* LOOP, which threads share, as a contraction.  False where it is none.  */
extern bool tns_tile_find (tns_arena *arena, tns_node *loop, tns_tile *tile);

/* Some tiles of TILE have less to do than others.  */
extern bool tns_tile_is_uneven (const tns_tile *tile);

/* The shapes that suit TILE's elements, the largest one first; there are
   TNS_TILE_SHAPES, or rows is 0 behind the last one.  */
extern const tns_tile_shape *tns_tile_shapes (const tns_tile *tile);

/* How many iterations the loops of ROLE have together.  */
extern tns_expr *tns_tile_extent (tns_arena *arena, const tns_tile *tile,
                                  tns_tile_role role);

/* How many blocks of SHAPE TILE has.  */
extern tns_expr *tns_tile_blocks (tns_arena *arena, const tns_tile *tile,
                                  const tns_tile_shape *shape);

#endif
