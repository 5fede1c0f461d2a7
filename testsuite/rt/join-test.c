/* Tensors put together and taken apart: along every axis against subscripts,
   of views, mixed types and more parts than the tape takes; gradients;
   errors.  */

#include "differences.h"

#define PARTS(...)                                                             \
  (int) (sizeof ((trm_tensor *[]){ __VA_ARGS__ }) / sizeof (trm_tensor *)),    \
    (trm_tensor *[])                                                           \
  {                                                                            \
    __VA_ARGS__                                                                \
  }

/* Whether T, along AXIS, is PART[0..n) one behind the other.  */
static bool
is_row_of (const trm_tensor *t, int n, trm_tensor **part, int axis)
{
  bool right = t && trm_is_contiguous (t);
  int64_t begin = 0;
  for (int i = 0; i < n && right; i++)
    {
      int64_t end = begin + part[i]->extent[axis];
      trm_tensor *here = trm_slice ((trm_tensor *) t, axis, begin, end, 1);
      right = trm_same_shape (here, part[i]);
      for (int64_t k = 0; right && k < trm_count (here); k++)
        right = element (here, k) == element (part[i], k);
      begin = end;
    }
  return right && t->extent[axis] == begin;
}

static void
test_concat (void)
{
  bool right = true;
  for (int axis = 0; axis < 3; axis++)
    {
      trm_tensor *part[4];
      for (int i = 0; i < 4; i++)
        {
          int64_t extent[] = { 2, 3, 4 };
          extent[axis] = i == 2 ? 0 : i + 1;
          part[i] = numbers ((unsigned) i, -9, 9, 3, extent);
          if (i == 1)
            part[i] = trm_t (trm_contiguous (trm_t (part[i])));
        }
      right &= is_row_of (trm_concat (4, part, axis), 4, part, axis)
               && is_row_of (trm_concat (4, part, axis - 3), 4, part, axis)
               && is_row_of (trm_concat (1, part, axis), 1, part, axis);
    }
  expect (right, "concat along every axis, of views and of nothing");
  trm_tensor *i = trm_arange (TRM_I32, 0, 3, 1);
  trm_tensor *h = trm_full (TRM_F16, TRM_SHAPE (1), 0.5);
  trm_tensor *mixed = trm_concat (PARTS (i, h, i), 0);
  expect (mixed && mixed->type == TRM_F16
            && is_row_of (mixed, PARTS (i, h, i), 0),
          "concat of two types is one of the later");
  expect (trm_concat (PARTS (h, trm_full (TRM_BF16, TRM_SHAPE (1), 1)), 0)->type
            == TRM_F32,
          "concat of f16 and bf16 is one of f32");
}

static void
test_stack (void)
{
  trm_tensor *a = numbers (1, 0, 1, TRM_SHAPE (2, 3));
  trm_tensor *b = trm_t (numbers (2, 0, 1, TRM_SHAPE (3, 2)));
  bool right = true;
  for (int axis = -3; axis < 3; axis++)
    {
      trm_tensor *y = trm_stack (PARTS (a, b, a), axis);
      right &= y && y->rank == 3;
      for (int i = 0; i < 3 && right; i++)
        right = expect_close (trm_select (y, axis, i), i == 1 ? b : a, 0);
    }
  expect (right, "stack along every new axis");
  trm_tensor *y
    = trm_stack (PARTS (trm_number (TRM_I64, 4), trm_number (TRM_I64, 5)), 0);
  expect (y && y->rank == 1 && y->extent[0] == 2 && element (y, 1) == 5,
          "stack of numbers");
}

static void
test_split (void)
{
  trm_tensor *x = numbers (3, 0, 1, TRM_SHAPE (2, 7, 3));
  bool right = true;
  for (int n = 1; n <= 9; n++)
    {
      trm_tensor *part[9];
      int64_t size = (7 + n - 1) / n;
      right &= !trm_split (x, 1, n, part);
      for (int i = 0; i < n && right; i++)
        {
          int64_t rest = 7 - i * size;
          int64_t want = rest < 0 ? 0 : rest < size ? rest : size;
          right
            = part[i]->extent[1] == want
              && (want == 0
                  || (double *) part[i]->at == (double *) x->at + i * size * 3);
        }
      right = right && is_row_of (x, n, part, 1);
    }
  expect (right, "split in 1 to 9 of 7: equal parts, the last one shorter");
}

static trm_tensor *
concat_of_three (trm_tensor **x)
{
  return trm_concat (PARTS (x[0], x[1], x[0]), 1);
}

static trm_tensor *
stack_of_two (trm_tensor **x)
{
  return trm_stack (PARTS (x[0], trm_t (x[1])), 1);
}

static trm_tensor *
many (trm_tensor **x)
{
  trm_tensor *part[20];
  for (int i = 0; i < 20; i++)
    part[i] = trm_slice (x[0], 0, i % 3, TRM_END, 1);
  return trm_concat (20, part, 0);
}

static trm_tensor *
turned_halves (trm_tensor **x)
{
  trm_tensor *half[2];
  if (trm_split (x[0], -1, 2, half))
    return NULL;
  return trm_concat (PARTS (half[1], half[0]), -1);
}

static trm_tensor *
sum_of_cubes (trm_tensor **x)
{
  trm_tensor *y = trm_concat (PARTS (x[0], x[0]), 0);
  return trm_sum (trm_mul (trm_mul (y, y), y), TRM_ALL, false);
}

static void
test_gradients (void)
{
  trm_tensor *x[] = { numbers (5, -1, 1, TRM_SHAPE (3, 4)),
                      numbers (6, -1, 1, TRM_SHAPE (3, 2)) };
  trm_tensor *z[] = { x[0], numbers (7, -1, 1, TRM_SHAPE (4, 3)) };
  expect (gradients_agree (concat_of_three, 2, x), "gradient of concat");
  expect (gradients_agree (stack_of_two, 2, z), "gradient of stack");
  expect (gradients_agree (many, 1, x), "gradient of concat of 20");
  expect (gradients_agree (turned_halves, 1, x), "gradient of split");
  trm_want_gradient (x[0]);
  trm_tape_open ();
  trm_tensor *slope;
  trm_tensor *y = sum_of_cubes (x);
  expect (
    !trm_gradients (y, 1, x, &slope)
      && !trm_backward (slope, trm_full (TRM_F64, 2, x[0]->extent, 1))
      && fabs (element (trm_gradient_of (x[0]), 5) - 12 * element (x[0], 5))
           < 1e-12,
    "gradient of a gradient");
  trm_tape_close ();
}

static void
test_errors (void)
{
  trm_tensor *a = trm_zeros (TRM_F32, TRM_SHAPE (2, 3));
  trm_tensor *b = trm_zeros (TRM_F32, TRM_SHAPE (2, 4));
  trm_tensor *part[2] = { a, b };
  expect (!trm_concat (PARTS (a, b), 0)
            && expect_failed (TRM_BAD_SHAPE, "[2, 3] and [2, 4]"),
          "concat of other extents");
  expect (!trm_concat (PARTS (a, trm_zeros (TRM_F32, TRM_SHAPE (3))), 0)
            && expect_failed (TRM_BAD_SHAPE, "[2, 3] and [3]"),
          "concat of other ranks");
  expect (!trm_concat (PARTS (a, b), 2)
            && expect_failed (TRM_BAD_ARGUMENT, "concat: there is no axis 2"),
          "concat along no axis");
  expect (!trm_concat (0, NULL, 0) && expect_failed (TRM_BAD_ARGUMENT, "concat")
            && !trm_stack (0, NULL, 0)
            && expect_failed (TRM_BAD_ARGUMENT, "stack"),
          "of no tensors");
  expect (!trm_stack (PARTS (a, b), 0)
            && expect_failed (TRM_BAD_SHAPE, "stack: shapes [2, 3] and [2, 4]"),
          "stack of two shapes");
  expect (!trm_concat (PARTS (trm_number (TRM_F32, 1)), 0)
            && expect_failed (TRM_BAD_ARGUMENT, "concat: there is no axis"),
          "concat of a number");
  expect (trm_split (a, 0, 0, part) == TRM_BAD_ARGUMENT
            && expect_failed (TRM_BAD_ARGUMENT, "split: into 0 parts"),
          "split into none");
  expect (!trm_concat (PARTS (a, NULL), 0) && !trm_stack (PARTS (NULL, a), 0)
            && trm_split (NULL, 0, 2, part) && !trm_error (),
          "NULL");
}

int
main (void)
{
  int64_t before = trm_memory_now ().bytes;
  void (*const tests[]) (void)
    = { test_concat, test_stack, test_split, test_gradients, test_errors };
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
    {
      trm_scope_open ();
      tests[i]();
      trm_scope_close ();
    }
  expect (trm_memory_now ().bytes == before, "no memory is lost");
  return expect_status ();
}
