/* Rows of tensors, and where their gradients go (rows.h).  */

#include "rows.h"
#include "kernel.h"

bool
trm_is_whole (trm_type type)
{
  return type != TRM_BOOL && !trm_type_is_float (type);
}

trm_type
trm_real_type (trm_type type)
{
  return trm_type_is_float (type) ? type : TRM_F32;
}

int64_t
trm_rows (const trm_tensor *t)
{
  return trm_shape_count (t->rank - 1, t->extent);
}

static const trm_function swap_function;

/* The matrices of T, of rank 3, transposed.  */
static trm_tensor *
swap (trm_tensor *t)
{
  trm_tensor *in = trm_contiguous (t);
  if (!in)
    return NULL;
  int64_t m = in->extent[0], n = in->extent[1], p = in->extent[2];
  trm_tensor *out = trm_empty (in->type, TRM_SHAPE (m, p, n));
  if (!out)
    return NULL;
  trm_kernel (rows, swap, in->type, m, n, p, out->at, in->at);
  return trm_record (&swap_function, 1, &in, 1, &out, NULL) ? NULL : out;
}

/* Backward of swap: the gradient's matrices transposed.  */
static trm_status
swap_back (trm_call *call)
{
  return trm_add_gain (call, 0, swap (trm_out_gradient (call, 0)));
}

static const trm_function swap_function
  = { .name = "swap", .backward = swap_back, .twice = true };

/* How many elements lie between two along AXIS of T, contiguous.  */
static int64_t
count_behind (const trm_tensor *t, int axis)
{
  return trm_shape_count (t->rank - axis - 1, t->extent + axis + 1);
}

trm_tensor *
trm_axis_last (trm_tensor *t, int axis)
{
  if (!t || axis == t->rank - 1)
    return t;
  int64_t m = trm_shape_count (axis, t->extent), n = t->extent[axis];
  int64_t p = count_behind (t, axis);
  return p == 1 ? trm_reshape (t, TRM_SHAPE (m, n))
                : swap (trm_reshape (t, TRM_SHAPE (m, n, p)));
}

trm_tensor *
trm_axis_back (trm_tensor *rows, const trm_tensor *x, int axis)
{
  if (!rows || axis == x->rank - 1)
    return rows;
  trm_tensor *swapped = count_behind (x, axis) == 1 ? rows : swap (rows);
  return trm_reshape (swapped, x->rank, x->extent);
}

trm_tensor *
trm_gradient_rows (trm_call *call)
{
  return trm_contiguous (trm_out_gradient (call, 0));
}

trm_tensor *
trm_gain_or_scratch (trm_call *call, int i, const trm_tensor *x)
{
  return trm_is_wanted (call, i) ? trm_gain_new (call, i)
                                 : trm_empty_like (x, x->type);
}

trm_tensor *
trm_gain_or_zeros (trm_call *call, int i, const trm_tensor *x)
{
  return trm_is_wanted (call, i) ? trm_gain (call, i)
                                 : trm_zeros (x->type, x->rank, x->extent);
}
