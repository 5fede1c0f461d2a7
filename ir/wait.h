/* Sums that jump from record to record, or to where an index says, wait in
   rows.

     for j = 0 to n {                    for b = 0 to (n + 255) / 256 {
       g = exp (f (x, c, j));              local t0[256], t1[256], t2[256];
       d[3*j] += g * u;                    for j = 256*b to min (n, 256*b + 256)
       d[3*j + 1] += g * v;         ->       { g = exp (f (x, c, j));
       d[3*j + 2] += g * w;                    t0[j - 256*b] = g * u; ... }
     }                                     for j = 256*b to min (n, 256*b + 256)
                                             { d[3*j] += t0[j - 256*b]; ... }
                                         }

   so that what is dear, a division or a function, takes lanes, which cannot
   store so.  The backward passes of what reads records are full of this.  So
   do sums that an index finds, in short loops, too:

     for i = 0 to n                      for b = 0 to (n + 255) / 256 {
       y[at[i]] += log (x[i]);             local t[256];
                                           for i = 256*b to min (n, 256*b + 256)
                                  ->         t[i - 256*b] = log (x[i]);
                                           for i = 256*b to min (n, 256*b + 256)
                                             y[at[i]] += t[i - 256*b];
                                         }  */

#ifndef TNS_IR_WAIT_H
#define TNS_IR_WAIT_H

#include "base/ctx.h"
#include "ir/nest.h"

/* Requires a verified region; gives one that computes the same but for the
   order of sums, REGION itself where nothing waits and under fp(strict).  */
extern tns_region *tns_region_wait (tns_ctx *ctx, tns_region *region);

#endif
