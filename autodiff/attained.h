/* Whether hulls are what is reached.

     for i = 0 to n, j = 0 to m     x[i]               all of 0 .. n - 1
                                    x[2 * i + j]       the first and the last
                                    x[i % 8]           perhaps not even these
     for i = 0 to n, j = 0 to i     x[i - j]           nor here

   An answer may say no where a closer look would say yes.  */

#ifndef TNS_AUTODIFF_ATTAINED_H
#define TNS_AUTODIFF_ATTAINED_H

#include "autodiff/view.h"

/* Where the loops around site S run, as tns_hull_runs says, EXPR, read there
   whenever S is reached, takes both ends of its hull.  */
extern bool tns_hull_is_attained (const tns_view *view, int s, tns_expr *expr);

/* And all that is between.  */
extern bool tns_hull_is_dense (tns_arena *arena, const tns_view *view, int s,
                               tns_expr *expr);

/* The iterations of the loops around site S, those around level HOME apart,
   each reach COUNT elements from LOAD on, and these follow each other without
   gaps: none is reached twice.  */
extern bool tns_places_tile (tns_arena *arena, const tns_view *view, int s,
                             int home, const tns_expr *load, tns_expr *count);

#endif
