/* What a planned gradient leaves in memory between its forward part and its
   backward one.

     for i.0 { local f32 s[84][t]; local f32 ds[84][t]; local f32 z; ... }

     tapes 336 * t bytes (s: 336 * t), adjoints 336 * t bytes (ds: 336 * t)

   Arrays that the planner made cells are in registers and count nothing; one
   that it made a tile counts as that, once, however many threads have it.
   Sizes are taken to be positive, and what is done for some sizes only to be
   done.  */

#ifndef TNS_DRIVER_KEPT_H
#define TNS_DRIVER_KEPT_H

#include "base/ctx.h"
#include "ir/nest.h"

/* name     of the array where the planned region is C
   adjoint  it holds adjoints, else values
   bytes    I64 over VALUE symbols, NULL: not known  */
typedef struct tns_kept_array
{
  const char *name;
  bool adjoint;
  tns_expr *bytes;
} tns_kept_array;

/* tapes, adjoints  bytes of all arrays that hold values, and adjoints; NULL:
                    not known
   words            that, for people  */
typedef struct tns_kept
{
  int n;
  tns_kept_array *array;
  tns_expr *tapes;
  tns_expr *adjoints;
  const char *words;
} tns_kept;

/* What PLANNED, a gradient, keeps, with a note of it.  NULL where PLANNED is
   none.  */
extern const tns_kept *tns_kept_of (tns_ctx *ctx, const tns_region *planned);

#endif
