/* Whole arrays, or rows of parameters: set to 0, copied, added.

     for e0, e1, ...   target[e0][e1]... op= source[e0][e1]...

   A LOCAL that stands for some rows of a parameter has their base for its
   row 0.  */

#ifndef TNS_AUTODIFF_SWEEP_H
#define TNS_AUTODIFF_SWEEP_H

#include "autodiff/rows.h"

/* Loops over the elements of SHAPE around BODY, a BLOCK; where ROWS is not NULL
   its first subscript is one of these, when they are there.  SUB gets the
   subscripts.  */
extern tns_node *tns_sweep_loops (tns_arena *arena, tns_region *region,
                                  const tns_sym *shape, const tns_rows *rows,
                                  tns_node *body, tns_expr **sub);

/* Loops around BODY over the COUNT elements from LOAD on, which a call is
   handed; SUB gets their subscripts, which BODY, a BLOCK, may come to mention.
   NULL where COUNT is not known.  */
extern tns_node *tns_handed_loops (tns_arena *arena, tns_region *region,
                                   const tns_expr *load, tns_expr *count,
                                   tns_node *body, tns_expr **sub);

/* Append to BLOCK: TARGET = 0, or, with SOURCE, TARGET OP= SOURCE, for all of
   the elements of the one that says how many there are, SOURCE if there is
   one and it is a LOCAL, else TARGET; or, where ROWS is not NULL, for those of
   ROWS, of which that one is a copy if it is a LOCAL.  */
extern void tns_sweep (tns_ctx *ctx, tns_region *region, tns_node *block,
                       tns_sym *target, tns_op op, tns_sym *source,
                       const tns_rows *rows);

#endif
