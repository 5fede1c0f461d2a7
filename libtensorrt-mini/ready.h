/* What operations of several arguments share.  Not installed.

     y = trm_cast (loops (trm_ready (arguments)), type)  */

#ifndef TRM_READY_H
#define TRM_READY_H

#include "tensor.h"

/* In place: IN[0..N), where not NULL, become contiguous tensors of the one
   type, f32 or f64, that an operation on all of them computes in, by casts and
   copies that are written down.  *TYPE is that of its results: f32 where all
   are of whole numbers.  False, with a message, without memory.  */
extern bool trm_ready (int n, trm_tensor **in, trm_type *type);

/* "NAME: a [2, 3] does not go with b [4, 5]", as a failure.  */
extern trm_tensor *trm_misfit (const char *name, const char *a_name,
                               const trm_tensor *a, const char *b_name,
                               const trm_tensor *b);

#endif
