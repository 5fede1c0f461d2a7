/* Scans that the threads of a device share (lowering/grid-scan.h).

   In a loop that threads share, where neighbours in memory are neighbours along
   the scan:

     for n parallel {                  for n parallel {
       s = 0;                            s = 0;
       for j {                    ->     for j, a scan {
         s += x[n][j];                     s += x[n][j];
         y[n][j] = s;                      y[n][j] = s;
       }                                 }
     }                                 }

   Elsewhere, where it is short: by one block, with what stands beside it.  Else
   parts of it, whose number K depends on values only, and their sums, in order:

     for j {                           local part[K];
       s += x[j];                      for ch = 0 to K parallel {
       y[j] = s;                         acc = 0;
     }                            ->     for j of ch simd(32) reduce(add: acc)
                                           acc += x[j];
                                         part[ch] = acc;
                                       }
                                       run = s;
                                       for ch = 0 to K, a scan {
                                         t = part[ch];  part[ch] = run;
                                         run += t;
                                       }
                                       s = run;
                                       for ch = 0 to K parallel {
                                         own = part[ch];
                                         for j of ch, a scan {
                                           own += x[j];
                                           y[j] = own;
                                         }
                                       }  */

#ifndef TNS_LOWERING_SCANS_H
#define TNS_LOWERING_SCANS_H

#include "base/ctx.h"
#include "ir/nest.h"

/* REGION, planned for a device, with its scans so; those of floating numbers
   where fp allows another order.  Computes the same, but for that.  NULL gives
   NULL.  */
extern tns_region *tns_region_scans (tns_ctx *ctx, tns_region *region);

#endif
