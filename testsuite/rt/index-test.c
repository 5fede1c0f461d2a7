/* Advanced indexing: results that NumPy gives, spelled out; any index against
   subscripts followed one by one; changes in place; sums in the order of the
   index for any number of threads; gradients; errors.  */

#include "differences.h"

#include <stdlib.h>

#define LIST(...)                                                              \
  (int) (sizeof ((trm_tensor *[]){ __VA_ARGS__ }) / sizeof (trm_tensor *)),    \
    (trm_tensor *[])                                                           \
  {                                                                            \
    __VA_ARGS__                                                                \
  }
#define WHOLES(shape, ...) trm_from (TRM_I64, shape, (int64_t[]){ __VA_ARGS__ })
#define TRUTHS(shape, ...)                                                     \
  trm_from (TRM_BOOL, shape, (uint8_t[]){ __VA_ARGS__ })
#define IS(t, shape, ...) is_exactly (t, shape, (double[]){ __VA_ARGS__ })

/* 0, 1, 2, ... of this type and shape.  */
static trm_tensor *
counting (trm_type type, int rank, const int64_t *extent)
{
  double n = (double) trm_count (trm_empty (TRM_BOOL, rank, extent));
  return trm_reshape (trm_arange (type, 0, n, 1), rank, extent);
}

/* Whether T has this shape and these elements.  */
static bool
is_exactly (const trm_tensor *t, int rank, const int64_t *extent,
            const double *value)
{
  bool right = t && t->rank == rank && trm_is_contiguous (t);
  for (int i = 0; i < rank && right; i++)
    right = t->extent[i] == extent[i];
  for (int64_t i = 0; right && i < trm_count (t); i++)
    right = element (t, i) == value[i];
  return right;
}

static void
test_literals (void)
{
  trm_tensor *x = counting (TRM_F32, TRM_SHAPE (3, 4));
  trm_tensor *ends = WHOLES (TRM_SHAPE (2), 0, 2);
  trm_tensor *column = WHOLES (TRM_SHAPE (2, 1), 1, 0);
  expect (IS (trm_index (x, LIST (ends, column)), TRM_SHAPE (2, 2), 1, 9, 0, 8),
          "x[[0, 2], [[1], [0]]]");
  expect (
    IS (trm_index (x, LIST (ends)), TRM_SHAPE (2, 4), 0, 1, 2, 3, 8, 9, 10, 11),
    "x[[0, 2]]");
  expect (
    IS (trm_index (x, LIST (NULL, ends)), TRM_SHAPE (3, 2), 0, 2, 4, 6, 8, 10),
    "x[:, [0, 2]]");
  expect (IS (trm_index (x, LIST (NULL, column)), TRM_SHAPE (3, 2, 1), 1, 0, 5,
              4, 9, 8),
          "x[:, [[1], [0]]]");
  expect (IS (trm_index (x, LIST (WHOLES (TRM_SHAPE (2), -1, -3), ends)),
              TRM_SHAPE (2), 8, 2),
          "x[[-1, -3], [0, 2]]");
  expect (IS (trm_index (x, LIST (trm_number (TRM_U8, 2))), TRM_SHAPE (4), 8, 9,
              10, 11),
          "x[2], of u8");
  expect (IS (trm_index (x, LIST (trm_number (TRM_I32, 1), ends)),
              TRM_SHAPE (2), 4, 6),
          "x[1, [0, 2]]");
  expect (
    IS (trm_index (x, LIST (WHOLES (TRM_SHAPE (0), 0))), TRM_SHAPE (0, 4), 0),
    "x[[]]");
  expect (same_bits (trm_index (x, 0, NULL), x)
            && same_bits (trm_index (x, LIST (NULL, NULL)), x)
            && trm_index (x, 0, NULL)->at != x->at,
          "x[:] and x[:, :] are copies");
  expect (IS (trm_index (trm_t (x), LIST (ends, WHOLES (TRM_SHAPE (2), 2, 1))),
              TRM_SHAPE (2), 8, 6),
          "x'[[0, 2], [2, 1]]");
  expect (IS (trm_index (trm_slice (x, 1, -1, TRM_END, -2), LIST (ends)),
              TRM_SHAPE (2, 2), 3, 1, 11, 9),
          "x[:, ::-2][[0, 2]]");
  trm_tensor *number = trm_number (TRM_F64, 7);
  expect (IS (trm_index (number, 0, NULL), TRM_SCALAR, 7), "7[()]");
}

static void
test_places (void)
{
  trm_tensor *x = counting (TRM_I32, TRM_SHAPE (2, 3, 4));
  trm_tensor *a = WHOLES (TRM_SHAPE (2), 0, 1);
  trm_tensor *b = WHOLES (TRM_SHAPE (2), 3, 1);
  expect (IS (trm_index (x, LIST (a, NULL, b)), TRM_SHAPE (2, 3), 3, 7, 11, 13,
              17, 21),
          "apart, in front: x[[0, 1], :, [3, 1]]");
  expect (IS (trm_index (x, LIST (NULL, a, b)), TRM_SHAPE (2, 2), 3, 5, 15, 17),
          "side by side, in place: x[:, [0, 1], [3, 1]]");
  expect (IS (trm_index (x, LIST (NULL, NULL, b)), TRM_SHAPE (2, 3, 2), 3, 1, 7,
              5, 11, 9, 15, 13, 19, 17, 23, 21),
          "the last axis: x[:, :, [3, 1]]");
  expect (IS (trm_index (x, LIST (trm_number (TRM_I8, 1), NULL, b)),
              TRM_SHAPE (2, 3), 15, 19, 23, 13, 17, 21),
          "a number apart: x[1, :, [3, 1]]");
  expect (IS (trm_index (x, LIST (WHOLES (TRM_SHAPE (2, 1), 1, 0),
                                  WHOLES (TRM_SHAPE (2), 2, 0))),
              TRM_SHAPE (2, 2, 4), 20, 21, 22, 23, 12, 13, 14, 15, 8, 9, 10, 11,
              0, 1, 2, 3),
          "broadcast: x[[[1], [0]], [2, 0]]");
}

static void
test_masks (void)
{
  trm_tensor *x = counting (TRM_F16, TRM_SHAPE (2, 3));
  trm_tensor *rows = TRUTHS (TRM_SHAPE (2), 0, 1);
  trm_tensor *columns = TRUTHS (TRM_SHAPE (3), 1, 0, 1);
  trm_tensor *some = TRUTHS (TRM_SHAPE (2, 3), 0, 1, 1, 1, 0, 0);
  expect (IS (trm_index (x, LIST (some)), TRM_SHAPE (3), 1, 2, 3), "x[mask]");
  expect (IS (trm_index (x, LIST (rows)), TRM_SHAPE (1, 3), 3, 4, 5),
          "x[[false, true]]");
  expect (
    IS (trm_index (x, LIST (NULL, columns)), TRM_SHAPE (2, 2), 0, 2, 3, 5),
    "x[:, [true, false, true]]");
  expect (IS (trm_index (x, LIST (rows, columns)), TRM_SHAPE (2), 3, 5),
          "masks are broadcast as what they name");
  expect (IS (trm_index (x, LIST (WHOLES (TRM_SHAPE (2), 0, -1), columns)),
              TRM_SHAPE (2), 0, 5),
          "a mask beside an index");
  expect (
    IS (trm_index (counting (TRM_U8, TRM_SHAPE (2, 2, 3)), LIST (NULL, some)),
        TRM_SHAPE (2, 3), 1, 2, 3, 7, 8, 9),
    "a mask of two axes behind a whole one");
  expect (IS (trm_index (x, LIST (TRUTHS (TRM_SCALAR, 1), rows)),
              TRM_SHAPE (1, 3), 3, 4, 5)
            && IS (trm_index (x, LIST (TRUTHS (TRM_SCALAR, 0))),
                   TRM_SHAPE (0, 2, 3), 0),
          "masks of rank 0");
  expect (IS (trm_nonzero (trm_t (some)), TRM_SHAPE (3, 2), 0, 1, 1, 0, 2, 0),
          "nonzero, in the order of the view's elements");
  expect (IS (trm_nonzero (trm_number (TRM_F32, 2)), TRM_SHAPE (1, 0), 0)
            && IS (trm_nonzero (trm_zeros (TRM_F32, TRM_SHAPE (2, 2))),
                   TRM_SHAPE (0, 2), 0),
          "nonzero of a number, of zeros");
}

/* The shape of what INDEX[0..n), whole numbers, broadcast to.  */
static int
common_shape (int n, trm_tensor **index, int64_t extent[TRM_RANK])
{
  int rank = 0;
  for (int i = 0; i < n; i++)
    rank = index[i] && index[i]->rank > rank ? index[i]->rank : rank;
  for (int k = 0; k < rank; k++)
    extent[k] = 1;
  for (int i = 0; i < n; i++)
    for (int k = 0; index[i] && k < index[i]->rank; k++)
      if (index[i]->extent[k] != 1)
        extent[rank - index[i]->rank + k] = index[i]->extent[k];
  return rank;
}

/* Subscript INDEX[AT], seen with rank RANK, for an axis of EXTENT.  */
static int64_t
subscript (const trm_tensor *index, int rank, const int64_t *at, int64_t extent)
{
  int64_t own[TRM_RANK];
  for (int k = 0; k < index->rank; k++)
    own[k] = index->extent[k] == 1 ? 0 : at[rank - index->rank + k];
  int64_t i = trm_get_int (index, index->rank, own);
  return i < 0 ? i + extent : i;
}

/* The element of X, counted in order, that INDEX names for result subscripts
   AT; RANK is the common rank, FRONT what stands before it.  */
static int64_t
follow (const trm_tensor *x, int n, trm_tensor **index, int rank, int front,
        const int64_t *at)
{
  int64_t element = 0;
  for (int axis = 0, whole = 0; axis < x->rank; axis++)
    {
      int64_t i;
      if (axis < n && index[axis])
        i = subscript (index[axis], rank, at + front, x->extent[axis]);
      else
        {
          i = whole < front ? at[whole] : at[rank + whole];
          whole++;
        }
      element = element * x->extent[axis] + i;
    }
  return element;
}

/* How many whole axes stand in front of the common ones.  */
static int
axes_in_front (int n, trm_tensor **index)
{
  int first = -1, last = -1, named = 0;
  for (int i = 0; i < n; i++)
    if (index[i])
      {
        first = first < 0 ? i : first;
        last = i;
        named++;
      }
  return first >= 0 && last - first + 1 == named ? first : 0;
}

/* Whether x[index] of X, which counts, is what following subscripts gives.  */
static bool
follows (trm_tensor *x, int n, trm_tensor **index)
{
  int64_t extent[TRM_RANK], at[TRM_RANK];
  int rank = common_shape (n, index, extent);
  int front = axes_in_front (n, index);
  trm_tensor *y = trm_index (x, n, index);
  bool right = y && y->type == x->type && trm_is_contiguous (y);
  for (int k = 0; right && k < rank; k++)
    right = y->extent[front + k] == extent[k];
  for (int64_t i = 0; right && i < trm_count (y); i++)
    {
      int64_t rest = i;
      for (int k = y->rank - 1; k >= 0; k--)
        {
          at[k] = rest % y->extent[k];
          rest /= y->extent[k];
        }
      right = element (y, i) == (double) follow (x, n, index, rank, front, at);
    }
  return right;
}

static unsigned state = 1;

/* A number below N.  */
static int64_t
any (int64_t n)
{
  state = state * 1664525u + 1013904223u;
  return (int64_t) (state >> 8) % n;
}

/* An index for an axis of EXTENT that broadcasts to [3, 2].  */
static trm_tensor *
any_index (int64_t extent)
{
  int rank = (int) any (3);
  const int64_t own[] = { any (2) ? 3 : 1, any (2) ? 2 : 1 };
  trm_tensor *t = trm_empty (any (2) ? TRM_I64 : TRM_I32, rank, own + 2 - rank);
  int64_t sub[2];
  for (int64_t i = 0; i < trm_count (t); i++)
    {
      sub[0] = rank == 2 ? i / t->extent[1] : i;
      sub[1] = rank == 2 ? i % t->extent[1] : 0;
      trm_set (t, rank, sub, (double) (any (2 * extent) - extent));
    }
  return t;
}

static void
test_any (void)
{
  static const trm_type types[]
    = { TRM_F64, TRM_F32, TRM_F16, TRM_I64, TRM_I32, TRM_U8 };
  bool right = true;
  for (int round = 0; round < 600; round++)
    {
      int64_t extent[5];
      trm_tensor *index[5];
      int axis[5];
      trm_scope_open ();
      int rank = 1 + (int) any (5), n = (int) any (rank + 1);
      for (int i = 0; i < rank; i++)
        {
          extent[i] = 1 + any (3);
          index[i] = any (3) ? any_index (extent[i]) : NULL;
          axis[i] = rank - 1 - i;
        }
      trm_tensor *x = counting (types[any (6)], rank, extent);
      if (any (2))
        x = trm_permute (trm_contiguous (trm_permute (x, rank, axis)), rank,
                         axis);
      right &= follows (x, n, index);
      trm_scope_close ();
    }
  expect (right, "600 indices are followed, of views, too");
}

static void
test_put (void)
{
  trm_tensor *x = counting (TRM_F32, TRM_SHAPE (2, 3));
  trm_tensor *at = WHOLES (TRM_SHAPE (3), 0, 2, 0);
  expect (
    !trm_index_put (x, LIST (NULL, at), WHOLES (TRM_SHAPE (3), 10, 20, 30))
      && IS (x, TRM_SHAPE (2, 3), 30, 1, 20, 30, 4, 20),
    "index_put: of an element named twice the last one");
  expect (!trm_index_put (x, LIST (TRUTHS (TRM_SHAPE (2, 3), 0, 1, 0, 0, 1, 0)),
                          trm_number (TRM_F64, -1))
            && IS (x, TRM_SHAPE (2, 3), 30, -1, 20, 30, -1, 20),
          "index_put: a number where a mask is true");
  x = counting (TRM_I64, TRM_SHAPE (4));
  expect (!trm_index_put (x, LIST (x), trm_slice (x, 0, -1, TRM_END, -1))
            && IS (x, TRM_SHAPE (4), 3, 2, 1, 0),
          "index_put: index and value are the tensor itself");
  x = counting (TRM_I64, TRM_SHAPE (4));
  expect (!trm_index_put (x, LIST (WHOLES (TRM_SHAPE (3), 1, 2, 3)),
                          trm_slice (x, 0, 0, 3, 1))
            && IS (x, TRM_SHAPE (4), 0, 0, 1, 2),
          "index_put: the value is a part of the tensor");
  int64_t own[] = { 1, 2, 3, 4 };
  trm_tensor *y = trm_wrap (TRM_I64, TRM_SHAPE (4), NULL, own, NULL, NULL);
  trm_tensor *part = trm_wrap (TRM_I64, TRM_SHAPE (3), NULL, own, NULL, NULL);
  expect (!trm_index_put (y, LIST (WHOLES (TRM_SHAPE (3), 1, 2, 3)), part)
            && own[0] == 1 && own[1] == 1 && own[2] == 2 && own[3] == 3,
          "index_put: the value is the same memory, wrapped again");
  trm_tensor *turned = trm_t (counting (TRM_U8, TRM_SHAPE (2, 3)));
  expect (
    !trm_index_put (turned, LIST (WHOLES (TRM_SHAPE (1), 1)),
                    WHOLES (TRM_SHAPE (2), 300, 8))
      && IS (trm_contiguous (turned), TRM_SHAPE (3, 2), 0, 3, 44, 8, 2, 5),
    "index_put: into a view, cast");
  expect (!trm_index_put (x, LIST (TRUTHS (TRM_SHAPE (4), 0, 0, 0, 0)),
                          trm_number (TRM_I64, 9))
            && IS (x, TRM_SHAPE (4), 0, 0, 1, 2),
          "index_put: nothing");
}

static void
test_add (void)
{
  trm_tensor *x = trm_zeros (TRM_I32, TRM_SHAPE (3));
  trm_tensor *at = WHOLES (TRM_SHAPE (2, 2), 0, 2, -1, 2);
  expect (!trm_index_add (x, LIST (at), WHOLES (TRM_SHAPE (2), 1, 10))
            && IS (x, TRM_SHAPE (3), 1, 0, 21),
          "index_add: repeated, stretched");
  trm_tensor *half = trm_full (TRM_F16, TRM_SHAPE (2, 2), 1);
  expect (!trm_index_add (trm_t (half),
                          LIST (trm_zeros (TRM_I64, TRM_SHAPE (2048))),
                          trm_full (TRM_F32, TRM_SHAPE (2), 1. / 1024))
            && IS (half, TRM_SHAPE (2, 2), 3, 1, 3, 1),
          "index_add: f16 is rounded once, also of a view");
  trm_tensor *truth = TRUTHS (TRM_SHAPE (2), 0, 1);
  expect (!trm_index_add (truth, LIST (trm_zeros (TRM_I64, TRM_SHAPE (2))),
                          TRUTHS (TRM_SHAPE (2), 1, 1))
            && IS (truth, TRM_SHAPE (2), 1, 1),
          "index_add: of bool, or");
  trm_tensor *byte = trm_full (TRM_I8, TRM_SHAPE (1), 127);
  expect (!trm_index_add (byte, LIST (trm_zeros (TRM_I64, TRM_SHAPE (1))),
                          trm_number (TRM_I8, 1))
            && IS (byte, TRM_SHAPE (1), -128),
          "index_add: whole numbers wrap");
  trm_tensor *apart = counting (TRM_F64, TRM_SHAPE (2, 2, 2));
  trm_tensor *one = WHOLES (TRM_SHAPE (2), 1, 1);
  expect (!trm_index_add (apart, LIST (one, NULL, one),
                          counting (TRM_F64, TRM_SHAPE (2, 2)))
            && IS (apart, TRM_SHAPE (2, 2, 2), 0, 1, 2, 3, 4, 7, 6, 11),
          "index_add: apart");
}

/* Whether adding K rows of N numbers to one of 5 has the bits of plain loops,
   for 1, 2 and 4 threads.  */
static bool
adds_in_order (trm_type type, int64_t k, int64_t n)
{
  bool right = true;
  trm_tensor *at = trm_empty (TRM_I64, TRM_SHAPE (k));
  for (int64_t i = 0; i < k; i++)
    ((int64_t *) at->at)[i] = any (5);
  trm_tensor *v = trm_cast (numbers (3, -1, 1, TRM_SHAPE (k, n)), type);
  trm_tensor *sum = trm_zeros (type, TRM_SHAPE (5, n));
  for (int64_t i = 0; i < k; i++)
    for (int64_t j = 0; j < n; j++)
      {
        int64_t to = ((int64_t *) at->at)[i] * n + j;
        if (type == TRM_F64)
          ((double *) sum->at)[to] += ((double *) v->at)[i * n + j];
        else
          ((float *) sum->at)[to] += ((float *) v->at)[i * n + j];
      }
  for (int threads = 1; threads <= 4; threads *= 2)
    {
      use_threads (threads);
      trm_tensor *x = trm_zeros (type, TRM_SHAPE (5, n));
      right &= !trm_index_add (x, LIST (at), v) && same_bits (x, sum);
    }
  return right;
}

static void
test_order (void)
{
  expect (adds_in_order (TRM_F32, 30000, 1)
            && adds_in_order (TRM_F64, 30000, 1),
          "index_add of numbers: the bits of the order of the index");
  expect (adds_in_order (TRM_F32, 2000, 37)
            && adds_in_order (TRM_F64, 700, 130),
          "index_add of rows: the bits of the order of the index");
}

static trm_tensor *
read_rows (trm_tensor **x)
{
  return trm_index (x[0], LIST (WHOLES (TRM_SHAPE (2, 2), 2, 0, -1, 2)));
}

static trm_tensor *
read_apart (trm_tensor **x)
{
  return trm_index (
    trm_transpose (x[0], 0, 2),
    LIST (TRUTHS (TRM_SHAPE (4), 1, 0, 1, 1), NULL, WHOLES (TRM_SHAPE (1), 1)));
}

static trm_tensor *
cubes (trm_tensor **x)
{
  trm_tensor *y
    = trm_index (x[0], LIST (NULL, WHOLES (TRM_SHAPE (3), 1, 0, 1)));
  return trm_sum (trm_mul (trm_mul (y, y), y), TRM_ALL, false);
}

static trm_tensor *
slope_of_cubes (trm_tensor **x)
{
  trm_tensor *slope;
  return trm_gradients (cubes (x), 1, x, &slope) ? NULL : slope;
}

static void
test_gradients (void)
{
  trm_tensor *x = numbers (5, -1, 1, TRM_SHAPE (3, 4));
  trm_tensor *y = numbers (6, -1, 1, TRM_SHAPE (3, 2, 4));
  expect (gradients_agree (read_rows, 1, &x), "gradient: repeated rows");
  expect (gradients_agree (read_apart, 1, &y),
          "gradient: apart, with a mask, of a view");
  expect (gradients_agree (cubes, 1, &x), "gradient: columns");
  trm_want_gradient (x);
  trm_tape_open ();
  trm_tensor *slope = slope_of_cubes (&x);
  expect (slope && !trm_backward (slope, trm_full (TRM_F64, 2, x->extent, 1))
            && fabs (element (trm_gradient_of (x), 1) - 12 * element (x, 1))
                 < 1e-12
            && element (trm_gradient_of (x), 2) == 0,
          "gradient of a gradient");
  trm_tape_close ();
  trm_tensor *half = trm_want_gradient (trm_zeros (TRM_BF16, TRM_SHAPE (2)));
  trm_tape_open ();
  trm_tensor *z = trm_index (half, LIST (WHOLES (TRM_SHAPE (3), 1, 1, 0)));
  expect (!trm_backward (z, trm_full (TRM_BF16, TRM_SHAPE (3), 1))
            && IS (trm_gradient_of (half), TRM_SHAPE (2), 1, 2),
          "gradient of bf16");
  trm_tape_close ();
}

static void
test_errors (void)
{
  trm_tensor *x = counting (TRM_F32, TRM_SHAPE (2, 3));
  trm_tensor *far = WHOLES (TRM_SHAPE (2), 0, 3);
  expect (
    !trm_index (x, LIST (NULL, far))
      && expect_failed (TRM_BAD_INDEX, "index: 3 is outside of axis 1 of 3"),
    "an index outside of its axis");
  expect (trm_index_add (x, LIST (WHOLES (TRM_SHAPE (1), -3)),
                         trm_number (TRM_F32, 1))
            && expect_failed (TRM_BAD_INDEX,
                              "index_add: -3 is outside of axis 0 of 2"),
          "a negative one");
  expect (!trm_index (x, LIST (far, far, far))
            && expect_failed (TRM_BAD_ARGUMENT, "[2, 3]"),
          "too many");
  expect (!trm_index (x, LIST (x)) && expect_failed (TRM_BAD_TYPE, "f32"),
          "an index of f32");
  expect (!trm_index (x, LIST (TRUTHS (TRM_SHAPE (3), 1, 1, 1)))
            && expect_failed (TRM_BAD_SHAPE, "a mask of [3] for axis 0 of"),
          "a mask of another shape");
  expect (!trm_index (x, LIST (WHOLES (TRM_SHAPE (2), 0, 1),
                               WHOLES (TRM_SHAPE (3), 0, 1, 2)))
            && expect_failed (TRM_BAD_SHAPE, "[2] and [3]"),
          "index tensors that cannot be broadcast");
  expect (trm_index_put (x, LIST (WHOLES (TRM_SHAPE (1), 0)),
                         trm_zeros (TRM_F32, TRM_SHAPE (2)))
            && expect_failed (TRM_BAD_SHAPE,
                              "index_put: [2] does not stretch to [1, 3]"),
          "a value that does not stretch");
  expect (IS (x, TRM_SHAPE (2, 3), 0, 1, 2, 3, 4, 5),
          "what failed changed nothing");
  expect (!trm_index (NULL, 0, NULL) && !trm_nonzero (NULL)
            && trm_index_put (x, 0, NULL, NULL) == TRM_BAD_ARGUMENT
            && !trm_error (),
          "NULL");
}

int
main (void)
{
  int64_t before = trm_memory_now ().bytes;
  void (*const tests[]) (void)
    = { test_literals, test_places, test_masks,     test_any,   test_put,
        test_add,      test_order,  test_gradients, test_errors };
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
    {
      trm_scope_open ();
      tests[i]();
      trm_scope_close ();
    }
  expect (trm_memory_now ().bytes == before, "no memory is lost");
  return expect_status ();
}
