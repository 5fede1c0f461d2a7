/* Functions with known derivatives, for tests of the tape.  All are of f64.  */

#ifndef TRM_PRODUCTS_H
#define TRM_PRODUCTS_H

#include "expect.h"

/* Elements of a leaf.  */
#define N 8

/* The elements' products, on up to 64 of them; the sum of all elements, of rank
   0; NULL gives NULL.  Both can be differentiated as often as one likes.  */
extern trm_tensor *times (trm_tensor *a, trm_tensor *b);
extern trm_tensor *total (trm_tensor *x);

/* The sum as total_once has it: its gradient cannot be differentiated again.
   The backward of both: the gradient of the result is that of each input.  */
extern trm_tensor *total_by (const trm_function *function, trm_tensor *x);
extern const trm_function total_once;
extern trm_status total_back (trm_call *call);

/* Free a context, and count it.  times has one.  */
extern void count_freed (void *context);
extern int freed_contexts;

/* FIRST, FIRST + STEP, ... as a leaf.  */
extern trm_tensor *leaf (double first, double step);

/* Whether G is SCALE * X + SHIFT, element by element.  */
extern bool is_affine (const trm_tensor *g, const trm_tensor *x, double scale,
                       double shift);

/* Bytes of all tensors now.  */
extern int64_t bytes_now (void);

#endif
