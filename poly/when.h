/* Under which condition an element is named by an index.

     if (at[i] >= 0 && x[i] > 0)          at[i] >= 0   where dx[i][at[i]] is
       dx[i][at[i]] += t;                              touched  */

#ifndef TNS_POLY_WHEN_H
#define TNS_POLY_WHEN_H

#include "ir/nest.h"

/* What the conditions in NODE around its access EXPR say of LOAD alone, a BOOL;
   NULL: nothing, or EXPR stands there several times.  */
extern tns_expr *tns_when (tns_arena *arena, tns_node *node,
                           const tns_expr *expr, const tns_expr *load);

#endif
