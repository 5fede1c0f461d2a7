/* Tensors put together, and taken apart.

     concat  [2, 3] and [4, 3] along axis 0: [6, 3]
     stack   two [3] along a new axis 0: [2, 3], concat of [1, 3] twice
     split   [5] in two: [3] and [2], views

   The tape takes so many arguments; what has more is put together in groups
   that are then put together.  The gradient of concat is its slices.  */

#include "tensor.h"

#include <stdlib.h>

/* Backward of concat: each part gains its slice.  */
static trm_status
concat_back (trm_call *call)
{
  const int64_t *context = trm_context (call);
  int axis = (int) context[0];
  trm_tensor *g = trm_out_gradient (call, 0);
  trm_status status = TRM_OK;
  for (int i = 0; i < TRM_MOST_ARGUMENTS && !status; i++)
    if (trm_is_wanted (call, i))
      {
        trm_tensor *part
          = trm_slice (g, axis, context[1 + i], context[2 + i], 1);
        status = trm_add_gain (call, i, trm_cast (part, trm_in_type (call, i)));
      }
  return status;
}

static const trm_function concat_function
  = { .name = "concat", .backward = concat_back, .twice = true, .freed = free };

/* OUT, PART[0..n) along AXIS, written down; its context: AXIS, and where the
   parts begin and the last one ends.  */
static trm_tensor *
written (int n, trm_tensor **part, trm_tensor *out, int axis)
{
  if (!trm_is_recording (n, part))
    return out;
  int64_t *context = calloc (TRM_MOST_ARGUMENTS + 2, sizeof *context);
  if (!context)
    return trm_fail_null (TRM_NO_MEMORY, "concat: no memory");
  context[0] = axis;
  for (int i = 0; i < n; i++)
    context[2 + i] = context[1 + i] + part[i]->extent[axis];
  return trm_record (&concat_function, n, part, 1, &out, context) ? NULL : out;
}

/* Copy PART[0..n) into OUT, one behind the other along AXIS.  */
static void
copy_parts (int n, trm_tensor **part, trm_tensor *out, int axis)
{
  char *at = out->at;
  for (int i = 0; i < n; i++)
    {
      trm_copy_elements (out->rank, part[i]->extent, out->type, at, out->stride,
                         part[i]->type, part[i]->at, part[i]->stride);
      at += part[i]->extent[axis] * out->stride[axis]
            * (int64_t) trm_type_bytes (out->type);
    }
}

/* Whether A and B go together along AXIS; if not, why.  */
static bool
parts_fit (const trm_tensor *a, const trm_tensor *b, int axis)
{
  char left[TRM_SHAPE_TEXT], right[TRM_SHAPE_TEXT];
  bool fits = a->rank == b->rank;
  for (int i = 0; i < a->rank && fits; i++)
    fits = i == axis || a->extent[i] == b->extent[i];
  if (!fits)
    trm_fail (TRM_BAD_SHAPE,
              "concat: shapes %s and %s do not go together along axis %d",
              trm_shape_text (left, a->rank, a->extent),
              trm_shape_text (right, b->rank, b->extent), axis);
  return fits;
}

/* A new tensor that PART[0..n) fit into along AXIS.  */
static trm_tensor *
room_for (int n, trm_tensor **part, int axis)
{
  trm_type type = part[0]->type;
  int64_t extent[TRM_RANK];
  for (int i = 0; i < part[0]->rank; i++)
    extent[i] = i == axis ? 0 : part[0]->extent[i];
  for (int i = 0; i < n; i++)
    {
      if (!parts_fit (part[0], part[i], axis))
        return NULL;
      type = trm_type_common (type, part[i]->type);
      extent[axis] += part[i]->extent[axis];
    }
  return trm_empty (type, part[0]->rank, extent);
}

/* PART[0..n), not more than the tape takes, along AXIS.  */
static trm_tensor *
join_few (int n, trm_tensor **part, int axis)
{
  trm_tensor *out = room_for (n, part, axis);
  if (!out)
    return NULL;
  copy_parts (n, part, out, axis);
  return written (n, part, out, axis);
}

/* PART[0..n) along AXIS.  */
static trm_tensor *
join (int n, trm_tensor **part, int axis)
{
  const int most = TRM_MOST_ARGUMENTS;
  if (n <= most || !trm_is_recording (n, part))
    return join_few (n, part, axis);
  int64_t groups = (n + most - 1) / most;
  trm_tensor **group = calloc ((size_t) groups, sizeof *group);
  if (!group)
    return trm_fail_null (TRM_NO_MEMORY, "concat: no memory");
  bool made = true;
  for (int i = 0; i < groups && made; i++)
    {
      int rest = n - i * most;
      group[i] = join_few (rest < most ? rest : most, part + i * most, axis);
      made = group[i] != NULL;
    }
  trm_tensor *out = made ? join ((int) groups, group, axis) : NULL;
  free (group);
  return out;
}

trm_tensor *
trm_concat (int n, trm_tensor **part, int axis)
{
  if (n < 1 || !part)
    return trm_fail_null (TRM_BAD_ARGUMENT, "concat: of no tensors");
  for (int i = 0; i < n; i++)
    if (!part[i])
      return NULL;
  axis = trm_axis ("concat", part[0]->rank, axis);
  if (axis < 0 || trm_scope_open ())
    return NULL;
  trm_tensor *out = trm_scope_give (join (n, part, axis));
  trm_scope_close ();
  return out;
}

/* PART[0..n) along a new axis, in a scope of their own.  */
static trm_tensor *
stack (int n, trm_tensor **part, int axis)
{
  trm_tensor **view = calloc ((size_t) n, sizeof *view);
  if (!view)
    return trm_fail_null (TRM_NO_MEMORY, "stack: no memory");
  for (int i = 0; i < n; i++)
    view[i] = trm_unsqueeze (part[i], axis);
  trm_tensor *out = trm_concat (n, view, axis);
  free (view);
  return out;
}

trm_tensor *
trm_stack (int n, trm_tensor **part, int axis)
{
  char a[TRM_SHAPE_TEXT], b[TRM_SHAPE_TEXT];
  if (n < 1 || !part)
    return trm_fail_null (TRM_BAD_ARGUMENT, "stack: of no tensors");
  for (int i = 0; i < n; i++)
    if (!part[i])
      return NULL;
    else if (!trm_same_shape (part[0], part[i]))
      return trm_fail_null (TRM_BAD_SHAPE,
                            "stack: shapes %s and %s are not the same",
                            trm_shape_text (a, part[0]->rank, part[0]->extent),
                            trm_shape_text (b, part[i]->rank, part[i]->extent));
  if (trm_scope_open ())
    return NULL;
  trm_tensor *out = trm_scope_give (stack (n, part, axis));
  trm_scope_close ();
  return out;
}

/* The parts of T along AXIS, SIZE each, in the innermost scope.  */
static trm_status
cut (trm_tensor *t, int axis, int64_t size, int n, trm_tensor **part)
{
  int64_t extent = t->extent[axis];
  for (int i = 0; i < n; i++)
    {
      int64_t begin = i * size < extent ? i * size : extent;
      int64_t end = extent - begin < size ? extent : begin + size;
      part[i] = trm_slice (t, axis, begin, end, 1);
      if (!part[i])
        return trm_error ();
    }
  return TRM_OK;
}

trm_status
trm_split (trm_tensor *t, int axis, int n, trm_tensor **part)
{
  if (!t)
    return TRM_BAD_ARGUMENT;
  if (n < 1 || !part)
    return trm_fail (TRM_BAD_ARGUMENT, "split: into %d parts", n);
  axis = trm_axis ("split", t->rank, axis);
  if (axis < 0)
    return TRM_BAD_ARGUMENT;
  trm_status status = trm_scope_open ();
  if (status)
    return status;
  int64_t size = (t->extent[axis] + n - 1) / n;
  status = cut (t, axis, size, n, part);
  for (int i = 0; i < n; i++)
    part[i] = status ? NULL : trm_scope_give (part[i]);
  trm_scope_close ();
  return status;
}
