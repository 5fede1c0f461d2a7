/* New tensors: empty, of one value, of ranges, of the caller's memory.  */

#include "tensor.h"

#include <math.h>
#include <string.h>

/* Whether NAME may make a tensor of this shape; if not, why.  */
static bool
is_shape (const char *name, int rank, const int64_t *extent)
{
  char text[TRM_SHAPE_TEXT];
  if (rank < 0 || rank > TRM_RANK)
    trm_fail (TRM_BAD_SHAPE, "%s: rank %d is not among 0 to %d", name, rank,
              TRM_RANK);
  else if (trm_shape_count (rank, extent) < 0)
    trm_fail (TRM_BAD_SHAPE, "%s: %s is no shape", name,
              trm_shape_text (text, rank, extent));
  else
    return true;
  return false;
}

trm_tensor *
trm_empty (trm_type type, int rank, const int64_t *extent)
{
  if (!is_shape ("empty", rank, extent))
    return NULL;
  int64_t bytes
    = trm_shape_count (rank, extent) * (int64_t) trm_type_bytes (type);
  trm_storage *storage = trm_storage_new (bytes);
  return storage
           ? trm_tensor_new (type, rank, extent, NULL, storage, storage->memory)
           : NULL;
}

trm_tensor *
trm_empty_like (const trm_tensor *t, trm_type type)
{
  return trm_empty (type, t->rank, t->extent);
}

trm_tensor *
trm_zeros (trm_type type, int rank, const int64_t *extent)
{
  trm_tensor *t = trm_empty (type, rank, extent);
  if (t)
    memset (t->at, 0, (size_t) trm_count (t) * trm_type_bytes (type));
  return t;
}

trm_tensor *
trm_full (trm_type type, int rank, const int64_t *extent, double value)
{
  trm_tensor *t = trm_empty (type, rank, extent);
  if (t)
    trm_fill (t, value);
  return t;
}

trm_tensor *
trm_number (trm_type type, double value)
{
  return trm_full (type, TRM_SCALAR, value);
}

trm_tensor *
trm_arange (trm_type type, double begin, double end, double step)
{
  double n = ceil ((end - begin) / step);
  if (step == 0 || !(n < 1e15))
    return trm_fail_null (
      TRM_BAD_ARGUMENT, "arange: no end from %g to %g by %g", begin, end, step);
  trm_tensor *t = trm_empty (type, TRM_SHAPE (n > 0 ? (int64_t) n : 0));
  for (int64_t i = 0; t && i < t->extent[0]; i++)
    trm_element_set (type, (char *) t->at + (size_t) i * trm_type_bytes (type),
                     begin + (double) i * step);
  return t;
}

trm_tensor *
trm_linspace (trm_type type, double begin, double end, int64_t n)
{
  trm_tensor *t = trm_empty (type, TRM_SHAPE (n));
  double step = n > 1 ? (end - begin) / (double) (n - 1) : 0;
  for (int64_t i = 0; t && i < n; i++)
    trm_element_set (type, (char *) t->at + (size_t) i * trm_type_bytes (type),
                     i && i == n - 1 ? end : begin + (double) i * step);
  return t;
}

trm_tensor *
trm_eye (trm_type type, int64_t n)
{
  trm_tensor *t = trm_zeros (type, TRM_SHAPE (n, n));
  for (int64_t i = 0; t && i < n; i++)
    trm_element_set (
      type, (char *) t->at + (size_t) (i * n + i) * trm_type_bytes (type), 1);
  return t;
}

trm_tensor *
trm_from (trm_type type, int rank, const int64_t *extent, const void *elements)
{
  trm_tensor *t = trm_empty (type, rank, extent);
  if (t && trm_count (t))
    memcpy (t->at, elements, (size_t) trm_count (t) * trm_type_bytes (type));
  return t;
}

trm_tensor *
trm_wrap (trm_type type, int rank, const int64_t *extent, const int64_t *stride,
          void *elements, void (*freed) (void *memory), void *memory)
{
  if (!is_shape ("wrap", rank, extent))
    return NULL;
  trm_storage *storage = trm_storage_wrap (elements, NULL, NULL);
  trm_tensor *t
    = trm_tensor_new (type, rank, extent, stride, storage, elements);
  if (t)
    {
      storage->freed = freed;
      storage->argument = memory;
    }
  return t;
}
