/* Losses: against plain loops in double, gradients against differences, what
   must not depend on threads, errors.  */

#include "differences.h"

/* The mean cross entropy of X [n][c] by LABEL, as said in trm-op.h.  */
static double
plain_entropy (const trm_tensor *x, const trm_tensor *label)
{
  double loss = 0, n = 0;
  int64_t c = x->extent[1];
  for (int64_t i = 0; i < x->extent[0]; i++)
    {
      int64_t at = (int64_t) element (label, i);
      double most = -INFINITY, sum = 0;
      if (at < 0)
        continue;
      for (int64_t j = 0; j < c; j++)
        most = fmax (most, element (x, i * c + j));
      for (int64_t j = 0; j < c; j++)
        sum += exp (element (x, i * c + j) - most);
      loss += log (sum) + most - element (x, i * c + at);
      n++;
    }
  return loss / n;
}

/* Labels from -1 or 0 to C - 1.  */
static trm_tensor *
labels (int64_t n, int64_t c, bool ignored, trm_type type)
{
  trm_tensor *t = numbers (6, 0, (double) (c + ignored), TRM_SHAPE (n));
  t = trm_cast (t, TRM_I64);
  for (int64_t i = 0; i < n && ignored; i++)
    ((int64_t *) t->at)[i]--;
  return trm_cast (t, type);
}

/* Whether LOSS is a number of TYPE as VALUE, to BOUND.  */
static bool
is_loss (const trm_tensor *loss, trm_type type, double value, double bound)
{
  return loss && loss->rank == 0 && loss->type == type
         && fabs (trm_get (loss, TRM_SCALAR) - value)
              <= bound * fmax (1, fabs (value));
}

static const struct
{
  trm_type type;
  double bound;
} types[] = {
  { TRM_F64, 1e-13 }, { TRM_F32, 3e-6 }, { TRM_F16, 2e-3 }, { TRM_BF16, 1e-2 }
};
#define N_TYPES (int) (sizeof types / sizeof *types)

/* Cross entropy of all types.  */
static void
test_entropy (void)
{
  static const int64_t sizes[][2]
    = { { 1, 1 }, { 1, 7 }, { 5, 1 }, { 13, 17 }, { 101, 3 }, { 3, 257 } };
  for (int t = 0; t < N_TYPES; t++)
    {
      bool right = true;
      for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int ignored = 0; ignored < 2; ignored++)
          {
            int64_t n = sizes[s][0], c = sizes[s][1];
            trm_tensor *x
              = trm_cast (numbers (s, -4, 4, TRM_SHAPE (n, c)), types[t].type);
            trm_tensor *at = labels (n, c, ignored, TRM_I64);
            double plain = plain_entropy (x, at);
            trm_tensor *loss = trm_cross_entropy (x, at);
            right &= isnan (plain)
                       ? isnan (trm_get (loss, TRM_SCALAR))
                       : is_loss (loss, types[t].type, plain, types[t].bound);
          }
      expect (right, "cross_entropy of %s, with labels of -1 and without",
              trm_type_name (types[t].type));
    }
  trm_tensor *x = numbers (1, -4, 4, TRM_SHAPE (9, 5));
  bool right = true;
  for (trm_type type = TRM_U8; type <= TRM_I64; type++)
    {
      trm_tensor *at = labels (9, 5, type != TRM_U8, type);
      right &= is_loss (trm_cross_entropy (x, at), TRM_F64,
                        plain_entropy (x, at), 1e-13);
    }
  expect (right, "labels of all types of whole numbers");
}

/* Rows that do not count, and numbers that exp alone would not stand.  */
static void
test_ignored (void)
{
  trm_tensor *x = trm_want_gradient (numbers (1, -4, 4, TRM_SHAPE (3, 5)));
  trm_tensor *none = trm_full (TRM_I64, TRM_SHAPE (3), -1);
  trm_tape_open ();
  trm_tensor *loss = trm_cross_entropy (x, none);
  bool right
    = loss && isnan (trm_get (loss, TRM_SCALAR)) && !trm_backward (loss, NULL);
  trm_tape_close ();
  for (int i = 0; i < 15 && right; i++)
    right &= element (trm_gradient_of (x), i) == 0;
  expect (right, "without labels the loss is NaN, its gradient 0");
  loss = trm_cross_entropy (trm_zeros (TRM_F32, TRM_SHAPE (0, 4)),
                            trm_zeros (TRM_I64, TRM_SHAPE (0)));
  expect (loss && isnan (trm_get (loss, TRM_SCALAR)),
          "the loss of no rows is NaN");
  trm_tensor *far = trm_from (TRM_F32, TRM_SHAPE (2, 2),
                              (float[]){ 1e5f, -1e5f, -INFINITY, 3 });
  trm_tensor *at = trm_from (TRM_I32, TRM_SHAPE (2), (int[]){ 1, 1 });
  expect (is_loss (trm_cross_entropy (far, at), TRM_F32, 1e5, 1e-6),
          "cross_entropy of large numbers");
}

/* The mean of the squares of A - B.  */
static void
test_mse (void)
{
  for (int t = 0; t < N_TYPES; t++)
    {
      bool right = true;
      for (int64_t n = 1; n < 3000; n = n * 3 + 2)
        {
          trm_type type = types[t].type;
          trm_tensor *a = trm_cast (numbers (1, -1, 1, TRM_SHAPE (n)), type);
          trm_tensor *b = trm_cast (numbers (2, -1, 1, TRM_SHAPE (n)), type);
          double plain = 0;
          for (int64_t i = 0; i < n; i++)
            plain += pow (element (a, i) - element (b, i), 2) / (double) n;
          right &= is_loss (trm_mse (a, b), type, plain, types[t].bound);
        }
      expect (right, "mse of %s", trm_type_name (types[t].type));
    }
  trm_tensor *a = trm_from (TRM_I32, TRM_SHAPE (2, 1), (int[]){ 1, 4 });
  trm_tensor *b = trm_from (TRM_F32, TRM_SHAPE (3), (float[]){ 1, 2, 3 });
  expect (is_loss (trm_mse (a, b), TRM_F32, (0 + 1 + 4 + 9 + 4 + 1) / 6.0, 1e-6)
            && is_loss (trm_mse (a, a), TRM_F32, 0, 0),
          "mse broadcasts, and takes whole numbers");
  trm_tensor *none = trm_zeros (TRM_F32, TRM_SHAPE (0));
  trm_tensor *loss = trm_mse (none, none);
  expect (loss && isnan (trm_get (loss, TRM_SCALAR)), "mse of nothing is NaN");
}

static trm_tensor *
entropy (trm_tensor **x)
{
  return trm_cross_entropy (x[0], x[1]);
}

static trm_tensor *
square (trm_tensor **x)
{
  return trm_mse (x[0], x[1]);
}

/* Of the square of the gradient of mse (x, b), the gradient: that of mse is
   2 / n * (x - b), so this one is 8 / n^2 * (x - b), which is 4 / n times
   that.  */
static bool
twice_right (void)
{
  trm_tensor *x = trm_want_gradient (numbers (1, -1, 1, TRM_SHAPE (4, 3)));
  trm_tensor *b = numbers (2, -1, 1, TRM_SHAPE (3)), *slope = NULL;
  trm_tape_open ();
  trm_tensor *loss = trm_mse (x, b);
  bool right
    = !trm_gradients (loss, 1, &x, &slope)
      && !trm_backward (trm_sum (trm_mul (slope, slope), TRM_ALL, false), NULL);
  for (int i = 0; i < 12 && right; i++)
    right
      &= fabs (element (trm_gradient_of (x), i) - element (slope, i) * 4 / 12)
         < 1e-14;
  trm_tape_close ();
  return right;
}

/* Gradients.  */
static void
test_gradients (void)
{
  trm_tensor *rows[]
    = { numbers (1, -2, 2, TRM_SHAPE (7, 5)), labels (7, 5, false, TRM_I64) };
  bool right = gradients_agree (entropy, 2, rows);
  rows[1] = labels (7, 5, true, TRM_I32);
  expect (right && gradients_agree (entropy, 2, rows),
          "gradients of cross_entropy");
  trm_tensor *x[] = { numbers (1, -2, 2, TRM_SHAPE (4, 3)),
                      numbers (2, -2, 2, TRM_SHAPE (4, 3)) };
  trm_tensor *wide[] = { numbers (1, -2, 2, TRM_SHAPE (4, 1)),
                         numbers (2, -2, 2, TRM_SHAPE (3)) };
  expect (gradients_agree (square, 2, x) && gradients_agree (square, 2, wide),
          "gradients of mse");
  expect (twice_right (), "gradients of gradients of mse");
  trm_tensor *large[]
    = { trm_cast (numbers (1, -2, 2, TRM_SHAPE (1009, 101)), TRM_F32),
        labels (1009, 101, true, TRM_I64) };
  expect (same_for_threads (entropy, 2, large),
          "cross_entropy has the same bits for 1, 2 and 4 threads");
  large[1] = trm_cast (numbers (2, -2, 2, TRM_SHAPE (1009, 101)), TRM_F32);
  expect (same_for_threads (square, 2, large),
          "mse has the same bits for 1, 2 and 4 threads");
}

/* What fails, and how.  */
static void
test_errors (void)
{
  trm_tensor *x = trm_zeros (TRM_F32, TRM_SHAPE (2, 3));
  trm_tensor *wrong = trm_from (TRM_I32, TRM_SHAPE (2), (int[]){ 1, 3 });
  trm_tensor *below = trm_from (TRM_I32, TRM_SHAPE (2), (int[]){ -2, 0 });
  expect (!trm_cross_entropy (x, wrong)
            && expect_failed (TRM_BAD_INDEX, "label 1 is 3, of 3 classes")
            && !trm_cross_entropy (x, below)
            && expect_failed (TRM_BAD_INDEX, "label 0 is -2"),
          "labels outside of the classes");
  expect (!trm_cross_entropy (x, x)
            && expect_failed (TRM_BAD_SHAPE,
                              "x [2, 3] does not go with labels [2, 3]")
            && !trm_cross_entropy (x, trm_zeros (TRM_F32, TRM_SHAPE (2)))
            && expect_failed (TRM_BAD_TYPE, "labels of f32")
            && !trm_mse (x, wrong)
            && expect_failed (TRM_BAD_SHAPE, "mse: shapes [2, 3] and [2]"),
          "shapes and types that do not go together");
  trm_mse (x, wrong);
  expect (!trm_mse (NULL, x) && !trm_mse (x, NULL)
            && !trm_cross_entropy (NULL, x) && !trm_cross_entropy (x, NULL)
            && expect_failed (TRM_BAD_SHAPE, "mse: shapes"),
          "of NULL comes NULL, and the first message stays");
}

int
main (void)
{
  trm_scope_open ();
  test_entropy ();
  test_ignored ();
  test_mse ();
  test_gradients ();
  test_errors ();
  trm_scope_close ();
  return expect_status ();
}
