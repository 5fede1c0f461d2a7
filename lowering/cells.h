/* The cells of a loop: accesses whose subscripts do not change in it, and
   which of them may live in a LOCAL while it runs.  */

#ifndef TNS_LOWERING_CELLS_H
#define TNS_LOWERING_CELLS_H

#include "base/ctx.h"
#include "ir/nest.h"

/* One cell.

   read      the LOAD or MASKED that reads it; with splat, the SPLAT around
   splat     it is kept in each lane of a vector; only of what is not written
   mask      of a vector, NULL for all lanes
   loaded    its value before the loop is needed
   written   it is stored to
   always    it is accessed whenever the loop's body runs
   always_written  it is stored to then
   lost      something else may touch it, or it cannot be kept
   local     what it becomes  */
typedef struct tns_loop_cell
{
  tns_expr *read;
  bool splat;
  tns_expr *mask;
  bool loaded;
  bool written;
  bool always;
  bool always_written;
  bool lost;
  tns_sym *local;
} tns_loop_cell;

/* What is known of a loop.

   around    loops, from the outside in
   guard     BOOL: it and the loops that are all of its body run at least
             once; NULL when that is always so
   written   by symbol id: written in the loop
   inside    by symbol id: an iterator or LOCAL of the loop
   innermost no loop inside
   parallel  it, or one inside, is: there are no cells
   cell      of the loop, in the order of their first access  */
typedef struct tns_loop_cells
{
  tns_arena *arena;
  tns_node *loop;
  int n_around;
  tns_node **around;
  tns_expr *guard;
  bool *written;
  bool *inside;
  bool innermost;
  bool parallel;
  int n;
  tns_loop_cell *cell;
} tns_loop_cells;

/* The cells of LOOP of REGION inside AROUND[0..n).  */
extern tns_loop_cells tns_loop_cells_of (tns_ctx *ctx, const tns_region *region,
                                         tns_node *loop, int n,
                                         tns_node *const *around);

/* The cell that EXPR, a LOAD, MASKED or SPLAT, reads, or NULL.  MASK is that
   of an ASSIGN whose target EXPR is, or NULL.  */
extern tns_loop_cell *tns_loop_cell_of (const tns_loop_cells *cells,
                                        const tns_expr *expr,
                                        const tns_expr *mask);

/* EXPR reads an array that may have neighbours: not a LOCAL of rank 0.  */
extern bool tns_expr_reads_array (const tns_expr *expr);

/* EXPR is such a read, or a SPLAT of one.  */
extern bool tns_expr_is_read (const tns_expr *expr);

#endif
