/* Scans as text (lowering/grid-scan.h).

     for j {                   for (base = 0; base < m; base += 4 * threads) {
       s += x[n][j];             float sum = 0;
       y[n][j] = s;              for my 4 j   sum += x[n][j];
     }                   ->      sum = tns_scan (sum, 0, +, &total);
                                 const float next = s + total;
                                 s += sum;
                                 for my 4 j { s += x[n][j];  y[n][j] = s; }
                                 s = next;
                               }

   The order of what is added depends on the number of threads only.  */

#ifndef TNS_LOWERING_CUDA_SCAN_H
#define TNS_LOWERING_CUDA_SCAN_H

#include "lowering/c99-text.h"

/* Append tns_scan, which kernels' text needs in front.  */
extern void tns_cuda_scan_prelude (tns_text *text);

/* Append LOOP, marked as a scan.  False, with nothing appended, where it is no
   longer a scan: then its iterations are to be done one by one.  */
extern bool tns_cuda_scan (tns_c99 *c, const tns_node *loop);

#endif
