/* Views: the same elements under other extents and strides.

   Each is one step: how extents, strides and address follow from those of a
   tensor.  Its gradient is the same step made on the gradient of the tensor,
   whose elements there are added to; that way round, place, is an operation,
   too, so that gradients of views can be differentiated again:

     view   y = x[step]             dx[step] += dy
     place  y = 0; y[step] += x     dx += dy[step]  */

#include "tensor.h"

#include <stdlib.h>

typedef enum step_kind
{
  PERMUTE,
  SLICE,
  SELECT,
  EXPAND,
  SQUEEZE,
  UNSQUEEZE,
  RESHAPE,
  DIAGONAL
} step_kind;

/* A step.  axis: of PERMUTE all; begin, count, step: of SLICE and SELECT;
   extent: of EXPAND and RESHAPE, rank of them; base: the shape of the tensor
   that it was made on, filled when it is written down.  */
typedef struct view_step
{
  step_kind kind;
  int rank;
  int axis[TRM_RANK];
  int64_t begin, count, step;
  int64_t extent[TRM_RANK];
  int base_rank;
  int64_t base[TRM_RANK];
} view_step;

static const char *const names[]
  = { "permute", "slice",     "select",  "expand",
      "squeeze", "unsqueeze", "reshape", "diagonal" };

/* Extents, strides and address of a view.  */
typedef struct layout
{
  int rank;
  int64_t extent[TRM_RANK];
  int64_t stride[TRM_RANK];
  char *at;
} layout;

/* Put an axis in front of axis I of L.  */
static void
insert_axis (layout *l, int i, int64_t extent, int64_t stride)
{
  for (int k = l->rank++; k > i; k--)
    {
      l->extent[k] = l->extent[k - 1];
      l->stride[k] = l->stride[k - 1];
    }
  l->extent[i] = extent;
  l->stride[i] = stride;
}

/* Take axis I out of L.  */
static void
remove_axis (layout *l, int i)
{
  l->rank--;
  for (int k = i; k < l->rank; k++)
    {
      l->extent[k] = l->extent[k + 1];
      l->stride[k] = l->stride[k + 1];
    }
}

/* The layout of T with its axes in the order of AXIS.  */
static void
permute_layout (layout *l, const trm_tensor *t, const int *axis)
{
  for (int i = 0; i < t->rank; i++)
    {
      l->extent[i] = t->extent[axis[i]];
      l->stride[i] = t->stride[axis[i]];
    }
}

/* L stretched to the extents of S.  */
static void
expand_layout (layout *l, const view_step *s)
{
  while (l->rank < s->rank)
    insert_axis (l, 0, 1, 0);
  for (int i = 0; i < s->rank; i++)
    if (l->extent[i] != s->extent[i])
      {
        l->extent[i] = s->extent[i];
        l->stride[i] = 0;
      }
}

/* Whether the axes FIRST to END - 1 of L are one axis cut up.  The stride of an
   axis of extent 1 does not count; the last one has more, or is alone.  */
static bool
is_one_axis (const layout *l, int first, int end)
{
  int64_t whole = end > first ? l->stride[end - 1] * l->extent[end - 1] : 0;
  for (int i = end - 2; i >= first; i--)
    if (l->extent[i] != 1)
      {
        if (l->stride[i] != whole)
          return false;
        whole *= l->extent[i];
      }
  return true;
}

/* L's elements in order as the extents of S, where strides allow that; each
   group of axes that lie one after the other is split anew.  */
static bool
reshape_layout (layout *l, const view_step *s)
{
  int64_t stride[TRM_RANK];
  int old = 0, new = 0;
  bool empty = trm_shape_count (s->rank, s->extent) == 0;
  if (empty)
    trm_shape_strides (s->rank, s->extent, stride);
  while (!empty && (old < l->rank || new < s->rank))
    {
      int64_t have = old < l->rank ? l->extent[old] : 1;
      int64_t want = new < s->rank ? s->extent[new] : 1;
      int old_end = old + (old < l->rank), new_end = new + (new < s->rank);
      while (have != want)
        if (have < want)
          have *= l->extent[old_end++];
        else
          want *= s->extent[new_end++];
      if (!is_one_axis (l, old, old_end))
        return false;
      int64_t step = old_end > old ? l->stride[old_end - 1] : 1;
      for (int i = new_end - 1; i >= new; i--)
        {
          stride[i] = step;
          step *= s->extent[i];
        }
      old = old_end;
      new = new_end;
    }
  l->rank = s->rank;
  for (int i = 0; i < s->rank; i++)
    {
      l->extent[i] = s->extent[i];
      l->stride[i] = stride[i];
    }
  return true;
}

/* L, whose last two axes become their diagonal.  */
static void
diagonal_layout (layout *l)
{
  int i = l->rank - 2;
  if (l->extent[i + 1] < l->extent[i])
    l->extent[i] = l->extent[i + 1];
  l->stride[i] += l->stride[i + 1];
  l->rank--;
}

/* The layout of T after S; false where only a copy would do.  */
static bool
step_layout (const trm_tensor *t, const view_step *s, layout *l)
{
  int axis = s->axis[0];
  *l = (layout){ .rank = t->rank, .at = t->at };
  for (int i = 0; i < t->rank; i++)
    {
      l->extent[i] = t->extent[i];
      l->stride[i] = t->stride[i];
    }
  if (s->kind == SLICE || s->kind == SELECT)
    {
      l->at += s->begin * l->stride[axis] * (int64_t) trm_type_bytes (t->type);
      l->extent[axis] = s->count;
      l->stride[axis] *= s->step;
    }
  if (s->kind == PERMUTE)
    permute_layout (l, t, s->axis);
  else if (s->kind == SELECT || s->kind == SQUEEZE)
    remove_axis (l, axis);
  else if (s->kind == UNSQUEEZE)
    insert_axis (l, axis, 1, axis < t->rank ? t->stride[axis] : 1);
  else if (s->kind == EXPAND)
    expand_layout (l, s);
  else if (s->kind == DIAGONAL)
    diagonal_layout (l);
  return s->kind != RESHAPE || reshape_layout (l, s);
}

/* T after S; NULL without a message where only a copy would do.  */
static trm_tensor *
take_step (const trm_tensor *t, const view_step *s)
{
  layout l;
  return step_layout (t, s, &l)
           ? trm_view_new (t, l.rank, l.extent, l.stride, l.at)
           : NULL;
}

static const trm_function view_function, place_function;

/* OUT, which S made of IN, written down where the tape asks for it.  */
static trm_tensor *
written (trm_tensor *in, trm_tensor *out, const trm_function *function,
         const view_step *s)
{
  if (!out || !trm_is_recording (1, &in))
    return out;
  view_step *kept = malloc (sizeof *kept);
  if (!kept)
    return trm_fail_null (TRM_NO_MEMORY, "%s: no memory", names[s->kind]);
  *kept = *s;
  if (function == &view_function)
    {
      kept->base_rank = in->rank;
      for (int i = 0; i < in->rank; i++)
        kept->base[i] = in->extent[i];
    }
  return trm_record (function, 1, &in, 1, &out, kept) ? NULL : out;
}

/* A tensor of zeros with T at the elements of S.  */
static trm_tensor *
place (trm_tensor *t, const view_step *s)
{
  trm_tensor *out = trm_zeros (t->type, s->base_rank, s->base);
  trm_tensor *part = out ? take_step (out, s) : NULL;
  if (!part || trm_accumulate (part, t))
    return NULL;
  return written (t, out, &place_function, s);
}

/* Backward of a view: the gradient of the elements seen is added to them.  */
static trm_status
view_back (trm_call *call)
{
  const view_step *s = trm_context (call);
  trm_tensor *g = trm_out_gradient (call, 0);
  if (trm_is_twice (call))
    return trm_add_gain (call, 0, place (g, s));
  trm_tensor *gain = trm_gain (call, 0);
  trm_tensor *part = gain ? take_step (gain, s) : NULL;
  return part ? trm_accumulate (part, g) : trm_error ();
}

/* Backward of place: those of the elements that were placed.  */
static trm_status
place_back (trm_call *call)
{
  const view_step *s = trm_context (call);
  trm_tensor *g = trm_out_gradient (call, 0);
  trm_tensor *part = take_step (g, s);
  return trm_add_gain (call, 0,
                       part ? written (g, part, &view_function, s) : NULL);
}

static const trm_function view_function
  = { .name = "view", .backward = view_back, .twice = true, .freed = free };
static const trm_function place_function
  = { .name = "place", .backward = place_back, .twice = true, .freed = free };

/* The view S of T.  */
static trm_tensor *
view (trm_tensor *t, const view_step *s)
{
  return written (t, take_step (t, s), &view_function, s);
}

trm_tensor *
trm_permute (trm_tensor *t, int rank, const int *axis)
{
  view_step s = { .kind = PERMUTE };
  unsigned seen = 0;
  if (!t)
    return NULL;
  for (int i = 0; i < rank && rank == t->rank; i++)
    {
      s.axis[i] = trm_axis ("permute", t->rank, axis[i]);
      if (s.axis[i] < 0)
        return NULL;
      seen |= 1u << s.axis[i];
    }
  if (rank != t->rank || seen != (1u << rank) - 1)
    return trm_fail_null (
      TRM_BAD_ARGUMENT, "permute: each of %d axes must be named once", t->rank);
  return view (t, &s);
}

trm_tensor *
trm_transpose (trm_tensor *t, int a, int b)
{
  view_step s = { .kind = PERMUTE };
  if (!t)
    return NULL;
  a = trm_axis ("transpose", t->rank, a);
  b = trm_axis ("transpose", t->rank, b);
  if (a < 0 || b < 0)
    return NULL;
  for (int i = 0; i < t->rank; i++)
    s.axis[i] = i == a ? b : i == b ? a : i;
  return view (t, &s);
}

trm_tensor *
trm_t (trm_tensor *t)
{
  return trm_transpose (t, -2, -1);
}

/* I, counted from the end of N when negative, cut to LEAST .. MOST.  */
static int64_t
cut (int64_t i, int64_t n, int64_t least, int64_t most)
{
  if (i < 0)
    i += n;
  return i < least ? least : i > most ? most : i;
}

trm_tensor *
trm_slice (trm_tensor *t, int axis, int64_t begin, int64_t end, int64_t step)
{
  view_step s = { .kind = SLICE, .step = step };
  if (!t || (s.axis[0] = trm_axis ("slice", t->rank, axis)) < 0)
    return NULL;
  if (step == 0)
    return trm_fail_null (TRM_BAD_ARGUMENT, "slice: a step of 0");
  int64_t n = t->extent[s.axis[0]];
  int64_t least = step > 0 ? 0 : -1, most = step > 0 ? n : n - 1;
  begin = begin == TRM_END ? most - (step > 0 ? n : 0)
                           : cut (begin, n, least, most);
  end = end == TRM_END ? (step > 0 ? n : -1) : cut (end, n, least, most);
  int64_t length = step > 0 ? end - begin : begin - end;
  int64_t stride = step > 0 ? step : -step;
  s.begin = length > 0 ? begin : 0;
  s.count = length > 0 ? (length - 1) / stride + 1 : 0;
  return view (t, &s);
}

trm_tensor *
trm_select (trm_tensor *t, int axis, int64_t i)
{
  view_step s = { .kind = SELECT, .step = 1, .count = 1 };
  if (!t || (s.axis[0] = trm_axis ("select", t->rank, axis)) < 0)
    return NULL;
  int64_t n = t->extent[s.axis[0]];
  s.begin = i < 0 ? i + n : i;
  if (s.begin < 0 || s.begin >= n)
    return trm_fail_null (TRM_BAD_INDEX,
                          "select: %lld is outside of axis %d of %lld",
                          (long long) i, s.axis[0], (long long) n);
  return view (t, &s);
}

/* S.extent := EXTENT, of RANK axes; false with a message when that cannot be a
   shape for NAME.  */
static bool
set_extents (view_step *s, int rank, const int64_t *extent)
{
  s->rank = rank;
  if (rank < 0 || rank > TRM_RANK)
    {
      trm_fail (TRM_BAD_SHAPE, "%s: rank %d is not among 0 to %d",
                names[s->kind], rank, TRM_RANK);
      return false;
    }
  for (int i = 0; i < rank; i++)
    s->extent[i] = extent[i];
  return true;
}

/* "NAME: [2, 3] cannot become [4]", as a failure.  */
static trm_tensor *
cannot_become (const trm_tensor *t, const view_step *s)
{
  char a[TRM_SHAPE_TEXT], b[TRM_SHAPE_TEXT];
  return trm_fail_null (TRM_BAD_SHAPE, "%s: %s cannot become %s",
                        names[s->kind], trm_shape_text (a, t->rank, t->extent),
                        trm_shape_text (b, s->rank, s->extent));
}

trm_tensor *
trm_expand (trm_tensor *t, int rank, const int64_t *extent)
{
  view_step s = { .kind = EXPAND };
  if (!t || !set_extents (&s, rank, extent))
    return NULL;
  int front = rank - t->rank;
  bool fits = front >= 0 && trm_shape_count (rank, extent) >= 0;
  for (int i = 0; fits && i < t->rank; i++)
    fits = t->extent[i] == 1 || t->extent[i] == extent[front + i];
  return fits ? view (t, &s) : cannot_become (t, &s);
}

trm_tensor *
trm_squeeze (trm_tensor *t, int axis)
{
  view_step s = { .kind = SQUEEZE };
  if (!t || (s.axis[0] = trm_axis ("squeeze", t->rank, axis)) < 0)
    return NULL;
  if (t->extent[s.axis[0]] != 1)
    return trm_fail_null (TRM_BAD_SHAPE, "squeeze: axis %d has extent %lld",
                          s.axis[0], (long long) t->extent[s.axis[0]]);
  return view (t, &s);
}

trm_tensor *
trm_unsqueeze (trm_tensor *t, int axis)
{
  view_step s = { .kind = UNSQUEEZE };
  if (!t)
    return NULL;
  if (t->rank == TRM_RANK)
    return trm_fail_null (TRM_BAD_SHAPE, "unsqueeze: more than %d axes",
                          TRM_RANK);
  s.axis[0] = trm_axis ("unsqueeze", t->rank + 1, axis);
  return s.axis[0] < 0 ? NULL : view (t, &s);
}

/* The extent of S that is -1 becomes what is left of COUNT elements; false when
   there is none, or more than one -1.  */
static bool
fill_extent (view_step *s, int64_t count)
{
  int open = -1;
  int64_t rest = 1;
  for (int i = 0; i < s->rank; i++)
    if (s->extent[i] != -1)
      {
        if (__builtin_mul_overflow (rest, s->extent[i], &rest))
          return false;
      }
    else if (open >= 0)
      return false;
    else
      open = i;
  if (open < 0)
    return trm_shape_count (s->rank, s->extent) == count;
  if (rest <= 0 || count % rest)
    return false;
  s->extent[open] = count / rest;
  return true;
}

trm_tensor *
trm_reshape (trm_tensor *t, int rank, const int64_t *extent)
{
  view_step s = { .kind = RESHAPE };
  if (!t || !set_extents (&s, rank, extent))
    return NULL;
  if (!fill_extent (&s, trm_count (t)))
    return cannot_become (t, &s);
  trm_tensor *seen = take_step (t, &s);
  if (seen)
    return written (t, seen, &view_function, &s);
  if (trm_scope_open ())
    return NULL;
  trm_tensor *flat = trm_contiguous (t);
  trm_tensor *out = trm_scope_give (flat ? view (flat, &s) : NULL);
  trm_scope_close ();
  return out;
}

trm_tensor *
trm_diagonal (trm_tensor *t)
{
  view_step s = { .kind = DIAGONAL };
  if (!t)
    return NULL;
  if (t->rank < 2)
    return trm_fail_null (TRM_BAD_SHAPE, "diagonal: of rank %d", t->rank);
  return view (t, &s);
}
