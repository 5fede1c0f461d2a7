/* Integers that are set once are read where they came from.

     for t                                 for t
       a = ix[t];
       for j                       ->        for j
         w[a][j] *= w[a][j];                   w[ix[t]][j] *= w[ix[t]][j];

   What a variable holds is forgotten from one iteration to the next; what
   memory holds that nobody writes, is not.  So the backward pass has the
   subscript at hand, and what looks at memory (autodiff/look.h) finds it.  */

#ifndef TNS_AUTODIFF_SETTLED_H
#define TNS_AUTODIFF_SETTLED_H

#include "base/ctx.h"
#include "ir/nest.h"

/* REGION without the integer LOCALs that one statement sets, before all that
   reads them, from iterators, VALUEs and memory that REGION leaves alone, even
   where its arrays overlap if that MAY be; what it computes stays.  REGION
   itself where there are none; NULL gives NULL.  */
extern tns_region *tns_region_settle (tns_ctx *ctx, tns_region *region,
                                      bool may);

#endif
