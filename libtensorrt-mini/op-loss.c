/* Losses: means over rows, of rank 0.

     cross_entropy  log (sum (exp (x[i]))) - x[i][label[i]], of rows whose label
                    is not -1; NaN where there are none
     mse            (a[i] - b[i])^2

   What the gradient of cross_entropy's x is for a gradient of 1 is a result of
   the call on the tape: it is made of the same exponentials, and is where
   losses end the gradient itself.  */

#include "kernel.h"
#include "ready.h"
#include "rows.h"

#include <math.h>

/* The results of cross_entropy on the tape.  */
enum
{
  LOSS,
  SLOPE
};

/* 1 / the number of labels in LABEL, contiguous and of i64, that count.  */
static double
weight_of (const trm_tensor *label)
{
  const int64_t *at = label->at;
  int64_t n = 0;
  for (int64_t i = 0; i < label->extent[0]; i++)
    n += at[i] >= 0;
  return n ? 1 / (double) n : (double) NAN;
}

/* Backward of cross_entropy: dx += dloss * slope.  */
static trm_status
cross_entropy_back (trm_call *call)
{
  trm_tensor *slope = trm_out (call, SLOPE);
  const trm_tensor *dloss = trm_out_gradient (call, LOSS);
  double scale = trm_element_get (dloss->type, dloss->at);
  return trm_add_gain (call, 0,
                       scale == 1 ? slope : trm_affine (slope, scale, 0));
}

static const trm_function cross_entropy_function
  = { .name = "cross_entropy",
      .backward = cross_entropy_back,
      .saves_out = 1 << SLOPE };

/* The mean for IN, x and labels, and on the tape its slope.  */
static trm_tensor *
mean_entropy (trm_tensor **in)
{
  trm_tensor *x = in[0], *label = in[1];
  int64_t m = x->extent[0], n = x->extent[1];
  trm_tensor *out[] = { trm_empty (x->type, TRM_SCALAR), NULL };
  if (!out[LOSS])
    return NULL;
  if (!trm_is_recording (2, in))
    {
      trm_kernel (rows, cross_entropy, x->type, m, n, weight_of (label),
                  out[LOSS]->at, x->at, label->at);
      return out[LOSS];
    }
  out[SLOPE] = trm_empty_like (x, x->type);
  if (!out[SLOPE])
    return NULL;
  trm_kernel (rows, cross_entropy_slope, x->type, m, n, weight_of (label),
              out[LOSS]->at, out[SLOPE]->at, x->at, label->at);
  return trm_record (&cross_entropy_function, 2, in, 2, out, NULL) ? NULL
                                                                   : out[LOSS];
}

/* LABEL as i64, each -1 or one of N classes; NULL with a message when one is
   not.  */
static trm_tensor *
labels_of (trm_tensor *label, int64_t n)
{
  trm_tensor *whole = trm_contiguous (trm_cast (label, TRM_I64));
  const int64_t *at = whole ? whole->at : NULL;
  for (int64_t i = 0; whole && i < whole->extent[0]; i++)
    if (at[i] < -1 || at[i] >= n)
      return trm_fail_null (TRM_BAD_INDEX,
                            "cross_entropy: label %lld is %lld, of %lld"
                            " classes",
                            (long long) i, (long long) at[i], (long long) n);
  return whole;
}

trm_tensor *
trm_cross_entropy (trm_tensor *x, trm_tensor *label)
{
  trm_type type = TRM_F32;
  if (!x || !label)
    return NULL;
  if (x->rank != 2 || label->rank != 1 || x->extent[0] != label->extent[0])
    return trm_misfit ("cross_entropy", "x", x, "labels", label);
  if (!trm_is_whole (label->type))
    return trm_fail_null (TRM_BAD_TYPE, "cross_entropy: labels of %s",
                          trm_type_name (label->type));
  if (trm_scope_open ())
    return NULL;
  trm_tensor *in[] = { x, labels_of (label, x->extent[1]) };
  trm_tensor *loss
    = in[1] && trm_ready (1, in, &type) ? mean_entropy (in) : NULL;
  loss = trm_cast (loss, type);
  trm_scope_give (loss);
  trm_scope_close ();
  return loss;
}

/* Add to the gradient of input I of mse, whose other one is input K: 2 / n *
   dloss * (x[i] - x[k]).  */
static trm_status
mse_back_one (trm_call *call, int i, int k)
{
  trm_tensor *a = trm_in (call, i), *b = trm_in (call, k);
  trm_tensor *dloss = trm_gradient_rows (call);
  int64_t n = trm_count (a);
  if (!trm_is_wanted (call, i))
    return TRM_OK;
  if (trm_is_twice (call))
    {
      trm_tensor *apart = trm_affine (trm_sub (a, b), 2 / (double) n, 0);
      return trm_add_gain (call, i, trm_mul (apart, dloss));
    }
  trm_tensor *da = trm_gain_new (call, i);
  if (!dloss || !da)
    return trm_error ();
  trm_kernel (rows, mse_back, a->type, n, a->at, b->at, dloss->at, da->at);
  return TRM_OK;
}

/* Both gradients of mse by one loop.  */
static trm_status
mse_back_both (trm_call *call)
{
  trm_tensor *a = trm_in (call, 0), *b = trm_in (call, 1);
  trm_tensor *dloss = trm_gradient_rows (call);
  trm_tensor *da = trm_gain_new (call, 0), *db = trm_gain_new (call, 1);
  if (!dloss || !da || !db)
    return trm_error ();
  trm_kernel (rows, mse_back_both, a->type, trm_count (a), a->at, b->at,
              dloss->at, da->at, db->at);
  return TRM_OK;
}

/* Backward of mse.  */
static trm_status
mse_back (trm_call *call)
{
  if (trm_is_wanted (call, 0) && trm_is_wanted (call, 1)
      && !trm_is_twice (call))
    return mse_back_both (call);
  trm_status status = mse_back_one (call, 0, 1);
  return status ? status : mse_back_one (call, 1, 0);
}

static const trm_function mse_function
  = { .name = "mse", .backward = mse_back, .twice = true, .saves_in = 3 };

/* The mean for IN, two tensors of one shape.  */
static trm_tensor *
mean_square (trm_tensor **in)
{
  trm_tensor *a = in[0], *b = in[1];
  trm_tensor *loss = trm_empty (a->type, TRM_SCALAR);
  if (!loss)
    return NULL;
  trm_kernel (rows, mse, a->type, trm_count (a), loss->at, a->at, b->at);
  return trm_record (&mse_function, 2, in, 1, &loss, NULL) ? NULL : loss;
}

trm_tensor *
trm_mse (trm_tensor *a, trm_tensor *b)
{
  int64_t extent[TRM_RANK];
  trm_type type = TRM_F32;
  int rank = a && b ? trm_broadcast ("mse", a, b, extent) : -1;
  if (rank < 0 || trm_scope_open ())
    return NULL;
  trm_tensor *in[] = { a, b };
  if (!trm_same_shape (a, b))
    for (int i = 0; i < 2; i++)
      in[i] = trm_expand (in[i], rank, extent);
  trm_tensor *loss
    = in[0] && in[1] && trm_ready (2, in, &type) ? mean_square (in) : NULL;
  loss = trm_cast (loss, type);
  trm_scope_give (loss);
  trm_scope_close ();
  return loss;
}
