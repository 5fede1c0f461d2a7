/* Footprints: what must hold at run time so that arrays do not overlap.

   For every array of an overlap pair of which one is written (and, with
   WANT_ALL, for every array that is not CONST: check mode needs it), the
   span of its accesses as expressions over VALUE symbols and what is looked
   for before the guards (poly/scan.h):

     lo = min over all accesses of the element number, hi = max + 1,
     lo = hi = 0 when nothing is accessed

   from isl's parametric minimum and maximum in each coordinate, combined by
   the array's strides (which are not negative).  */

#ifndef TNS_POLY_GUARD_H
#define TNS_POLY_GUARD_H

#include "poly/scop.h"

/* Fill region->spans of SCOP's region; drop overlap pairs that cannot
   matter (both only read).  NULL with TNS_WHY_ALIAS said when a footprint
   that is needed has no bound.  */
extern tns_region *tns_guard_spans (tns_ctx *ctx, tns_scop *scop,
                                    bool want_all);

/* Add the spans of SCOP's other arrays, which are to be copied.  NULL with
   TNS_WHY_DEVICE said where one has no bound.  */
extern tns_region *tns_guard_copied (tns_ctx *ctx, tns_scop *scop);

/* Fill region->spans of SCOP's region with the spans of all its arrays, without
   bounds where they have none.  NULL with the reason said.  */
extern tns_region *tns_guard_reach (tns_ctx *ctx, tns_scop *scop);

#endif
