/* Tiles of a box that is not all there, as text (lowering/grid-edge.h).

   Each of these appends nothing where the tile has no edges that it is about.
   Conditions are the head of what follows, which they guard; whether there is
   one is what is returned.  */

#ifndef TNS_LOWERING_CUDA_EDGE_H
#define TNS_LOWERING_CUDA_EDGE_H

#include "lowering/c99-text.h"
#include "lowering/grid-tile.h"

/* tns_column0, tns_row0 and tns_batch, the position of tile tns_at: those of
   all batches one after the other, the rows with most to do first.  */
extern bool tns_cuda_edge_order (tns_c99 *c, const tns_tile *tile);

/* The block's tile, whose rows and columns begin at tns_row0 and tns_column0
   and whose batch is known, is skipped where it has no element; the inner
   iterations that some element of it has are tns_begin to tns_end - 1, from a
   multiple of SHAPE's depth on.  */
extern void tns_cuda_edge_tile (tns_c99 *c, const tns_tile *tile,
                                const tns_tile_shape *shape);

/* What tns_begin and tns_end are called, 0 and tns_inners where all iterations
   are there.  */
extern const char *tns_cuda_edge_begin (const tns_tile *tile);
extern const char *tns_cuda_edge_end (const tns_tile *tile);

/* An operand of ROLE is needed for its iterators and the inner one.  */
extern bool tns_cuda_edge_fetch (tns_c99 *c, const tns_tile *tile,
                                 tns_tile_role role);

/* The element is there, and, if FILLED, has inner iterations.  */
extern bool tns_cuda_edge_element (tns_c99 *c, const tns_tile *tile,
                                   bool filled);

/* All elements have all iterations from tns_from on, DEPTH of them.  */
extern bool tns_cuda_edge_step (tns_c99 *c, const tns_tile *tile, int depth);

/* The element has the inner iteration.  */
extern bool tns_cuda_edge_inner (tns_c99 *c, const tns_tile *tile);

/* The expressions of these conditions mention ITER.  */
extern bool tns_cuda_edge_mentions (const tns_tile *tile, const tns_sym *iter);

#endif
