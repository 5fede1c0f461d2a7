/* Views and copies: each view's elements are those that its meaning says, over
   views of views; copies between all pairs of types, turned ones of many sizes
   among them, hold the same numbers; gradients of views come to their elements;
   errors name both shapes.  */

#include "expect.h"

#include <math.h>

#define AT(i, j) TRM_SHAPE (i, j)

/* 0, 1, ... as [h][w] of TYPE.  */
static trm_tensor *
numbers (trm_type type, int64_t h, int64_t w)
{
  return trm_cast (trm_reshape (trm_arange (TRM_F64, 0, (double) (h * w), 1),
                                TRM_SHAPE (h, w)),
                   type);
}

/* Whether element (i, j) of T [h][w] is BASE + i * ROW + j * COLUMN.  */
static bool
is_grid (const trm_tensor *t, int64_t h, int64_t w, double base, double row,
         double column)
{
  bool good = t && t->rank == 2 && t->extent[0] == h && t->extent[1] == w;
  for (int64_t i = 0; i < h && good; i++)
    for (int64_t j = 0; j < w && good; j++)
      good = trm_get (t, AT (i, j))
             == base + (double) i * row + (double) j * column;
  return good;
}

static void
test_views (void)
{
  trm_tensor *x = numbers (TRM_F32, 5, 7);
  expect (is_grid (trm_t (x), 7, 5, 0, 1, 7), "transpose");
  expect (is_grid (trm_slice (x, 0, 1, 4, 2), 2, 7, 7, 14, 1), "slice");
  expect (is_grid (trm_slice (x, 1, TRM_END, TRM_END, -3), 5, 3, 6, 7, -3),
          "slice backwards");
  expect (is_grid (trm_slice (x, -1, -100, 100, 1), 5, 7, 0, 7, 1)
            && trm_count (trm_slice (x, 0, 4, 2, 1)) == 0,
          "slices are cut to the axis");
  expect (is_grid (trm_unsqueeze (trm_select (x, 0, -1), 0), 1, 7, 28, 0, 1),
          "select and unsqueeze");
  expect (is_grid (trm_expand (trm_slice (x, 1, 2, 3, 1), TRM_SHAPE (5, 4)), 5,
                   4, 2, 7, 0),
          "expand");
  expect (is_grid (trm_unsqueeze (trm_diagonal (x), 1), 5, 1, 0, 8, 0),
          "diagonal");
  expect (is_grid (trm_reshape (trm_slice (x, 0, 1, 5, 1), TRM_SHAPE (-1, 14)),
                   2, 14, 7, 14, 1),
          "reshape as a view");
  trm_tensor *r = trm_reshape (trm_t (x), TRM_SHAPE (5, 7));
  expect (r && trm_get (r, AT (0, 1)) == 7 && trm_get (r, AT (4, 6)) == 34,
          "reshape as a copy");
  r = trm_slice (trm_select (x, 0, 3), 0, 0, TRM_END, 2);
  r = trm_expand (r, TRM_SHAPE (2, 1, 4));
  r = trm_reshape (r, TRM_SHAPE (8));
  expect (r && trm_get (r, TRM_SHAPE (5)) == 23
            && trm_get (r, TRM_SHAPE (7)) == 27,
          "reshape of what was stretched before an axis of extent 1");
}

/* Copies of [h][w] turned: the numbers are those of the view.  */
static bool
turns (trm_type type, int64_t h, int64_t w)
{
  bool is_small
    = type == TRM_U8 || type == TRM_I8 || type == TRM_BF16 || type == TRM_F16;
  trm_tensor *x = numbers (type, h, is_small && h * w > 120 ? 120 / h : w);
  trm_tensor *t = trm_t (x), *copy = trm_copy (t);
  return copy && trm_is_contiguous (copy) && expect_close (copy, t, 0);
}

static void
test_copies (void)
{
  static const int64_t size[] = { 0, 1, 7, 8, 15, 16, 17, 31, 33, 50 };
  bool good = true, cast = true;
  for (int type = TRM_U8; type <= TRM_F64; type++)
    for (int i = 0; i < 10; i++)
      for (int j = 0; j < 10; j++)
        good = turns ((trm_type) type, size[i], size[j]) && good;
  expect (good, "turned copies of all types and sizes");
  for (int from = TRM_U8; from <= TRM_F64; from++)
    for (int to = TRM_U8; to <= TRM_F64; to++)
      {
        trm_tensor *x = trm_t (numbers ((trm_type) from, 9, 11));
        cast = is_grid (trm_cast (x, (trm_type) to), 11, 9, 0, 1, 11) && cast;
      }
  expect (cast, "copies between all types");
  trm_tensor *wide
    = trm_from (TRM_F64, TRM_SHAPE (4), (double[]){ -2.7, 300, NAN, 1e300 });
  trm_tensor *narrow = trm_cast (wide, TRM_U8);
  expect (trm_get (narrow, TRM_SHAPE (0)) == 254
            && trm_get (narrow, TRM_SHAPE (1)) == 44,
          "numbers are cut towards 0, and wrap");
  trm_tensor *x = numbers (TRM_F32, 20, 20);
  trm_copy_to (x, trm_t (x));
  expect (is_grid (x, 20, 20, 0, 1, 20), "a copy onto what it reads");
  float own[9];
  for (int i = 0; i < 9; i++)
    own[i] = (float) i;
  trm_tensor *to = trm_wrap (TRM_F32, TRM_SHAPE (6), NULL, own + 3, NULL, NULL);
  trm_tensor *from
    = trm_wrap (TRM_F32, TRM_SHAPE (6), (int64_t[]){ -1 }, own + 5, NULL, NULL);
  good = !trm_copy_to (to, from);
  for (int i = 0; i < 6; i++)
    good = good && own[3 + i] == (float) (5 - i);
  expect (good, "also where the caller's memory was wrapped twice");
}

static void
test_gradients (void)
{
  trm_tensor *x = trm_want_gradient (numbers (TRM_F64, 33, 41));
  trm_tensor *g = numbers (TRM_F64, 41, 33);
  trm_tape_open ();
  expect (!trm_backward (trm_t (x), g)
            && is_grid (trm_gradient_of (x), 33, 41, 0, 1, 33),
          "the gradient of a transposition");
  trm_forget_gradient (x);
  trm_tensor *y = trm_slice (trm_slice (x, 0, 3, 30, 5), 1, 40, 1, -7);
  trm_tensor *ones = trm_full (TRM_F64, y->rank, y->extent, 1);
  bool good = !trm_backward (y, ones);
  for (int64_t i = 0; i < 33; i++)
    for (int64_t j = 0; j < 41; j++)
      {
        bool seen
          = i >= 3 && i < 30 && (i - 3) % 5 == 0 && j > 1 && (40 - j) % 7 == 0;
        good = good && trm_get (trm_gradient_of (x), AT (i, j)) == seen;
      }
  expect (good, "the gradient of slices of slices");
  trm_forget_gradient (x);
  trm_tensor *e = trm_expand (trm_slice (x, 0, 2, 3, 1), TRM_SHAPE (6, 41));
  good = !trm_backward (e, trm_full (TRM_F64, TRM_SHAPE (6, 41), 2));
  expect (good && trm_get (trm_gradient_of (x), AT (2, 9)) == 12
            && trm_get (trm_gradient_of (x), AT (3, 9)) == 0,
          "the gradient of what was stretched is summed");
  trm_tape_close ();
}

static void
test_errors (void)
{
  trm_tensor *x = numbers (TRM_F32, 2, 3);
  expect (!trm_reshape (x, TRM_SHAPE (4, 2))
            && expect_failed (TRM_BAD_SHAPE, "[2, 3] cannot become [4, 2]"),
          "reshape names both shapes");
  expect (!trm_expand (x, TRM_SHAPE (2, 4))
            && expect_failed (TRM_BAD_SHAPE, "[2, 3] cannot become [2, 4]"),
          "expand names both shapes");
  expect (!trm_select (x, 1, 3)
            && expect_failed (TRM_BAD_INDEX, "3 is outside"),
          "select names the index");
  expect (!trm_permute (x, TRM_AXES (0, 0))
            && expect_failed (TRM_BAD_ARGUMENT, "once"),
          "permute wants each axis once");
  expect (!trm_t (trm_select (x, 0, 9))
            && expect_failed (TRM_BAD_INDEX, "9 is outside"),
          "a chain keeps the message of what failed first");
}

int
main (void)
{
  trm_scope_open ();
  test_views ();
  test_copies ();
  test_gradients ();
  test_errors ();
  trm_scope_close ();
  expect (trm_memory_now ().bytes == 0, "nothing is left");
  return expect_status ();
}
