/* The ledger: floating operations and bytes of a region as symbolic sums
   over its nest, and peak bytes of temporaries.

   flops     floating operations executed.  An FMA counts two, a function of
             math.h one, changes of sign, comparisons and conversions none
   accessed  bytes loaded and stored, from and to memory that is not LOCAL,
             as executed: what the interpreter counts
   bytes     what DRAM would move if nothing stayed in cache between nests:
             for each nest (a loop of the region's body with all in it, or a
             statement outside of loops) and each array that is not LOCAL or
             that is HEAP, the different elements that are read in the nest,
             and those written
   peak      bytes of arrays and cells that live in the region, LOCAL and
             TEMP, those of blocks side by side sharing their room; NULL where
             the size of one is not known

   The sums are right for all values of the parameters, zero-trip loops
   included.

   counted   flops and accessed are exact: false where data decides what is
             executed (conditions, bounds, the chosen operand of a SELECT),
             and where a sum has no closed form here
   exact     bytes are too: false where data decides which elements are meant
             (gathers)

   What is not exact is a bound from above, but a loop whose bounds depend on
   data counts for one iteration.  */

#ifndef TNS_POLY_COUNT_H
#define TNS_POLY_COUNT_H

#include "base/ctx.h"
#include "ir/nest.h"
#include "poly/scop.h"

typedef struct tns_ledger
{
  tns_expr *flops;
  tns_expr *accessed;
  tns_expr *bytes;
  tns_expr *peak;
  bool counted;
  bool exact;
} tns_ledger;

/* Count REGION as it stands (before or after scheduling; scalar IR).  All
   expressions are F64 over VALUE symbols and, but for the peak, never NULL.
   Where CTX does not want all, bytes are 0, the peak is not known and nothing
   is exact.
   Says nothing in CTX: where isl fails the sums are 0 and not exact.  */
extern tns_ledger tns_count (tns_ctx *ctx, tns_region *region);

/* The ledger of SCOP's statements in an order of their own: nest[s] is the
   number of the nest in which statement s stands now, hidden[a] that array a
   moves no bytes; PLANNED: the region in that order, for the peak.  */
extern tns_ledger tns_count_planned (tns_ctx *ctx, tns_scop *scop,
                                     const int *nest, const bool *hidden,
                                     const tns_region *planned);

#endif
