/* Contractions: updates of cells whose operands are used again and again.

   Nothing is matched by spelling.  For an update of a cell each DIM above it
   is classified by what the accesses depend on:

     inner   does not move the target; a REDUCTION (or ORDERED, when sums may
             not be reordered: the order inside each cell is kept)
     column  FREE, moves the target by one element, moves an operand by one
             element, and leaves another operand where it is
     row     FREE, moves the target, and leaves the operand that the column
             moves where it is

   so that a tile of rows x columns loads rows + columns values for rows *
   columns operations.  Other forms:

     dot     no column moves an operand by one element but the inner DIM does:
             rows and columns, or one of them alone, are jammed and the lanes
             go along the inner DIM
     strip   there is a column but no row

   Sums of products of integers of one or two bytes are left to GCC: it has
   instructions that multiply and add pairs of them.  */

#ifndef TNS_SCHEDULE_CONTRACTION_H
#define TNS_SCHEDULE_CONTRACTION_H

#include "schedule/planner.h"

/* One contraction.

   stmt, target  the update and its cell
   row, column   the DIMs; row is NULL in a strip and may be in a dot
   inner[0..n_inner)  the inner DIMs that are no tiles, outermost first
   dot, strip    its form
   far           (strip) some operand moves far with the innermost inner DIM
   blocked       some inner DIM's tiles stand above
   shifted       an inner DIM shifts what the column goes along, as k of
                 x[j + k]: which columns a tile has may change while it sums
   rows, columns the sizes of its tile
   accumulators  (dot) partial results of each sum
   lanes         of a vector of the target  */
typedef struct tns_contraction
{
  int stmt;
  const tns_access *target;
  tns_tree *row;
  tns_tree *column;
  int n_inner;
  tns_tree *inner[TNS_MAX_DEPTH];
  bool dot;
  bool strip;
  bool far;
  bool blocked;
  bool shifted;
  long rows;
  long columns;
  int accumulators;
  int lanes;
} tns_contraction;

/* DIM moves the cell of statement STMT's update.  */
extern bool tns_dim_moves_cell (const tns_planner *planner, const tns_tree *dim,
                                int stmt);

/* Recognise a contraction at statement STMT of PLANNER's tree.  */
extern bool tns_contraction_at (const tns_planner *planner, int stmt,
                                tns_contraction *c);

/* The same for tiles of a device, with a row and a column, which may have any
   strides: then C has stmt, target, inner, row and column alone.  */
extern bool tns_contraction_tiles (const tns_planner *planner, int stmt,
                                   tns_contraction *c);

#endif
