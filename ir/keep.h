/* What two loops over a row compute alike is kept by the first one.

     for i {                              for i {
                                            local k[m];
       for j                                for j {
         s += exp (x[i][j] - t);     ->       k[j] = exp (x[i][j] - t);
                                              s += k[j];
                                            }
       for j                                for j
         y[i][j] = exp (x[i][j] - t) / s;     y[i][j] = k[j] / s;
     }                                    }

   A function costs far more than to store and load what lies in the first
   cache; rows do not grow with the number of rows.  */

#ifndef TNS_IR_KEEP_H
#define TNS_IR_KEEP_H

#include "base/ctx.h"
#include "ir/nest.h"

/* REGION with the values of such functions kept; all numbers stay.  */
extern tns_region *tns_region_keep (tns_ctx *ctx, tns_region *region);

#endif
