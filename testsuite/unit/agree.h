/* A region and what passes make of it, run side by side: the interpreter
   must leave the same memory behind both.  */

#ifndef TNS_TESTSUITE_AGREE_H
#define TNS_TESTSUITE_AGREE_H

#include "base/ctx.h"
#include "ir/nest.h"

typedef tns_region *(*agree_passes) (tns_ctx *ctx, tns_region *region);

/* A context for machine MACHINE ("avx512") that may contract.  */
extern tns_ctx *agree_ctx (const char *machine);

/* The region that TEXT says; the process ends at an error.  */
extern tns_region *agree_parse (tns_ctx *ctx, const char *text);

/* How they differ is not said from now on, or is again.  */
extern void agree_hush (bool hush);

/* Run IN and OUT with every I64 VALUE being SIZE, other VALUEs 3, arrays
   filled with small numbers made from SEED.  Arrays have exactly the elements
   that their extents say.  Returns whether both runs end well with the same
   bits; else says how they differ on stderr.  */
extern bool agree (tns_region *in, tns_region *out, long long size,
                   unsigned seed);

/* The same where OUT's free loops run in ORDER (tns_eval_options).  */
extern bool agree_in_order (tns_region *in, tns_region *out, long long size,
                            unsigned seed, int order);

/* The same, but a zero may have another sign, and OUT need do nothing where its
   guards do not hold.  */
extern bool agree_in_effect (tns_region *in, tns_region *out, long long size,
                             unsigned seed, int order);

/* agree () for each of the N regions OUT, IN run once.  */
extern bool agree_each (tns_region *in, int n, tns_region *const *out,
                        long long size, unsigned seed);

/* agree () for the passes, over sizes 0, 1, 2, 5, 16, 17, 31, 33, 64, 83;
   OUT is verified first.  Gives the region that the passes made, NULL after
   a failure.  */
extern tns_region *agree_all (tns_ctx *ctx, const char *text,
                              agree_passes passes);

/* How many expressions of OP stand in REGION; with lanes > 1 when
   VECTORS.  */
extern int agree_count (tns_region *region, tns_op op, bool vectors);

/* How many loops, how many loops with marks.  */
extern int agree_loops (tns_region *region, bool marked);

#endif
