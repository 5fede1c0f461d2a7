/* Functions of what a loop leaves alone, in tables.

     for i = 0 to n                        local f64 t[m];
       for k = 0 to m                      if (0 < n)
         y[i] += x[i][k] * exp (s[k]);       for k = 0 to m  t[k] = exp (s[k]);
                                   ->      for i = 0 to n
                                             for k = 0 to m
                                               y[i] += x[i][k] * t[k];

   m functions instead of n * m.  A table is no larger than an array that the
   function reads.  */

#ifndef TNS_IR_TABLE_H
#define TNS_IR_TABLE_H

#include "base/ctx.h"
#include "ir/nest.h"

/* Requires a verified region; gives one that computes the same, REGION itself
   where nothing belongs into a table.  */
extern tns_region *tns_region_table (tns_ctx *ctx, tns_region *region);

#endif
