/* Several neighbouring iterations of a thread at once, as text.

     if all begin at multiples of 16 bytes where y does
       for each group of the thread's
         tns_run0 = x[i .. i + 4)
         y[i .. i + 4) = f (tns_run0)
     for each iteration that is in no group                all, else
       y[i] = f (x[i])

   A loop around the innermost one gives rows: each has iterations in front of
   its first group and behind its last.  */

#ifndef TNS_LOWERING_CUDA_WIDE_H
#define TNS_LOWERING_CUDA_WIDE_H

#include "lowering/c99-text.h"
#include "lowering/grid-wide.h"

/* Append functions that the text below needs, once in front of all.  */
extern void tns_cuda_wide_prelude (tns_text *text);

/* Append what a kernel does of LOOP[0..N), by threads, as WIDE says.  */
extern void tns_cuda_wide (tns_c99 *c, int n, tns_node *const *loop,
                           const tns_wide *wide);

#endif
