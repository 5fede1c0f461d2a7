/* Softmax and its logarithm along an axis.

   Along the last axis by one kernel over rows.  Another axis is moved there,
   and back:

     x [m][n][p] -> rows [m][p][n] -> softmax -> y [m][n][p]

   Backward reads the result, not x.  */

#include "kernel.h"
#include "ready.h"
#include "rows.h"

/* Backward of softmax: dx += y * (dy - sum (dy * y)).  */
static trm_status
softmax_back (trm_call *call)
{
  trm_tensor *y = trm_out (call, 0), *dy = trm_gradient_rows (call);
  if (trm_is_twice (call))
    {
      trm_tensor *sum = trm_sum (trm_mul (dy, y), TRM_AXES (-1), true);
      return trm_add_gain (call, 0, trm_mul (y, trm_sub (dy, sum)));
    }
  trm_tensor *dx = trm_gain_new (call, 0);
  if (!dy || !dx)
    return trm_error ();
  trm_kernel (rows, softmax_back, y->type, trm_rows (y), y->extent[y->rank - 1],
              y->at, dy->at, dx->at);
  return TRM_OK;
}

/* Backward of log_softmax: dx += dy - exp (y) * sum (dy).  */
static trm_status
log_softmax_back (trm_call *call)
{
  trm_tensor *y = trm_out (call, 0), *dy = trm_gradient_rows (call);
  if (trm_is_twice (call))
    {
      trm_tensor *sum = trm_sum (dy, TRM_AXES (-1), true);
      return trm_add_gain (call, 0, trm_sub (dy, trm_mul (trm_exp (y), sum)));
    }
  trm_tensor *dx = trm_gain_new (call, 0);
  if (!dy || !dx)
    return trm_error ();
  trm_kernel (rows, log_softmax_back, y->type, trm_rows (y),
              y->extent[y->rank - 1], y->at, dy->at, dx->at);
  return TRM_OK;
}

static const trm_function softmax_function = {
  .name = "softmax", .backward = softmax_back, .twice = true, .saves_out = 1
};
static const trm_function log_softmax_function = { .name = "log_softmax",
                                                   .backward = log_softmax_back,
                                                   .twice = true,
                                                   .saves_out = 1 };

/* FUNCTION of the rows of X, contiguous and of f32 or f64.  */
static trm_tensor *
of_rows (const trm_function *function, trm_tensor *x)
{
  trm_tensor *y = x ? trm_empty_like (x, x->type) : NULL;
  if (!y)
    return NULL;
  int64_t m = trm_rows (x), n = x->extent[x->rank - 1];
  if (function == &softmax_function)
    trm_kernel (rows, softmax, x->type, m, n, y->at, x->at);
  else
    trm_kernel (rows, log_softmax, x->type, m, n, y->at, x->at);
  return trm_record (function, 1, &x, 1, &y, NULL) ? NULL : y;
}

/* FUNCTION of X along AXIS.  */
static trm_tensor *
along_axis (const trm_function *function, trm_tensor *x, int axis)
{
  trm_type type = TRM_F32;
  if (!x || (axis = trm_axis (function->name, x->rank, axis)) < 0
      || trm_scope_open ())
    return NULL;
  trm_tensor *in = x, *y = NULL;
  if (trm_ready (1, &in, &type))
    y = of_rows (function, trm_axis_last (in, axis));
  y = trm_cast (trm_axis_back (y, x, axis), type);
  trm_scope_give (y);
  trm_scope_close ();
  return y;
}

trm_tensor *
trm_softmax (trm_tensor *x, int axis)
{
  return along_axis (&softmax_function, x, axis);
}

trm_tensor *
trm_log_softmax (trm_tensor *x, int axis)
{
  return along_axis (&log_softmax_function, x, axis);
}
