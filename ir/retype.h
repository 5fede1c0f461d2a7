/* A region in a wider type.

     array f32 x[], y[];                    array f64 x[], y[];
     y[i] = (f32) sin ((f64) x[i]) * 2f32   y[i] = sin (x[i]) * 2f64

   The same loops with no rounding to the narrow type: what they compute is
   what the narrow ones mean.  Constants keep their values.  */

#ifndef TNS_IR_RETYPE_H
#define TNS_IR_RETYPE_H

#include "ir/nest.h"

/* REGION, which is left as it is, with ELEM, a floating type, for each floating
   type; symbols keep their ids.  NULL where it looks at the bits of floating
   numbers.  */
extern tns_region *tns_region_retype (tns_arena *arena,
                                      const tns_region *region, tns_elem elem);

#endif
