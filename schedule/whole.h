/* Arrays that a region writes as a whole.

     for i for j  y[i][j] = f (x[i][j])      nothing of y is read that was
                                             there before, and between the
                                             first element and the last none
                                             is left out

   A device that runs the region need not be given what such an array holds.  */

#ifndef TNS_SCHEDULE_WHOLE_H
#define TNS_SCHEDULE_WHOLE_H

#include "poly/scop.h"

/* Note in the spans of SCOP's region, which are there, which arrays are such;
   give the region.  NULL gives NULL.  */
extern tns_region *tns_note_whole (tns_ctx *ctx, tns_scop *scop);

#endif
