/* What the tests of operations share about gradients made of operations: that
   they are those of backward, and that they have gradients.  */

#ifndef TRM_SLOPES_H
#define TRM_SLOPES_H

#include "differences.h"

/* The function, how many tensors it takes, and by which of them its gradient
   is meant.  */
static struct
{
  function_of *of;
  int n, i;
} inner;

/* The sum of the function of X, weighed.  */
static inline trm_tensor *
weighed_sum (trm_tensor **x)
{
  trm_tensor *y = inner.of (x);
  trm_tensor *w = y ? numbers (5, 0.5, 1.5, y->rank, y->extent) : NULL;
  return trm_sum (trm_mul (y, w), TRM_ALL, false);
}

/* The gradient of that in the tensor meant, times that, and the sums of all X,
   so that each of them has a gradient; where none wants one, on a tape of its
   own.  */
static inline trm_tensor *
slope (trm_tensor **x)
{
  trm_tensor *in[TRM_MOST_ARGUMENTS], *g = NULL;
  bool taped = false;
  for (int i = 0; i < inner.n; i++)
    taped |= trm_wants_gradient (in[i] = x[i]);
  if (!taped)
    trm_tape_open ();
  if (!trm_wants_gradient (in[inner.i]))
    in[inner.i] = trm_want_gradient (trm_detach (in[inner.i]));
  g = trm_gradients (weighed_sum (in), 1, &in[inner.i], &g) ? NULL : g;
  g = trm_mul (g, x[inner.i]);
  for (int i = 0; i < inner.n; i++)
    g = trm_add (g, trm_sum (x[i], TRM_ALL, false));
  trm_scope_give (g);
  if (!taped)
    trm_tape_close ();
  return g;
}

/* Whether the gradient by trm_gradients is that by trm_backward.  */
static inline bool
both_ways_agree (trm_tensor **x)
{
  trm_tensor *in[TRM_MOST_ARGUMENTS], *g;
  trm_scope_open ();
  trm_tape_open ();
  for (int i = 0; i < inner.n; i++)
    in[i] = trm_want_gradient (trm_detach (x[i]));
  trm_tensor *y = weighed_sum (in);
  bool right = !trm_gradients (y, 1, &in[inner.i], &g)
               && !trm_backward (y, NULL)
               && expect_close (g, trm_gradient_of (in[inner.i]), 1e-12);
  trm_tape_close ();
  trm_scope_close ();
  return right;
}

/* Whether the gradients of F, made of operations, in each of X[0..n), are those
   by backward, and theirs agree with differences.  */
static inline bool
slopes_agree (function_of *f, int n, trm_tensor **x)
{
  bool right = true;
  inner.of = f;
  inner.n = n;
  for (inner.i = 0; inner.i < n; inner.i++)
    right = right && both_ways_agree (x) && gradients_agree (slope, n, x);
  return right;
}

#endif
