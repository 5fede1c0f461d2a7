/* Which elements an index names, as a list (index.h).

     index tensors   masks become the subscripts of what is true
     slots           a tensor of subscripts for each axis that is named
     offsets         subscripts, all of them tested, times strides, broadcast
                     and added
     list            with the axes beside them that are not parts or rows

   The axes that are not named are kept whole, in order; the shape that the
   slots broadcast to stands in the place of the first slot, in front of all
   where a whole axis separates them.  */

#include "axes.h"
#include "index.h"
#include "tensor.h"

#define MOST_SLOTS (2 * TRM_RANK)

/* Subscripts along AXIS; -1: a mask of rank 0, which names no axis.  */
typedef struct slot
{
  const trm_tensor *at;
  int axis;
} slot;

/* What the index tensors say: of whole axes FRONT stand before the shape of the
   slots.  */
typedef struct reading
{
  const char *name;
  const trm_tensor *t;
  int n;
  slot slot[MOST_SLOTS];
  int n_whole;
  int whole[TRM_RANK];
  int front;
} reading;

/* Axis AXIS of R's tensor stays whole.  */
static void
add_whole (reading *r, int axis)
{
  r->whole[r->n_whole++] = axis;
}

/* One more slot.  */
static trm_status
add_slot (reading *r, const trm_tensor *at, int axis)
{
  if (!at)
    return trm_error ();
  if (r->n == MOST_SLOTS)
    return trm_fail (TRM_BAD_ARGUMENT, "%s: more than %d index tensors",
                     r->name, MOST_SLOTS);
  r->slot[r->n++] = (slot){ at, axis };
  return TRM_OK;
}

/* Whether MASK has the extents of R's tensor from AXIS on; if not, why.  */
static bool
mask_fits (const reading *r, const trm_tensor *mask, int axis)
{
  bool fits = true;
  for (int i = 0; i < mask->rank; i++)
    fits &= mask->extent[i] == r->t->extent[axis + i];
  char a[TRM_SHAPE_TEXT], b[TRM_SHAPE_TEXT];
  if (!fits)
    trm_fail (TRM_BAD_SHAPE, "%s: a mask of %s for axis %d of %s", r->name,
              trm_shape_text (a, mask->rank, mask->extent), axis,
              trm_shape_text (b, r->t->rank, r->t->extent));
  return fits;
}

/* A slot for each axis of MASK, which stands for those from AXIS on.  */
static trm_status
add_mask (reading *r, const trm_tensor *mask, int axis)
{
  if (!mask_fits (r, mask, axis))
    return TRM_BAD_SHAPE;
  trm_tensor *rows = trm_nonzero (mask);
  if (!rows)
    return trm_error ();
  if (mask->rank == 0)
    return add_slot (r, trm_zeros (TRM_I64, 1, rows->extent), -1);
  trm_status status = TRM_OK;
  for (int i = 0; i < mask->rank && !status; i++)
    status = add_slot (r, trm_select (rows, 1, i), axis + i);
  return status;
}

/* How many axes INDEX stands for.  */
static int
axes_of (const trm_tensor *index)
{
  return index && index->type == TRM_BOOL ? index->rank : 1;
}

/* Read INDEX, which stands for the axes from AXIS on.  */
static trm_status
read_one (reading *r, const trm_tensor *index, int axis)
{
  char text[TRM_SHAPE_TEXT];
  if (axis + axes_of (index) > r->t->rank)
    return trm_fail (TRM_BAD_ARGUMENT, "%s: more axes are named than %s has",
                     r->name, trm_shape_text (text, r->t->rank, r->t->extent));
  if (!index)
    add_whole (r, axis);
  else if (index->type == TRM_BOOL)
    return add_mask (r, index, axis);
  else if (trm_type_is_float (index->type))
    return trm_fail (TRM_BAD_TYPE, "%s: %s cannot name elements", r->name,
                     trm_type_name (index->type));
  else
    return add_slot (r, index, axis);
  return TRM_OK;
}

/* Read INDEX[0..n).  */
static trm_status
read_index (reading *r, int n, trm_tensor **index)
{
  int axis = 0, last = -1;
  trm_status status = TRM_OK;
  for (int i = 0; i < n && !status; i++)
    {
      if (index[i])
        {
          if (last < 0)
            r->front = r->n_whole;
          else if (last < i - 1)
            r->front = 0;
          last = i;
        }
      status = read_one (r, index[i], axis);
      axis += axes_of (index[i]);
    }
  for (; axis < r->t->rank && !status; axis++)
    add_whole (r, axis);
  return status;
}

/* The subscripts of S, times the stride of its axis, as a new tensor.  */
static trm_tensor *
slot_offsets (const reading *r, const slot *s)
{
  int64_t extent = s->axis < 0 ? 1 : r->t->extent[s->axis];
  int64_t stride = s->axis < 0 ? 0 : r->t->stride[s->axis];
  trm_tensor *out = trm_empty_like (s->at, TRM_I64);
  if (!out)
    return NULL;
  trm_copy_elements (s->at->rank, s->at->extent, TRM_I64, out->at, out->stride,
                     s->at->type, s->at->at, s->at->stride);
  int64_t *at = out->at;
  for (int64_t i = 0, n = trm_count (out); i < n; i++)
    {
      int64_t k = at[i] < 0 ? at[i] + extent : at[i];
      if (k < 0 || k >= extent)
        return trm_fail_null (TRM_BAD_INDEX,
                              "%s: %lld is outside of axis %d of %lld", r->name,
                              (long long) at[i], s->axis, (long long) extent);
      at[i] = k * stride;
    }
  return out;
}

/* A + B, broadcast, both i64.  */
static trm_tensor *
add_offsets (const char *name, const trm_tensor *a, const trm_tensor *b)
{
  trm_axes axes;
  int64_t extent[TRM_RANK], left[TRM_RANK], right[TRM_RANK];
  int rank = trm_broadcast (name, a, b, extent);
  trm_tensor *sum = rank < 0 ? NULL : trm_empty (TRM_I64, rank, extent);
  if (!sum)
    return NULL;
  const int64_t *const stride[] = { sum->stride, left, right };
  trm_broadcast_strides (a, rank, left);
  trm_broadcast_strides (b, rank, right);
  if (!trm_axes_order (&axes, 3, rank, extent, stride))
    return sum;
  do
    {
      int64_t *to = (int64_t *) sum->at + axes.offset[0];
      const int64_t *x = (const int64_t *) a->at + axes.offset[1];
      const int64_t *y = (const int64_t *) b->at + axes.offset[2];
      for (int64_t i = 0; i < axes.extent[axes.n - 1]; i++)
        to[i * trm_axes_step (&axes, 0)]
          = x[i * trm_axes_step (&axes, 1)] + y[i * trm_axes_step (&axes, 2)];
    }
  while (trm_axes_next (&axes));
  return sum;
}

/* The offsets that R's slots name together, in their common shape; one 0 where
   there is no slot.  */
static trm_tensor *
all_offsets (const reading *r)
{
  trm_tensor *sum
    = r->n ? slot_offsets (r, &r->slot[0]) : trm_zeros (TRM_I64, TRM_SCALAR);
  for (int i = 1; i < r->n && sum; i++)
    {
      trm_tensor *more = slot_offsets (r, &r->slot[i]);
      sum = more ? add_offsets (r->name, sum, more) : NULL;
    }
  return sum;
}

/* The list with, for each element of LIST, all of EXTENT, STRIDE apart.  */
static trm_tensor *
add_axis (const trm_tensor *list, int64_t extent, int64_t stride)
{
  int64_t n = trm_count (list);
  trm_tensor *out = list ? trm_empty (TRM_I64, TRM_SHAPE (n * extent)) : NULL;
  if (!out)
    return NULL;
  const int64_t *from = list->at;
  int64_t *to = out->at;
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < extent; j++)
      *to++ = from[i] + j * stride;
  return out;
}

/* The list with, for each element of LIST, all OFFSETS added to it.  */
static trm_tensor *
add_list (const trm_tensor *list, const trm_tensor *offsets)
{
  int64_t n = trm_count (list), m = trm_count (offsets);
  trm_tensor *out = list ? trm_empty (TRM_I64, TRM_SHAPE (n * m)) : NULL;
  if (!out)
    return NULL;
  const int64_t *from = list->at, *more = offsets->at;
  int64_t *to = out->at;
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < m; j++)
      *to++ = from[i] + more[j];
  return out;
}

/* The result's shape: OFFSETS' behind the whole axes in front.  */
static trm_status
find_shape (trm_named *named, const reading *r, const trm_tensor *offsets)
{
  char text[TRM_SHAPE_TEXT];
  int rank = r->n_whole + offsets->rank, n = 0;
  if (rank > TRM_RANK)
    return trm_fail (TRM_BAD_SHAPE, "%s: of %s a result of %d axes", r->name,
                     trm_shape_text (text, r->t->rank, r->t->extent), rank);
  for (int i = 0; i < r->front; i++)
    named->extent[n++] = r->t->extent[r->whole[i]];
  for (int i = 0; i < offsets->rank; i++)
    named->extent[n++] = offsets->extent[i];
  for (int i = r->front; i < r->n_whole; i++)
    named->extent[n++] = r->t->extent[r->whole[i]];
  named->rank = rank;
  named->base_rank = r->t->rank;
  for (int i = 0; i < r->t->rank; i++)
    named->base[i] = r->t->extent[i];
  if (trm_shape_count (rank, named->extent) >= 0)
    return TRM_OK;
  return trm_fail (TRM_BAD_SHAPE, "%s: %s is no shape", r->name,
                   trm_shape_text (text, rank, named->extent));
}

/* Join whole axes of R from BEGIN on, backwards from END, into one of *N
   elements *STEP apart; gives the first of those that were joined.  */
static int
join_whole (const reading *r, int begin, int end, int64_t *n, int64_t *step)
{
  *n = 1;
  *step = 1;
  for (; end > begin; end--)
    {
      int axis = r->whole[end - 1];
      if (*n == 1)
        *step = r->t->stride[axis];
      else if (r->t->stride[axis] != *step * *n)
        break;
      *n *= r->t->extent[axis];
    }
  return end;
}

/* Parts, rows and the list.  */
static trm_status
find_list (trm_named *named, const reading *r, const trm_tensor *offsets)
{
  int front = join_whole (r, 0, r->front, &named->h, &named->m);
  if (front > 0)
    named->h = named->m = 1;
  int parts = front > 0 ? r->front : 0;
  int rows = join_whole (r, r->front, r->n_whole, &named->n, &named->step);
  trm_tensor *list = trm_zeros (TRM_I64, TRM_SHAPE (1));
  for (int i = 0; i < parts && list; i++)
    list
      = add_axis (list, r->t->extent[r->whole[i]], r->t->stride[r->whole[i]]);
  list = add_list (list, offsets);
  for (int i = r->front; i < rows && list; i++)
    list
      = add_axis (list, r->t->extent[r->whole[i]], r->t->stride[r->whole[i]]);
  if (!list)
    return trm_error ();
  named->at = list;
  named->k = list->extent[0];
  return TRM_OK;
}

trm_status
trm_named_find (trm_named *named, const char *name, const trm_tensor *t, int n,
                trm_tensor **index)
{
  reading r = { .name = name, .t = t };
  if (n < 0 || (n > 0 && !index))
    return trm_fail (TRM_BAD_ARGUMENT, "%s: %d index tensors", name, n);
  trm_status status = read_index (&r, n, index);
  if (status)
    return status;
  const trm_tensor *offsets = all_offsets (&r);
  if (!offsets)
    return trm_error ();
  *named = (trm_named){ 0 };
  status = find_shape (named, &r, offsets);
  return status ? status : find_list (named, &r, offsets);
}
