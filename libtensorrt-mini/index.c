/* Advanced indexing, and its gradients.

   Which elements an index names is found once, as a list (index.h), which the
   tape keeps.  The gradient of reading adds to what was read; that way round,
   place, is an operation, too, so that it can be differentiated again:

     index   y = x[at]             dx[at] += dy
     place   y = 0; y[at] += x     dx += dy[at]  */

#include "index.h"
#include "tensor.h"

#include <stdlib.h>

static const trm_function index_function, place_function;

/* OUT, which FUNCTION made of IN by NAMED, written down where the tape asks
   for it.  */
static trm_tensor *
written (trm_tensor *in, trm_tensor *out, const trm_function *function,
         const trm_named *named)
{
  if (!out || !trm_is_recording (1, &in))
    return out;
  trm_named *kept = malloc (sizeof *kept);
  if (!kept)
    return trm_fail_null (TRM_NO_MEMORY, "index: no memory");
  *kept = *named;
  trm_keep (kept->at);
  return trm_record (function, 1, &in, 1, &out, kept) ? NULL : out;
}

/* The tape forgets CONTEXT.  */
static void
free_named (void *context)
{
  trm_named *named = context;
  trm_drop (named->at);
  free (named);
}

/* A contiguous copy of T in TYPE that the tape does not see.  */
static trm_tensor *
copied (const trm_tensor *t, trm_type type)
{
  trm_tensor *out = trm_empty_like (t, type);
  if (out)
    trm_copy_elements (t->rank, t->extent, type, out->at, out->stride, t->type,
                       t->at, t->stride);
  return out;
}

/* Add Y, contiguous and of X's type, to what NAMED names of X; narrow types,
   of which X is contiguous, in f32, rounded once.  */
static trm_status
add_named (const trm_named *named, trm_tensor *x, const trm_tensor *y)
{
  trm_type type = trm_type_computed (x->type);
  if (type == x->type)
    {
      trm_named_add (named, x, y);
      return TRM_OK;
    }
  trm_tensor *wide = copied (x, type), *more = copied (y, type);
  if (!wide || !more)
    return trm_error ();
  trm_named_add (named, wide, more);
  trm_copy_elements (x->rank, x->extent, x->type, x->at, x->stride, type,
                     wide->at, wide->stride);
  return TRM_OK;
}

/* T as it lies one element after the other; not written down.  */
static trm_tensor *
plain (trm_tensor *t)
{
  trm_tape_pause ();
  t = trm_contiguous (t);
  trm_tape_resume ();
  return t;
}

/* What NAMED names of T, as an operation.  */
static trm_tensor *
take (trm_tensor *t, const trm_named *named)
{
  trm_tensor *out = trm_empty (t->type, named->rank, named->extent);
  if (out)
    trm_named_take (named, out, t);
  return written (t, out, &index_function, named);
}

/* A tensor of zeros to which T is added where NAMED says, as an operation.  */
static trm_tensor *
place (trm_tensor *t, const trm_named *named)
{
  trm_tensor *out = trm_zeros (t->type, named->base_rank, named->base);
  trm_tensor *y = out ? plain (t) : NULL;
  if (!y || add_named (named, out, y))
    return NULL;
  return written (t, out, &place_function, named);
}

/* Backward of index: what was read gains.  */
static trm_status
index_back (trm_call *call)
{
  const trm_named *named = trm_context (call);
  trm_tensor *g = trm_out_gradient (call, 0);
  if (trm_is_twice (call))
    return trm_add_gain (call, 0, place (g, named));
  trm_tensor *gain = trm_gain (call, 0), *y = gain ? trm_contiguous (g) : NULL;
  if (!y)
    return trm_error ();
  trm_changed (gain);
  return add_named (named, gain, y);
}

/* Backward of place: what was placed gains.  */
static trm_status
place_back (trm_call *call)
{
  const trm_named *named = trm_context (call);
  trm_tensor *g = trm_out_gradient (call, 0);
  trm_tensor *x = trm_contiguous (g);
  return trm_add_gain (call, 0, x ? take (x, named) : NULL);
}

static const trm_function index_function = {
  .name = "index", .backward = index_back, .twice = true, .freed = free_named
};
static const trm_function place_function = {
  .name = "index", .backward = place_back, .twice = true, .freed = free_named
};

trm_tensor *
trm_index (trm_tensor *t, int n, trm_tensor **index)
{
  trm_named named;
  if (!t || trm_scope_open ())
    return NULL;
  if (trm_is_recording (1, &t))
    t = trm_contiguous (t);
  bool found = t && trm_named_find (&named, "index", t, n, index) == TRM_OK;
  trm_tensor *out = trm_scope_give (found ? take (t, &named) : NULL);
  trm_scope_close ();
  return out;
}

/* Whether VALUE lies as trm_named_put and trm_named_add take it, apart from
   X.  */
static bool
is_ready (const trm_named *named, const trm_tensor *x, const trm_tensor *value)
{
  bool same = value->rank == named->rank;
  for (int i = 0; i < named->rank && same; i++)
    same = value->extent[i] == named->extent[i];
  return same && value->type == x->type && trm_is_contiguous (value)
         && !trm_may_overlap (value, x);
}

/* VALUE stretched to what NAMED names of X, in X's type, as it must lie.  */
static const trm_tensor *
stretch (const char *name, const trm_named *named, const trm_tensor *x,
         const trm_tensor *value)
{
  char a[TRM_SHAPE_TEXT], b[TRM_SHAPE_TEXT];
  int64_t stride[TRM_RANK];
  int front = named->rank - value->rank;
  bool fits = front >= 0;
  if (is_ready (named, x, value))
    return value;
  for (int i = 0; fits && i < value->rank; i++)
    fits
      = value->extent[i] == 1 || value->extent[i] == named->extent[front + i];
  if (!fits)
    return trm_fail_null (TRM_BAD_SHAPE, "%s: %s does not stretch to %s", name,
                          trm_shape_text (a, value->rank, value->extent),
                          trm_shape_text (b, named->rank, named->extent));
  trm_tensor *out = trm_empty (x->type, named->rank, named->extent);
  if (!out)
    return NULL;
  trm_broadcast_strides (value, named->rank, stride);
  trm_copy_elements (named->rank, named->extent, x->type, out->at, out->stride,
                     value->type, value->at, stride);
  return out;
}

/* Change what INDEX names of X by VALUE, for NAME: set or, when ADD, add.  */
static trm_status
change_named (const char *name, trm_tensor *x, int n, trm_tensor **index,
              const trm_tensor *value, bool add)
{
  trm_named named;
  trm_status status = trm_named_find (&named, name, x, n, index);
  if (status)
    return status;
  const trm_tensor *y = stretch (name, &named, x, value);
  if (!y)
    return trm_error ();
  trm_changed (x);
  if (add)
    return add_named (&named, x, y);
  trm_named_put (&named, x, y);
  return TRM_OK;
}

/* The same of T, by way of a contiguous copy where sums need one.  */
static trm_status
change (const char *name, trm_tensor *t, int n, trm_tensor **index,
        const trm_tensor *value, bool add)
{
  if (!t || !value)
    return TRM_BAD_ARGUMENT;
  trm_status status = trm_scope_open ();
  if (status)
    return status;
  bool narrow = trm_type_computed (t->type) != t->type;
  trm_tensor *x = add && narrow ? plain (t) : t;
  status = x ? change_named (name, x, n, index, value, add) : trm_error ();
  if (!status && x != t)
    status = trm_copy_to (t, x);
  trm_scope_close ();
  return status;
}

trm_status
trm_index_put (trm_tensor *t, int n, trm_tensor **index,
               const trm_tensor *value)
{
  return change ("index_put", t, n, index, value, false);
}

trm_status
trm_index_add (trm_tensor *t, int n, trm_tensor **index,
               const trm_tensor *value)
{
  return change ("index_add", t, n, index, value, true);
}
