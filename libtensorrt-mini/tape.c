/* The tape: calls of functions that have gradients, in the order they ran.

     forward   | add | relu | sum |         calls, each with what it saved
     backward  from the end: dy of each result is complete when its call's
               turn comes, since all that read the result ran later (walk.c)

   A call keeps the inputs and results that backward reads; of the others it
   keeps what names them (trm_shell_keep), so that their elements can go.

   Tapes nest: calls are written on the innermost one.  A tape is a scope, too.
   Pauses are a tape's own, so that one that is opened in a pause works.  */

#include "tape.h"

#include <stdlib.h>

_Thread_local trm_tape_state trm_tapes;

trm_status
trm_tape_open (void)
{
  trm_tape *tape = calloc (1, sizeof *tape);
  int depth = trm_scope_depth ();
  if (!tape || trm_scope_open ())
    {
      free (tape);
      return trm_fail (TRM_NO_MEMORY, "tape: no memory");
    }
  tape->outer = trm_tapes.open;
  tape->paused_outer = trm_tapes.paused;
  tape->scopes = depth;
  trm_tapes.open = tape;
  trm_tapes.paused = 0;
  return TRM_OK;
}

/* Whether backward of F reads input I, of results result I - N_IN.  */
static bool
is_saved (const trm_function *f, int n_in, int i)
{
  return i < n_in ? f->saves_in >> i & 1 : f->saves_out >> (i - n_in) & 1;
}

/* Argument I of CALL: an input, or a result behind them.  */
static trm_tensor **
argument (trm_call *call, int i)
{
  return i < call->n_in ? &call->in[i] : &call->out[i - call->n_in];
}

void
trm_call_free (trm_call *call)
{
  for (int i = 0; i < call->n_out; i++)
    call->out[i]->own->wants = call->out[i]->own->leaf;
  for (int i = 0; i < call->n_in + call->n_out; i++)
    if (is_saved (call->function, call->n_in, i))
      trm_drop (*argument (call, i));
    else
      trm_shell_drop (*argument (call, i));
  if (call->function->freed)
    call->function->freed (call->context);
  free (call);
}

void
trm_tape_forget (trm_tape *tape, int64_t n)
{
  while (tape->n > n)
    trm_call_free (tape->call[--tape->n]);
}

void
trm_tape_close (void)
{
  trm_tape *tape = trm_tapes.open;
  if (!tape || tape->walks)
    return;
  trm_tape_forget (tape, 0);
  trm_tapes.open = tape->outer;
  trm_tapes.paused = tape->paused_outer;
  trm_scope_close_to (tape->scopes);
  free (tape->call);
  free (tape);
}

void
trm_tape_close_to (trm_tape *tape)
{
  while (trm_tapes.open && trm_tapes.open != tape && !trm_tapes.open->walks)
    trm_tape_close ();
}

void
trm_tape_pause (void)
{
  trm_tapes.paused++;
}

void
trm_tape_resume (void)
{
  if (trm_tapes.paused > 0)
    trm_tapes.paused--;
}

bool
trm_is_recording (int n, trm_tensor *const *in)
{
  bool wanted = false;
  for (int i = 0; i < n; i++)
    wanted |= in[i] && in[i]->own->wants;
  trm_tapes.touched |= wanted;
  return wanted && trm_tapes.open && !trm_tapes.paused;
}

/* Room for one more call on TAPE.  */
static bool
make_room (trm_tape *tape)
{
  if (tape->n < tape->room)
    return true;
  int64_t room = tape->room ? tape->room * 2 : 64;
  trm_call **grown = realloc (tape->call, (size_t) room * sizeof *grown);
  if (!grown)
    return false;
  tape->call = grown;
  tape->room = room;
  return true;
}

/* CALL's arguments are IN and OUT.  */
static void
keep_tensors (trm_call *call, trm_tensor **in, trm_tensor **out)
{
  for (int i = 0; i < call->n_in + call->n_out; i++)
    {
      trm_tensor *t = i < call->n_in ? in[i] : out[i - call->n_in];
      bool saved = t && is_saved (call->function, call->n_in, i);
      *argument (call, i) = saved ? trm_keep (t) : trm_shell_keep (t);
      call->version[i] = saved ? t->own->storage->version : 0;
    }
  for (int i = 0; i < call->n_in; i++)
    call->wanted |= (uint32_t) (in[i] && in[i]->own->wants) << i;
  for (int i = 0; i < call->n_out; i++)
    out[i]->own->wants = trm_type_is_float (out[i]->type);
}

/* Whether OUT can be results of a call on IN; if not, why.  */
static bool
are_results (const char *name, int n_in, trm_tensor **in, int n_out,
             trm_tensor **out)
{
  if (n_in > TRM_MOST_ARGUMENTS || n_out > TRM_MOST_ARGUMENTS)
    {
      trm_fail (TRM_BAD_ARGUMENT, "%s: more than %d arguments or results", name,
                TRM_MOST_ARGUMENTS);
      return false;
    }
  for (int k = 0; k < n_out; k++)
    for (int i = -1; i < n_in; i++)
      if (i < 0 ? !out[k] : out[k] == in[i])
        {
          trm_fail (TRM_BAD_ARGUMENT,
                    i < 0 ? "%s: there is no result %d"
                          : "%s: result %d is an argument",
                    name, k);
          return false;
        }
  return true;
}

trm_status
trm_record_always (const trm_function *function, int n_in, trm_tensor **in,
                   int n_out, trm_tensor **out, void *context)
{
  trm_status status = TRM_OK;
  if (!are_results (function->name, n_in, in, n_out, out))
    status = TRM_BAD_ARGUMENT;
  trm_call *call = status ? NULL : calloc (1, sizeof *call);
  if (!status && (!call || !make_room (trm_tapes.open)))
    status
      = trm_fail (TRM_NO_MEMORY, "%s: no memory for the tape", function->name);
  if (status)
    {
      free (call);
      if (function->freed)
        function->freed (context);
      return status;
    }
  call->function = function;
  call->context = context;
  call->n_in = n_in;
  call->n_out = n_out;
  keep_tensors (call, in, out);
  trm_tapes.open->call[trm_tapes.open->n++] = call;
  return TRM_OK;
}

trm_status
trm_record (const trm_function *function, int n_in, trm_tensor **in, int n_out,
            trm_tensor **out, void *context)
{
  if (trm_is_recording (n_in, in))
    return trm_record_always (function, n_in, in, n_out, out, context);
  if (function->freed)
    function->freed (context);
  return TRM_OK;
}

/* OUT, which a forward gave for IN, as a tensor that the tape can know as its
   result: where it was there before, a view of it.  */
static trm_tensor *
as_result (trm_tensor *out, int n_in, trm_tensor **in)
{
  bool is_new = !out->own->wants && out->own->references == 1;
  for (int i = 0; i < n_in; i++)
    is_new = is_new && out != in[i];
  return is_new ? out : trm_detach (out);
}

/* Run FUNCTION without writing anything down.  */
static trm_status
run_forward (const trm_function *function, int n_in, trm_tensor **in, int n_out,
             trm_tensor **out, void *context)
{
  trm_tape *open = trm_tapes.open;
  int paused = trm_tapes.paused;
  trm_tape_pause ();
  trm_status status = function->forward (n_in, in, n_out, out, context);
  trm_tape_close_to (open);
  trm_tapes.paused = paused;
  bool noted = trm_is_recording (n_in, in);
  for (int i = 0; i < n_out && !status; i++)
    if (!out[i])
      status = trm_fail (TRM_BAD_ARGUMENT, "%s: there is no result %d",
                         function->name, i);
    else if (noted && !(out[i] = as_result (out[i], n_in, in)))
      status = trm_error ();
  return status;
}

trm_status
trm_apply (const trm_function *function, int n_in, trm_tensor **in, int n_out,
           trm_tensor **out, void *context)
{
  trm_status status = TRM_OK;
  for (int i = 0; i < n_out; i++)
    out[i] = NULL;
  for (int i = 0; i < n_in; i++)
    if (!in[i])
      status = TRM_BAD_ARGUMENT;
  if (!status && !function->forward)
    status = trm_fail (TRM_BAD_ARGUMENT, "%s: has no forward", function->name);
  if (!status)
    status = run_forward (function, n_in, in, n_out, out, context);
  if (!status)
    return trm_record (function, n_in, in, n_out, out, context);
  if (function->freed)
    function->freed (context);
  return status;
}

trm_tensor *
trm_want_gradient (trm_tensor *t)
{
  if (!t)
    return NULL;
  if (!trm_type_is_float (t->type))
    return trm_fail_null (TRM_BAD_TYPE, "want_gradient: %s has none",
                          trm_type_name (t->type));
  t->own->wants = t->own->leaf = true;
  return t;
}

bool
trm_wants_gradient (const trm_tensor *t)
{
  return t && t->own->wants;
}

trm_tensor *
trm_gradient_of (const trm_tensor *t)
{
  return t ? t->own->gradient : NULL;
}

void
trm_forget_gradient (trm_tensor *t)
{
  if (!t)
    return;
  if (t->own->gradient != t->own->room)
    trm_drop (t->own->gradient);
  t->own->gradient = NULL;
}

trm_tensor *
trm_detach (trm_tensor *t)
{
  return t ? trm_view_new (t, t->rank, t->extent, t->stride, t->at) : NULL;
}
