/* Gradients that come together: to += from.

   Where TO stretches, from is summed over that axis first; what is left is
   added block by block, rows to rows or one element to a row:

     to [3], from [2, 3]      to[j] += from[0][j] + from[1][j]
     to [2, 3], from [2, 1]   to[i][j] += from[i][0]

   Sums are those of trm_sum, which know no threads.  */

#include "axes.h"
#include "kernel.h"
#include "tape.h"
#include "tensor.h"

/* Where and how TO is written: its type, strides, those of FROM.  */
typedef struct addition
{
  trm_type type;
  int rank;
  int64_t extent[TRM_RANK];
  void *to;
  int64_t to_stride[TRM_RANK];
  const void *from;
  int64_t from_stride[TRM_RANK];
} addition;

/* Rows whose elements do not lie one after the other, and transpositions,
   to[i * to_row + j] += from[j * from_column + i], square by square.  */
#define LESS(a, b) ((a) < (b) ? (a) : (b))
#define STEPS(type)                                                            \
  static void add_steps_##type (int64_t n, type *to, int64_t to_step,          \
                                const type *from, int64_t from_step)           \
  {                                                                            \
    for (int64_t i = 0; i < n; i++)                                            \
      to[i * to_step] += from[i * from_step];                                  \
  }                                                                            \
  static void add_turned_##type (int64_t h, int64_t w, type *to,               \
                                 int64_t to_row, const type *from,             \
                                 int64_t from_column)                          \
  {                                                                            \
    type square[TRM_SQUARE][TRM_SQUARE];                                       \
    for (int64_t k = 0; k < h; k += TRM_SQUARE)                                \
      for (int64_t l = 0; l < w; l += TRM_SQUARE)                              \
        {                                                                      \
          int64_t m = LESS (h - k, TRM_SQUARE), n = LESS (w - l, TRM_SQUARE);  \
          type *t = to + k * to_row + l;                                       \
          const type *f = from + l * from_column + k;                          \
          for (int64_t j = 0; j < n; j++)                                      \
            for (int64_t i = 0; i < m; i++)                                    \
              square[j][i] = f[j * from_column + i];                           \
          for (int64_t i = 0; i < m; i++)                                      \
            for (int64_t j = 0; j < n; j++)                                    \
              t[i * to_row + j] += square[j][i];                               \
        }                                                                      \
  }
STEPS (float)
STEPS (double)

/* Add the last two axes of AXES, rows of kernels.  */
static void
add_block (trm_type type, const trm_axes *axes, void *to, const void *from)
{
  int inner = axes->n - 1, outer = axes->n - 2;
  int64_t n = axes->extent[inner], rows = 1, to_row = n, from_row = n;
  if (outer >= 0)
    {
      rows = axes->extent[outer];
      to_row = axes->step[0][outer];
      from_row = axes->step[1][outer];
    }
  if (axes->step[1][inner] == 1)
    trm_kernel (elementwise, add_to, type, rows, n, to, to_row, from, from_row);
  else
    trm_kernel (elementwise, add_number_to, type, rows, n, to, to_row, from,
                from_row);
}

/* Add the innermost axis of AXES.  */
static void
add_steps (trm_type type, const trm_axes *axes, void *to, const void *from)
{
  int inner = axes->n - 1;
  int64_t n = axes->extent[inner];
  if (type == TRM_F64)
    add_steps_double (n, to, axes->step[0][inner], from, axes->step[1][inner]);
  else
    add_steps_float (n, to, axes->step[0][inner], from, axes->step[1][inner]);
}

/* Add the last two axes of AXES, a transposition.  */
static void
add_turned (trm_type type, const trm_axes *axes, void *to, const void *from)
{
  int last = axes->n - 1;
  int64_t h = axes->extent[last - 1], w = axes->extent[last];
  int64_t row = axes->step[0][last - 1], column = axes->step[1][last];
  if (type == TRM_F64)
    add_turned_double (h, w, to, row, from, column);
  else
    add_turned_float (h, w, to, row, from, column);
}

/* Carry A out.  */
static void
add_elements (const addition *a)
{
  trm_axes axes;
  const int64_t *const stride[] = { a->to_stride, a->from_stride };
  int64_t bytes = (int64_t) trm_type_bytes (a->type);
  if (!trm_axes_order (&axes, 2, a->rank, a->extent, stride))
    return;
  int64_t to_step = trm_axes_step (&axes, 0);
  int64_t from_step = trm_axes_step (&axes, 1);
  bool in_blocks = to_step == 1 && (from_step == 0 || from_step == 1);
  bool turned = trm_axes_turned (&axes);
  trm_axes around = axes;
  if (turned || (in_blocks && around.n > 1))
    around.n--;
  do
    (in_blocks ? add_block
     : turned  ? add_turned
               : add_steps) (a->type, &axes,
                            (char *) a->to + around.offset[0] * bytes,
                            (const char *) a->from + around.offset[1] * bytes);
  while (trm_axes_next (&around));
}

/* FROM, of A's type, summed over the axes where TO stretches, which become 1 in
   A; A holds what is known of TO, and the extents of both.  */
static trm_tensor *
sum_stretched (addition *a, trm_tensor *from)
{
  int axis[TRM_RANK], n = 0;
  for (int i = 0; i < a->rank; i++)
    if (a->to_stride[i] == 0 && a->extent[i] > 1)
      axis[n++] = i;
  if (n == 0)
    return from;
  trm_tensor *whole = trm_expand (from, a->rank, a->extent);
  for (int i = 0; i < n; i++)
    a->extent[axis[i]] = 1;
  return trm_sum (whole, n, axis, true);
}

/* Carry A out on a copy of what it writes, whose type is TYPE, in A's type.  */
static trm_status
add_rounded (addition *a, trm_type type)
{
  trm_tensor *wide = trm_empty (a->type, a->rank, a->extent);
  if (!wide)
    return trm_error ();
  addition on_copy = *a;
  on_copy.to = wide->at;
  for (int i = 0; i < a->rank; i++)
    on_copy.to_stride[i] = wide->stride[i];
  trm_copy_elements (a->rank, a->extent, a->type, wide->at, wide->stride, type,
                     a->to, a->to_stride);
  add_elements (&on_copy);
  trm_copy_elements (a->rank, a->extent, type, a->to, a->to_stride, a->type,
                     wide->at, wide->stride);
  return TRM_OK;
}

/* TO += FROM as A says, whose shape is that of both.  */
static trm_status
add_summed (addition *a, trm_tensor *to, trm_tensor *from)
{
  from = trm_cast (from, a->type);
  from = from ? sum_stretched (a, from) : NULL;
  if (!from)
    return trm_error ();
  a->from = from->at;
  trm_broadcast_strides (from, a->rank, a->from_stride);
  if (to->type != a->type)
    return add_rounded (a, to->type);
  add_elements (a);
  return TRM_OK;
}

/* Whether TO and FROM are arrays of one shape and type, f32 or f64.  */
static bool
are_plain (const trm_tensor *to, const trm_tensor *from)
{
  return to->type == from->type && to->type >= TRM_F32
         && trm_same_shape (to, from) && trm_is_contiguous (to)
         && trm_is_contiguous (from);
}

trm_status
trm_accumulate (trm_tensor *to, const trm_tensor *from)
{
  addition a;
  if (!to || !from)
    return TRM_BAD_ARGUMENT;
  int64_t n = trm_count (to);
  trm_changed (to);
  if (are_plain (to, from))
    {
      trm_kernel (elementwise, add_to, to->type, 1, n, to->at, n, from->at, n);
      return TRM_OK;
    }
  a.rank = trm_broadcast ("accumulate", to, from, a.extent);
  if (a.rank < 0 || trm_scope_open ())
    return trm_error ();
  bool narrow = to->type != from->type || to->type < TRM_F32;
  a.type = narrow ? TRM_F64 : to->type;
  a.to = to->at;
  trm_broadcast_strides (to, a.rank, a.to_stride);
  trm_tape_pause ();
  trm_status status = add_summed (&a, to, (trm_tensor *) from);
  trm_tape_resume ();
  trm_scope_close ();
  return status;
}

trm_tensor *
trm_sum_to_shape (trm_tensor *g, const trm_tensor *x)
{
  int axis[TRM_RANK], n = 0, front = g->rank - x->rank;
  for (int i = 0; i < g->rank; i++)
    if (i < front || (x->extent[i - front] == 1 && g->extent[i] != 1))
      axis[n++] = i;
  if (n == 0)
    return trm_share (g);
  if (trm_scope_open ())
    return NULL;
  trm_tensor *sum
    = trm_reshape (trm_sum (g, n, axis, true), x->rank, x->extent);
  trm_scope_give (sum);
  trm_scope_close ();
  return sum;
}
