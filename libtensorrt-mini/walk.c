/* Walking back over tapes.

     seed y's gradient
     for each call, the last one first, to a result of which a gradient came
       hooks of its results; backward, which adds to its inputs; its results'
       gradients go
     for each leaf that was reached: hooks, then leaf.gradient += what came

   Leaves change only when all has gone well: a walk that fails leaves them as
   they were.  From the innermost tape the walk goes on over those around it.

   Steps: trm_walk_part walks over calls, trm_walk_from over the thread's
   tapes, trm_backward settles leaves.  */

#include "tape.h"

/* Whether a gradient has come to a result of CALL and waits there.  */
static bool
has_gradient (const trm_walk *walk, const trm_call *call)
{
  for (int i = 0; i < call->n_out; i++)
    {
      const trm_flow *flow = trm_flow_find (walk, call->out[i]);
      if (flow && flow->gradient && !flow->walked)
        return true;
    }
  return false;
}

/* Whether WALK has to go over CALL.  */
static bool
is_needed (const trm_walk *walk, const trm_call *call)
{
  bool wanted = !walk->asked;
  for (int i = 0; i < call->n_in && !wanted; i++)
    wanted = trm_is_wanted (call, i);
  return wanted && has_gradient (walk, call);
}

/* Whether nothing that CALL saved was changed since; if not, why.  */
static bool
is_unchanged (const trm_walk *walk, const trm_call *call)
{
  const trm_function *f = call->function;
  for (int i = 0; i < call->n_in + call->n_out; i++)
    {
      bool out = i >= call->n_in;
      int k = out ? i - call->n_in : i;
      trm_tensor *t = out ? trm_out (call, k) : trm_in (call, k);
      if (!t || t->own->storage->version == call->version[i])
        continue;
      trm_fail (TRM_CHANGED,
                "%s: %s %d of %s was changed in place after %s saved it",
                walk->name, out ? "result" : "argument", k, f->name, f->name);
      return false;
    }
  return true;
}

/* Whether CALL can be walked by WALK; if not, why.  */
static trm_status
check_call (const trm_walk *walk, const trm_call *call)
{
  const char *name = call->function->name;
  if (!call->function->backward)
    return trm_fail (TRM_NO_GRADIENT, "%s: %s has no gradient", walk->name,
                     name);
  if (walk->twice && !call->function->twice)
    return trm_fail (TRM_NO_GRADIENT,
                     "%s: the gradient of %s cannot be differentiated again",
                     walk->name, name);
  return is_unchanged (walk, call) ? TRM_OK : TRM_CHANGED;
}

/* Run the hooks of CALL's results, whose gradients are complete.  */
static trm_status
run_hooks (trm_walk *walk, trm_call *call)
{
  trm_status status = TRM_OK;
  for (int i = 0; i < call->n_out && !status; i++)
    {
      trm_flow *flow = trm_flow_find (walk, call->out[i]);
      if (flow && flow->gradient && !flow->walked)
        status = trm_hooks_run (flow->of, &flow->gradient, walk->twice);
    }
  return status;
}

/* Run CALL's backward, and add up the gains that were apart.  */
static trm_status
run_backward (trm_walk *walk, trm_call *call)
{
  trm_tensor *apart[TRM_MOST_ARGUMENTS] = { NULL };
  trm_tape *open = trm_tapes.open;
  call->apart = apart;
  trm_status status = call->function->backward (call);
  if (!status)
    status = walk->status;
  trm_tape_close_to (open);
  for (int i = 0; i < call->n_in; i++)
    {
      if (apart[i] && !status)
        status = trm_flow_add (walk, call->in[i], apart[i]);
      trm_drop (apart[i]);
    }
  return status;
}

/* The gradients of CALL's results were used: they go where nobody else wants
   them.  */
static void
finish_call (trm_walk *walk, trm_call *call)
{
  for (int i = 0; i < call->n_out; i++)
    {
      trm_flow *flow = trm_flow_find (walk, call->out[i]);
      if (!flow)
        continue;
      flow->walked = true;
      if (!flow->asked && (walk->asked || !flow->of->own->leaf))
        flow->gradient = trm_drop (flow->gradient);
    }
}

/* Walk back over CALL.  */
static trm_status
walk_call (trm_walk *walk, trm_call *call)
{
  int depth = trm_scope_depth ();
  trm_status status = check_call (walk, call);
  if (status)
    return status;
  status = trm_scope_open ();
  if (!status)
    status = run_hooks (walk, call);
  if (!status)
    status = run_backward (walk, call);
  if (!status)
    finish_call (walk, call);
  trm_scope_close_to (depth);
  return status;
}

/* Close the gaps between TAPE's calls.  */
static void
close_gaps (trm_tape *tape)
{
  int64_t n = 0;
  for (int64_t i = 0; i < tape->n; i++)
    if (tape->call[i])
      tape->call[n++] = tape->call[i];
  tape->n = n;
}

trm_status
trm_walk_part (trm_walk *walk, trm_tape *tape, int64_t begin)
{
  trm_status status = TRM_OK;
  tape->walks++;
  for (int64_t i = tape->n - 1; i >= begin && !status; i--)
    if (is_needed (walk, tape->call[i]))
      {
        status = walk_call (walk, tape->call[i]);
        if (status || !walk->forget)
          continue;
        trm_call_free (tape->call[i]);
        tape->call[i] = NULL;
      }
  tape->walks--;
  if (walk->forget)
    close_gaps (tape);
  return status;
}

trm_status
trm_walk_lead (trm_walk *walk, trm_tape *tape, int64_t begin)
{
  for (int64_t i = begin; i < tape->n; i++)
    {
      const trm_call *call = tape->call[i];
      bool leads = false;
      for (int k = 0; k < call->n_in && !leads; k++)
        {
          const trm_flow *in = trm_flow_find (walk, call->in[k]);
          leads = in && in->leads && (call->wanted >> k & 1);
        }
      for (int k = 0; k < call->n_out && leads; k++)
        {
          trm_flow *out = trm_flow_of (walk, call->out[k]);
          if (!out)
            return TRM_NO_MEMORY;
          out->leads = true;
        }
    }
  return TRM_OK;
}

/* Whether a walk from Y, with SEED, can begin; if not, why.  */
static trm_status
check_start (const trm_walk *walk, const trm_tensor *y, const trm_tensor *seed)
{
  char a[TRM_SHAPE_TEXT], b[TRM_SHAPE_TEXT];
  if (!trm_tapes.open)
    return trm_fail (TRM_BAD_ARGUMENT, "%s: no tape is open", walk->name);
  if (trm_tapes.open->walks)
    return trm_fail (TRM_BAD_ARGUMENT,
                     "%s: the tape is being walked; open another one",
                     walk->name);
  if (!y->own->wants)
    return trm_fail (TRM_NO_GRADIENT,
                     "%s: nothing that wants a gradient led here", walk->name);
  if (!seed && trm_count (y) != 1)
    return trm_fail (TRM_BAD_SHAPE, "%s: %s needs a seed", walk->name,
                     trm_shape_text (a, y->rank, y->extent));
  if (seed && !trm_same_shape (y, seed))
    return trm_fail (TRM_BAD_SHAPE, "%s: a seed of %s for %s", walk->name,
                     trm_shape_text (a, seed->rank, seed->extent),
                     trm_shape_text (b, y->rank, y->extent));
  return TRM_OK;
}

/* Y's gradient is SEED, or 1.  */
static trm_status
seed_gradient (trm_walk *walk, trm_tensor *y, const trm_tensor *seed)
{
  trm_status status = trm_scope_open ();
  if (status)
    return status;
  trm_tensor *g
    = seed ? (trm_tensor *) seed : trm_full (y->type, y->rank, y->extent, 1);
  status = g ? trm_flow_add (walk, y, g) : TRM_NO_MEMORY;
  trm_scope_close ();
  return status;
}

trm_status
trm_walk_hooks (trm_walk *walk)
{
  trm_status status = TRM_OK;
  for (int64_t i = 0; i < walk->n && !status; i++)
    if (walk->flow[i].gradient && !walk->flow[i].walked)
      status = trm_hooks_run (walk->flow[i].of, &walk->flow[i].gradient,
                              walk->twice);
  return status;
}

/* Whether all gradients have come to an end; if not, why.  */
static trm_status
check_ends (const trm_walk *walk)
{
  for (int64_t i = 0; i < walk->n; i++)
    {
      const trm_flow *flow = &walk->flow[i];
      if (flow->gradient && !flow->walked && !flow->asked
          && !flow->of->own->leaf)
        return trm_fail (TRM_NO_GRADIENT,
                         "%s: what led to an argument was forgotten by a"
                         " backward without keep, or is another thread's",
                         walk->name);
    }
  return TRM_OK;
}

trm_status
trm_walk_from (trm_walk *walk, trm_tensor *y, const trm_tensor *seed)
{
  trm_status status = check_start (walk, y, seed);
  if (status)
    return status;
  walk->outer = trm_tapes.walk;
  trm_tapes.walk = walk;
  status = seed_gradient (walk, y, seed);
  for (trm_tape *t = trm_tapes.open; t && !t->walks && !status; t = t->outer)
    status = trm_walk_part (walk, t, 0);
  trm_tapes.walk = walk->outer;
  return status ? status : check_ends (walk);
}

/* Whether nobody but a tensor has ROOM, its room, or a view of it.  */
static bool
is_free (const trm_tensor *room)
{
  return __atomic_load_n (&room->own->references, __ATOMIC_ACQUIRE) == 1
         && __atomic_load_n (&room->own->storage->references, __ATOMIC_ACQUIRE)
              == 1;
}

/* *G, which came to OWN's tensor, is its gradient: in the room that it has for
   one, where nobody kept what stood there.  */
static trm_status
begin_gradient (trm_own_tensor *own, trm_tensor **g)
{
  trm_tensor *room = own->room;
  if (!room || room->type != (*g)->type || !trm_same_shape (room, *g)
      || !is_free (room))
    {
      trm_status status = trm_gradient_own (g);
      own->gradient = status ? NULL : trm_keep (*g);
      return status;
    }
  own->gradient = room;
  return trm_copy_to (room, *g);
}

/* Add what came to the leaves to their gradients.  */
static trm_status
add_to_leaves (trm_walk *walk)
{
  trm_status status = TRM_OK;
  for (int64_t i = 0; i < walk->n && !status; i++)
    {
      trm_flow *flow = &walk->flow[i];
      trm_own_tensor *own = flow->of->own;
      if (!flow->gradient
          || __atomic_load_n (&own->references, __ATOMIC_RELAXED) == 0)
        continue;
      if (own->gradient)
        status = trm_accumulate (own->gradient, flow->gradient);
      else
        status = begin_gradient (own, &flow->gradient);
    }
  return status;
}

/* Backward of Y; FORGET the calls that were walked.  */
static trm_status
backward (trm_tensor *y, const trm_tensor *seed, bool forget)
{
  trm_walk walk = { .name = "backward", .forget = forget };
  if (!y)
    return TRM_BAD_ARGUMENT;
  trm_tape_pause ();
  trm_status status = trm_walk_from (&walk, y, seed);
  if (!status)
    status = trm_walk_hooks (&walk);
  if (!status)
    status = add_to_leaves (&walk);
  trm_flow_free (&walk);
  trm_tape_resume ();
  return status;
}

trm_status
trm_backward_keep (trm_tensor *y, const trm_tensor *seed)
{
  return backward (y, seed, false);
}

trm_status
trm_backward (trm_tensor *y, const trm_tensor *seed)
{
  return backward (y, seed, true);
}
