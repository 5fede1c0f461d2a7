/* Gradients as tensors, which can be differentiated again.

     forward    | square | sum |
     gradients  | square | sum | expand | mul | copy |    of sum, of square

   The walk is the one of trm_backward, but the gradients of calls are made of
   operations, which are written down behind what is being walked, and only
   calls that lead to what is asked for are walked.  Leaves keep the gradients
   that they have.  In a pause nothing is written down; then every function
   with a gradient will do.  */

#include "tape.h"

/* Ask WALK for the gradients of X[0..n).  */
static trm_status
ask (trm_walk *walk, int n, trm_tensor **x)
{
  for (int i = 0; i < n; i++)
    {
      if (!x[i])
        return TRM_BAD_ARGUMENT;
      if (!x[i]->own->wants)
        return trm_fail (TRM_NO_GRADIENT,
                         "gradients: tensor %d wants no gradient", i);
      trm_flow *flow = trm_flow_of (walk, x[i]);
      if (!flow)
        return TRM_NO_MEMORY;
      flow->asked = flow->leads = true;
    }
  return TRM_OK;
}

/* Note what leads to the tensors asked for on TAPE and the tapes around.  */
static trm_status
lead (trm_walk *walk, trm_tape *tape)
{
  if (!tape || tape->walks)
    return TRM_OK;
  trm_status status = lead (walk, tape->outer);
  return status ? status : trm_walk_lead (walk, tape, 0);
}

/* Walk from Y where it leads to what WALK was asked for.  */
static trm_status
walk_asked (trm_walk *walk, trm_tensor *y)
{
  trm_status status = lead (walk, trm_tapes.open);
  const trm_flow *flow = trm_flow_find (walk, y);
  if (!status && (!y->own->wants || (flow && flow->leads)))
    status = trm_walk_from (walk, y, NULL);
  return status ? status : trm_walk_hooks (walk);
}

/* The gradient of X as a tensor of its own, the innermost scope's.  */
static trm_tensor *
result (const trm_walk *walk, const trm_tensor *x)
{
  trm_flow *flow = trm_flow_find (walk, x);
  if (flow && flow->gradient && !walk->twice
      && trm_gradient_own (&flow->gradient))
    return NULL;
  if (!flow || !flow->gradient)
    return trm_zeros (x->type, x->rank, x->extent);
  return walk->twice ? trm_copy (flow->gradient) : trm_share (flow->gradient);
}

/* GRADIENT[0..n) of Y with respect to X.  */
static trm_status
gradients (trm_walk *walk, trm_tensor *y, int n, trm_tensor **x,
           trm_tensor **gradient)
{
  trm_status status = ask (walk, n, x);
  if (!status)
    status = walk_asked (walk, y);
  for (int i = 0; i < n && !status; i++)
    {
      gradient[i] = result (walk, x[i]);
      status = gradient[i] ? TRM_OK : trm_error ();
    }
  return status;
}

trm_status
trm_gradients (trm_tensor *y, int n, trm_tensor **x, trm_tensor **gradient)
{
  trm_walk walk
    = { .name = "gradients", .asked = true, .twice = !trm_tapes.paused };
  for (int i = 0; i < n; i++)
    gradient[i] = NULL;
  trm_status status = y ? trm_scope_open () : TRM_BAD_ARGUMENT;
  if (status)
    return status;
  trm_tape *tape = trm_tapes.open;
  int64_t calls = tape ? tape->n : 0;
  status = gradients (&walk, y, n, x, gradient);
  if (status && tape && !tape->walks)
    trm_tape_forget (tape, calls);
  for (int i = 0; i < n; i++)
    gradient[i] = status ? NULL : trm_scope_give (gradient[i]);
  trm_scope_close ();
  trm_flow_free (&walk);
  return status;
}
