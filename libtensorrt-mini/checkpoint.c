/* Segments of which the tape keeps only the inputs.

     forward   y = segment (x), in a pause:      | checkpoint |
     backward  a tape of its own:                | op | op | op |
               y = segment (x), walked back to x and to the weights inside

   The second run stands on a tape inside of the one that is walked, but
   belongs to the same walk: what comes to x, and to tensors that the segment
   reached by itself, comes to them as if the segment had been written down at
   first.  For trm_gradients the second run is written down on the tape itself,
   since the gradients of its gradients will read it.

   Whether the segment has to be written down at all is known from its first
   run, which meets, or gives, a tensor that wants a gradient, or none.  */

#include "tape.h"

#include <stdlib.h>

typedef trm_tensor *segment_body (int n, trm_tensor **x, void *context);

/* What the tape keeps beside the inputs.  */
typedef struct segment
{
  segment_body *run;
  void *context;
} segment;

/* The second run of CALL's segment, of the result's shape.  */
static trm_tensor *
run_again (trm_call *call)
{
  char a[TRM_SHAPE_TEXT], b[TRM_SHAPE_TEXT];
  const segment *s = call->context;
  const trm_tensor *first = call->out[0];
  trm_tensor *y = s->run (call->n_in, call->in, s->context);
  if (y && !trm_same_shape (y, first))
    return trm_fail_null (TRM_BAD_SHAPE,
                          "checkpoint: the segment gave %s, and %s again",
                          trm_shape_text (a, first->rank, first->extent),
                          trm_shape_text (b, y->rank, y->extent));
  return y;
}

/* Run CALL's segment, from call BEGIN of the innermost tape on, and walk back
   over it.  */
static trm_status
run_and_walk (trm_walk *walk, trm_call *call, int64_t begin)
{
  trm_tape *tape = trm_tapes.open;
  trm_tensor *y = run_again (call);
  trm_tape_close_to (tape);
  if (!y)
    return trm_error () ? trm_error () : TRM_BAD_ARGUMENT;
  trm_status status = walk->asked ? trm_walk_lead (walk, tape, begin) : TRM_OK;
  const trm_flow *flow = trm_flow_find (walk, y);
  if (status || !y->own->wants || (walk->asked && !(flow && flow->leads)))
    return status;
  status = trm_flow_add (walk, y, trm_out_gradient (call, 0));
  return status ? status : trm_walk_part (walk, tape, begin);
}

/* Backward of a segment.  */
static trm_status
segment_back (trm_call *call)
{
  trm_walk *walk = trm_tapes.walk;
  if (walk->twice)
    return run_and_walk (walk, call, trm_tapes.open->n);
  trm_status status = trm_tape_open ();
  if (status)
    return status;
  status = run_and_walk (walk, call, 0);
  trm_tape_close ();
  return status;
}

static const trm_function segment_function
  = { .name = "checkpoint",
      .backward = segment_back,
      .twice = true,
      .saves_in = (1u << TRM_MOST_ARGUMENTS) - 1,
      .freed = free };

/* SEGMENT's result in a pause, as a tensor that nobody else has; *WANTED
   becomes whether it needs a gradient.  */
static trm_tensor *
run_first (segment_body *run, int n, trm_tensor **x, void *context,
           bool *wanted)
{
  trm_tape *tape = trm_tapes.open;
  int paused = trm_tapes.paused, depth = trm_scope_depth ();
  bool touched = trm_tapes.touched;
  if (trm_scope_open ())
    return NULL;
  trm_tapes.touched = false;
  trm_tape_pause ();
  trm_tensor *y = run (n, x, context);
  trm_tape_close_to (tape);
  trm_tapes.paused = paused;
  *wanted = trm_tapes.touched || trm_wants_gradient (y);
  trm_tapes.touched |= touched;
  trm_scope_close_to (depth + 1);
  y = trm_scope_give (trm_detach (y));
  trm_scope_close ();
  return y;
}

trm_tensor *
trm_checkpoint (segment_body *run, int n, trm_tensor **x, void *context)
{
  bool wanted = false;
  for (int i = 0; i < n; i++)
    if (!x[i])
      return NULL;
  if (!trm_tapes.open || trm_tapes.paused)
    return run (n, x, context);
  trm_tensor *y = run_first (run, n, x, context, &wanted);
  if (!y || !wanted)
    return y;
  segment *s = malloc (sizeof *s);
  if (!s)
    return trm_fail_null (TRM_NO_MEMORY, "checkpoint: no memory");
  *s = (segment){ .run = run, .context = context };
  return trm_record_always (&segment_function, n, x, 1, &y, s) ? NULL : y;
}
