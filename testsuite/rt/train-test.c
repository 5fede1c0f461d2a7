/* Models and layers, and that they learn.

   First values do not depend on the order of creation and keep PyTorch's
   bounds; each layer is the operation it names on its weights; all weights get
   gradients, statistics none; pruned and narrow models compute what whole ones
   do; a two-layer network, a convolutional one and a narrow one learn.  */

#include "expect.h"

#include "trm-train.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static trm_random seed = { 1, 0 };

/* The weight of MODEL called NAME.  */
static trm_tensor *
weight (trm_model *model, const char *name)
{
  return trm_names_get (trm_model_names (model), name);
}

/* The greatest magnitude in T, its mean and deviation.  */
static double
greatest (const trm_tensor *t, double *mean, double *deviation)
{
  double most = 0, sum = 0, squares = 0;
  int64_t n = trm_count (t);
  for (int64_t i = 0; i < n; i++)
    {
      double x = ((const float *) t->at)[i];
      most = fmax (most, fabs (x));
      sum += x;
      squares += x * x;
    }
  *mean = sum / (double) n;
  *deviation = sqrt (squares / (double) n - *mean * *mean);
  return most;
}

static void
test_first_values (void)
{
  trm_scope_open ();
  trm_model *a = trm_model_new ((trm_random){ 5, 9 });
  trm_model *b = trm_model_new ((trm_random){ 5, 9 });
  trm_tensor *x = trm_normal (&seed, TRM_F32, TRM_SHAPE (4, 100), 0, 1);
  trm_tensor *p = trm_normal (&seed, TRM_F32, TRM_SHAPE (2, 3, 9, 9), 0, 1);
  trm_tensor *index = trm_zeros (TRM_I64, TRM_SHAPE (3));
  trm_window none = { 0 };
  trm_layer_linear (a, "one", x, 200);
  trm_layer_conv2d (a, "two", p, 8, 3, none);
  trm_layer_embedding (a, "three", index, 500, 20);
  trm_layer_embedding (b, "three", index, 500, 20);
  trm_layer_conv2d (b, "two", p, 8, 3, none);
  trm_layer_linear (b, "one", x, 200);
  static const char *const names[]
    = { "one.w", "one.b", "two.w", "two.b", "three.w" };
  bool same = true;
  for (int i = 0; i < 5; i++)
    same = same && expect_close (weight (a, names[i]), weight (b, names[i]), 0)
           && trm_wants_gradient (weight (a, names[i]));
  expect (same, "first values do not depend on the order of creation");
  double mean, deviation;
  double most = greatest (weight (a, "one.w"), &mean, &deviation);
  expect (most <= 0.1 && most > 0.099 && fabs (mean) < 0.002
            && fabs (deviation - 0.1 / sqrt (3)) < 0.001,
          "linear's first values are uniform within 1 / sqrt (100)");
  most = greatest (weight (a, "two.w"), &mean, &deviation);
  expect (most <= 1 / sqrt (27) && most > 0.9 / sqrt (27),
          "conv2d's first values are uniform within 1 / sqrt (27)");
  greatest (weight (a, "three.w"), &mean, &deviation);
  expect (fabs (mean) < 0.05 && fabs (deviation - 1) < 0.05,
          "embedding's first values are normal");
  expect (trm_get (weight (a, "one.b"), TRM_SHAPE (0))
            != trm_get (weight (a, "one.w"), TRM_SHAPE (0, 0)),
          "weights of other names have other values");
  trm_model_free (a);
  trm_model_free (b);
  trm_scope_close ();
}

static void
test_shapes (void)
{
  trm_scope_open ();
  trm_model *m = trm_model_new (seed);
  trm_tensor *x = trm_zeros (TRM_F32, TRM_SHAPE (2, 5));
  trm_layer_linear (m, "l", x, 3);
  expect (!trm_layer_linear (m, "l", x, 4) && strstr (trm_message (), "[3, 5]")
            && expect_failed (TRM_BAD_SHAPE, "[4, 5]"),
          "another shape for a weight fails, with both shapes");
  expect (!trm_layer_attention (m, "a", x, 2, false)
            && expect_failed (TRM_BAD_SHAPE, "[2, 5]"),
          "attention of two axes fails");
  expect (!trm_layer_linear (m, "l", NULL, 3) && trm_error () == TRM_OK,
          "no argument gives no result, without a message");
  trm_model_free (m);
  trm_scope_close ();
}

/* A model with all layers: x [4][6][8] and pictures p.  */
static trm_tensor *
run_all (trm_model *m, trm_tensor *x, trm_tensor *p)
{
  trm_window pad = { .pad = 1 };
  trm_tensor *index = trm_arange (TRM_I64, 0, 6, 1);
  x = trm_add (x, trm_layer_embedding (m, "place", index, 6, 8));
  x = trm_layer_layer_norm (m, "ln", x);
  x = trm_add (x, trm_layer_attention (m, "att", x, 2, true));
  x = trm_layer_rms_norm (m, "rms", x);
  trm_tensor *h = NULL, *g = NULL, *c = NULL, *r = NULL;
  for (int t = 0; t < 3 && x; t++)
    {
      trm_tensor *xt = trm_select (x, 1, t);
      h = trm_layer_lstm (m, "lstm", xt, h, &c, 7);
      g = trm_layer_gru (m, "gru", xt, g, 7);
      r = trm_layer_rnn (m, "rnn", xt, r, 7);
    }
  p = trm_layer_batch_norm (m, "bn",
                            trm_layer_conv2d (m, "conv", p, 2, 3, pad));
  p = trm_layer_dropout (m, trm_relu (p), 0.25);
  p = trm_reshape (p, TRM_SHAPE (4, -1));
  trm_tensor *y = trm_add (trm_add (trm_layer_linear (m, "last", p, 7), h),
                           trm_mul (trm_add (g, r), c));
  return trm_mean (trm_square (y), TRM_ALL, false);
}

static void
test_all_layers (trm_type type)
{
  trm_scope_open ();
  trm_random random = { 3, 0 };
  trm_model *m = trm_model_new (random);
  trm_tensor *x = trm_normal (&random, type, TRM_SHAPE (4, 6, 8), 0, 1);
  trm_tensor *p = trm_normal (&random, type, TRM_SHAPE (4, 1, 5, 5), 2, 1);
  trm_tape_open ();
  trm_tensor *y = run_all (m, x, p);
  bool good = y && !trm_backward (y, NULL);
  if (!good)
    printf ("# %s\n", trm_message ());
  trm_tape_close ();
  int wanted = 0, got = 0, others = 0,
      n = trm_names_count (trm_model_names (m));
  for (int i = 0; i < n; i++)
    {
      trm_tensor *w = trm_names_at (trm_model_names (m), i);
      wanted += trm_wants_gradient (w);
      got += trm_gradient_of (w) != NULL;
      others
        += w->type != type
           && strcmp (trm_names_name (trm_model_names (m), i), "place.w") != 0;
    }
  expect (good && wanted == 24 && got == 24 && n == 26 && others == 0,
          "%s: all weights of all layers get gradients, statistics none",
          trm_type_name (type));
  trm_forget_gradients (m);
  expect (good && !trm_gradient_of (weight (m, "last.w")),
          "%s: gradients are forgotten", trm_type_name (type));
  double mean = trm_get (weight (m, "bn.mean"), TRM_SHAPE (0));
  trm_model_training (m, false);
  trm_tensor *first = run_all (m, x, p), *second = run_all (m, x, p);
  expect (mean != 0 && expect_close (first, second, 0)
            && mean == trm_get (weight (m, "bn.mean"), TRM_SHAPE (0)),
          "%s: training moves the statistics, evaluation does not",
          trm_type_name (type));
  trm_model_training (m, true);
  first = run_all (m, x, p), second = run_all (m, x, p);
  expect (first && second && !expect_close (first, second, 1e-12),
          "%s: dropout differs from call to call", trm_type_name (type));
  trm_model_free (m);
  trm_scope_close ();
}

/* The gradients of the mean square of a linear layer, in DX and DW, for which
   W may be pruned.  */
static trm_tensor *
linear_square (trm_model *m, trm_tensor *x, int64_t width, trm_tensor **dx,
               trm_tensor **dw)
{
  trm_tape_open ();
  trm_tensor *y = trm_layer_linear (m, "l", trm_want_gradient (x), width);
  trm_tensor *out = trm_keep (trm_detach (y));
  trm_backward (trm_mean (trm_square (y), TRM_ALL, false), NULL);
  trm_tape_close ();
  *dx = trm_copy (trm_gradient_of (x));
  *dw = trm_copy (trm_gradient_of (weight (m, "l.w")));
  trm_forget_gradients (m);
  trm_forget_gradient (x);
  return out;
}

/* Compressed rows give what the whole matrix with its zeros gives.  */
static void
test_pruned (trm_type type, int64_t rows)
{
  trm_scope_open ();
  trm_model *whole = trm_model_new (seed), *pruned = trm_model_new (seed);
  trm_random random = { 8, 0 };
  trm_tensor *x = trm_normal (&random, type, TRM_SHAPE (2, rows, 70), 0, 1);
  trm_layer_linear (whole, "l", x, 90);
  trm_layer_linear (pruned, "l", x, 90);
  bool good = !trm_prune (pruned, "l.w", 0.9)
              && !trm_copy_to (weight (whole, "l.w"), weight (pruned, "l.w"));
  trm_tensor *dx[2], *dw[2];
  trm_tensor *a = linear_square (whole, x, 90, &dx[0], &dw[0]);
  trm_tensor *b = linear_square (pruned, x, 90, &dx[1], &dw[1]);
  double bound = type == TRM_F64 ? 1e-13 : 1e-5;
  expect (good && expect_close (b, a, bound)
            && expect_close (dx[1], dx[0], bound),
          "%s, %d rows: a pruned layer is the whole one with zeros",
          trm_type_name (type), (int) rows);
  int64_t kept = 0, wrong = 0, elsewhere = 0;
  for (int64_t i = 0; i < 90 && good; i++)
    for (int64_t j = 0; j < 70; j++)
      {
        double g = trm_get (dw[1], TRM_SHAPE (i, j));
        bool is_kept = trm_get (weight (pruned, "l.w"), TRM_SHAPE (i, j)) != 0;
        kept += is_kept;
        wrong += is_kept
                 && !(fabs (g - trm_get (dw[0], TRM_SHAPE (i, j))) <= bound);
        elsewhere += !is_kept && g != 0;
      }
  expect (kept == 630 && wrong == 0 && (2 * rows < 16 || elsewhere == 0),
          "%s, %d rows: gradients at kept elements", trm_type_name (type),
          (int) rows);
  trm_drop (a);
  trm_drop (b);
  trm_model_free (whole);
  trm_model_free (pruned);
  trm_scope_close ();
}

/* The loss of the two-layer network.  */
static trm_tensor *
two_layers (trm_model *m, trm_tensor *x, trm_tensor *y)
{
  trm_tensor *h = trm_relu (trm_layer_linear (m, "hidden", x, 100));
  return trm_mse (trm_layer_linear (m, "out", h, 10), y);
}

/* STEPS steps of O with two layers; the last loss.  */
static double
learn (trm_model *m, trm_optimiser *o, trm_tensor *x, trm_tensor *y, int steps)
{
  double loss = NAN;
  for (int step = 0; step < steps; step++)
    {
      trm_tape_open ();
      trm_tensor *l = two_layers (m, x, y);
      bool good = l && !trm_backward (l, NULL);
      loss = l ? trm_get (l, TRM_SCALAR) : NAN;
      trm_tape_close ();
      if (!good || trm_step (o, NULL))
        {
          printf ("# %s\n", trm_message ());
          return NAN;
        }
    }
  return loss;
}

static void
test_two_layers (void)
{
  trm_scope_open ();
  trm_random random = { 2, 0 };
  trm_tensor *x = trm_normal (&random, TRM_F32, TRM_SHAPE (64, 1000), 0, 1);
  trm_tensor *y = trm_normal (&random, TRM_F32, TRM_SHAPE (64, 10), 0, 1);
  trm_model *m = trm_model_new (seed);
  trm_optimiser *o = trm_optimiser_new (
    m, (trm_optimiser_settings){ .rate = 0.1, .momentum = 0.9 });
  double before = learn (m, o, x, y, 1), after = learn (m, o, x, y, 499);
  printf ("# two layers: loss %.4f, after 500 steps %.3g\n", before, after);
  expect (before > 0.5 && after < 1e-6, "a two-layer network learns by heart");
  trm_optimiser_free (o);
  trm_model_free (m);
  trm_scope_close ();
}

/* The same with bf16 weights, which are their masters rounded.  */
static void
test_narrow (void)
{
  trm_scope_open ();
  trm_random random = { 2, 0 };
  trm_tensor *x = trm_normal (&random, TRM_F32, TRM_SHAPE (64, 100), 0, 1);
  trm_tensor *y = trm_normal (&random, TRM_F32, TRM_SHAPE (64, 10), 0, 1);
  trm_model *m = trm_model_new (seed);
  bool good = !trm_model_narrow (m);
  trm_optimiser *o = trm_optimiser_new (
    m, (trm_optimiser_settings){ .method = TRM_ADAM, .rate = 0.003 });
  double before = learn (m, o, x, y, 1);
  good = good && weight (m, "hidden.w")->type == TRM_BF16
         && !trm_prune (m, "hidden.w", 0.5);
  double after = learn (m, o, x, y, 200);
  int64_t zeros = 0;
  for (int64_t i = 0; i < 100 * 100 && good; i++)
    zeros += ((uint16_t *) weight (m, "hidden.w")->at)[i] << 1 == 0;
  printf ("# narrow: loss %.4f, after 200 steps %.3g\n", before, after);
  expect (good && before > 0.5 && after < 0.01,
          "a pruned network of bf16 weights learns");
  expect (zeros >= 5000 && zeros < 5100,
          "what is pruned of bf16 weights stays 0");
  trm_optimiser_free (o);
  trm_model_free (m);
  trm_scope_close ();
}

/* Pictures 8 x 8 of a bar that lies, stands, or slants, with noise; which.  */
static void
draw_bars (trm_random *random, int64_t n, trm_tensor **p, trm_tensor **label)
{
  *p = trm_normal (random, TRM_F32, TRM_SHAPE (n, 1, 8, 8), 0, 0.3);
  *label = trm_integers (random, TRM_SHAPE (n), 0, 3);
  trm_tensor *place = trm_integers (random, TRM_SHAPE (n), 1, 7);
  for (int64_t i = 0; i < n; i++)
    for (int64_t k = 0; k < 8; k++)
      {
        int64_t at = trm_get_int (place, TRM_SHAPE (i));
        int64_t kind = trm_get_int (*label, TRM_SHAPE (i));
        int64_t row = kind == 0 ? at : k;
        int64_t column = kind == 1 ? at : kind == 0 ? k : (k + at) % 8;
        trm_set (*p, TRM_SHAPE (i, 0, row, column), 1);
      }
}

static trm_tensor *
read_bars (trm_model *m, trm_tensor *p)
{
  trm_window pad = { .pad = 1 }, none = { 0 };
  p = trm_relu (trm_layer_conv2d (m, "one", p, 6, 3, pad));
  p = trm_max_pool2d (p, 2, none);
  p = trm_relu (trm_layer_conv2d (m, "two", p, 8, 3, pad));
  p = trm_max_pool2d (p, 2, none);
  if (!p)
    return NULL;
  return trm_layer_linear (m, "out",
                           trm_reshape (p, TRM_SHAPE (p->extent[0], -1)), 3);
}

static void
test_pictures (void)
{
  trm_scope_open ();
  trm_random random = { 4, 0 };
  trm_tensor *p, *label, *asked, *answer;
  trm_model *m = trm_model_new (seed);
  trm_optimiser *o = trm_optimiser_new (
    m, (trm_optimiser_settings){ .method = TRM_ADAM, .rate = 0.01 });
  bool good = true;
  for (int step = 0; step < 80 && good; step++)
    {
      trm_tape_open ();
      draw_bars (&random, 32, &p, &label);
      trm_tensor *loss = trm_cross_entropy (read_bars (m, p), label);
      good = loss && !trm_backward (loss, NULL);
      trm_tape_close ();
      good = good && !trm_step (o, NULL);
    }
  draw_bars (&random, 200, &asked, &answer);
  trm_tensor *read = trm_argmax (read_bars (m, asked), 1, false);
  int64_t right = 0;
  for (int64_t i = 0; i < 200 && read; i++)
    right += trm_get_int (read, TRM_SHAPE (i))
             == trm_get_int (answer, TRM_SHAPE (i));
  printf ("# bars: %d of 200 read right\n", (int) right);
  expect (good && right >= 190, "a convolutional network learns by Adam");
  trm_optimiser_free (o);
  trm_model_free (m);
  trm_scope_close ();
}

int
main (void)
{
  test_first_values ();
  test_shapes ();
  test_all_layers (TRM_F32);
  test_all_layers (TRM_F64);
  test_pruned (TRM_F32, 40);
  test_pruned (TRM_F64, 9);
  test_pruned (TRM_F32, 3);
  test_two_layers ();
  test_narrow ();
  test_pictures ();
  return expect_status ();
}
