/* Sums in lanes that live on from one run of their loop to the next.

     for h                                   acc = 0;
       acc = 0;                              for h
       for j step 16                   ->      for j step 16
         acc += x[h][j]:16;                      acc += x[h][j]:16;
       s += reduce_add (acc);                s += reduce_add (acc);

   Where rows are short, as images are, adding up the lanes takes as long as
   the row.  */

#ifndef TNS_LOWERING_SUMS_H
#define TNS_LOWERING_SUMS_H

#include "base/ctx.h"
#include "ir/nest.h"

/* Requires vector code, whose sums in lanes may be done in any order.  */
extern tns_region *tns_region_sums (tns_ctx *ctx, tns_region *region);

#endif
