/* Extents and strides, without elements.

     broadcast   [4, 1, 3] and [2, 3] -> [4, 2, 3]; strides of the second seen
                 with that shape: (0, 3, 1)  */

#include "tensor.h"

#define MOST_ELEMENTS (INT64_MAX / 16)

int64_t
trm_shape_count (int rank, const int64_t *extent)
{
  int64_t count = 1;
  bool empty = false;
  for (int i = 0; i < rank; i++)
    {
      int64_t factor = extent[i] ? extent[i] : 1;
      if (factor < 0 || count > MOST_ELEMENTS / factor)
        return -1;
      count *= factor;
      empty |= extent[i] == 0;
    }
  return empty ? 0 : count;
}

void
trm_shape_strides (int rank, const int64_t *extent, int64_t *stride)
{
  int64_t step = 1;
  for (int i = rank - 1; i >= 0; i--)
    {
      stride[i] = step;
      step *= extent[i] > 0 ? extent[i] : 1;
    }
}

int
trm_axis (const char *name, int rank, int axis)
{
  int found = axis < 0 ? axis + rank : axis;
  if (found >= 0 && found < rank)
    return found;
  trm_fail (TRM_BAD_ARGUMENT, "%s: there is no axis %d among %d", name, axis,
            rank);
  return -1;
}

/* The extent of axis I of a shape of rank RANK when T is seen with it.  */
static int64_t
aligned_extent (const trm_tensor *t, int rank, int i)
{
  int own = i - (rank - t->rank);
  return own < 0 ? 1 : t->extent[own];
}

int
trm_broadcast (const char *name, const trm_tensor *a, const trm_tensor *b,
               int64_t extent[TRM_RANK])
{
  int rank = a->rank > b->rank ? a->rank : b->rank;
  for (int i = 0; i < rank; i++)
    {
      int64_t x = aligned_extent (a, rank, i);
      int64_t y = aligned_extent (b, rank, i);
      if (x != y && x != 1 && y != 1)
        {
          char left[TRM_SHAPE_TEXT], right[TRM_SHAPE_TEXT];
          trm_fail (TRM_BAD_SHAPE, "%s: shapes %s and %s cannot be broadcast",
                    name, trm_shape_text (left, a->rank, a->extent),
                    trm_shape_text (right, b->rank, b->extent));
          return -1;
        }
      extent[i] = x == 1 ? y : x;
    }
  return rank;
}

void
trm_broadcast_strides (const trm_tensor *t, int rank, int64_t stride[TRM_RANK])
{
  for (int i = 0; i < rank; i++)
    {
      int own = i - (rank - t->rank);
      stride[i] = own < 0 || t->extent[own] == 1 ? 0 : t->stride[own];
    }
}

int64_t
trm_count (const trm_tensor *t)
{
  return t ? trm_shape_count (t->rank, t->extent) : 0;
}

bool
trm_is_contiguous (const trm_tensor *t)
{
  int64_t step = 1;
  for (int i = t->rank - 1; i >= 0; i--)
    {
      if (t->extent[i] != 1 && t->stride[i] != step)
        return trm_count (t) == 0;
      step *= t->extent[i];
    }
  return true;
}

bool
trm_same_shape (const trm_tensor *a, const trm_tensor *b)
{
  if (!a || !b || a->rank != b->rank)
    return false;
  for (int i = 0; i < a->rank; i++)
    if (a->extent[i] != b->extent[i])
      return false;
  return true;
}
