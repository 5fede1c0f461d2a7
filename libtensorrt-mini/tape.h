/* What the files of the tape share.  Not installed.

     tape.c        calls are written down
     walk.c        walking back, trm_backward
     flow.c        what comes to each tensor in a walk
     gain.c        what backward functions ask for, and give
     tape-twice.c  trm_gradients
     checkpoint.c  segments that run again
     hook.c        functions that see gradients  */

#ifndef TRM_TAPE_OWN_H
#define TRM_TAPE_OWN_H

#include "tensor.h"

/* A call that was written down.

   in, out  references where FUNCTION saves them, else shells (tensor.h)
   wanted   bits of the inputs that wanted a gradient then
   version  what the storages of saved inputs, and of saved results behind
            them, had then
   apart    while its backward runs: gains of the inputs that are one tensor
            with one in front, and that are set where there is a gradient, which
            are added up later, so that no backward has two gains in one
            place  */
struct trm_call
{
  const trm_function *function;
  void *context;
  int n_in, n_out;
  uint32_t wanted;
  trm_tensor *in[TRM_MOST_ARGUMENTS];
  trm_tensor *out[TRM_MOST_ARGUMENTS];
  int64_t version[2 * TRM_MOST_ARGUMENTS];
  trm_tensor **apart;
};

/* Calls in the order they ran.

   outer   the tape around this one, and the pauses there
   scopes  open around it
   walks   under way; meanwhile it cannot be closed, or walked by others
   call    N of them, with room for ROOM  */
typedef struct trm_tape
{
  struct trm_tape *outer;
  int paused_outer;
  int scopes;
  int walks;
  int64_t n, room;
  trm_call **call;
} trm_tape;

/* What a walk knows of a tensor.

   of        the tensor, a shell
   gradient  what has come to it so far, or NULL; it may be others' too, who
             do not change it
   walked    that was handed on to the inputs of the call that made it
   asked     its gradient is a result of the walk (trm_gradients)
   leads     it was asked for, or was made of such  */
typedef struct trm_flow
{
  trm_tensor *of;
  trm_tensor *gradient;
  bool walked;
  bool asked;
  bool leads;
} trm_flow;

/* A walk back.

   outer    the one around it, of a backward function that walks
   name     of the user's function, for messages
   twice    gradients are tensors on the tape
   asked    only what leads to the tensors asked for is walked
   forget   calls go when they have been walked
   status   the first failure of a gain
   flow     N of them in the order in which they were reached, room for ROOM
   slot     by hash of the tensor: place in flow + 1, or 0; N_SLOTS, a power
            of two  */
typedef struct trm_walk
{
  struct trm_walk *outer;
  const char *name;
  bool twice;
  bool asked;
  bool forget;
  trm_status status;
  int64_t n, room;
  trm_flow *flow;
  int64_t n_slots;
  int64_t *slot;
} trm_walk;

/* The thread's: the innermost tape; how many pauses, there; whether an
   argument that wants a gradient was met since TOUCHED was set to false;
   the walk under way.  */
typedef struct trm_tape_state
{
  trm_tape *open;
  int paused;
  bool touched;
  trm_walk *walk;
} trm_tape_state;
extern _Thread_local trm_tape_state trm_tapes;

/* tape.c: write a call down, whatever its arguments; forget CALL, whose
   results that live on become constants; forget the calls of TAPE from N on;
   close the tapes inside of TAPE.  */
extern trm_status trm_record_always (const trm_function *function, int n_in,
                                     trm_tensor **in, int n_out,
                                     trm_tensor **out, void *context);
extern void trm_call_free (trm_call *call);
extern void trm_tape_forget (trm_tape *tape, int64_t n);
extern void trm_tape_close_to (trm_tape *tape);

/* flow.c: what WALK knows of T, or NULL; the same, made where it is not, NULL
   with a message without memory (good until the next one is made); add G, which
   broadcasts with X's shape, to X's gradient; forget all.  */
extern trm_flow *trm_flow_find (const trm_walk *walk, const trm_tensor *t);
extern trm_flow *trm_flow_of (trm_walk *walk, trm_tensor *t);
extern trm_status trm_flow_add (trm_walk *walk, trm_tensor *x, trm_tensor *g);
extern void trm_flow_free (trm_walk *walk);

/* gain.c: in backward, no gradient has come to input I of CALL: what is set in
   trm_gain_new need not be added.  */
extern bool trm_gain_is_first (const trm_call *call, int i);

/* flow.c: whether one reference to T, and to its memory, which is the
   library's, is all there is.  */
extern bool trm_is_sole (const trm_tensor *t);

/* flow.c: *GRADIENT becomes a copy where others have it, or its memory, too,
   so that it may be changed, and lasts.  */
extern trm_status trm_gradient_own (trm_tensor **gradient);

/* walk.c: note which tensors on TAPE from call BEGIN on lead to those asked
   for; walk back over these calls; and over the thread's tapes from Y, whose
   gradient is SEED, or 1 where that is NULL; run the hooks of what no call
   made, behind that.  */
extern trm_status trm_walk_lead (trm_walk *walk, trm_tape *tape, int64_t begin);
extern trm_status trm_walk_part (trm_walk *walk, trm_tape *tape, int64_t begin);
extern trm_status trm_walk_from (trm_walk *walk, trm_tensor *y,
                                 const trm_tensor *seed);
extern trm_status trm_walk_hooks (trm_walk *walk);

/* hook.c: run T's hooks on *GRADIENT, which they may replace: by a copy, or
   where TWICE by the tensor itself.  */
extern trm_status trm_hooks_run (const trm_tensor *t, trm_tensor **gradient,
                                 bool twice);

/* add.c: G summed to the shape of X, as an operation.  */
extern trm_tensor *trm_sum_to_shape (trm_tensor *g, const trm_tensor *x);

#endif
