/* The partial results of a loop whose reductions are done in chunks.

   Each accumulator of the loop has one partial result for each chunk:

     a cell s          part[chunk], and a cell inside the chunk
     an array s        part[chunk][box of s], its rows apart in cache lines;
                       on a device an array inside the chunk, too, where that is
                       held

   The functions add the nodes that use them, in this order: declare,
   { begin, the renamed loop, end }, combine.  */

#ifndef TNS_LOWERING_PARTIALS_H
#define TNS_LOWERING_PARTIALS_H

#include "base/ctx.h"
#include "ir/nest.h"

/* reduction  as the loop's mark says
   part       all partial results; its first subscript is the chunk
   cell       of a cell, inside a chunk; NULL for an array
   held       of an array, inside a chunk; NULL: its part is used
   iter       of an array: iterators over the box  */
typedef struct tns_partial
{
  const tns_reduction *reduction;
  tns_sym *part;
  tns_sym *cell;
  tns_sym *held;
  tns_sym **iter;
} tns_partial;

typedef struct tns_partials
{
  tns_ctx *ctx;
  tns_region *region;
  tns_sym *chunk;
  int n;
  tns_partial *partial;
} tns_partials;

/* Those of LOOP, at most COUNT chunks, an expression over VALUEs; CHUNK is
   the iterator over chunks.  REGION gains symbols.  */
extern tns_partials tns_partials_new (tns_ctx *ctx, tns_region *region,
                                      const tns_node *loop, tns_sym *chunk);

/* Hold P's arrays inside of chunks, in no more than BYTES together and MOST
   elements each: a BOOL, that they have room.  NULL where one has several
   subscripts.  */
extern tns_expr *tns_partials_hold (tns_partials *p, long bytes, long most);

/* COUNT chunks at most: declare them in BLOCK.  */
extern void tns_partials_declare (const tns_partials *p, tns_expr *count,
                                  tns_node *block);

/* Each starts with what changes nothing.  */
extern void tns_partials_begin (const tns_partials *p, tns_node *block);

/* NODE on the partial results in place of the accumulators.  */
extern tns_node *tns_partials_rename (const tns_partials *p, tns_node *node);

/* Cells, and what is held, go to their places.  */
extern void tns_partials_end (const tns_partials *p, tns_node *block);

/* The accumulators take in one chunk's.  */
extern void tns_partials_combine (const tns_partials *p, tns_node *block);

/* The bytes of one chunk's arrays.  */
extern tns_expr *tns_partials_bytes (const tns_partials *p);

#endif
