/* The tape a second time: gradients that are differentiated again, segments
   that run again, and what is left when memory ends at any point of them.  */

#include "products.h"

static trm_tensor *
cube (int n, trm_tensor **x, void *context)
{
  (void) n;
  return times (times (x[0], x[0]), context ? context : x[0]);
}

/* A program with all kinds of calls; X's gradient becomes 30 x^4.  */
static trm_status
run_all (trm_tensor *x)
{
  trm_tensor *slope = NULL;
  trm_status status = trm_tape_open ();
  if (status)
    return status;
  trm_tensor *y = trm_checkpoint (cube, 1, &x, NULL);
  y = times (trm_reshape (y, TRM_SHAPE (2, N / 2)),
             trm_reshape (y, TRM_SHAPE (2, N / 2)));
  status = trm_gradients (total (y), 1, &x, &slope);
  if (!status)
    status = trm_backward (total (slope), NULL);
  trm_tape_close ();
  return status;
}

static void
test_failures (void)
{
  trm_tensor *x = leaf (1, 1);
  trm_tensor *old = trm_full (TRM_F64, TRM_SHAPE (N), 1);
  trm_tape_open ();
  trm_backward (x, old);
  trm_tape_close ();
  int64_t before = bytes_now ();
  bool clean = true, untouched = true;
  trm_status status = TRM_NO_MEMORY;
  int failures = 0;
  for (int64_t room = 1; status && room < 100000; room += 8, failures++)
    {
      trm_memory_limit (before + room);
      status = run_all (x);
      clean &= !status || trm_error () == TRM_NO_MEMORY;
      clean &= bytes_now () == before;
      untouched &= !status || expect_close (trm_gradient_of (x), old, 0);
    }
  trm_memory_limit (0);
  expect (!status && failures > 50
            && trm_get (trm_gradient_of (x), TRM_SHAPE (1)) == 1 + 30 * 16,
          "a program is right when it has memory");
  expect (clean, "without memory it fails with that, and loses none");
  expect (untouched, "and leaves gradients as they were");
  trm_forget_error ();
  trm_drop (old);
  trm_drop (x);
}

static void
test_twice (void)
{
  trm_tensor *x = leaf (1, 1), *other = leaf (1, 1), *g[2], *h;
  trm_tape_open ();
  trm_tensor *y = total (times (times (x, x), x));
  double slope[3] = { 0 };
  for (int order = 0; order < 3; order++)
    {
      trm_gradients (y, 1, &x, g);
      slope[order] = g[0] ? trm_get (g[0], TRM_SHAPE (1)) : 0;
      y = total (g[0]);
    }
  expect (slope[0] == 12 && slope[1] == 12 && slope[2] == 6,
          "the gradients of x^3, three times");
  trm_gradients (y, 1, &x, g);
  expect (expect_failed (TRM_NO_GRADIENT, "gradients: nothing that wants"),
          "the third is a constant");
  expect (!trm_gradient_of (x), "leaves do not gain by them");
  y = total (times (x, x));
  trm_gradients (y, 2, (trm_tensor *[]){ x, other }, g);
  expect (is_affine (g[0], x, 2, 0) && is_affine (g[1], x, 0, 0),
          "zeros where nothing leads");
  expect (!trm_backward (total (times (g[0], g[0])), NULL)
            && is_affine (trm_gradient_of (x), x, 8, 0),
          "backward through a gradient");
  trm_forget_gradient (x);
  h = times (x, x);
  trm_gradients (total (times (h, h)), 2, (trm_tensor *[]){ h, x }, g);
  expect (is_affine (g[0], h, 2, 0) && trm_get (g[1], TRM_SHAPE (1)) == 4 * 8,
          "with respect to a result and to what made it");
  h = trm_reshape (trm_t (trm_reshape (x, TRM_SHAPE (2, 4))), TRM_SHAPE (N));
  trm_gradients (total (times (h, h)), 1, &x, g);
  trm_backward (total (g[0]), NULL);
  expect (is_affine (g[0], x, 2, 0) && is_affine (trm_gradient_of (x), x, 0, 2),
          "through views and copies");
  trm_tape_close ();
  trm_drop (other);
  trm_drop (x);
}

static void
test_twice_refused (void)
{
  trm_tensor *x = leaf (1, 1), *other = trm_zeros (TRM_F64, TRM_SHAPE (N)), *g;
  trm_tape_open ();
  trm_tensor *y = total_by (&total_once, times (x, x));
  trm_gradients (y, 1, &x, &g);
  expect (!g
            && expect_failed (TRM_NO_GRADIENT,
                              "gradients: the gradient of total-once cannot "
                              "be differentiated again"),
          "a function that is not twice, by its name");
  trm_tape_pause ();
  expect (!trm_gradients (y, 1, &x, &g) && is_affine (g, x, 2, 0)
            && !trm_wants_gradient (g) && !trm_gradient_of (x),
          "in a pause it will do");
  trm_tape_resume ();
  trm_gradients (y, 1, &other, &g);
  expect (expect_failed (TRM_NO_GRADIENT, "tensor 0 wants no gradient"),
          "a tensor that wants none");
  trm_gradients (times (x, x), 1, &x, &g);
  expect (expect_failed (TRM_BAD_SHAPE, "gradients: [8] needs a seed"),
          "of one number only");
  expect (!trm_backward (y, NULL) && is_affine (trm_gradient_of (x), x, 2, 0),
          "what failed left the tape as it was");
  trm_tape_close ();
  trm_drop (other);
  trm_drop (x);
}

static trm_tensor *
deep_cube (int n, trm_tensor **x, void *context)
{
  return trm_checkpoint (cube, n, x, context);
}

static trm_tensor *
first_itself (int n, trm_tensor **x, void *context)
{
  (void) n, (void) context;
  return x[0];
}

static trm_tensor *
shrinking (int n, trm_tensor **x, void *context)
{
  (void) n;
  int *runs = context;
  return trm_slice (x[0], 0, 0, N - (*runs)++, 1);
}

static void
test_checkpoint (void)
{
  trm_tensor *x = leaf (1, 1), *w = leaf (2, 1), *g;
  trm_tensor *plain = trm_arange (TRM_F64, 1, N + 0.5, 1);
  trm_tape_open ();
  int64_t before = bytes_now ();
  trm_tensor *y = trm_checkpoint (cube, 1, &x, w);
  expect (bytes_now () - before == N * 8,
          "a checkpointed segment keeps its result only");
  trm_backward (total (y), NULL);
  expect (trm_get (trm_gradient_of (x), TRM_SHAPE (1)) == 2 * 2 * 3
            && trm_get (trm_gradient_of (w), TRM_SHAPE (1)) == 4,
          "gradients of inputs and of weights inside");
  trm_forget_gradient (x);
  trm_forget_gradient (w);
  trm_backward (total (trm_checkpoint (cube, 1, &plain, w)), NULL);
  expect (trm_get (trm_gradient_of (w), TRM_SHAPE (1)) == 4,
          "of weights alone");
  expect (!trm_wants_gradient (trm_checkpoint (cube, 1, &plain, plain)),
          "nothing is written down where nothing wants one");
  trm_tensor *h = times (x, x);
  trm_backward (total (trm_checkpoint (deep_cube, 1, &x, h)), NULL);
  expect (trm_get (trm_gradient_of (x), TRM_SHAPE (1)) == 4 * 8,
          "of a result outside, through a checkpoint in a checkpoint");
  trm_forget_gradient (x);
  trm_backward (total (trm_checkpoint (first_itself, 1, &x, NULL)), NULL);
  expect (is_affine (trm_gradient_of (x), x, 0, 1) && trm_wants_gradient (x),
          "of a segment that gives its input");
  trm_gradients (total (trm_checkpoint (deep_cube, 1, &x, NULL)), 1, &x, &g);
  trm_forget_gradient (x);
  trm_backward (total (g), NULL);
  expect (trm_get (g, TRM_SHAPE (1)) == 12
            && is_affine (trm_gradient_of (x), x, 6, 0),
          "and twice");
  int runs = 0;
  trm_backward (total (trm_checkpoint (shrinking, 1, &x, &runs)), NULL);
  expect (expect_failed (TRM_BAD_SHAPE, "the segment gave [8], and [7] again"),
          "a segment that differs the second time");
  h = times (x, x);
  y = total (trm_checkpoint (cube, 1, &h, NULL));
  trm_fill (h, 0);
  trm_backward (y, NULL);
  expect (expect_failed (TRM_CHANGED, "argument 0 of checkpoint was changed"),
          "an input that was changed");
  trm_tape_close ();
  trm_drop (plain);
  trm_drop (w);
  trm_drop (x);
}

int
main (void)
{
  int64_t before = bytes_now ();
  test_twice ();
  test_twice_refused ();
  test_checkpoint ();
  test_failures ();
  expect (bytes_now () == before, "no memory is lost");
  return expect_status ();
}
