/* A function in which each value has an array of its own, as far in as it may
   be.

     for i {                              for i {
                                            local s_1[t], s_2[t];
       for j { s[i][j] = exp (x[i][j]);     for j { s_1[j] = exp (x[i][j]);
               z += s[i][j]; }       ->             z += s_1[j]; }
       for j   s[i][j] = s[i][j] / z;       for j   s_2[j] = s_1[j] / z;
       ...                                  ...
     }                                    }

   A live range of an array is some of its writes and all reads of what they
   wrote.  What is overwritten no more need not be taped, and what lives in one
   iteration is made again there, by rows.

   Parted and moved are temporaries, the function's own and those that the
   gradient lacks; of other arrays what neither was there at the entry, where
   it is read, nor counts at the end.  An array that is given is parted, too,
   where it is rows of one loop in all: the row that it has at the end is read
   from it, and has an adjoint of its own size.  Source: dataflow of the
   original order (last writers); the idea is that of static single assignment,
   for arrays Feautrier, Array expansion, 1988.  */

#ifndef TNS_AUTODIFF_RANGES_H
#define TNS_AUTODIFF_RANGES_H

#include "autodiff/gradient.h"
#include "poly/scop.h"

/* The function of SCOP so; arrays that it makes and that are as large as
   before are new parameters, absent in WISH.  SCOP's own region where there is
   nothing to do.  */
extern tns_region *tns_region_ranges (tns_ctx *ctx, const tns_scop *scop,
                                      tns_gradient_wish *wish);

#endif
