/* What it costs that neighbours in a warp differ in an iterator: nothing for
   an element that it does not move, little for the next one, much for all
   others.  */

#ifndef TNS_LOWERING_ALONG_H
#define TNS_LOWERING_ALONG_H

#include "ir/nest.h"

enum
{
  TNS_ALONG_FIXED = 0,
  TNS_ALONG_NEAR = 1,
  TNS_ALONG_FAR = 16
};

/* EXPR is one more where ITER is.  */
extern bool tns_goes_by_one (tns_arena *arena, tns_expr *expr, tns_sym *iter);

/* What LOAD costs along ITER.  */
extern int tns_cost_along (tns_arena *arena, const tns_expr *load,
                           tns_sym *iter);

#endif
