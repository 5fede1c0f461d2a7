/* Copies as tensors of their own, in another element type or the same, and
   single elements.  Backward of all: the gradient in the type it came from.  */

#include "tensor.h"

#include <math.h>

/* Backward: dx += dy.  */
static trm_status
cast_back (trm_call *call)
{
  trm_tensor *g = trm_out_gradient (call, 0);
  if (trm_is_twice (call))
    return trm_add_gain (call, 0, trm_cast (g, trm_in_type (call, 0)));
  trm_tensor *gain = trm_gain (call, 0);
  return gain ? trm_accumulate (gain, g) : trm_error ();
}

static const trm_function cast_function
  = { .name = "cast", .backward = cast_back, .twice = true };

/* A contiguous copy of T in TYPE.  */
static trm_tensor *
copy_as (trm_tensor *t, trm_type type)
{
  trm_tensor *out = trm_empty_like (t, type);
  if (!out)
    return NULL;
  trm_copy_elements (t->rank, t->extent, type, out->at, out->stride, t->type,
                     t->at, t->stride);
  bool noted = trm_type_is_float (type) && trm_is_recording (1, &t);
  return noted && trm_record (&cast_function, 1, &t, 1, &out, NULL) ? NULL
                                                                    : out;
}

trm_tensor *
trm_copy (trm_tensor *t)
{
  return t ? copy_as (t, t->type) : NULL;
}

trm_tensor *
trm_cast (trm_tensor *t, trm_type type)
{
  if (!t)
    return NULL;
  return t->type == type ? trm_share (t) : copy_as (t, type);
}

trm_tensor *
trm_contiguous (trm_tensor *t)
{
  if (!t)
    return NULL;
  return trm_is_contiguous (t) ? trm_share (t) : copy_as (t, t->type);
}

/* The address of element AT[0..rank) of T, NULL with a message when there is
   none.  */
static void *
element_at (const char *name, const trm_tensor *t, int rank, const int64_t *at)
{
  int64_t offset = 0;
  if (!t)
    return NULL;
  if (rank == 0 && trm_count (t) == 1)
    return t->at;
  if (rank != t->rank)
    return trm_fail_null (TRM_BAD_INDEX, "%s: %d subscripts for %d axes", name,
                          rank, t->rank);
  for (int i = 0; i < rank; i++)
    {
      int64_t k = at[i] < 0 ? at[i] + t->extent[i] : at[i];
      if (k < 0 || k >= t->extent[i])
        return trm_fail_null (TRM_BAD_INDEX,
                              "%s: %lld is outside of axis %d of %lld", name,
                              (long long) at[i], i, (long long) t->extent[i]);
      offset += k * t->stride[i];
    }
  return (char *) t->at + offset * (int64_t) trm_type_bytes (t->type);
}

double
trm_get (const trm_tensor *t, int rank, const int64_t *at)
{
  const void *element = element_at ("get", t, rank, at);
  return element ? trm_element_get (t->type, element) : NAN;
}

int64_t
trm_get_int (const trm_tensor *t, int rank, const int64_t *at)
{
  const void *element = element_at ("get", t, rank, at);
  return element ? trm_element_get_int (t->type, element) : 0;
}

trm_status
trm_set (trm_tensor *t, int rank, const int64_t *at, double value)
{
  void *element = element_at ("set", t, rank, at);
  if (!element)
    return t ? trm_error () : TRM_BAD_ARGUMENT;
  trm_changed (t);
  trm_element_set (t->type, element, value);
  return TRM_OK;
}
