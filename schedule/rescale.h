/* A temporary that is scaled in place before sums read it is scaled in the
   sums.

     for j  p[i][j] /= z;
     for e  for j  o[i][e] += p[i][j] * v[j][e];
     ->
     c[i] = z;
     for e  for j  o[i][e] += p[i][j] / c[i] * v[j][e];

   which the factor then leaves (ir/factor.h): one sweep less over p, and no
   division in it.  */

#ifndef TNS_SCHEDULE_RESCALE_H
#define TNS_SCHEDULE_RESCALE_H

#include "base/text.h"
#include "poly/scop.h"

/* REGION with such scalings gone, or REGION itself.  Each one's line of a plan,
   factor S1, goes to STEPS; a user's plan has it for those that it names
   only.  NULL with the reason said.  */
extern tns_region *tns_region_rescale (tns_ctx *ctx, tns_region *region,
                                       tns_text *steps);

#endif
