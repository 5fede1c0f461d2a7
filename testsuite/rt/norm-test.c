/* Norms of rows and of channels: against plain loops in double, gradients
   against differences, running means, what must not depend on threads,
   errors.  */

#include "slopes.h"

#define EPSILON 1e-3

/* Element J of V, OTHERWISE where V is NULL.  */
static double
vector_at (const trm_tensor *v, int64_t j, double otherwise)
{
  return v ? element (v, j) : otherwise;
}

/* layer_norm of X, f64 and contiguous; rms_norm where not CENTRED.  */
static trm_tensor *
plain_rows (const trm_tensor *x, const trm_tensor *gain,
            const trm_tensor *shift, bool centred)
{
  trm_tensor *y = trm_empty (TRM_F64, x->rank, x->extent);
  int64_t n = x->extent[x->rank - 1];
  for (int64_t i = 0; i < trm_count (x); i++)
    {
      const double *row = (const double *) x->at + i / n * n;
      double mean = 0, square = 0;
      for (int64_t j = 0; j < n && centred; j++)
        mean += row[j] / (double) n;
      for (int64_t j = 0; j < n; j++)
        square += (row[j] - mean) * (row[j] - mean) / (double) n;
      ((double *) y->at)[i] = (row[i % n] - mean) / sqrt (square + EPSILON)
                                * vector_at (gain, i % n, 1)
                              + vector_at (shift, i % n, 0);
    }
  return y;
}

/* Mean and variance of channel J of X, f64 and contiguous.  */
static void
plain_moments (const trm_tensor *x, int64_t j, double *mean, double *variance)
{
  const double *at = x->at;
  int64_t plane = x->stride[0] / x->extent[1], count = trm_count (x);
  double n = (double) (count / x->extent[1]);
  *mean = *variance = 0;
  for (int64_t i = 0; i < count; i++)
    if (i / plane % x->extent[1] == j)
      *mean += at[i] / n;
  for (int64_t i = 0; i < count; i++)
    if (i / plane % x->extent[1] == j)
      *variance += (at[i] - *mean) * (at[i] - *mean) / n;
}

/* batch_norm of X by MEAN and VARIANCE, or by its own where these are NULL.  */
static trm_tensor *
plain_channels (const trm_tensor *x, const trm_tensor *gain,
                const trm_tensor *shift, const trm_tensor *mean,
                const trm_tensor *variance)
{
  trm_tensor *y = trm_empty (TRM_F64, x->rank, x->extent);
  for (int64_t j = 0; trm_count (x) && j < x->extent[1]; j++)
    {
      int64_t plane = x->stride[0] / x->extent[1];
      double m, v;
      plain_moments (x, j, &m, &v);
      m = vector_at (mean, j, m);
      v = vector_at (variance, j, v);
      for (int64_t i = 0; i < trm_count (x); i++)
        if (i / plane % x->extent[1] == j)
          ((double *) y->at)[i] = (((double *) x->at)[i] - m)
                                    / sqrt (v + EPSILON)
                                    * vector_at (gain, j, 1)
                                  + vector_at (shift, j, 0);
    }
  return y;
}

static const struct
{
  trm_type type;
  double bound;
} types[] = {
  { TRM_F64, 1e-12 }, { TRM_F32, 1e-5 }, { TRM_F16, 4e-3 }, { TRM_BF16, 3e-2 }
};
#define N_TYPES (int) (sizeof types / sizeof *types)

/* Whether norms of rows of this shape are right for type T of types, with gains
   and without.  */
static bool
rows_right (int t, int rank, const int64_t *extent)
{
  trm_type type = types[t].type;
  bool right = true;
  trm_tensor *x = trm_cast (numbers (1, 1, 3, rank, extent), type);
  int64_t n = extent[rank - 1];
  for (int with = 0; with < 4; with++)
    {
      trm_tensor *gain
        = with & 1 ? trm_cast (numbers (2, -2, 2, TRM_SHAPE (n)), type) : NULL;
      trm_tensor *shift
        = with & 2 ? trm_cast (numbers (3, -1, 1, TRM_SHAPE (n)), type) : NULL;
      trm_tensor *wide = trm_cast (x, TRM_F64);
      trm_tensor *layer = trm_layer_norm (x, gain, shift, EPSILON);
      trm_tensor *rms = trm_rms_norm (x, gain, EPSILON);
      right &= layer && layer->type == type && rms && rms->type == type;
      right
        &= expect_close (trm_cast (layer, TRM_F64),
                         plain_rows (wide, gain, shift, true), types[t].bound);
      right
        &= expect_close (trm_cast (rms, TRM_F64),
                         plain_rows (wide, gain, NULL, false), types[t].bound);
    }
  return right;
}

/* Norms of rows.  */
static void
test_rows (void)
{
  for (int t = 0; t < N_TYPES; t++)
    expect (
      rows_right (t, TRM_SHAPE (13, 17)) && rows_right (t, TRM_SHAPE (2, 3, 5))
        && rows_right (t, TRM_SHAPE (7)) && rows_right (t, TRM_SHAPE (1))
        && rows_right (t, TRM_SHAPE (0, 3)) && rows_right (t, TRM_SHAPE (3, 0))
        && rows_right (t, TRM_SHAPE (3, 1))
        && rows_right (t, TRM_SHAPE (2, 211)),
      "layer_norm and rms_norm of %s, with gains and without",
      trm_type_name (types[t].type));
  trm_tensor *x = trm_t (numbers (1, 1, 3, TRM_SHAPE (5, 4)));
  expect (expect_close (trm_layer_norm (x, NULL, NULL, EPSILON),
                        plain_rows (trm_contiguous (x), NULL, NULL, true),
                        1e-12),
          "layer_norm of a view");
  trm_tensor *half = trm_zeros (TRM_F16, TRM_SHAPE (2, 3));
  trm_tensor *gain = trm_zeros (TRM_F32, TRM_SHAPE (3));
  trm_tensor *y = trm_layer_norm (half, gain, NULL, EPSILON);
  expect (y && y->type == TRM_F32, "layer_norm of f16 by f32 is f32");
}

/* Whether batch_norm of this shape in training is right for type T of types,
   with gains and without.  */
static bool
training_right (int t, int rank, const int64_t *extent)
{
  trm_type type = types[t].type;
  bool right = true;
  trm_tensor *x = trm_cast (numbers (1, 1, 3, rank, extent), type);
  int64_t n = extent[1];
  for (int with = 0; with < 4; with++)
    {
      trm_tensor *gain
        = with & 1 ? trm_cast (numbers (2, -2, 2, TRM_SHAPE (n)), type) : NULL;
      trm_tensor *shift
        = with & 2 ? trm_cast (numbers (3, -1, 1, TRM_SHAPE (n)), type) : NULL;
      trm_tensor *y
        = trm_batch_norm (x, gain, shift, NULL, NULL, 0.1, EPSILON, true);
      right &= y && y->type == type && trm_is_contiguous (y)
               && expect_close (trm_cast (y, TRM_F64),
                                plain_channels (trm_cast (x, TRM_F64), gain,
                                                shift, NULL, NULL),
                                types[t].bound);
    }
  return right;
}

/* Whether batch_norm moves means towards those of x of this shape, and uses
   them.  */
static bool
moves_right (int rank, const int64_t *extent)
{
  trm_tensor *x = numbers (1, 1, 3, rank, extent);
  int64_t n = extent[1];
  double count = (double) (trm_count (x) / n);
  trm_tensor *mean = numbers (2, -1, 1, TRM_SHAPE (n));
  trm_tensor *variance = numbers (3, 1, 2, TRM_SHAPE (n));
  trm_tensor *mean_before = trm_copy (mean), *before = trm_copy (variance);
  bool right
    = trm_batch_norm (x, NULL, NULL, mean, variance, 0.3, EPSILON, true);
  for (int64_t j = 0; j < n; j++)
    {
      double m, v;
      plain_moments (x, j, &m, &v);
      v *= count / (count - 1);
      right
        &= fabs (element (mean, j) - 0.7 * element (mean_before, j) - 0.3 * m)
           < 1e-12;
      right
        &= fabs (element (variance, j) - 0.7 * element (before, j) - 0.3 * v)
           < 1e-12;
    }
  trm_tensor *gain = numbers (4, -1, 1, TRM_SHAPE (n));
  trm_tensor *y
    = trm_batch_norm (x, gain, mean, mean, variance, 0.3, EPSILON, false);
  return right
         && expect_close (y, plain_channels (x, gain, mean, mean, variance),
                          1e-12);
}

/* Norms of channels.  */
static void
test_channels (void)
{
  for (int t = 0; t < N_TYPES; t++)
    expect (training_right (t, TRM_SHAPE (13, 5))
              && training_right (t, TRM_SHAPE (2, 1))
              && training_right (t, TRM_SHAPE (0, 3))
              && training_right (t, TRM_SHAPE (3, 0))
              && training_right (t, TRM_SHAPE (3, 7, 2))
              && training_right (t, TRM_SHAPE (3, 5, 3, 4))
              && training_right (t, TRM_SHAPE (1, 3, 5, 7))
              && training_right (t, TRM_SHAPE (3, 2, 6, 31))
              && training_right (t, TRM_SHAPE (3, 5, 0, 4)),
            "batch_norm of %s in training, with gains and without",
            trm_type_name (types[t].type));
  expect (moves_right (TRM_SHAPE (13, 5)) && moves_right (TRM_SHAPE (4, 3, 2))
            && moves_right (TRM_SHAPE (2, 3, 5, 7)),
          "batch_norm moves its means, and uses them");
  trm_tensor *mean = trm_full (TRM_F32, TRM_SHAPE (3), 7);
  trm_tensor *y = trm_batch_norm (trm_zeros (TRM_F32, TRM_SHAPE (0, 3)), NULL,
                                  NULL, mean, NULL, 0.5, EPSILON, true);
  expect (y && element (mean, 1) == 7, "nothing moves no mean");
}

static trm_tensor *
layer (trm_tensor **x)
{
  return trm_layer_norm (x[0], x[1], x[2], EPSILON);
}

static trm_tensor *
rms (trm_tensor **x)
{
  return trm_rms_norm (x[0], x[1], EPSILON);
}

static trm_tensor *
batch_training (trm_tensor **x)
{
  return trm_batch_norm (x[0], x[1], x[2], NULL, NULL, 0.1, EPSILON, true);
}

static trm_tensor *
batch_in_use (trm_tensor **x)
{
  return trm_batch_norm (x[0], x[1], x[2], x[3], x[4], 0.1, EPSILON, false);
}

/* Whether all gradients of batch_norm of x of this shape are right.  */
static bool
channel_gradients_right (int rank, const int64_t *extent)
{
  int64_t n = extent[1];
  trm_tensor *x[]
    = { numbers (1, -1, 1, rank, extent), numbers (2, 1, 2, TRM_SHAPE (n)),
        numbers (3, -1, 1, TRM_SHAPE (n)), numbers (4, -1, 1, TRM_SHAPE (n)),
        numbers (5, 1, 2, TRM_SHAPE (n)) };
  trm_tensor *bare[] = { x[0], NULL, NULL };
  return gradients_agree (batch_training, 3, x)
         && gradients_agree (batch_training, 3, bare)
         && gradients_agree (batch_in_use, 5, x)
         && slopes_agree (batch_in_use, 5, x);
}

/* Gradients.  */
static void
test_gradients (void)
{
  trm_tensor *x[]
    = { numbers (1, -1, 1, TRM_SHAPE (2, 3, 5)),
        numbers (2, 1, 2, TRM_SHAPE (5)), numbers (3, -1, 1, TRM_SHAPE (5)) };
  trm_tensor *bare[] = { x[0], NULL, NULL }, *shift[] = { x[0], NULL, x[2] };
  expect (gradients_agree (layer, 3, x) && gradients_agree (layer, 3, bare)
            && gradients_agree (layer, 3, shift),
          "gradients of layer_norm");
  expect (gradients_agree (rms, 2, x) && gradients_agree (rms, 2, bare),
          "gradients of rms_norm");
  expect (channel_gradients_right (TRM_SHAPE (5, 3))
            && channel_gradients_right (TRM_SHAPE (2, 3, 2, 2))
            && channel_gradients_right (TRM_SHAPE (2, 2, 4, 5)),
          "gradients of batch_norm, in training and in use, and second ones");
}

/* The same bits for any number of threads.  */
static void
test_threads (void)
{
  trm_tensor *x[]
    = { trm_cast (numbers (1, -1, 1, TRM_SHAPE (509, 301)), TRM_F32),
        trm_cast (numbers (2, 1, 2, TRM_SHAPE (301)), TRM_F32),
        trm_cast (numbers (3, -1, 1, TRM_SHAPE (301)), TRM_F32) };
  expect (same_for_threads (layer, 3, x) && same_for_threads (rms, 2, x),
          "norms of rows have the same bits for 1, 2 and 4 threads");
  bool right = same_for_threads (batch_training, 3, x);
  x[0] = trm_cast (numbers (1, -1, 1, TRM_SHAPE (3, 301, 11, 17)), TRM_F32);
  expect (right && same_for_threads (batch_training, 3, x),
          "norms of channels have the same bits for 1, 2 and 4 threads");
}

/* What fails, and how.  */
static void
test_errors (void)
{
  trm_tensor *x = trm_zeros (TRM_F32, TRM_SHAPE (2, 3));
  trm_tensor *two = trm_zeros (TRM_F32, TRM_SHAPE (2));
  expect (
    !trm_layer_norm (x, two, NULL, 0)
      && expect_failed (TRM_BAD_SHAPE,
                        "layer_norm: gain [2] does not go with x [2, 3]")
      && !trm_layer_norm (x, NULL, x, 0)
      && expect_failed (TRM_BAD_SHAPE, "shift [2, 3] does not go with x [2, 3]")
      && !trm_rms_norm (x, two, 0)
      && expect_failed (TRM_BAD_SHAPE, "rms_norm: gain [2]")
      && !trm_batch_norm (x, NULL, NULL, NULL, two, 0, 0, true)
      && expect_failed (TRM_BAD_SHAPE, "batch_norm: variance [2]"),
    "vectors of other lengths");
  expect (!trm_layer_norm (trm_number (TRM_F32, 1), NULL, NULL, 0)
            && expect_failed (TRM_BAD_SHAPE, "layer_norm: of rank 0")
            && !trm_batch_norm (two, NULL, NULL, NULL, NULL, 0, 0, true)
            && expect_failed (TRM_BAD_SHAPE, "batch_norm: [2] has no axis 1"),
          "axes that are not there");
  trm_tensor *row = trm_zeros (TRM_F32, TRM_SHAPE (1, 3));
  expect (!trm_batch_norm (row, NULL, NULL, NULL, NULL, 0, 0, true)
            && expect_failed (TRM_BAD_SHAPE,
                              "batch_norm: [1, 3] has one element a channel"),
          "a batch of one element a channel");
  trm_rms_norm (x, two, 0);
  expect (!trm_layer_norm (NULL, two, NULL, 0) && !trm_rms_norm (NULL, two, 0)
            && !trm_batch_norm (NULL, two, NULL, NULL, NULL, 0, 0, true)
            && !trm_batch_norm (x, NULL, NULL, NULL, NULL, 0, 0, false)
            && expect_failed (TRM_BAD_SHAPE, "rms_norm: gain"),
          "of NULL comes NULL, and the first message stays");
}

int
main (void)
{
  trm_scope_open ();
  test_rows ();
  test_channels ();
  test_gradients ();
  test_threads ();
  test_errors ();
  trm_scope_close ();
  return expect_status ();
}
