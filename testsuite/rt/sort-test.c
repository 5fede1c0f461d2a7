/* Sorting against insertion one by one: stable, NaN above all numbers, all
   element types, along every axis, lines short and long; the k greatest;
   gradients; errors.  */

#include "differences.h"

#include <stdlib.h>

static unsigned state = 9;

/* A number below N.  */
static int64_t
any (int64_t n)
{
  state = state * 1664525u + 1013904223u;
  return (int64_t) (state >> 8) % n;
}

/* Whether element A stands before B of equal rank: NaN is greatest.  */
static bool
is_before (double a, double b, bool descending)
{
  bool below = isnan (b) ? !isnan (a) : a < b;
  bool above = isnan (a) ? !isnan (b) : a > b;
  return descending ? above : below;
}

/* Whether AT[0..k) of LINE[0..n), STEP apart as Y is, names the first K in
   order, and Y their bits.  */
static bool
is_line_ordered (const trm_tensor *x, int axis, int64_t at[TRM_RANK],
                 const trm_tensor *y, const trm_tensor *where, bool descending)
{
  int64_t n = x->extent[axis], k = y->extent[axis];
  int64_t *order = malloc ((size_t) n * sizeof *order + 1);
  double *value = malloc ((size_t) n * sizeof *value + 1);
  bool right = true;
  for (int64_t i = 0; i < n; i++)
    {
      at[axis] = i;
      value[i] = trm_get (x, x->rank, at);
      int64_t m = i;
      for (; m > 0 && is_before (value[i], value[order[m - 1]], descending);
           m--)
        order[m] = order[m - 1];
      order[m] = i;
    }
  for (int64_t i = 0; i < k; i++)
    {
      at[axis] = i;
      double found = trm_get (y, y->rank, at), want = value[order[i]];
      right &= trm_get_int (where, y->rank, at) == order[i]
               && (isnan (want)
                     ? isnan (found)
                     : found == want && signbit (found) == signbit (want));
    }
  free (order);
  free (value);
  return right;
}

/* Whether Y and WHERE are the first of X along AXIS.  */
static bool
is_ordered (const trm_tensor *x, int axis, const trm_tensor *y,
            const trm_tensor *where, bool descending)
{
  bool right = y && where && y->type == x->type && where->type == TRM_I64
               && trm_same_shape (y, where);
  int64_t lines
    = right && x->extent[axis] ? trm_count (x) / x->extent[axis] : 0;
  for (int64_t i = 0; i < lines && right; i++)
    {
      int64_t at[TRM_RANK], rest = i;
      for (int k = x->rank - 1; k >= 0; k--)
        if (k != axis)
          {
            at[k] = rest % x->extent[k];
            rest /= x->extent[k];
          }
      right = is_line_ordered (x, axis, at, y, where, descending);
    }
  return right;
}

/* N elements of TYPE: few different ones when SAME, nan and zeros of both
   signs among floating ones.  */
static trm_tensor *
mixed (trm_type type, int rank, const int64_t *extent, bool same)
{
  static const double odd[] = { NAN, INFINITY, -INFINITY, 0, -0.0, -1 };
  trm_tensor *x = trm_empty (TRM_F64, rank, extent);
  double *at = x->at;
  for (int64_t i = 0; i < trm_count (x); i++)
    {
      at[i] = (double) any (same ? 7 : 1000) - (same ? 3 : 500);
      if (type >= TRM_BF16 && any (5) == 0)
        at[i] = odd[any (6)];
    }
  return trm_cast (x, type);
}

static void
test_types (void)
{
  for (trm_type type = TRM_BOOL; type <= TRM_F64; type++)
    {
      bool right = true;
      for (int round = 0; round < 24; round++)
        {
          trm_scope_open ();
          bool down = round & 1, same = round & 2;
          int64_t n = round < 8 ? any (12) : 40 + any (300);
          trm_tensor *x = mixed (type, TRM_SHAPE (n), same), *at;
          trm_tensor *y = trm_sort (x, 0, down, &at);
          right &= is_ordered (x, 0, y, at, down);
          int64_t k = n ? any (n + 1) : 0;
          y = trm_topk (x, k, -1, &at);
          right &= y && y->extent[0] == k && is_ordered (x, 0, y, at, true);
          trm_scope_close ();
        }
      expect (right, "sort and topk of %s", trm_type_name (type));
    }
}

static void
test_axes (void)
{
  bool right = true;
  for (int axis = 0; axis < 3; axis++)
    {
      int64_t extent[] = { 5, 4, 3 };
      extent[axis] = 70;
      trm_tensor *x = mixed (TRM_F32, 3, extent, false), *at;
      trm_tensor *turned = trm_transpose (x, 0, 2);
      trm_tensor *y = trm_sort (x, axis, false, &at);
      right &= is_ordered (x, axis, y, at, false);
      y = trm_sort (turned, axis - 3, true, &at);
      right &= is_ordered (turned, axis, y, at, true);
      y = trm_topk (turned, turned->extent[axis] / 2, axis, &at);
      right &= is_ordered (turned, axis, y, at, true);
      right &= same_bits (
        y, trm_topk (turned, turned->extent[axis] / 2, axis, NULL));
    }
  expect (right, "along every axis, of views");
  trm_tensor *at;
  trm_tensor *none
    = trm_sort (trm_empty (TRM_F32, TRM_SHAPE (0, 3)), 1, false, &at);
  expect (none && at && none->extent[0] == 0 && at->extent[1] == 3,
          "of nothing");
}

static void
test_long (void)
{
  trm_tensor *x = trm_empty (TRM_F64, TRM_SHAPE (20000)), *at, *first;
  for (int64_t i = 0; i < 20000; i++)
    ((double *) x->at)[i] = (double) (i * 7919 % 20011);
  trm_tensor *up = trm_sort (x, 0, false, NULL);
  trm_tensor *down = trm_sort (x, 0, true, &at);
  bool right = up && down;
  for (int64_t i = 0; i < 20000 && right; i++)
    right
      = (i == 0 || element (up, i - 1) < element (up, i))
        && element (down, i) == element (up, 19999 - i)
        && element (x, trm_get_int (at, TRM_SHAPE (i))) == element (down, i);
  expect (right, "20000 numbers, both ways");
  right = true;
  for (int64_t k = 1; k < 5000; k *= 7)
    right
      &= same_bits (trm_topk (x, k, 0, &first), trm_slice (down, 0, 0, k, 1))
         && same_bits (first, trm_slice (at, 0, 0, k, 1))
         && same_bits (trm_topk (up, k, 0, NULL), trm_slice (down, 0, 0, k, 1));
  expect (right, "topk is the front of sort, of ascending numbers, too");
}

static void
test_equal (void)
{
  trm_tensor *x = trm_zeros (TRM_BF16, TRM_SHAPE (5000)), *at;
  trm_topk (x, 3, 0, &at);
  expect (at && element (at, 0) == 0 && element (at, 1) == 1
            && element (at, 2) == 2,
          "of equal ones the first are the greatest");
}

static void
test_nan (void)
{
  trm_tensor *x = trm_from (TRM_F32, TRM_SHAPE (4),
                            (float[]){ 1, -NAN, -INFINITY, INFINITY });
  trm_tensor *up = trm_sort (x, 0, false, NULL);
  trm_tensor *down = trm_sort (x, 0, true, NULL);
  expect (isnan (element (up, 3)) && isinf (element (up, 2))
            && isnan (element (down, 0)) && isinf (element (down, 1))
            && isnan (element (trm_topk (x, 1, 0, NULL), 0)),
          "NaN is above infinity");
}

static trm_tensor *
sorted_columns (trm_tensor **x)
{
  return trm_sort (trm_t (x[0]), 1, true, NULL);
}

static trm_tensor *
greatest (trm_tensor **x)
{
  trm_tensor *at;
  return trm_topk (x[0], 2, 0, &at);
}

static trm_tensor *
cubes_of_greatest (trm_tensor **x)
{
  trm_tensor *y = greatest (x);
  return trm_sum (trm_mul (trm_mul (y, y), y), TRM_ALL, false);
}

static void
test_gradients (void)
{
  trm_tensor *x = numbers (5, -1, 1, TRM_SHAPE (5, 3)), *slope;
  expect (gradients_agree (sorted_columns, 1, &x), "gradient of sort");
  expect (gradients_agree (greatest, 1, &x), "gradient of topk");
  trm_tensor *row = trm_want_gradient (
    trm_from (TRM_F64, TRM_SHAPE (3), (double[]){ 2, 3, 1 }));
  trm_tape_open ();
  trm_tensor *y = cubes_of_greatest (&row);
  expect (!trm_gradients (y, 1, &row, &slope)
            && !trm_backward (slope, trm_full (TRM_F64, TRM_SHAPE (3), 1))
            && element (trm_gradient_of (row), 0) == 12
            && element (trm_gradient_of (row), 1) == 18
            && element (trm_gradient_of (row), 2) == 0,
          "gradient of a gradient");
  trm_tape_close ();
}

static void
test_errors (void)
{
  trm_tensor *x = trm_zeros (TRM_F32, TRM_SHAPE (2, 3));
  trm_tensor *at = x;
  expect (!trm_sort (x, 2, false, &at) && !at
            && expect_failed (TRM_BAD_ARGUMENT, "sort: there is no axis 2"),
          "sort along no axis");
  expect (!trm_sort (trm_number (TRM_F32, 1), -1, false, NULL)
            && expect_failed (TRM_BAD_ARGUMENT, "sort"),
          "sort of a number");
  expect (!trm_topk (x, 4, 1, &at)
            && expect_failed (TRM_BAD_ARGUMENT, "topk: 4 of axis 1 of 3")
            && !trm_topk (x, -1, 1, &at)
            && expect_failed (TRM_BAD_ARGUMENT, "topk: -1 of axis 1 of 3"),
          "more than there are, or less than none");
  expect (!trm_sort (NULL, 0, false, &at) && !trm_topk (NULL, 1, 0, NULL)
            && !trm_error (),
          "NULL");
}

int
main (void)
{
  int64_t before = trm_memory_now ().bytes;
  void (*const tests[]) (void)
    = { test_types, test_axes,      test_long,  test_equal,
        test_nan,   test_gradients, test_errors };
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
    {
      trm_scope_open ();
      tests[i]();
      trm_scope_close ();
    }
  expect (trm_memory_now ().bytes == before, "no memory is lost");
  return expect_status ();
}
