/* What operations on rows share.  Not installed.

   They work on contiguous tensors of f32 or f64 (ready.h), along the last
   axis:

     y = trm_axis_back (rows (trm_axis_last (x, axis)), x, axis)  */

#ifndef TRM_ROWS_H
#define TRM_ROWS_H

#include "tensor.h"

/* TYPE, f32 where it is one of whole numbers; whether these are.  */
extern trm_type trm_real_type (trm_type type);
extern bool trm_is_whole (trm_type type);

/* How many rows T, of rank 1 or more, has along its last axis.  */
extern int64_t trm_rows (const trm_tensor *t);

/* T, contiguous and of f32 or f64, with AXIS, counted from the front, as the
   last one: [m][p][n] of [m][n][p], or T itself; and ROWS, such, with the axes
   of X.  Both are written down.  */
extern trm_tensor *trm_axis_last (trm_tensor *t, int axis);
extern trm_tensor *trm_axis_back (trm_tensor *rows, const trm_tensor *x,
                                  int axis);

/* In backward: the gradient of result 0, contiguous; where the gradient of
   input I, of X's shape, is to be set, and where it is to be added to: when
   nobody wants it a tensor that nobody reads.  */
extern trm_tensor *trm_gradient_rows (trm_call *call);
extern trm_tensor *trm_gain_or_scratch (trm_call *call, int i,
                                        const trm_tensor *x);
extern trm_tensor *trm_gain_or_zeros (trm_call *call, int i,
                                      const trm_tensor *x);

#endif
