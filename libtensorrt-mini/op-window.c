/* Windows over pictures: conv2d, max_pool2d, avg_pool2d.

   What hangs over the border becomes part of the picture first:

     x [n][c][h][w]  ->  framed [n][c][h + 2 pad][w + 2 pad]

   conv2d takes some pictures at a time, so many that their columns stay in the
   cache, and multiplies:

     columns  z [c * k * l][oh * ow], z[.., (i, j)] is the window at (i, j)
     filters  y := w z + b

   Backward makes the columns again; those of the gradient go back to where they
   came from.

   max_pool2d notes on the tape where the greatest are, and backward adds to
   these.  Windows of 2 x 2 side by side and of 3 x 3 have their own loops.  */

#include "kernel.h"
#include "ready.h"
#include "rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The results of max_pool2d on the tape.  */
enum
{
  RESULT,
  PLACES
};

#define COLUMN_BYTES (INT64_C (4) << 20)

/* Windows of [k][l] over pictures of [h][w], the frame included, at [oh][ow]
   places; c and o channels in and out, n pictures.  */
typedef struct windows
{
  trm_type type;
  int64_t n, c, o;
  int64_t h, w, k, l, oh, ow;
  int64_t stride, pad, dilation;
} windows;

/* The loops NAME on N planes, for a dilation of 1 or others.  */
#define WINDOW_SIZES(v, n)                                                     \
  n, (v)->h, (v)->w, (v)->k, (v)->l, (v)->oh, (v)->ow, (v)->stride
#define WINDOW_LOOPS(name, v, n, ...)                                          \
  ((v)->dilation == 1                                                          \
     ? trm_kernel (window, name, (v)->type, WINDOW_SIZES (v, n), __VA_ARGS__)  \
     : trm_kernel (window, name##_apart, (v)->type, WINDOW_SIZES (v, n),       \
                   (v)->dilation, __VA_ARGS__))

/* The sizes of loops for windows of one size.  */
#define ONE_SIZE(v) (v)->n *(v)->c, (v)->h, (v)->w, (v)->oh, (v)->ow

/* Whether windows of 2 x 2 lie side by side.  */
static bool
are_squares_of_two (const windows *v)
{
  return v->k == 2 && v->l == 2 && v->stride == 2 && v->dilation == 1;
}

/* How many places there are along an axis.  */
static int64_t
count_places (const windows *v, int64_t extent, int64_t size)
{
  int64_t room = extent - v->dilation * (size - 1) - 1;
  return room < 0 ? 0 : room / v->stride + 1;
}

/* Whether SIZE is LEAST or more, and so small that sums and products of such
   are int64_t.  */
static bool
is_size (int64_t size, int64_t least)
{
  return size >= least && size <= INT32_MAX;
}

/* Fill V for NAME, of X and windows of K x L; false when that cannot be.  */
static bool
set_windows (windows *v, const char *name, const trm_tensor *x, int64_t k,
             int64_t l, trm_window window)
{
  if (!is_size (window.stride, 0) || !is_size (window.pad, 0)
      || !is_size (window.dilation, 0) || !is_size (k, 1) || !is_size (l, 1))
    {
      trm_fail (TRM_BAD_ARGUMENT,
                "%s: size %lld x %lld, stride %lld, pad %lld, dilation %lld",
                name, (long long) k, (long long) l, (long long) window.stride,
                (long long) window.pad, (long long) window.dilation);
      return false;
    }
  *v = (windows){ .n = x->extent[0],
                  .c = x->extent[1],
                  .h = x->extent[2] + 2 * window.pad,
                  .w = x->extent[3] + 2 * window.pad,
                  .k = k,
                  .l = l,
                  .stride = window.stride ? window.stride : 1,
                  .pad = window.pad,
                  .dilation = window.dilation ? window.dilation : 1 };
  v->oh = count_places (v, v->h, k);
  v->ow = count_places (v, v->w, l);
  return true;
}

/* FRAMED without its frame of PAD.  */
static trm_tensor *
inside (trm_tensor *framed, int64_t pad)
{
  trm_tensor *rows
    = framed ? trm_slice (framed, 2, pad, framed->extent[2] - pad, 1) : NULL;
  return rows ? trm_slice (rows, 3, pad, rows->extent[3] - pad, 1) : NULL;
}

/* Pictures of X's number and type with a frame, all VALUE.  */
static trm_tensor *
empty_frame (const windows *v, double value)
{
  return value ? trm_full (v->type, TRM_SHAPE (v->n, v->c, v->h, v->w), value)
               : trm_zeros (v->type, TRM_SHAPE (v->n, v->c, v->h, v->w));
}

/* X in a frame of VALUE; X where there is none.  */
static trm_tensor *
framed (const windows *v, trm_tensor *x, double value)
{
  if (!v->pad)
    return x;
  trm_tensor *frame = empty_frame (v, value);
  trm_tensor *middle = inside (frame, v->pad);
  return middle && !trm_copy_to (middle, x) ? frame : NULL;
}

/* Where the gradient of input 0 of CALL, of pictures in a frame, is added: to
   the gain itself where there is no frame.  */
static trm_tensor *
framed_gain (const windows *v, trm_call *call)
{
  return v->pad ? empty_frame (v, 0) : trm_gain (call, 0);
}

/* Add FRAME, of framed_gain, to the gain.  */
static trm_status
add_framed_gain (const windows *v, trm_call *call, trm_tensor *frame)
{
  if (!v->pad)
    return TRM_OK;
  trm_tensor *gain = trm_gain (call, 0), *middle = inside (frame, v->pad);
  return gain && middle ? trm_accumulate (gain, middle) : trm_error ();
}

/* Write down OUT[0..N_OUT), of V, which FUNCTION made of IN[0..N); the first of
   them.  */
static trm_tensor *
written (const trm_function *function, int n, trm_tensor **in, int n_out,
         trm_tensor **out, const windows *v)
{
  if (!trm_is_recording (n, in))
    return out[RESULT];
  windows *kept = malloc (sizeof *kept);
  if (!kept)
    return trm_fail_null (TRM_NO_MEMORY, "%s: no memory", function->name);
  *kept = *v;
  return trm_record (function, n, in, n_out, out, kept) ? NULL : out[RESULT];
}

/* The length of a column.  */
static int64_t
column_length (const windows *v)
{
  return v->c * v->k * v->l;
}

/* Places in a picture.  */
static int64_t
count_all_places (const windows *v)
{
  return v->oh * v->ow;
}

/* Element FIRST of T, of V's type.  */
static void *
element (const windows *v, const trm_tensor *t, int64_t first)
{
  return (char *) t->at + first * (int64_t) trm_type_bytes (v->type);
}

/* How many pictures are taken at a time.  */
static int64_t
pictures_at_once (const windows *v)
{
  int64_t bytes = column_length (v) * count_all_places (v)
                  * (int64_t) trm_type_bytes (v->type);
  int64_t n = bytes < COLUMN_BYTES ? COLUMN_BYTES / (bytes + 1) : 1;
  return n < v->n ? n : v->n;
}

/* Whether pictures are their own columns.  */
static bool
are_columns (const windows *v)
{
  return v->k == 1 && v->l == 1 && v->stride == 1;
}

/* Room for the columns of the pictures that are taken at a time.  */
static trm_tensor *
column_room (const windows *v)
{
  int64_t n = are_columns (v) ? 0 : pictures_at_once (v);
  return trm_empty (v->type,
                    TRM_SHAPE (n, column_length (v), count_all_places (v)));
}

/* The columns of N pictures of X from FIRST on, in ROOM or where they are.  */
static void *
fill_columns (const windows *v, const trm_tensor *x, int64_t first, int64_t n,
              trm_tensor *room)
{
  void *from = element (v, x, first * v->c * v->h * v->w);
  if (are_columns (v))
    return from;
  WINDOW_LOOPS (columns, v, n * v->c, room->at, from);
  return room->at;
}

/* y := w z + b, all pictures.  */
static void
convolve (const windows *v, const trm_tensor *x, const trm_tensor *w,
          const trm_tensor *b, trm_tensor *room, trm_tensor *y)
{
  int64_t p = count_all_places (v), q = column_length (v);
  int64_t step = pictures_at_once (v);
  for (int64_t first = 0; first < v->n; first += step)
    {
      int64_t n = first + step < v->n ? step : v->n - first;
      void *z = fill_columns (v, x, first, n, room);
      void *to = element (v, y, first * v->o * p);
      if (n == 1)
        trm_kernel (window, filter, v->type, v->o, p, q, to, w->at, z, b->at);
      else
        trm_kernel (window, filters, v->type, n, v->o, p, q, to, w->at, z,
                    b->at);
    }
}

/* dx += the columns of w' dy, all pictures.  */
static void
convolve_x (const windows *v, trm_tensor *dx, const trm_tensor *w,
            trm_tensor *room, const trm_tensor *dy)
{
  int64_t p = count_all_places (v), q = column_length (v);
  int64_t step = pictures_at_once (v);
  for (int64_t first = 0; first < v->n; first += step)
    {
      int64_t n = first + step < v->n ? step : v->n - first;
      void *to = element (v, dx, first * v->c * v->h * v->w);
      void *dz = are_columns (v) ? to : room->at;
      const void *from = element (v, dy, first * v->o * p);
      if (!are_columns (v))
        memset (dz, 0, (size_t) (n * p * q) * trm_type_bytes (v->type));
      if (n == 1)
        trm_kernel (product, tn_add, v->type, q, p, v->o, dz, w->at, from);
      else
        trm_kernel (window, filters_z, v->type, n, v->o, p, q, dz, from, w->at);
      if (!are_columns (v))
        WINDOW_LOOPS (columns_x, v, n * v->c, to, dz);
    }
}

/* dw += dy z', all pictures.  */
static void
convolve_w (const windows *v, const trm_tensor *x, trm_tensor *dw,
            trm_tensor *room, const trm_tensor *dy)
{
  int64_t p = count_all_places (v), q = column_length (v);
  int64_t step = pictures_at_once (v);
  for (int64_t first = 0; first < v->n; first += step)
    {
      int64_t n = first + step < v->n ? step : v->n - first;
      void *z = fill_columns (v, x, first, n, room);
      const void *from = element (v, dy, first * v->o * p);
      if (n == 1)
        trm_kernel (product, nt_add, v->type, v->o, q, p, dw->at, from, z);
      else
        trm_kernel (window, filters_f, v->type, n, v->o, p, q, dw->at, from, z);
    }
}

/* Backward with respect to x.  */
static trm_status
conv2d_back_x (const windows *v, trm_call *call, trm_tensor *room,
               const trm_tensor *dy)
{
  trm_tensor *dx = framed_gain (v, call);
  if (!dx)
    return trm_error ();
  convolve_x (v, dx, trm_in (call, 1), room, dy);
  return add_framed_gain (v, call, dx);
}

/* Backward with respect to w.  */
static trm_status
conv2d_back_w (const windows *v, trm_call *call, trm_tensor *room,
               const trm_tensor *dy)
{
  trm_tensor *x = framed (v, trm_in (call, 0), 0), *dw = trm_gain (call, 1);
  if (!x || !dw)
    return trm_error ();
  convolve_w (v, x, dw, room, dy);
  return TRM_OK;
}

/* Backward of conv2d.  */
static trm_status
conv2d_back (trm_call *call)
{
  const windows *v = trm_context (call);
  trm_tensor *dy = trm_gradient_rows (call), *room = column_room (v);
  trm_status status = dy && room ? TRM_OK : trm_error ();
  if (!status && trm_is_wanted (call, 0))
    status = conv2d_back_x (v, call, room, dy);
  if (!status && trm_is_wanted (call, 1))
    status = conv2d_back_w (v, call, room, dy);
  if (status || !trm_is_wanted (call, 2))
    return status;
  trm_tensor *db = trm_gain (call, 2);
  if (!db)
    return trm_error ();
  trm_kernel (window, filters_b, v->type, v->n, v->o, count_all_places (v),
              column_length (v), db->at, dy->at);
  return TRM_OK;
}

static const trm_function conv2d_function
  = { .name = "conv2d", .backward = conv2d_back, .saves_in = 3, .freed = free };

/* The convolution of IN, x, w and b, all ready.  */
static trm_tensor *
conv2d (windows *v, trm_tensor **in)
{
  v->type = in[0]->type;
  trm_tensor *y = trm_empty (v->type, TRM_SHAPE (v->n, v->o, v->oh, v->ow));
  if (!y)
    return NULL;
  trm_tensor *b = in[2] ? in[2] : trm_zeros (v->type, TRM_SHAPE (v->o));
  trm_tensor *room = column_room (v);
  trm_tape_pause ();
  trm_tensor *x = framed (v, in[0], 0);
  trm_tape_resume ();
  if (!b || !room || !x)
    return NULL;
  convolve (v, x, in[1], b, room, y);
  return written (&conv2d_function, 3, in, 1, &y, v);
}

trm_tensor *
trm_conv2d (trm_tensor *x, trm_tensor *w, trm_tensor *b, trm_window window)
{
  windows v;
  trm_type type;
  if (!x || !w)
    return NULL;
  if (x->rank != 4 || w->rank != 4 || x->extent[1] != w->extent[1])
    return trm_misfit ("conv2d", "x", x, "w", w);
  if (b && (b->rank != 1 || b->extent[0] != w->extent[0]))
    return trm_misfit ("conv2d", "b", b, "w", w);
  if (!set_windows (&v, "conv2d", x, w->extent[2], w->extent[3], window))
    return NULL;
  v.o = w->extent[0];
  if (!v.oh || !v.ow)
    return trm_misfit ("conv2d", "x", x, "w", w);
  if (trm_scope_open ())
    return NULL;
  trm_tensor *in[] = { x, w, b };
  trm_tensor *y
    = trm_ready (3, in, &type) ? trm_cast (conv2d (&v, in), type) : NULL;
  trm_scope_give (y);
  trm_scope_close ();
  return y;
}

/* Backward of max_pool2d: the greatest of each window gains.  */
static trm_status
max_pool_back (trm_call *call)
{
  const windows *v = trm_context (call);
  trm_tensor *dy = trm_gradient_rows (call), *dx = framed_gain (v, call);
  if (!dy || !dx)
    return trm_error ();
  trm_kernel (window, taken_x, v->type, trm_count (dx), trm_count (dy), dy->at,
              dx->at, trm_out (call, PLACES)->at);
  return add_framed_gain (v, call, dx);
}

/* Whether V cuts its pictures in squares of two, and nothing is left over.  */
static bool
are_whole (const windows *v)
{
  return are_squares_of_two (v) && !v->pad && v->h == 2 * v->oh
         && v->w == 2 * v->ow;
}

/* Backward of avg_pool2d where that is so: each element is set.  */
static trm_status
avg_pool_whole_back (const windows *v, trm_call *call)
{
  trm_tensor *dy = trm_gradient_rows (call), *dx = trm_gain_new (call, 0);
  if (!dy || !dx)
    return trm_error ();
  trm_kernel (window, avg_pool_whole_x, v->type, v->n * v->c * v->oh, v->ow,
              dx->at, dy->at);
  return TRM_OK;
}

/* Backward of avg_pool2d: each of a window gains its part.  */
static trm_status
avg_pool_back (trm_call *call)
{
  const windows *v = trm_context (call);
  if (are_whole (v))
    return avg_pool_whole_back (v, call);
  trm_tensor *dy = trm_gradient_rows (call), *dx = framed_gain (v, call);
  if (!dy || !dx)
    return trm_error ();
  if (are_squares_of_two (v))
    trm_kernel (window, avg_pool_two_x, v->type, ONE_SIZE (v), dx->at, dy->at);
  else
    WINDOW_LOOPS (avg_pool_x, v, v->n * v->c, dx->at, dy->at);
  return add_framed_gain (v, call, dx);
}

static const trm_function max_pool_function = { .name = "max_pool2d",
                                                .backward = max_pool_back,
                                                .saves_out = 1 << PLACES,
                                                .freed = free };
static const trm_function avg_pool_function
  = { .name = "avg_pool2d", .backward = avg_pool_back, .freed = free };

/* Y := the greatest of windows of FROM.  */
static void
find_greatest (const windows *v, const trm_tensor *from, trm_tensor *y)
{
  if (are_squares_of_two (v))
    trm_kernel (window, max_pool_two, v->type, ONE_SIZE (v), y->at, from->at);
  else if (v->k == 3 && v->l == 3 && v->dilation == 1)
    trm_kernel (window, max_pool_three, v->type, ONE_SIZE (v), v->stride, y->at,
                from->at);
  else
    WINDOW_LOOPS (max_pool, v, v->n * v->c, y->at, from->at);
}

/* The same, and AT := where they are.  */
static void
find_places (const windows *v, const trm_tensor *from, trm_tensor *y,
             trm_tensor *at)
{
  if (are_squares_of_two (v))
    trm_kernel (window, max_pool_two_at, v->type, ONE_SIZE (v), y->at, at->at,
                from->at);
  else
    WINDOW_LOOPS (max_pool_at, v, v->n * v->c, y->at, at->at, from->at);
}

/* Y, the greatest of windows of FROM, which is X in its frame.  */
static trm_tensor *
max_pool (const windows *v, trm_tensor *x, const trm_tensor *from,
          trm_tensor *y)
{
  trm_tensor *out[] = { y, NULL };
  if (!trm_is_recording (1, &x))
    {
      find_greatest (v, from, y);
      return y;
    }
  if (trm_count (from) > INT32_MAX)
    return trm_fail_null (TRM_BAD_SHAPE,
                          "max_pool2d: %lld elements on a tape, more than 2^31",
                          (long long) trm_count (from));
  out[PLACES] = trm_empty_like (y, TRM_I32);
  if (!out[PLACES])
    return NULL;
  find_places (v, from, y, out[PLACES]);
  return written (&max_pool_function, 1, &x, 2, out, v);
}

/* X, ready, pooled as FUNCTION does.  */
static trm_tensor *
pool_ready (const trm_function *function, windows *v, trm_tensor *x)
{
  bool most = function == &max_pool_function;
  v->type = x->type;
  trm_tensor *y = trm_empty (v->type, TRM_SHAPE (v->n, v->c, v->oh, v->ow));
  trm_tape_pause ();
  trm_tensor *from = framed (v, x, most ? -INFINITY : 0);
  trm_tape_resume ();
  if (!y || !from)
    return NULL;
  if (most)
    return max_pool (v, x, from, y);
  if (are_squares_of_two (v))
    trm_kernel (window, avg_pool_two, v->type, ONE_SIZE (v), y->at, from->at);
  else
    WINDOW_LOOPS (avg_pool, v, v->n * v->c, y->at, from->at);
  return written (function, 1, &x, 1, &y, v);
}

/* Pool X, of any type.  */
static trm_tensor *
pool (const trm_function *function, trm_tensor *x, int64_t size,
      trm_window window)
{
  windows v;
  trm_type type;
  char text[TRM_SHAPE_TEXT];
  if (!x)
    return NULL;
  trm_shape_text (text, x->rank, x->extent);
  if (x->rank != 4)
    return trm_fail_null (TRM_BAD_SHAPE, "%s: %s is not of rank 4",
                          function->name, text);
  if (!window.stride)
    window.stride = size;
  if (!set_windows (&v, function->name, x, size, size, window))
    return NULL;
  if (!v.oh || !v.ow || v.pad > v.dilation * (size - 1))
    return trm_fail_null (TRM_BAD_SHAPE,
                          "%s: windows of %lld x %lld, %lld apart, do not go"
                          " with %s and a pad of %lld",
                          function->name, (long long) size, (long long) size,
                          (long long) v.dilation, text, (long long) v.pad);
  if (trm_scope_open ())
    return NULL;
  trm_tensor *y = trm_ready (1, &x, &type)
                    ? trm_cast (pool_ready (function, &v, x), type)
                    : NULL;
  trm_scope_give (y);
  trm_scope_close ();
  return y;
}

trm_tensor *
trm_max_pool2d (trm_tensor *x, int64_t size, trm_window window)
{
  return pool (&max_pool_function, x, size, window);
}

trm_tensor *
trm_avg_pool2d (trm_tensor *x, int64_t size, trm_window window)
{
  return pool (&avg_pool_function, x, size, window);
}
