/* Sorting along an axis, and the greatest elements.

   Both find where the elements of each line stand; the values are then read by
   an index of all elements (trm_index), whose gradient is theirs:

     x [2][3], axis 1    lines x[0], x[1]
     at [2][k]           subscripts along axis 1, the result besides
     flat [2][k]         the same as subscripts of x as one row

   NaN counts as greater than all numbers: last in ascending, first in
   descending order.

   The k greatest are kept in a short list: as many elements as it has room for
   are read, those that come before its last one join it, it is sorted and cut.
   To sort is to have room for all.  */

#include "sort.h"
#include "tensor.h"

#include "abi.h"

#define LEAST_ROOM 1024

/* What is asked of each line: N elements of TYPE, STEP apart, the first K in
   order; room for ROOM keys, in LINE, and as many in OTHER.  */
typedef struct job
{
  trm_type type;
  bool descending;
  int64_t n, step, k, room;
  trm_keyed *line, *other;
} job;

/* Read MORE elements from FROM on, the first of which is element BEGIN of its
   line, behind the KEPT keys of J; gives how many joined them.  */
static int64_t
read_more (const job *j, const char *from, int64_t begin, int64_t more,
           int64_t kept)
{
  trm_keyed *line = j->line + kept;
  bool full = kept == j->k;
  int64_t joined = 0;
  trm_keys_read (j->type, more, from, j->step, j->descending, line);
  for (int64_t i = 0; i < more; i++)
    if (!full || line[i].key < line[-1].key)
      line[joined++] = (trm_keyed){ line[i].key, begin + line[i].at };
  return joined;
}

/* The first K of the line from FROM on, in order, in J's line.  */
static void
order_line (const job *j, const char *from)
{
  int64_t kept = 0, more;
  int64_t step = j->step * (int64_t) trm_type_bytes (j->type);
  for (int64_t i = 0; i < j->n; i += more)
    {
      int64_t rest = j->n - i, room = j->room - kept;
      more = rest < room ? rest : room;
      int64_t joined = read_more (j, from + i * step, i, more, kept);
      if (joined == 0)
        continue;
      kept += joined;
      trm_keys_sort (trm_key_bytes (j->type), kept, j->line, j->other);
      kept = kept < j->k ? kept : j->k;
    }
}

/* Order all lines of X, contiguous, along AXIS.  Where each element stood: FLAT
   in X, AT, unless NULL, in its line.  */
static void
order_lines (const job *j, const trm_tensor *x, int axis, int64_t *flat,
             int64_t *at)
{
  size_t bytes = trm_type_bytes (x->type);
  int64_t inner = j->step, outer = trm_shape_count (axis, x->extent);
  for (int64_t o = 0; o < outer; o++)
    for (int64_t i = 0; i < inner; i++)
      {
        int64_t begin = o * j->n * inner + i, to = o * j->k * inner + i;
        order_line (j, (const char *) x->at + (size_t) begin * bytes);
        for (int64_t m = 0; m < j->k; m++)
          {
            flat[to + m * inner] = begin + j->line[m].at * inner;
            if (at)
              at[to + m * inner] = j->line[m].at;
          }
      }
}

/* The first K elements of X, contiguous, along AXIS, where they stand in FLAT
   and AT; false when there is no memory.  */
static bool
find_order (const trm_tensor *x, int axis, bool descending, trm_tensor *flat,
            trm_tensor *at)
{
  int64_t n = x->extent[axis], k = flat->extent[axis];
  int64_t few = 4 * k > LEAST_ROOM ? 4 * k : LEAST_ROOM;
  job j = { .type = x->type,
            .descending = descending,
            .n = n,
            .step = trm_shape_count (x->rank - axis - 1, x->extent + axis + 1),
            .k = k,
            .room = few < n ? few : n };
  if (trm_count (flat) == 0)
    return true;
  j.line = trm_scratch_get (2 * j.room * (int64_t) sizeof *j.line);
  if (!j.line)
    {
      trm_fail (TRM_NO_MEMORY, "sort: no memory for %lld keys",
                (long long) j.room);
      return false;
    }
  j.other = j.line + j.room;
  order_lines (&j, x, axis, flat->at, at ? at->at : NULL);
  trm_scratch_put (j.line);
  return true;
}

/* The first K elements of T along AXIS; *AT, unless AT is NULL, where they
   stood.  All in the innermost scope.  */
static trm_tensor *
first_of (trm_tensor *t, int64_t k, int axis, bool descending, trm_tensor **at)
{
  trm_tensor *x = trm_contiguous (t);
  int64_t extent[TRM_RANK];
  for (int i = 0; i < t->rank; i++)
    extent[i] = i == axis ? k : t->extent[i];
  trm_tensor *flat = x ? trm_empty (TRM_I64, t->rank, extent) : NULL;
  if (flat && at)
    *at = trm_empty (TRM_I64, t->rank, extent);
  if (!flat || (at && !*at)
      || !find_order (x, axis, descending, flat, at ? *at : NULL))
    return NULL;
  trm_tensor *row = trm_reshape (x, TRM_SHAPE (trm_count (x)));
  return trm_index (row, 1, &flat);
}

/* The same, given out of a scope of its own.  */
static trm_tensor *
ordered (trm_tensor *t, int64_t k, int axis, bool descending, trm_tensor **at)
{
  if (trm_scope_open ())
    return NULL;
  trm_tensor *out = trm_scope_give (first_of (t, k, axis, descending, at));
  if (at)
    *at = out ? trm_scope_give (*at) : NULL;
  trm_scope_close ();
  return out;
}

trm_tensor *
trm_sort (trm_tensor *t, int axis, bool descending, trm_tensor **at)
{
  if (at)
    *at = NULL;
  if (!t || (axis = trm_axis ("sort", t->rank, axis)) < 0)
    return NULL;
  return ordered (t, t->extent[axis], axis, descending, at);
}

trm_tensor *
trm_topk (trm_tensor *t, int64_t k, int axis, trm_tensor **at)
{
  if (at)
    *at = NULL;
  if (!t || (axis = trm_axis ("topk", t->rank, axis)) < 0)
    return NULL;
  if (k < 0 || k > t->extent[axis])
    return trm_fail_null (TRM_BAD_ARGUMENT, "topk: %lld of axis %d of %lld",
                          (long long) k, axis, (long long) t->extent[axis]);
  return ordered (t, k, axis, true, at);
}
