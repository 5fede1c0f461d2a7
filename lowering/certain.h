/* Conditions that the loops around decide.

     for k_0 = 0 to floordiv (n - 1, 128) + 1
       if (128 * k_0 < min (n, 128 * k_0 + 128)) { A }    ->    A

   A tile is asked whether it has cells, though only tiles that have some are
   visited.  Without the question what follows a tile is a straight line, and
   the branch for tiles without cells goes.  */

#ifndef TNS_LOWERING_CERTAIN_H
#define TNS_LOWERING_CERTAIN_H

#include "base/ctx.h"
#include "ir/nest.h"

/* REGION without such conditions; REGION when it has none.  */
extern tns_region *tns_region_certain (tns_ctx *ctx, tns_region *region);

#endif
