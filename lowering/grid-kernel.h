/* A kernel as a region of its own: see lowering/grid.h.  */

#ifndef TNS_LOWERING_GRID_KERNEL_H
#define TNS_LOWERING_GRID_KERNEL_H

#include "lowering/grid.h"

/* Give KERNEL of GRID its region, and what that is given.  False with
   TNS_WHY_DEVICE said where its loops have what no device knows.  */
extern bool tns_kernel_fill (tns_ctx *ctx, const tns_grid *grid,
                             tns_kernel *kernel);

#endif
