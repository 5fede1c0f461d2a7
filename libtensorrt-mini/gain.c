/* What backward functions ask for, and what they give.

   Where a tensor is several inputs of a call, the gains of all but the first
   are apart until backward has run: the loops of a gradient may write them as
   if they did not overlap.  */

#include "tape.h"

trm_tensor *
trm_in (const trm_call *call, int i)
{
  return call->function->saves_in >> i & 1 ? call->in[i] : NULL;
}

trm_tensor *
trm_out (const trm_call *call, int i)
{
  return call->function->saves_out >> i & 1 ? call->out[i] : NULL;
}

trm_type
trm_in_type (const trm_call *call, int i)
{
  return call->in[i]->type;
}

trm_tensor *
trm_out_gradient (const trm_call *call, int i)
{
  const trm_flow *flow = trm_flow_find (trm_tapes.walk, call->out[i]);
  return flow ? flow->gradient : NULL;
}

void *
trm_context (const trm_call *call)
{
  return call->context;
}

bool
trm_is_wanted (const trm_call *call, int i)
{
  const trm_walk *walk = trm_tapes.walk;
  if (i >= call->n_in || !(call->wanted >> i & 1))
    return false;
  const trm_flow *flow = walk->asked ? trm_flow_find (walk, call->in[i]) : NULL;
  return !walk->asked || (flow && flow->leads);
}

bool
trm_is_twice (const trm_call *call)
{
  (void) call;
  return trm_tapes.walk->twice;
}

/* Whether input I of CALL is one in front of it, too.  */
static bool
is_repeated (const trm_call *call, int i)
{
  for (int k = 0; k < i; k++)
    if (call->in[k] == call->in[i])
      return true;
  return false;
}

/* Where the gain of input I of CALL stands, NULL without memory.  */
static trm_tensor **
place_of_gain (trm_call *call, int i)
{
  if (is_repeated (call, i))
    return &call->apart[i];
  trm_flow *flow = trm_flow_of (trm_tapes.walk, call->in[i]);
  return flow ? &flow->gradient : NULL;
}

/* STATUS is how the walk under way ends.  */
static trm_status
failed (trm_status status)
{
  trm_tapes.walk->status = status;
  return status;
}

/* Whether CALL's backward may ask for the gain of input I; if not, why.  */
static bool
may_ask (const trm_call *call, int i)
{
  bool twice = trm_tapes.walk->twice;
  if (trm_is_wanted (call, i) && !twice)
    return true;
  failed (TRM_BAD_ARGUMENT);
  trm_fail (TRM_BAD_ARGUMENT,
            twice
              ? "%s: the gradient of argument %d is not added by trm_add_gain"
              : "%s: no gradient of argument %d is wanted",
            call->function->name, i);
  return false;
}

/* What stands at GAIN, NULL without memory, which ends the walk.  */
static trm_tensor *
gain_at (trm_tensor **gain)
{
  if (gain && *gain)
    return *gain;
  failed (TRM_NO_MEMORY);
  return NULL;
}

trm_tensor *
trm_gain (trm_call *call, int i)
{
  if (!may_ask (call, i))
    return NULL;
  const trm_tensor *x = call->in[i];
  trm_tensor **gain = place_of_gain (call, i);
  if (gain && !*gain)
    *gain = trm_keep (trm_zeros (x->type, x->rank, x->extent));
  else if (gain && trm_gradient_own (gain))
    gain = NULL;
  return gain_at (gain);
}

bool
trm_gain_is_first (const trm_call *call, int i)
{
  if (is_repeated (call, i))
    return !call->apart[i];
  const trm_flow *flow = trm_flow_find (trm_tapes.walk, call->in[i]);
  return !flow || !flow->gradient;
}

trm_tensor *
trm_gain_new (trm_call *call, int i)
{
  if (!may_ask (call, i))
    return NULL;
  const trm_tensor *x = call->in[i];
  trm_tensor **gain = place_of_gain (call, i);
  if (gain && *gain)
    gain = &call->apart[i];
  if (gain && !*gain)
    *gain = trm_keep (trm_empty (x->type, x->rank, x->extent));
  return gain_at (gain);
}

trm_status
trm_add_gain (trm_call *call, int i, trm_tensor *g)
{
  int64_t extent[TRM_RANK];
  if (!g)
    return failed (trm_error () ? trm_error () : TRM_BAD_ARGUMENT);
  if (!trm_is_wanted (call, i))
    return TRM_OK;
  if (trm_broadcast (call->function->name, call->in[i], g, extent) < 0)
    return failed (TRM_BAD_SHAPE);
  trm_status status = trm_flow_add (trm_tapes.walk, call->in[i], g);
  return status ? failed (status) : TRM_OK;
}
