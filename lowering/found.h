/* Boxes that only the run tells: where a loop updates an array.

     for i = 0 to n parallel           local i32 least, most;
       chunks(16) reduce(add: h)       least = 2147483647;  most = -2147483648;
       h[at[i]] += x[i];         ->    for i = 0 to n {
                                         least min= at[i];  most max= at[i]; }

   so that threads may share the loop in chunks (lowering/chunks.h) where the
   box, from least to most, has few elements: there are TNS_FOUND_MOST of them
   at most.  Of rows that indices name the rows are found; these have constant
   lengths.  */

#ifndef TNS_LOWERING_FOUND_H
#define TNS_LOWERING_FOUND_H

#include "base/ctx.h"
#include "ir/nest.h"

enum
{
  TNS_FOUND_MOST = 16384
};

/* The box of R, a sum of LOOP's in REGION whose box is not known, can be found:
   the first subscript reads nothing that LOOP changes, but for cells of an
   iteration that do not either; the others lie in their extents, which are
   constants.  */
extern bool tns_found_is_sure (tns_ctx *ctx, tns_region *region, tns_node *loop,
                               const tns_reduction *r);

/* How many rows the box of R may have.  */
extern long long tns_found_rows (const tns_reduction *r);

/* Append to BLOCK the ends of R's box, nothing at first, and set the box.  The
   loop that finds them, in chunks itself.  REGION gains symbols.  */
extern tns_node *tns_found_look (tns_ctx *ctx, tns_region *region,
                                 tns_node *loop, tns_reduction *r,
                                 tns_node *block);

#endif
