/* Divisors that the innermost loop leaves alone.

     for j                                  for j
       a[i][j] -= a[i][k]*a[k][j]   ->        a[i][j] -= (a[i][k] / a[k][k])
                  / a[k][k]                              * a[k][j]
       y[j] = x[j] / z                        y[j] = x[j] * (1 / z)

   What is the same in all iterations of the loop is divided by what is, which
   is done once where nothing in the loop changes it, and at most once for a
   vector else.  The second form only with -freciprocal-math, as plain GCC has
   it then.  */

#ifndef TNS_LOWERING_DIVISORS_H
#define TNS_LOWERING_DIVISORS_H

#include "base/ctx.h"
#include "ir/nest.h"

/* REGION, scheduled, computes the same but for rounding and overflow; itself
   where no divisor moves and under fp(strict).  */
extern tns_region *tns_region_divisors (tns_ctx *ctx, tns_region *region);

#endif
