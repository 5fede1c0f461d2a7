/* Kernels that need nothing of each other, and do not fill a device each, as
   one launch.

     for i = 0 to n  dw[i] = ..     launch 0
     for j = 0 to m  db[j] = ..     launch 1      ->     launch 0, whose first
     for i = 0 to n  w[i] -= ..     launch 2             blocks do the first
                                                         nest, and the next ones
                                                         the second; launch 1

   A kernel joins one in front of it where neither stores what the other
   touches, and where the same holds for all that it passes on its way there:
   so the third nest stays.  Those that others wait for come first.  Each nest
   is done by as many blocks of as many threads as it would be alone, in the
   same order: the same bits.  Where sizes are known only when the region runs,
   so is whether they are small, and both ways are there:

     if (n <= few && m <= few)  launch 0   else  launch 1, launch 2

   What is chosen among several kernels (a row in registers or not) joins as the
   one that is taken for small sizes, where that is the one.  */

#ifndef TNS_LOWERING_GRID_BESIDE_H
#define TNS_LOWERING_GRID_BESIDE_H

#include "base/text.h"
#include "lowering/grid.h"

/* Let kernels of GRID, which have no regions yet, run beside each other; append
   to STEPS a line for each set of them that names their first statements.  */
extern void tns_grid_beside (tns_ctx *ctx, tns_grid *grid, tns_text *steps);

/* Fill in the regions of KERNEL's parts, and the one that has the parameters of
   all.  False as tns_kernel_fill.  */
extern bool tns_beside_fill (tns_ctx *ctx, const tns_grid *grid,
                             tns_kernel *kernel);

#endif
