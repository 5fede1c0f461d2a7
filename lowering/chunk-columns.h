/* A loop that only adds to elements of arrays, in chunks for a device.

     for i parallel                      local f32 part[K][m];
         reduce(add: s[0 : m])           for chunk = 0 to K parallel collapse(2)
       for j = 0 to m                      for j = 0 to m {
         s[j] += x[i][j];                    a = 0;
                                   ->        for i of the chunk  a += x[i][j];
                                             part[chunk][j] = a;
                                           }
                                         for j = 0 to m parallel {
                                           b = 0;
                                           for chunk = 0 to K
                                             b += part[chunk][j];
                                           s[j] += b;
                                         }

   so that no thread has to read again what it added up, and neighbours have
   neighbouring columns (lowering/grid-columns.h).  Each loop in the body has
   loops of its own made of it; cells that are set in front of it are set in
   each iteration of i.  How many chunks there are follows from how often the
   loops run, and from nothing else.  */

#ifndef TNS_LOWERING_CHUNK_COLUMNS_H
#define TNS_LOWERING_CHUNK_COLUMNS_H

#include "base/ctx.h"
#include "ir/nest.h"

/* LOOP, parallel with reductions, as such a block; REGION gains symbols.  NULL
   where its body does anything else, or where two iterations of a loop in it
   share elements.  */
extern tns_node *tns_chunk_columns (tns_ctx *ctx, tns_region *region,
                                    const tns_node *loop);

#endif
