/* Softmax and its logarithm, dropout, rows of a table: against plain loops in
   double, along every axis; gradients against differences; what must not
   depend on threads; errors.  */

#include "differences.h"

static const struct
{
  int rank;
  int64_t extent[4];
} shapes[] = { { 1, { 0 } },         { 1, { 1 } },         { 1, { 7 } },
               { 2, { 3, 0 } },      { 2, { 0, 5 } },      { 2, { 1, 1 } },
               { 2, { 5, 1 } },      { 2, { 1, 31 } },     { 2, { 13, 17 } },
               { 2, { 3, 101 } },    { 3, { 2, 3, 5 } },   { 3, { 7, 1, 11 } },
               { 3, { 2, 37, 16 } }, { 4, { 2, 3, 5, 7 } } };

/* Softmax of X, of f64 and contiguous, along AXIS, or its logarithm.  */
static trm_tensor *
plain_softmax (const trm_tensor *x, int axis, bool logarithm)
{
  trm_tensor *y = trm_empty (TRM_F64, x->rank, x->extent);
  int64_t n = x->extent[axis], step = x->stride[axis];
  const double *from = x->at;
  double *to = y->at;
  for (int64_t i = 0; i < trm_count (x); i++)
    {
      int64_t first = i - i / step % n * step;
      double most = -INFINITY, sum = 0;
      for (int64_t j = 0; j < n; j++)
        most = fmax (most, from[first + j * step]);
      for (int64_t j = 0; j < n; j++)
        sum += exp (from[first + j * step] - most);
      to[i] = from[i] - most - log (sum);
      if (!logarithm)
        to[i] = exp (to[i]);
    }
  return y;
}

/* Whether softmax and log_softmax of X as TYPE are right along every axis, to
   BOUND.  */
static bool
softmax_right (trm_tensor *x, trm_type type, double bound)
{
  bool right = true;
  for (int axis = 0; axis < x->rank; axis++)
    {
      trm_tensor *from = trm_cast (x, type);
      trm_tensor *wide = trm_cast (from, TRM_F64);
      trm_tensor *soft = trm_softmax (from, axis);
      trm_tensor *log_soft = trm_log_softmax (from, axis - x->rank);
      right &= soft && soft->type == type && trm_is_contiguous (soft)
               && log_soft && log_soft->type == type
               && trm_is_contiguous (log_soft);
      right &= expect_close (trm_cast (soft, TRM_F64),
                             plain_softmax (wide, axis, false), bound);
      right &= expect_close (trm_cast (log_soft, TRM_F64),
                             plain_softmax (wide, axis, true), bound);
    }
  return right;
}

/* Values along all axes of all shapes.  */
static void
test_softmax (void)
{
  static const struct
  {
    trm_type type;
    double bound;
  } types[] = {
    { TRM_F64, 1e-13 }, { TRM_F32, 2e-6 }, { TRM_F16, 1e-3 }, { TRM_BF16, 1e-2 }
  };
  for (unsigned t = 0; t < sizeof types / sizeof *types; t++)
    {
      bool right = true;
      for (unsigned s = 0; s < sizeof shapes / sizeof *shapes; s++)
        {
          trm_tensor *x = numbers (s, -3, 3, shapes[s].rank, shapes[s].extent);
          right &= softmax_right (x, types[t].type, types[t].bound);
        }
      expect (right, "softmax and log_softmax of %s along every axis",
              trm_type_name (types[t].type));
    }
  trm_tensor *x = numbers (1, -3, 3, TRM_SHAPE (6, 10));
  trm_tensor *view = trm_t (trm_slice (x, 0, TRM_END, TRM_END, -2));
  expect (expect_close (trm_softmax (view, 1),
                        plain_softmax (trm_contiguous (view), 1, false), 1e-13),
          "softmax of a view");
  trm_tensor *whole = trm_from (TRM_I32, TRM_SHAPE (2), (int[]){ 0, 1 });
  trm_tensor *y = trm_softmax (whole, 0);
  expect (y && y->type == TRM_F32
            && fabs (element (y, 1) - 1 / (1 + exp (-1))) < 1e-6,
          "softmax of whole numbers is f32");
}

/* Numbers that exp alone would not stand.  */
static void
test_far (void)
{
  double far[] = { 1e4, 1e4 + 1, -INFINITY, -1e4 };
  trm_tensor *x = trm_from (TRM_F64, TRM_SHAPE (4), far);
  expect (expect_close (trm_softmax (x, 0), plain_softmax (x, 0, false), 1e-13)
            && element (trm_softmax (x, 0), 2) == 0
            && element (trm_log_softmax (x, 0), 2) == -INFINITY,
          "softmax of large numbers and of minus infinity");
  trm_tensor *none = trm_full (TRM_F32, TRM_SHAPE (1, 3), -INFINITY);
  expect (isnan (element (trm_softmax (none, 1), 0)),
          "softmax of nothing but minus infinity is NaN");
  far[1] = NAN;
  trm_tensor *y = trm_softmax (trm_from (TRM_F64, TRM_SHAPE (4), far), 0);
  expect (isnan (element (y, 0)) && isnan (element (y, 3)),
          "a NaN makes its row NaN");
}

/* Gradients of large numbers, whose logarithms are told from them by the last
   bits alone.  */
static void
test_far_slopes (void)
{
  const double soft = 1 / (1 + exp (-0.5));
  float far[] = { 1e5f, 1e5f + 0.5f }, first[] = { 1, 0 };
  trm_tensor *x = trm_want_gradient (trm_from (TRM_F32, TRM_SHAPE (1, 2), far));
  trm_tensor *seed = trm_from (TRM_F32, TRM_SHAPE (1, 2), first);
  trm_tape_open ();
  bool right = !trm_backward (trm_softmax (x, 1), seed);
  trm_tape_close ();
  double slope = element (trm_gradient_of (x), 1);
  right &= fabs (slope + soft * (1 - soft)) < 1e-6;
  trm_forget_gradient (x);
  trm_tape_open ();
  right &= !trm_backward (trm_log_softmax (x, 1), seed);
  trm_tape_close ();
  slope = element (trm_gradient_of (x), 1);
  expect (right && fabs (slope + soft) < 1e-6,
          "gradients of softmax and log_softmax of large numbers");
}

static trm_tensor *
softmax_last (trm_tensor **x)
{
  return trm_softmax (x[0], -1);
}

static trm_tensor *
softmax_middle (trm_tensor **x)
{
  return trm_softmax (x[0], 1);
}

static trm_tensor *
log_softmax_last (trm_tensor **x)
{
  return trm_log_softmax (x[0], -1);
}

static trm_tensor *
log_softmax_first (trm_tensor **x)
{
  return trm_log_softmax (x[0], 0);
}

/* A weighted sum of softmax of X, or of its logarithm.  */
static trm_tensor *
weighted_sum (trm_tensor *x, bool logarithm)
{
  trm_tensor *y = logarithm ? trm_log_softmax (x, 1) : trm_softmax (x, 1);
  trm_tensor *weight = numbers (5, -1, 1, x->rank, x->extent);
  return trm_sum (trm_mul (y, weight), TRM_ALL, false);
}

/* Its gradient, as a tensor on the tape.  */
static trm_tensor *
slope_of (trm_tensor *x, bool logarithm)
{
  trm_tensor *slope = NULL;
  return trm_gradients (weighted_sum (x, logarithm), 1, &x, &slope) ? NULL
                                                                    : slope;
}

/* Whether the gradient as a tensor on the tape is that of backward, and its own
   gradient agrees with differences of it.  */
static bool
twice_right (bool logarithm)
{
  trm_tensor *x = numbers (2, -1, 1, TRM_SHAPE (3, 4));
  trm_tensor *seed = numbers (3, -1, 1, TRM_SHAPE (3, 4));
  trm_tensor *once = trm_want_gradient (trm_copy (x));
  trm_tensor *in = trm_want_gradient (trm_copy (x));
  trm_tape_open ();
  bool right = !trm_backward (weighted_sum (once, logarithm), NULL);
  trm_tensor *slope = slope_of (in, logarithm);
  right &= expect_close (slope, trm_gradient_of (once), 1e-14)
           && !trm_backward (slope, seed);
  trm_tape_close ();
  for (int k = 0; k < 12 && right; k++)
    {
      double found[2];
      for (int side = 0; side < 2; side++)
        {
          trm_tensor *moved = trm_want_gradient (trm_copy (x));
          ((double *) moved->at)[k] += side ? 1e-5 : -1e-5;
          trm_tape_open ();
          found[side] = inner_product (slope_of (moved, logarithm), seed);
          trm_tape_close ();
        }
      double difference = (found[1] - found[0]) / 2e-5;
      right &= fabs (element (trm_gradient_of (in), k) - difference) < 1e-7;
    }
  return right;
}

/* Gradients of softmax.  */
static void
test_softmax_gradients (void)
{
  trm_tensor *x = numbers (4, -2, 2, TRM_SHAPE (3, 5, 7));
  expect (gradients_agree (softmax_last, 1, &x)
            && gradients_agree (softmax_middle, 1, &x),
          "gradients of softmax");
  expect (gradients_agree (log_softmax_last, 1, &x)
            && gradients_agree (log_softmax_first, 1, &x),
          "gradients of log_softmax");
  expect (twice_right (false) && twice_right (true),
          "gradients of gradients of softmax and log_softmax");
  trm_tensor *large
    = trm_cast (numbers (6, -2, 2, TRM_SHAPE (257, 401)), TRM_F32);
  expect (same_for_threads (softmax_last, 1, &large)
            && same_for_threads (log_softmax_last, 1, &large)
            && same_for_threads (softmax_middle, 1, &large),
          "softmax has the same bits for 1, 2 and 4 threads");
}

/* Dropout of X by 0.3 from a fixed state.  */
static trm_tensor *
drop_fixed (trm_tensor **x)
{
  trm_random random = { .seed = 99, .counter = 1000 };
  return trm_dropout (x[0], 0.3, &random);
}

/* Whether dropout of N ones by P zeroes about P of them, scales the others, and
   moves the counter on; each element of a call must follow the call before.  */
static bool
share_right (int64_t n, double p, trm_type type)
{
  trm_random random = { .seed = 5, .counter = 70 };
  trm_tensor *ones = trm_full (type, TRM_SHAPE (n), 1);
  trm_tensor *y = trm_dropout (ones, p, &random);
  double sum = 0, kept = p < 1 ? 1 / (1 - p) : 0;
  int64_t zeros = 0;
  bool right = y && random.counter == 70 + (uint64_t) (n + 3) / 4;
  for (int64_t i = 0; right && i < n; i++)
    {
      double value = element (y, i);
      zeros += value == 0;
      sum += value;
      right &= value == 0 || fabs (value - kept) < 1e-6 * kept;
    }
  double deviation = sqrt (p * (1 - p) * (double) n);
  right &= fabs ((double) zeros - p * (double) n) <= 4 * deviation;
  return right && fabs (sum - (double) n * (p < 1)) <= 4 * deviation * kept;
}

/* How many of the first N elements two masks differ in.  */
static int64_t
count_different (const trm_tensor *a, const trm_tensor *b)
{
  int64_t n = 0;
  for (int64_t i = 0; i < trm_count (a); i++)
    n += (element (a, i) == 0) != (element (b, i) == 0);
  return n;
}

/* Dropout's share, scale and state.  */
static void
test_dropout (void)
{
  expect (share_right (20000, 0.5, TRM_F32) && share_right (20001, 0.1, TRM_F64)
            && share_right (20003, 0.9, TRM_F32),
          "dropout zeroes its share, and the mean stays");
  expect (share_right (102, 0, TRM_F32) && share_right (102, 1, TRM_F32)
            && share_right (0, 0.5, TRM_F32) && share_right (1, 0, TRM_F64),
          "dropout by 0 and by 1, and of nothing");
  trm_random random = { .seed = 8 };
  trm_tensor *ones = trm_full (TRM_F32, TRM_SHAPE (103, 3), 1);
  trm_tensor *a = trm_dropout (ones, 0.5, &random);
  trm_tensor *b = trm_dropout (ones, 0.5, &random);
  random.counter = 0;
  trm_tensor *again = trm_dropout (ones, 0.5, &random);
  expect (same_bits (a, again) && count_different (a, b) > 100,
          "dropout follows from seed and counter");
  trm_tensor *infinite = trm_full (TRM_F32, TRM_SHAPE (64), INFINITY);
  trm_tensor *y = trm_dropout (infinite, 0.5, &random);
  bool right = true;
  for (int i = 0; i < 64; i++)
    right &= element (y, i) == 0 || element (y, i) == INFINITY;
  expect (right, "what is dropped is 0 whatever it was");
  trm_tensor *half = trm_full (TRM_BF16, TRM_SHAPE (9), 1);
  y = trm_dropout (half, 0.5, &random);
  expect (y && y->type == TRM_BF16, "dropout of bf16 is bf16");
}

/* Whether backward of dropout of N elements of TYPE drops what forward
   dropped.  */
static bool
mask_kept (int64_t n, trm_type type)
{
  trm_random random = { .seed = 3, .counter = 12345678901 };
  trm_tensor *x = trm_want_gradient (trm_full (type, TRM_SHAPE (n), 2));
  trm_tensor *ones = trm_full (type, TRM_SHAPE (n), 2);
  trm_tape_open ();
  trm_tensor *y = trm_keep (trm_dropout (x, 0.4, &random));
  bool right = y && !trm_backward (y, ones);
  trm_tape_close ();
  right &= same_bits (y, trm_gradient_of (x));
  trm_drop (y);
  return right;
}

/* Backward of dropout.  */
static void
test_dropout_gradients (void)
{
  bool right = true;
  for (int64_t n = 0; n < 12; n++)
    right &= mask_kept (n, TRM_F32) && mask_kept (n, TRM_F64);
  right &= mask_kept (1003, TRM_F32) && mask_kept (5, TRM_F16);
  expect (right, "backward's mask is forward's");
  trm_tensor *x = numbers (1, -1, 1, TRM_SHAPE (5, 7));
  expect (gradients_agree (drop_fixed, 1, &x), "gradients of dropout");
  trm_tensor *large = numbers (1, -1, 1, TRM_SHAPE (400, 401));
  expect (same_for_threads (drop_fixed, 1, &large),
          "dropout has the same bits for 1, 2 and 4 threads");
}

static trm_tensor *
embed (trm_tensor **x)
{
  return trm_embedding (x[0], x[1]);
}

/* Indices below V, some of them twice.  */
static trm_tensor *
indices (int64_t v, trm_type type, int rank, const int64_t *extent)
{
  trm_tensor *t = numbers (9, 0, (double) v, rank, extent);
  return trm_cast (t, type);
}

/* Whether the rows of a table of TYPE are those that INDEX names.  */
static bool
rows_right (trm_type type, trm_tensor *index)
{
  trm_tensor *table = trm_cast (numbers (3, -9, 9, TRM_SHAPE (11, 5)), type);
  trm_tensor *y = trm_embedding (table, index);
  bool right = y && y->type == type && y->rank == index->rank + 1
               && y->extent[index->rank] == 5;
  for (int64_t i = 0; right && i < trm_count (index); i++)
    for (int64_t j = 0; j < 5; j++)
      {
        int64_t row = (int64_t) element (index, i);
        right &= element (y, i * 5 + j) == element (table, row * 5 + j);
      }
  return right;
}

/* Whether the gradient of a table of TYPE sums the rows of an index: 0 to
   N - 1 by turns among 3.  */
static bool
sums_right (trm_type type, int64_t n)
{
  trm_tensor *table = trm_want_gradient (trm_zeros (type, TRM_SHAPE (3, 2)));
  int64_t *at = trm_arange (TRM_I64, 0, (double) n, 1)->at;
  for (int64_t i = 0; i < n; i++)
    at[i] %= 3;
  trm_tensor *index = trm_from (TRM_I64, TRM_SHAPE (n), at);
  trm_tape_open ();
  trm_tensor *y = trm_embedding (table, index);
  bool right = y && !trm_backward (y, trm_full (type, y->rank, y->extent, 1));
  trm_tape_close ();
  for (int64_t i = 0; right && i < 6; i++)
    right
      &= element (trm_gradient_of (table), i) == (double) ((n + 2 - i / 2) / 3);
  return right;
}

/* Rows of a table.  */
static void
test_embedding (void)
{
  bool right = true;
  for (trm_type type = TRM_BOOL; type <= TRM_F64; type++)
    right &= rows_right (type, indices (11, TRM_I64, TRM_SHAPE (4, 3)));
  for (trm_type type = TRM_U8; type <= TRM_I64; type++)
    right &= rows_right (TRM_F32, indices (11, type, TRM_SHAPE (7)));
  right &= rows_right (TRM_F32, indices (11, TRM_I32, TRM_SHAPE (0)))
           && rows_right (TRM_F64, indices (11, TRM_I32, TRM_SCALAR));
  expect (right, "embedding of all types by all shapes of index");
  trm_tensor *x[] = { numbers (2, -1, 1, TRM_SHAPE (6, 5)),
                      indices (6, TRM_I64, TRM_SHAPE (4, 7)) };
  expect (gradients_agree (embed, 2, x), "gradients of embedding");
  expect (sums_right (TRM_F32, 10) && sums_right (TRM_F64, 0)
            && sums_right (TRM_BF16, 1500) && sums_right (TRM_F16, 11),
          "an index that comes often gains often");
  trm_tensor *large[]
    = { trm_cast (numbers (2, -1, 1, TRM_SHAPE (50, 301)), TRM_F32),
        indices (50, TRM_I64, TRM_SHAPE (997)) };
  expect (same_for_threads (embed, 2, large),
          "embedding has the same bits for 1, 2 and 4 threads");
}

/* What fails, and how.  */
static void
test_errors (void)
{
  trm_random random = { .seed = 1 };
  trm_tensor *x = trm_zeros (TRM_F32, TRM_SHAPE (2, 3));
  trm_tensor *wrong = trm_from (TRM_I32, TRM_SHAPE (2), (int[]){ 1, 2 });
  trm_tensor *below = trm_from (TRM_I32, TRM_SHAPE (2), (int[]){ 1, -1 });
  expect (
    !trm_softmax (x, 2)
      && expect_failed (TRM_BAD_ARGUMENT, "softmax: there is no axis 2 among 2")
      && !trm_log_softmax (trm_number (TRM_F32, 1), 0)
      && expect_failed (TRM_BAD_ARGUMENT, "log_softmax: "),
    "an axis that is not there");
  expect (!trm_dropout (x, 1.5, &random)
            && expect_failed (TRM_BAD_ARGUMENT, "a probability of 1.5")
            && !trm_dropout (x, NAN, &random)
            && expect_failed (TRM_BAD_ARGUMENT, "dropout: ")
            && !trm_dropout (x, 0.5, NULL)
            && expect_failed (TRM_BAD_ARGUMENT, "dropout: no random")
            && random.counter == 0,
          "a probability that is none");
  expect (!trm_embedding (x, wrong)
            && expect_failed (TRM_BAD_INDEX, "index 1 is 2, of 2 rows")
            && !trm_embedding (x, below)
            && expect_failed (TRM_BAD_INDEX, "index 1 is -1"),
          "an index outside of the table");
  expect (
    !trm_embedding (wrong, wrong)
      && expect_failed (TRM_BAD_SHAPE, "table [2] does not go with index [2]")
      && !trm_embedding (x, x)
      && expect_failed (TRM_BAD_TYPE, "an index of f32"),
    "a table and an index that are none");
  trm_softmax (x, 2);
  expect (!trm_softmax (NULL, 0) && !trm_log_softmax (NULL, 0)
            && !trm_dropout (NULL, 0.5, &random) && !trm_embedding (NULL, x)
            && expect_failed (TRM_BAD_ARGUMENT, "softmax: there is no axis"),
          "of NULL comes NULL, and the first message stays");
}

int
main (void)
{
  trm_scope_open ();
  test_softmax ();
  test_far ();
  test_far_slopes ();
  test_softmax_gradients ();
  test_dropout ();
  test_dropout_gradients ();
  test_embedding ();
  test_errors ();
  trm_scope_close ();
  return expect_status ();
}
