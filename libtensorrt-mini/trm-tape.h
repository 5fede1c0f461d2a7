/* The tape: gradients of what ran.

   While a tape is open in a thread, each operation with an argument that wants
   a gradient writes itself down, so that ordinary C control flow is
   differentiated as it ran:

     trm_want_gradient (w);
     for (int step = 0; step < 500; step++)
       {
         trm_tape_open ();
         trm_tensor *loss = trm_mse (trm_matmul (x, w), y);
         trm_backward (loss, NULL);
         trm_tape_close ();
         trm_step (optimiser);
       }

   A tape is a scope, too (trm-tensor.h): what is made while it is open goes
   when it closes.  Gradients of tensors made outside of it, the leaves, stay,
   and are added to by the next backward.

   Views (transpose, slice, ...), casts and copies are operations.  What is
   changed in place after an operation saved it is an error in backward, and
   says which operation saved it.  */

#ifndef TRM_TAPE_H
#define TRM_TAPE_H

#include "trm-tensor.h"

#ifdef __cplusplus
extern "C"
{
#endif
#pragma GCC visibility push(default)

  extern trm_status trm_tape_open (void);
  extern void trm_tape_close (void);

  /* T, of a floating type, wants a gradient, and is given back; whether it, or
   what it was made of, does.  */
  extern trm_tensor *trm_want_gradient (trm_tensor *t);
  extern bool trm_wants_gradient (const trm_tensor *t);

  /* T's gradient, T's own; NULL, without a message, when it has none yet.
   trm_forget_gradient: it has none any more.  trm_detach: a view of T that the
   tape does not know.  */
  extern trm_tensor *trm_gradient_of (const trm_tensor *t);
  extern void trm_forget_gradient (trm_tensor *t);
  extern trm_tensor *trm_detach (trm_tensor *t);

  /* Nothing is written down from here on, until as many resumes; a tape that is
   opened meanwhile works.  */
  extern void trm_tape_pause (void);
  extern void trm_tape_resume (void);

  /* Add to the gradient of each leaf that of Y, seeded with SEED, of Y's shape;
   NULL, 1, where Y has one element.  The part of the tape that was walked is
   forgotten, unless KEEP (trm_backward_keep): then it can be walked again.
   It may reach into the tapes around.  A backward that fails leaves the
   gradients of leaves as they were.  */
  extern trm_status trm_backward (trm_tensor *y, const trm_tensor *seed);
  extern trm_status trm_backward_keep (trm_tensor *y, const trm_tensor *seed);

  /* The gradients of Y with respect to X[0..n), as new tensors in GRADIENT,
   which are themselves on the tape: they can be differentiated again, where
   the gradients of the operations are made of operations (trm_function.twice);
   else TRM_NO_GRADIENT, and the operation's name.  In a pause they are not on
   the tape, and every operation will do.  The leaves' own stay as they are.  */
  extern trm_status trm_gradients (trm_tensor *y, int n, trm_tensor **x,
                                   trm_tensor **gradient);

  /* CALL (GRADIENT, CONTEXT) once what a backward brings to T is complete, of a
   leaf at its end; what it gives replaces that, NULL leaves it.  */
  extern trm_status trm_hook (trm_tensor *t,
                              trm_tensor *(*call) (trm_tensor *gradient,
                                                   void *context),
                              void *context);

  /* An operation of the user's own, or of the library.

     name     for messages
     forward  gives the results OUT[0..n_out) of IN[0..n_in); nothing that it
              calls is written down
     backward adds, for each i with trm_is_wanted (call, i), to the gradient of
              input i: into trm_gain (call, i), a zeroed or already added to,
              contiguous tensor of the input's shape; or it sets all of
              trm_gain_new (call, i), such a tensor that may hold anything; or
              by trm_add_gain (call, i, g), which may keep g: then nobody may
              change it
     twice    backward is, where trm_is_twice (call), made of operations of this
              library and trm_add_gain
     saves_in, saves_out  bits of the inputs and results that backward reads

   CONTEXT goes to both, and to FREED (may be NULL) when the tape forgets the
   call.  */
  typedef struct trm_call trm_call;
  typedef struct trm_function
  {
    const char *name;
    trm_status (*forward) (int n_in, trm_tensor **in, int n_out,
                           trm_tensor **out, void *context);
    trm_status (*backward) (trm_call *call);
    bool twice;
    uint32_t saves_in;
    uint32_t saves_out;
    void (*freed) (void *context);
  } trm_function;

#define TRM_MOST_ARGUMENTS 8

  /* Run FUNCTION and write it down; and write down one that has run.  */
  extern trm_status trm_apply (const trm_function *function, int n_in,
                               trm_tensor **in, int n_out, trm_tensor **out,
                               void *context);
  extern trm_status trm_record (const trm_function *function, int n_in,
                                trm_tensor **in, int n_out, trm_tensor **out,
                                void *context);

  /* In backward: input and result I (NULL when it was not saved), the type of
   input I, the gradient of result I (NULL: it is 0; never NULL where there is
   one result), CONTEXT.  */
  extern trm_tensor *trm_in (const trm_call *call, int i);
  extern trm_tensor *trm_out (const trm_call *call, int i);
  extern trm_type trm_in_type (const trm_call *call, int i);
  extern trm_tensor *trm_out_gradient (const trm_call *call, int i);
  extern void *trm_context (const trm_call *call);
  extern bool trm_is_wanted (const trm_call *call, int i);
  extern bool trm_is_twice (const trm_call *call);
  extern trm_tensor *trm_gain (trm_call *call, int i);
  extern trm_tensor *trm_gain_new (trm_call *call, int i);
  extern trm_status trm_add_gain (trm_call *call, int i, trm_tensor *g);

  /* Y := SEGMENT (x, CONTEXT), of which the tape keeps only the inputs; the
   segment runs again in backward, with CONTEXT.  What it does must be the same
   both times: a trm_random that it uses is to be a copy made inside.  */
  extern trm_tensor *
  trm_checkpoint (trm_tensor *(*segment) (int n, trm_tensor **x, void *context),
                  int n, trm_tensor **x, void *context);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
