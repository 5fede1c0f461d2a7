/* The tape: gradients of functions made here, whose derivatives are known, and
   what must hold beside: who owns what, what is forgotten, what a failure
   leaves behind, that no memory is lost.  */

#include "products.h"

#include <stdlib.h>

static void
test_once (void)
{
  trm_tensor *x = leaf (1, 1), *w = leaf (0, 2);
  trm_tape_open ();
  expect (!trm_backward (total (times (x, x)), NULL)
            && is_affine (trm_gradient_of (x), x, 2, 0),
          "a tensor that is both inputs of a call: its gains do not meet");
  trm_tape_close ();
  trm_tape_open ();
  trm_backward (total (times (x, w)), NULL);
  expect (is_affine (trm_gradient_of (x), x, 4, -2)
            && is_affine (trm_gradient_of (w), x, 1, 0),
          "the next tape adds to gradients of leaves");
  trm_forget_gradient (x);
  expect (!trm_gradient_of (x), "a gradient is forgotten");
  trm_tape_close ();
  trm_tape_open ();
  trm_tensor *seed = trm_full (TRM_F64, TRM_SHAPE (N), 5);
  expect (!trm_backward (times (x, x), seed)
            && is_affine (trm_gradient_of (x), x, 10, 0),
          "a seed");
  trm_backward (times (x, x), NULL);
  expect (expect_failed (TRM_BAD_SHAPE, "backward: [8] needs a seed"),
          "many elements need one");
  trm_backward (times (x, x), trm_zeros (TRM_F64, TRM_SHAPE (2, 3)));
  expect (expect_failed (TRM_BAD_SHAPE, "a seed of [2, 3] for [8]"),
          "of the right shape");
  trm_forget_gradient (x);
  expect (!trm_backward (x, seed) && is_affine (trm_gradient_of (x), x, 0, 5),
          "backward of a leaf");
  trm_tape_close ();
  trm_drop (x);
  trm_drop (w);
}

static void
test_forget (void)
{
  trm_tensor *x = leaf (1, 1);
  trm_tape_open ();
  trm_tensor *h = times (x, x), *a = total (h), *b = total (times (h, x));
  trm_tensor *apart = total (times (x, x));
  expect (!trm_backward_keep (a, NULL) && !trm_backward_keep (a, NULL)
            && is_affine (trm_gradient_of (x), x, 4, 0),
          "backward with keep can be done again");
  expect (!trm_backward (a, NULL) && is_affine (trm_gradient_of (x), x, 6, 0),
          "and the last time without");
  trm_backward (a, NULL);
  expect (expect_failed (TRM_NO_GRADIENT, "nothing that wants a gradient"),
          "then it is forgotten");
  trm_backward (b, NULL);
  expect (expect_failed (TRM_NO_GRADIENT, "forgotten by a backward"),
          "what shares a part with it says so");
  expect (is_affine (trm_gradient_of (x), x, 6, 0),
          "and leaves no half of a gradient");
  expect (!trm_backward (apart, NULL)
            && is_affine (trm_gradient_of (x), x, 8, 0),
          "what shares nothing is still there");
  trm_tape_close ();
  trm_tape_open ();
  h = trm_keep (times (x, x));
  trm_tape_close ();
  trm_tape_open ();
  trm_forget_gradient (x);
  expect (!trm_wants_gradient (h) && !trm_backward (total (times (h, x)), NULL)
            && expect_close (trm_gradient_of (x), h, 0),
          "what outlives its tape is a constant on the next");
  trm_tape_close ();
  trm_drop (h);
  trm_drop (x);
}

static void
test_inner_leaf (void)
{
  trm_tensor *x = leaf (1, 1);
  trm_tape_open ();
  trm_tensor *h = trm_keep (trm_want_gradient (times (x, x)));
  trm_tensor *y = total (times (h, h));
  expect (!trm_backward_keep (y, NULL)
            && is_affine (trm_gradient_of (h), h, 2, 0),
          "a result that is a leaf as well keeps its gradient");
  trm_tensor *once = trm_copy (trm_gradient_of (x));
  trm_backward (y, NULL);
  expect (is_affine (trm_gradient_of (h), h, 4, 0)
            && is_affine (trm_gradient_of (x), once, 2, 0),
          "which is added to, and not handed on twice");
  trm_tape_close ();
  expect (is_affine (trm_gradient_of (h), h, 4, 0), "and outlives the tape");
  trm_drop (h);
  trm_drop (x);
}

static trm_status
double_triple_forward (int n_in, trm_tensor **in, int n_out, trm_tensor **out,
                       void *context)
{
  (void) n_in, (void) n_out, (void) context;
  for (int k = 0; k < 2; k++)
    {
      out[k] = trm_copy (in[0]);
      for (int64_t i = 0; i < N && out[k]; i++)
        ((double *) out[k]->at)[i] *= 2 + k;
    }
  return out[0] && out[1] ? TRM_OK : trm_error ();
}

static trm_status
double_triple_back (trm_call *call)
{
  trm_tensor *gain = trm_gain (call, 0);
  for (int k = 0; k < 2 && gain; k++)
    for (int64_t i = 0; i < N && trm_out_gradient (call, k); i++)
      ((double *) gain->at)[i]
        += (2 + k) * ((double *) trm_out_gradient (call, k)->at)[i];
  return gain ? TRM_OK : trm_error ();
}

static void
test_several_results (void)
{
  static const trm_function f = { .name = "double-triple",
                                  .forward = double_triple_forward,
                                  .backward = double_triple_back };
  trm_tensor *x = leaf (1, 1), *out[2];
  trm_tape_open ();
  trm_apply (&f, 1, &x, 2, out, NULL);
  trm_backward_keep (total (out[1]), NULL);
  expect (is_affine (trm_gradient_of (x), x, 0, 3),
          "the gradient of one result of two");
  trm_backward (total (times (out[0], out[1])), NULL);
  expect (is_affine (trm_gradient_of (x), x, 12, 3), "and of both");
  trm_tape_close ();
  trm_drop (x);
}

static trm_status
triple_forward (int n_in, trm_tensor **in, int n_out, trm_tensor **out,
                void *context)
{
  (void) n_in, (void) n_out, (void) context;
  out[0] = trm_affine (in[0], 3, 0);
  return out[0] ? TRM_OK : trm_error ();
}

/* Sets the gain instead of adding to it.  */
static trm_status
triple_back (trm_call *call)
{
  trm_tensor *gain = trm_gain_new (call, 0);
  for (int64_t i = 0; i < N && gain; i++)
    ((double *) gain->at)[i]
      = 3 * ((double *) trm_out_gradient (call, 0)->at)[i];
  return gain ? TRM_OK : trm_error ();
}

static void
test_set_gains (void)
{
  static const trm_function f
    = { .name = "triple", .forward = triple_forward, .backward = triple_back };
  trm_tensor *x = leaf (1, 1), *y, *z;
  trm_tape_open ();
  trm_apply (&f, 1, &x, 1, &y, NULL);
  trm_apply (&f, 1, &x, 1, &z, NULL);
  trm_backward (total (times (y, z)), NULL);
  expect (is_affine (trm_gradient_of (x), x, 18, 0),
          "gains that are set come together");
  trm_forget_gradient (x);
  trm_apply (&f, 1, &x, 1, &y, NULL);
  trm_backward (total (trm_add (times (x, x), y)), NULL);
  expect (is_affine (trm_gradient_of (x), x, 2, 3),
          "one that is set beside one that is added");
  trm_tape_close ();
  trm_drop (x);
}

/* Whether A and B have no memory in common.  */
static bool
are_apart (const trm_tensor *a, const trm_tensor *b)
{
  return a && b && a->at != b->at;
}

/* A hook that changes what it sees.  */
static trm_tensor *
spoil (trm_tensor *gradient, void *context)
{
  (void) context;
  for (int64_t i = 0; i < N; i++)
    ((double *) gradient->at)[i] = 77;
  return NULL;
}

static void
test_shared_gradients (void)
{
  double mine[N] = { 5, 5, 5, 5, 5, 5, 5, 5 };
  trm_tensor *a = leaf (1, 1), *b = leaf (1, 1), *gradient[2];
  trm_tensor *seed = trm_full (TRM_F64, TRM_SHAPE (N), 5);
  trm_tensor *wrapped
    = trm_wrap (TRM_F64, TRM_SHAPE (N), NULL, mine, NULL, NULL);
  trm_tape_open ();
  trm_backward_keep (trm_add (a, b), seed);
  trm_tensor *da = trm_gradient_of (a), *db = trm_gradient_of (b);
  expect (is_affine (da, a, 0, 5) && is_affine (db, a, 0, 5)
            && are_apart (da, db) && are_apart (da, seed)
            && are_apart (db, seed),
          "one gradient of two leaves is two tensors");
  trm_backward_keep (trm_add (a, trm_add (a, b)), seed);
  expect (is_affine (da, a, 0, 15) && is_affine (db, a, 0, 10)
            && is_affine (seed, a, 0, 5),
          "what is added to one stays there");
  trm_tensor *c = leaf (1, 1);
  trm_backward (c, wrapped);
  expect (is_affine (trm_gradient_of (c), a, 0, 5)
            && are_apart (trm_gradient_of (c), wrapped),
          "a seed in the caller's memory is copied");
  trm_tensor *h = trm_add (a, b);
  trm_hook (h, spoil, NULL);
  trm_forget_gradient (a);
  trm_backward (trm_add (h, b), seed);
  expect (is_affine (trm_gradient_of (a), a, 0, 77)
            && is_affine (db, a, 0, 10 + 77 + 5) && is_affine (seed, a, 0, 5),
          "a hook changes what it sees, and no other");
  trm_tensor *y = total (trm_add (a, b));
  trm_tape_pause ();
  expect (!trm_gradients (y, 2, (trm_tensor *[]){ a, b }, gradient)
            && are_apart (gradient[0], gradient[1]),
          "so are two that are asked for");
  trm_tape_resume ();
  trm_tape_close ();
  trm_drop (a);
  trm_drop (b);
  trm_drop (seed);
  trm_drop (wrapped);
}

static int hook_calls;
static double hook_saw;

static trm_tensor *
triple (trm_tensor *gradient, void *context)
{
  (void) context;
  hook_calls++;
  hook_saw = trm_get (gradient, TRM_SHAPE (0));
  trm_tensor *other = trm_copy (gradient);
  for (int64_t i = 0; i < trm_count (other); i++)
    ((double *) other->at)[i] *= 3;
  return other;
}

static trm_tensor *
wrong_shape (trm_tensor *gradient, void *context)
{
  (void) gradient, (void) context;
  return trm_zeros (TRM_F64, TRM_SHAPE (3));
}

static trm_tensor *
give_context (trm_tensor *gradient, void *context)
{
  (void) gradient;
  return context;
}

static void
test_hooks (void)
{
  trm_tensor *x = leaf (1, 1);
  trm_hook (x, triple, NULL);
  for (int tape = 1; tape <= 2; tape++)
    {
      trm_tape_open ();
      trm_backward (total (times (times (x, x), x)), NULL);
      trm_tape_close ();
      expect (hook_calls == tape && hook_saw == 3,
              "a leaf's hook runs once and sees what came in this backward, "
              "%d",
              tape);
    }
  expect (trm_get (trm_gradient_of (x), TRM_SHAPE (1)) == 72,
          "what it gives is added to the gradient");
  trm_drop (x);
  x = leaf (1, 1);
  hook_calls = 0;
  trm_tape_open ();
  trm_tensor *h = times (x, x);
  trm_hook (h, triple, NULL);
  trm_hook (trm_want_gradient (h), triple, NULL);
  trm_backward_keep (total (times (h, h)), NULL);
  expect (hook_calls == 2 && hook_saw == 6
            && is_affine (trm_gradient_of (h), h, 18, 0),
          "two hooks of a result, in order");
  expect (trm_get (trm_gradient_of (x), TRM_SHAPE (1)) == 18 * 4 * 4,
          "what they give is handed on");
  trm_tensor *w = leaf (1, 1), *one = trm_full (TRM_F64, TRM_SHAPE (N), 1);
  trm_hook (w, give_context, one);
  trm_backward (total (w), NULL);
  trm_backward (total (w), NULL);
  expect (is_affine (trm_gradient_of (w), one, 2, 0)
            && trm_get (one, TRM_SHAPE (0)) == 1,
          "a tensor that a hook gives is not added to");
  trm_hook (x, wrong_shape, NULL);
  trm_backward (total (times (x, x)), NULL);
  expect (expect_failed (TRM_BAD_SHAPE, "hook: gave f64 of [3] for")
            && trm_get (trm_gradient_of (x), TRM_SHAPE (1)) == 18 * 4 * 4,
          "a hook that gives another shape is a failure");
  trm_tape_close ();
  trm_drop (x);
}

static void
test_changed (void)
{
  trm_tensor *x = leaf (1, 1);
  trm_tape_open ();
  trm_tensor *h = times (x, x), *y = total (times (h, x));
  trm_set (h, TRM_SHAPE (3), 0);
  trm_backward (y, NULL);
  expect (expect_failed (TRM_CHANGED, "argument 0 of times was changed in "
                                      "place after times saved it")
            && !trm_gradient_of (x),
          "what was saved and then changed is an error, with its name");
  trm_tape_close ();
  trm_tape_open ();
  h = times (x, x);
  y = total (h);
  trm_fill (h, 0);
  expect (!trm_backward (y, NULL) && is_affine (trm_gradient_of (x), x, 2, 0),
          "what was not saved may change");
  trm_tape_close ();
  trm_drop (x);
}

static trm_status
give_argument (int n_in, trm_tensor **in, int n_out, trm_tensor **out,
               void *context)
{
  (void) n_in, (void) n_out, (void) context;
  out[0] = trm_contiguous (in[0]);
  return out[0] ? TRM_OK : trm_error ();
}

static trm_status
fail_forward (int n_in, trm_tensor **in, int n_out, trm_tensor **out,
              void *context)
{
  (void) n_in, (void) in, (void) n_out, (void) out, (void) context;
  return TRM_BAD_ARGUMENT;
}

static trm_status
add_three (trm_call *call)
{
  return trm_add_gain (call, 0, trm_zeros (TRM_F64, TRM_SHAPE (3)));
}

static trm_status
gain_of_none (trm_call *call)
{
  trm_gain (call, 1);
  return TRM_OK;
}

static void
test_wrong_functions (void)
{
  static const trm_function threes
    = { .name = "threes", .forward = give_argument, .backward = add_three };
  static const trm_function none
    = { .name = "none", .forward = give_argument, .backward = gain_of_none };
  trm_tensor *x = leaf (1, 1), *y, *cut = trm_detach (x);
  trm_tape_open ();
  trm_apply (&threes, 1, &x, 1, &y, NULL);
  trm_backward (total (y), NULL);
  expect (expect_failed (TRM_BAD_SHAPE, "threes: shapes [8] and [3]"),
          "a gradient of a shape that does not fit");
  trm_apply (&none, 2, (trm_tensor *[]){ x, cut }, 1, &y, NULL);
  trm_backward (total (y), NULL);
  expect (expect_failed (TRM_BAD_ARGUMENT,
                         "none: no gradient of argument 1 is wanted"),
          "a gradient that nobody wants");
  trm_tape_close ();
  trm_drop (cut);
  trm_drop (x);
}

static void
test_own_functions (void)
{
  static const trm_function same = { .name = "same",
                                     .forward = give_argument,
                                     .backward = total_back,
                                     .freed = count_freed };
  static const trm_function fails = { .name = "fails",
                                      .forward = fail_forward,
                                      .backward = total_back,
                                      .freed = count_freed };
  static const trm_function bare = { .name = "bare", .forward = give_argument };
  trm_tensor *x = leaf (1, 1), *y, *many[9] = { x, x, x, x, x, x, x, x, x };
  freed_contexts = 0;
  trm_apply (&same, 1, &x, 1, &y, malloc (1));
  trm_drop (y);
  expect (freed_contexts == 1, "without a tape a context goes at once");
  trm_tape_open ();
  expect (
    trm_apply (&fails, 1, &x, 1, &y, malloc (1))
      && trm_record (&fails, 9, many, 1, &x, malloc (1))
      && trm_apply (&fails, 1, (trm_tensor *[]){ NULL }, 1, &y, malloc (1))
      && trm_record (&same, 1, &x, 1, &x, malloc (1)) && freed_contexts == 5,
    "and where a call fails");
  trm_forget_error ();
  trm_apply (&same, 1, &x, 1, &y, malloc (1));
  expect (y != x && y->at == x->at && freed_contexts == 5
            && !trm_backward (total (times (y, y)), NULL)
            && is_affine (trm_gradient_of (x), x, 2, 0),
          "a forward may give its argument");
  expect (freed_contexts == 7, "contexts go when calls are walked");
  times (x, x);
  trm_apply (&bare, 1, &x, 1, &y, NULL);
  trm_backward (total (y), NULL);
  expect (expect_failed (TRM_NO_GRADIENT, "bare has no gradient"),
          "a function without backward");
  trm_tape_close ();
  expect (freed_contexts == 8, "contexts go with the tape");
  trm_drop (x);
}

static void
test_nested (void)
{
  trm_tensor *x = leaf (1, 1);
  trm_tape_open ();
  trm_tensor *h = times (x, x);
  trm_tape_open ();
  expect (!trm_backward (total (times (h, x)), NULL)
            && trm_get (trm_gradient_of (x), TRM_SHAPE (1)) == 12,
          "backward goes on over the tapes around");
  trm_tape_close ();
  trm_forget_gradient (x);
  trm_tape_pause ();
  trm_tape_pause ();
  trm_tensor *quiet = times (x, x);
  trm_tape_open ();
  expect (!trm_backward (total (times (x, x)), NULL)
            && is_affine (trm_gradient_of (x), x, 2, 0),
          "a tape that is opened in a pause works");
  trm_tape_close ();
  trm_tape_resume ();
  trm_tensor *quiet_still = times (x, x);
  trm_tape_resume ();
  trm_tape_resume ();
  expect (!trm_wants_gradient (quiet) && !trm_wants_gradient (quiet_still)
            && trm_wants_gradient (times (x, x)),
          "pauses are counted");
  trm_forget_gradient (x);
  trm_tensor *cut = trm_detach (x);
  trm_backward (total (times (cut, x)), NULL);
  expect (is_affine (trm_gradient_of (x), x, 1, 0), "a detached tensor");
  trm_tape_close ();
  trm_tape_close ();
  trm_backward (x, NULL);
  expect (expect_failed (TRM_BAD_ARGUMENT, "no tape is open"),
          "backward needs a tape");
  trm_drop (x);
}

static void
test_scopes (void)
{
  trm_tensor *x = leaf (1, 1);
  int64_t before = bytes_now ();
  trm_tape_open ();
  trm_scope_open ();
  trm_tensor *y = trm_scope_give (total (trm_copy (trm_copy (x))));
  int64_t inside = bytes_now ();
  trm_scope_close ();
  expect (inside - bytes_now () == 2 * N * 8,
          "what no backward reads goes with its scope");
  expect (!trm_backward (y, NULL) && is_affine (trm_gradient_of (x), x, 0, 1),
          "and gradients pass it all the same");
  trm_forget_gradient (x);
  trm_scope_open ();
  trm_scope_open ();
  times (x, x);
  trm_tape_close ();
  expect (bytes_now () == before, "a tape closes the scopes inside of it");
  trm_scope_close ();
  trm_tape_close ();
  trm_drop (x);
}

static void
test_memory (void)
{
  trm_tensor *x = leaf (0, 0.1);
  int64_t before = bytes_now ();
  trm_tape_open ();
  trm_tensor *y = x;
  for (int i = 0; i < 30; i++)
    y = times (y, x);
  y = total (y);
  int64_t forward = bytes_now ();
  trm_memory_reset_peak ();
  trm_backward_keep (y, NULL);
  expect (trm_memory_now ().peak - forward <= 4 * N * 8,
          "gradients of results go as soon as they were used");
  trm_forget_gradient (x);
  expect (bytes_now () == forward, "backward leaves leaves' gradients only");
  trm_tape_close ();
  expect (bytes_now () == before, "and the tape nothing");
  trm_drop (x);
}

static void
test_many (void)
{
  enum
  {
    LEAVES = 200
  };
  trm_tensor *x[LEAVES], *one = trm_full (TRM_F64, TRM_SHAPE (N), 1);
  trm_tape_open ();
  trm_tensor *y = one;
  for (int i = 0; i < LEAVES; i++)
    {
      x[i] = trm_want_gradient (trm_copy (one));
      y = times (y, x[i]);
    }
  trm_want_gradient (y);
  trm_status status = trm_backward (total (y), NULL);
  bool right = !status && expect_close (trm_gradient_of (y), one, 0);
  for (int i = 0; i < LEAVES; i++)
    right &= expect_close (trm_gradient_of (x[i]), one, 0);
  expect (right, "two hundred leaves, and a result that is one");
  y = x[0];
  for (int i = 0; i < 5 * LEAVES; i++)
    y = times (y, x[1]);
  trm_backward (total (y), NULL);
  expect (is_affine (trm_gradient_of (x[1]), one, 1 + 5 * LEAVES, 0)
            && is_affine (trm_gradient_of (x[0]), one, 2, 0),
          "a chain of a thousand calls");
  trm_tape_close ();
  trm_drop (one);
}

int
main (void)
{
  int64_t before = bytes_now ();
  test_once ();
  test_forget ();
  test_inner_leaf ();
  test_several_results ();
  test_set_gains ();
  test_shared_gradients ();
  test_hooks ();
  test_changed ();
  test_own_functions ();
  test_wrong_functions ();
  test_nested ();
  test_scopes ();
  test_memory ();
  test_many ();
  expect (bytes_now () == before, "no memory is lost");
  return expect_status ();
}
