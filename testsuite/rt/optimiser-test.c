/* Optimisers and rates, on gradients that the test sets.

   Steps are the same, to the last bit, as the formulas of trm-train.h written
   as plain C, for weights of many sizes and both number types, with and
   without clipping and decay; a weight without a gradient is left alone;
   narrow weights follow their masters; small ones that the model made lie side
   by side, and none moves; no memory is taken after the first step.  */

#include "expect.h"

#include "train.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST 40

/* A gradient that a call of the test's own gives: dx += CONTEXT.  */
static trm_status
given_forward (int n_in, trm_tensor **in, int n_out, trm_tensor **out,
               void *context)
{
  (void) n_in;
  (void) n_out;
  (void) context;
  out[0] = trm_number (in[0]->type, 0);
  return out[0] ? TRM_OK : trm_error ();
}
static trm_status
given_backward (trm_call *call)
{
  return trm_add_gain (call, 0, trm_context (call));
}
static const trm_function given
  = { .name = "given", .forward = given_forward, .backward = given_backward };

/* Let W's gradient be G.  */
static bool
set_gradient (trm_tensor *w, trm_tensor *g)
{
  trm_tensor *y;
  trm_tape_open ();
  bool good = !trm_apply (&given, 1, &w, 1, &y, g) && !trm_backward (y, NULL);
  trm_tape_close ();
  return good;
}

/* The weights of one test, as the library has them and as plain C does.  */
typedef struct weights
{
  trm_model *model;
  int n;
  trm_tensor *w[MOST];
  trm_tensor *g[MOST];
  double *reference[3][MOST]; /* w, m or velocity, v */
  int steps[MOST];
} weights;

/* Element I of T as a double.  */
static double
element (const trm_tensor *t, int64_t i)
{
  return t->type == TRM_F64 ? ((double *) t->at)[i] : ((float *) t->at)[i];
}

/* A number in -1 .. 1 that depends on SEED and I.  */
static double
scatter (int seed, int64_t i)
{
  uint64_t x = (uint64_t) (i + 1) * 0x9e3779b97f4a7c15 + (uint64_t) seed * 77;
  x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9;
  return (double) (int64_t) (x ^ x >> 32) * 0x1p-63;
}

static void
fill (trm_tensor *t, int seed)
{
  for (int64_t i = 0; i < trm_count (t); i++)
    if (t->type == TRM_F64)
      ((double *) t->at)[i] = scatter (seed, i);
    else
      ((float *) t->at)[i] = (float) scatter (seed, i);
}

/* One more weight of LENGTH, which the model makes where IS_OWN, as a layer's;
   every third one is f64.  */
static void
add_weight (weights *s, int64_t length, bool is_own)
{
  char name[16];
  int i = s->n++;
  trm_form form = { .type = i % 3 == 2 ? TRM_F64 : TRM_F32,
                    .rank = 1,
                    .extent = { length } };
  snprintf (name, sizeof name, "w%d", i);
  if (is_own)
    s->w[i] = trm_keep (trm_model_weight (s->model, name, "w", &form));
  else
    s->w[i] = trm_want_gradient (trm_empty (form.type, TRM_SHAPE (length)));
  if (!is_own)
    trm_names_put (trm_model_names (s->model), name, s->w[i]);
  s->g[i] = trm_empty (form.type, TRM_SHAPE (length));
  fill (s->w[i], i);
  for (int k = 0; k < 3; k++)
    s->reference[k][i] = calloc ((size_t) length + 1, sizeof (double));
  for (int64_t j = 0; j < length; j++)
    s->reference[0][i][j] = element (s->w[i], j);
}

/* N weights of the lengths LENGTH, the model's where ARE_OWN.  */
static weights
make_weights (int n, const int64_t *length, bool are_own)
{
  weights s = { .model = trm_model_new ((trm_random){ 1, 0 }) };
  for (int i = 0; i < n; i++)
    add_weight (&s, length[i], are_own);
  return s;
}

static void
free_weights (weights *s)
{
  for (int i = 0; i < s->n; i++)
    {
      trm_drop (s->w[i]);
      trm_drop (s->g[i]);
      for (int k = 0; k < 3; k++)
        free (s->reference[k][i]);
    }
  trm_model_free (s->model);
}

/* The formulas, in R.  */
#define REFERENCE(name, R, root_of)                                            \
  static void name (const trm_optimiser_settings *o, int steps, double scale,  \
                    double *ws, double *ms, double *vs, double gs)             \
  {                                                                            \
    R w = (R) *ws, m = (R) *ms, v = (R) *vs, g = (R) gs, t = (R) scale;        \
    R keep = (R) (1 - o->rate * o->decay), rate = (R) o->rate;                 \
    if (o->method == TRM_ADAM)                                                 \
      {                                                                        \
        double b1 = o->beta1 != 0 ? o->beta1 : 0.9;                            \
        double b2 = o->beta2 != 0 ? o->beta2 : 0.999;                          \
        R epsilon = (R) (o->epsilon != 0 ? o->epsilon : 1e-8);                 \
        R root = (R) (1 / sqrt (1 - pow (b2, steps + 1)));                     \
        rate = (R) (o->rate / (1 - pow (b1, steps + 1)));                      \
        R x = t * g;                                                           \
        m = m + (x - m) * (R) (1 - b1);                                        \
        v = v + (x * x - v) * (R) (1 - b2);                                    \
        w = keep * w - rate * m / (root_of (v) * root + epsilon);              \
      }                                                                        \
    else if (o->momentum != 0)                                                 \
      {                                                                        \
        m = (R) o->momentum * m + t * g;                                       \
        w = keep * w - rate * m;                                               \
      }                                                                        \
    else                                                                       \
      w = keep * w - rate * (t * g);                                           \
    *ws = w, *ms = m, *vs = v;                                                 \
  }
REFERENCE (step_float, float, sqrtf)
REFERENCE (step_double, double, sqrt)

/* One step of S by plain C.  */
static void
reference_step (weights *s, const trm_optimiser_settings *o, double norm,
                unsigned left_out)
{
  double scale = o->clip > 0 && norm > o->clip ? o->clip / norm : 1;
  for (int i = 0; i < s->n; i++)
    {
      if (left_out >> i & 1)
        continue;
      for (int64_t j = 0; j < s->w[i]->extent[0]; j++)
        (s->w[i]->type == TRM_F64 ? step_double : step_float) (
          o, s->steps[i], scale, &s->reference[0][i][j], &s->reference[1][i][j],
          &s->reference[2][i][j], element (s->g[i], j));
      s->steps[i]++;
    }
}

/* Whether all weights are the same bits as the reference's.  */
static bool
is_reference (const weights *s)
{
  for (int i = 0; i < s->n; i++)
    for (int64_t j = 0; j < s->w[i]->extent[0]; j++)
      if (element (s->w[i], j) != s->reference[0][i][j])
        {
          printf ("# w%d[%lld]: %.17g, not %.17g\n", i, (long long) j,
                  element (s->w[i], j), s->reference[0][i][j]);
          return false;
        }
  return true;
}

/* The norm of the gradients that are not LEFT_OUT, in plain C.  */
static double
reference_norm (const weights *s, unsigned left_out)
{
  double sum = 0;
  for (int i = 0; i < s->n; i++)
    for (int64_t j = 0; j < s->g[i]->extent[0] && !(left_out >> i & 1); j++)
      sum += element (s->g[i], j) * element (s->g[i], j);
  return sqrt (sum);
}

/* Set gradients of step STEP for those not LEFT_OUT.  */
static bool
set_gradients (weights *s, int step, unsigned left_out)
{
  bool good = true;
  for (int i = 0; i < s->n; i++)
    if (!(left_out >> i & 1))
      {
        fill (s->g[i], 1000 * step + i);
        good = good && set_gradient (s->w[i], s->g[i]);
      }
  return good;
}

static const int64_t lengths[]
  = { 5, 64, 1000, 1, 16384, 16385, 0, 777, 40000 };

/* Six steps as SETTINGS say, in the third of which some gradients lack, of
   weights that are the model's where ARE_OWN.  */
static void
test_steps (const char *name, trm_optimiser_settings settings, bool are_own)
{
  weights s = make_weights (9, lengths, are_own);
  const char *own = are_own ? ", the model's" : "";
  trm_optimiser *o = trm_optimiser_new (s.model, settings);
  bool good = true, near = true;
  for (int step = 0; step < 6 && good; step++)
    {
      unsigned left_out = step == 2 ? 0x12a : 0;
      double norm = 0, expected;
      good = set_gradients (&s, step, left_out);
      expected = reference_norm (&s, left_out);
      good = good && !trm_step (o, &norm);
      near = near && fabs (norm - expected) <= 1e-12 * expected;
      reference_step (&s, &settings, norm, left_out);
      good = good && is_reference (&s) && !trm_gradient_of (s.w[0]);
    }
  expect (good, "%s%s: the bits of plain C", name, own);
  expect (near, "%s%s: the norm of all gradients", name, own);
  trm_optimiser_free (o);
  free_weights (&s);
}

/* The bytes from A's elements to B's.  */
static int64_t
distance (const trm_tensor *a, const trm_tensor *b)
{
  return (const char *) b->at - (const char *) a->at;
}

/* A step of S and its reference, but for what is LEFT_OUT.  */
static bool
step_both (weights *s, trm_optimiser *o, const trm_optimiser_settings *settings,
           int step, unsigned left_out)
{
  bool good = set_gradients (s, step, left_out) && !trm_step (o, NULL);
  reference_step (s, settings, 0, left_out);
  return good && is_reference (s);
}

/* Steps FROM to TO - 1 of S and its reference; in the second one weights 1 and
   4 have no gradient.  */
static bool
step_some (weights *s, trm_optimiser *o, const trm_optimiser_settings *settings,
           int from, int to)
{
  bool good = true;
  for (int step = from; step < to; step++)
    good
      = good && step_both (s, o, settings, step, step == from + 1 ? 0x12 : 0);
  return good;
}

/* The lengths of small weights.  */
static const int64_t small[] = { 5, 64, 1000, 1, 16, 33, 7, 9 };

/* Small weights of a type lie side by side from the beginning, and stay where
   they are, as does what a program has of them.  Steps give the same bits, also
   where a gradient lacks, where weights have made different numbers of steps,
   where one is new or was moved, and by another optimiser.  */
static void
test_small (void)
{
  trm_optimiser_settings settings
    = { .method = TRM_ADAM, .rate = 0.01, .decay = 0.1 };
  weights s = make_weights (8, small, true);
  const void *at[8];
  for (int i = 0; i < 8; i++)
    at[i] = s.w[i]->at;
  trm_tensor *view = trm_slice (s.w[6], 0, 0, 7, 2);
  expect (distance (s.w[0], s.w[1]) == 64 && distance (s.w[1], s.w[3]) == 256
            && distance (s.w[3], s.w[4]) == 64
            && distance (s.w[2], s.w[5]) == 8000,
          "small weights lie side by side");
  trm_optimiser *o = trm_optimiser_new (s.model, settings);
  expect (step_some (&s, o, &settings, 0, 4), "small weights: plain C's bits");
  bool stays = trm_get (view, TRM_SHAPE (3)) == element (s.w[6], 6);
  for (int i = 0; i < 8; i++)
    stays = stays && s.w[i]->at == at[i];
  expect (stays, "no weight moves");
  add_weight (&s, 20, true);
  add_weight (&s, 4096, true);
  expect (distance (s.w[5], s.w[8]) == 320
            && step_some (&s, o, &settings, 4, 8),
          "small weights that come later join");
  trm_tensor *elsewhere = trm_copy (s.w[3]);
  trm_become (s.w[3], elsewhere);
  trm_drop (elsewhere);
  expect (step_some (&s, o, &settings, 8, 12), "one that was moved, too");
  trm_optimiser_free (o);
  settings.method = TRM_SGD;
  o = trm_optimiser_new (s.model, settings);
  expect (step_some (&s, o, &settings, 12, 16), "and by another optimiser");
  trm_optimiser_free (o);
  trm_drop (view);
  free_weights (&s);
}

/* Gradients of small weights come to lie side by side; what a program keeps of
   them stays as it is.  */
static void
test_small_gradients (void)
{
  trm_optimiser_settings settings = { .rate = 0.01, .momentum = 0.5 };
  weights s = make_weights (8, small, true);
  trm_optimiser *o = trm_optimiser_new (s.model, settings);
  bool good = set_gradients (&s, 0, 0);
  trm_tensor *kept = trm_keep (trm_gradient_of (s.w[0]));
  trm_tensor *view = trm_detach (trm_gradient_of (s.w[1]));
  double last = element (kept, 4), first = element (view, 0);
  expect (good && distance (kept, view) == 64,
          "gradients come to lie side by side");
  good = !trm_step (o, NULL);
  reference_step (&s, &settings, 0, 0);
  good = good && step_some (&s, o, &settings, 1, 4);
  expect (good && element (kept, 4) == last && element (view, 0) == first,
          "a gradient that is kept stays");
  trm_drop (kept);
  trm_drop (view);
  trm_optimiser_free (o);
  free_weights (&s);
}

/* Small weights take the memory of their blocks, which is counted once and goes
   with the model.  */
static void
test_block (void)
{
  int64_t before = trm_memory_now ().bytes;
  weights s = { .model = trm_model_new ((trm_random){ 1, 0 }) };
  add_weight (&s, 100, true);
  int64_t one = trm_memory_now ().bytes - trm_count (s.g[0]) * 4;
  add_weight (&s, 3000, true);
  int64_t two
    = trm_memory_now ().bytes - trm_count (s.g[0]) * 4 - trm_count (s.g[1]) * 4;
  free_weights (&s);
  expect (one == before + 2 * 4096 * 4 && two == one
            && trm_memory_now ().bytes == before,
          "small weights take the memory of one block");
}

/* A model may go before its optimiser.  */
static void
test_order (void)
{
  int64_t before = trm_memory_now ().bytes;
  trm_optimiser_settings settings = { .rate = 1, .momentum = 0.5 };
  weights s = make_weights (2, small, true);
  trm_optimiser *o = trm_optimiser_new (s.model, settings);
  bool good = step_some (&s, o, &settings, 0, 2);
  free_weights (&s);
  trm_optimiser_free (o);
  expect (good && trm_memory_now ().bytes == before,
          "a model goes before its optimiser");
}

/* The memory of the caller's stays what is stepped.  */
static void
test_wrapped (void)
{
  float own[2][8] = { { 1, 2, 3 }, { 4, 5, 6 } };
  trm_model *model = trm_model_new ((trm_random){ 1, 0 });
  trm_optimiser *o
    = trm_optimiser_new (model, (trm_optimiser_settings){ .rate = 1 });
  for (int i = 0; i < 2; i++)
    {
      trm_tensor *w
        = trm_wrap (TRM_F32, 1, (int64_t[]){ 8 }, NULL, own[i], NULL, NULL);
      trm_names_put (trm_model_names (model), i ? "b" : "a",
                     trm_want_gradient (w));
      trm_tensor *one = trm_full (TRM_F32, TRM_SHAPE (8), 1);
      set_gradient (w, one);
      trm_drop (one);
      trm_drop (w);
    }
  expect (!trm_step (o, NULL) && own[0][2] == 2 && own[1][0] == 3,
          "weights in the caller's memory stay there");
  trm_optimiser_free (o);
  trm_model_free (model);
}

/* After clipping the gradients' norm is the bound: a step of plain SGD with
   rate 1 moves the weights as far.  */
static void
test_clip (void)
{
  weights s = make_weights (9, lengths, false);
  trm_optimiser_settings settings
    = { .method = TRM_SGD, .rate = 1, .clip = 0.5 };
  trm_optimiser *o = trm_optimiser_new (s.model, settings);
  double moved = 0, norm;
  bool good = set_gradients (&s, 1, 0) && !trm_step (o, &norm);
  for (int i = 0; i < s.n; i++)
    for (int64_t j = 0; j < s.w[i]->extent[0]; j++)
      {
        double d = element (s.w[i], j) - s.reference[0][i][j];
        moved += d * d;
      }
  expect (good && norm > 10 && fabs (sqrt (moved) - 0.5) < 1e-4,
          "a clipped step is as long as the bound");
  trm_optimiser_free (o);
  free_weights (&s);
}

/* Later weights join; the states of the first ones stay.  */
static void
test_late (void)
{
  trm_optimiser_settings settings = { .method = TRM_ADAM, .rate = 0.01 };
  weights s = make_weights (9, lengths, false);
  trm_model *model = trm_model_new ((trm_random){ 1, 0 });
  trm_optimiser *o = trm_optimiser_new (model, settings);
  bool good = true;
  for (int step = 0; step < 4; step++)
    {
      unsigned left_out = step < 2 ? 0x1e0 : 0;
      for (int i = 0; i < s.n && (step == 0 || step == 2); i++)
        if (!(left_out >> i & 1) && !(step == 2 && i < 5))
          trm_names_put (trm_model_names (model),
                         trm_names_name (trm_model_names (s.model), i), s.w[i]);
      good = good && set_gradients (&s, step, left_out) && !trm_step (o, NULL);
      reference_step (&s, &settings, 0, left_out);
    }
  expect (good && is_reference (&s), "weights that come later join");
  trm_optimiser_free (o);
  trm_model_free (model);
  free_weights (&s);
}

/* bf16 weights are their masters rounded; the masters step as f32 would.  The
   weights are the model's where ARE_OWN.  */
static void
test_narrow (bool are_own)
{
  static const int64_t two[] = { 300, 20000 };
  trm_optimiser_settings settings
    = { .method = TRM_SGD, .rate = 1e-4, .momentum = 0.5 };
  weights s = make_weights (2, two, are_own);
  bool good = !trm_model_narrow (s.model) && s.w[0]->type == TRM_BF16
              && s.w[1]->type == TRM_BF16;
  trm_optimiser *o = trm_optimiser_new (s.model, settings);
  for (int step = 0; step < 20 && good; step++)
    for (int i = 0; i <= 2 && good; i++)
      if (i == 2)
        {
          good = !trm_step (o, NULL);
          for (int k = 0; k < 2; k++)
            s.w[k]->type = TRM_F32;
          reference_step (&s, &settings, 0, 0);
          for (int k = 0; k < 2; k++)
            s.w[k]->type = TRM_BF16;
        }
      else
        {
          fill (s.g[i], i);
          trm_tensor *g = trm_cast (s.g[i], TRM_BF16);
          trm_tensor *wide = trm_cast (g, TRM_F32);
          trm_copy_to (s.g[i], wide);
          good = set_gradient (s.w[i], g);
          trm_drop (g);
          trm_drop (wide);
        }
  for (int i = 0; i < 2 && good; i++)
    for (int64_t j = 0; j < two[i] && good; j++)
      {
        trm_tensor *exact = trm_number (TRM_F32, s.reference[0][i][j]);
        trm_tensor *rounded = trm_cast (exact, TRM_BF16);
        good = trm_get (rounded, TRM_SCALAR) == trm_get (s.w[i], TRM_SHAPE (j));
        trm_drop (exact);
        trm_drop (rounded);
      }
  expect (good, "bf16 weights%s are f32 masters, rounded",
          are_own ? " of the model" : "");
  trm_optimiser_free (o);
  free_weights (&s);
}

/* Steps after the first allocate nothing.  */
static void
test_memory (void)
{
  weights s = make_weights (9, lengths, true);
  trm_optimiser *o = trm_optimiser_new (
    s.model, (trm_optimiser_settings){ .method = TRM_ADAM, .rate = 0.1 });
  int64_t allocated = 0;
  for (int step = 0; step < 5; step++)
    {
      set_gradients (&s, step, 0);
      int64_t before = trm_memory_now ().allocations;
      trm_step (o, NULL);
      if (step)
        allocated += trm_memory_now ().allocations - before;
    }
  expect (allocated == 0, "no memory is taken after the first step");
  trm_optimiser_free (o);
  free_weights (&s);
}

static void
test_masks (void)
{
  static const int64_t one[] = { 1000 };
  weights s = make_weights (1, one, false);
  trm_optimiser *o = trm_optimiser_new (
    s.model, (trm_optimiser_settings){ .rate = 0.1, .momentum = 0.9 });
  set_gradients (&s, 0, 0);
  bool good = !trm_step (o, NULL) && !trm_prune (s.model, "w0", 0.75);
  int64_t zeros[3] = { 0 };
  double most = 0, least = 1e9;
  for (int step = 0; step < 3 && good; step++)
    {
      for (int64_t j = 0; j < 1000; j++)
        zeros[step] += element (s.w[0], j) == 0;
      if (step == 0)
        for (int64_t j = 0; j < 1000; j++)
          {
            double before = fabs ((float) (s.reference[0][0][j])
                                  - 0.1f * (float) element (s.g[0], j));
            if (element (s.w[0], j) == 0)
              most = fmax (most, before);
            else
              least = fmin (least, before);
          }
      good = set_gradients (&s, step + 1, 0) && !trm_step (o, NULL);
    }
  expect (good && zeros[0] == 750 && zeros[1] == 750 && zeros[2] == 750,
          "what is pruned stays 0 through steps");
  expect (most <= least * 1.0001, "the smallest elements are pruned");
  expect (trm_prune (s.model, "nothing", 0.5) == TRM_BAD_ARGUMENT
            && expect_failed (TRM_BAD_ARGUMENT, "nothing"),
          "pruning what is not there fails");
  expect (trm_prune (s.model, "w0", 1.5) == TRM_BAD_ARGUMENT
            && expect_failed (TRM_BAD_ARGUMENT, "1.5"),
          "a share above 1 fails");
  trm_optimiser_free (o);
  free_weights (&s);
}

static void
test_rates (void)
{
  expect (trm_rate_exponential (3, 0.5) == 0.125
            && trm_rate_exponential (0, 0.5) == 1,
          "the exponential rate");
  expect (trm_rate_step (9, 10, 0.1) == 1 && trm_rate_step (10, 10, 0.5) == 0.5
            && trm_rate_step (25, 10, 0.5) == 0.25,
          "the rate by steps");
  expect (trm_rate_cosine (0, 4, 104, 0.1) == 0.25
            && trm_rate_cosine (3, 4, 104, 0.1) == 1
            && trm_rate_cosine (4, 4, 104, 0.1) == 1
            && fabs (trm_rate_cosine (54, 4, 104, 0.1) - 0.55) < 1e-12
            && trm_rate_cosine (104, 4, 104, 0.1) == 0.1
            && trm_rate_cosine (9999, 4, 104, 0.1) == 0.1,
          "the cosine rate with its warm-up");
}

int
main (void)
{
  trm_optimiser_settings sgd = { .rate = 0.1 };
  trm_optimiser_settings momentum
    = { .rate = 0.1, .momentum = 0.9, .decay = 0.01, .clip = 3 };
  trm_optimiser_settings adam = { .method = TRM_ADAM, .rate = 0.01 };
  trm_optimiser_settings adamw = { .method = TRM_ADAM,
                                   .rate = 0.01,
                                   .beta1 = 0.8,
                                   .beta2 = 0.99,
                                   .epsilon = 1e-6,
                                   .decay = 0.1,
                                   .clip = 1 };
  test_steps ("sgd", sgd, false);
  test_steps ("sgd", sgd, true);
  test_steps ("momentum", momentum, false);
  test_steps ("momentum", momentum, true);
  test_steps ("adam", adam, false);
  test_steps ("adam", adam, true);
  test_steps ("adamw", adamw, false);
  test_steps ("adamw", adamw, true);
  test_clip ();
  test_small ();
  test_small_gradients ();
  test_block ();
  test_order ();
  test_wrapped ();
  test_late ();
  test_narrow (false);
  test_narrow (true);
  test_memory ();
  test_masks ();
  test_rates ();
  return expect_status ();
}
