/* Arrays of which each iteration has an element of its own are its variables.

     local f32 d[n][n];
     for i = 0 to n                         for i = n - 1 to -1 step -1
       for j = 0 to n                         for j = 0 to n {
         d[i][j] = 0;                           local f32 d_1;
     for i = n - 1 to -1 step -1      ->        d_1 = 0;
       for j = 0 to n {                         d_1 += f (u[i][j]);
         d[i][j] += f (u[i][j]);                for k = 0 to n
         for k = 0 to n                           x[i][k] += d_1 * w[j][k];
           x[i][k] += d[i][j] * w[j][k];      }
       }

   Adjoints of what a loop computes and uses at once are such arrays.  The
   planner then has as much memory for them as a tile needs, and not a pass more
   over all of it.  */

#ifndef TNS_IR_LOCALISE_H
#define TNS_IR_LOCALISE_H

#include "base/ctx.h"
#include "ir/nest.h"

/* Requires a verified region; gives one that does the same operations on each
   element in the same order, REGION itself where there is no such array.  */
extern tns_region *tns_region_localise (tns_ctx *ctx, tns_region *region);

#endif
