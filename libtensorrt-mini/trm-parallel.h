/* Training in several processes, by MPI: each has the same model and a part of
   the batch, and steps with the average of all gradients.  Or each has some of
   the layers, or both (trm_parallel_grid, trm_parallel_pass).

     trm_parallel_begin (&argc, &argv);
     trm_model *model = trm_model_new (random);
     trm_parallel *p = trm_parallel_gradients (model, settings);
     for (int step = 0; step < 500; step++)
       {
         trm_tape_open ();
         trm_tensor *loss = loss_of (model, part_of_batch (step));
         trm_backward (loss, NULL);
         trm_tape_close ();
         if (trm_parallel_wait (p))
           break;
         trm_step (optimiser, NULL);
       }
     trm_parallel_free (p);
     trm_parallel_end ();

   Where each rank's loss is a mean over a part of the same size, the average is
   the gradient of the mean over the whole batch.  It is the same, to the bit,
   in all ranks and in all runs with as many: what the ranks bring is added in
   their order.

   Without trm_parallel_begin, and in a process that is alone, there is one
   rank, and all of this does nothing.

   A rank that ends or stops makes the others fail with TRM_NOT_HERE when one of
   them has waited for it as long as trm_parallel_limit says; from then on all
   calls fail with the same message.  Ranks call the same functions in the same
   order, each in the thread that called trm_parallel_begin.

   A library of its own: -ltensorrt-mini-mpi -ltensorrt-mini.  */

#ifndef TRM_PARALLEL_H
#define TRM_PARALLEL_H

#include "trm-train.h"

#ifdef __cplusplus
extern "C"
{
#endif
#pragma GCC visibility push(default)

  /* Before all others; ARGC and ARGV may be NULL.  MPI is started unless the
   program did; errors are returned.  The end waits for all ranks; MPI ends
   there if it was started here.  After a failure MPI is not ended, which would
   hang, and mpirun says so.  */
  extern trm_status trm_parallel_begin (int *argc, char ***argv);
  extern trm_status trm_parallel_end (void);

  /* From 0 on; how many there are.  */
  extern int trm_parallel_rank (void);
  extern int trm_parallel_size (void);

  /* Layers split over ranks: a grid of STAGES by copies.  Rank r is copy
   r % copies of stage r / copies, copies = ranks / STAGES; without this call
   there is one stage, of which each rank is a copy.  A stage has some of the
   model's layers, and the copies of a stage average their gradients, so that
   trm_parallel_model and trm_parallel_gradients below are about these alone.
   All ranks call it, with the same STAGES, before those; TRM_BAD_ARGUMENT where
   STAGES does not divide the ranks.

   trm_parallel_layers: of N layers, those that a stage has where all cost the
   same: from *BEGIN up to, not including, *END.  */
  extern trm_status trm_parallel_grid (int stages);
  extern int trm_parallel_stage (void);
  extern int trm_parallel_stages (void);
  extern int trm_parallel_copy (void);
  extern int trm_parallel_copies (void);
  extern void trm_parallel_layers (int n, int *begin, int *end);

  /* How long a call waits for the others, 300 s unless told.  Longer than what
   one rank may do alone, as writing a checkpoint.  */
  extern void trm_parallel_limit (double seconds);

  /* All that copy 0's MODEL holds, statistics as well, to all copies, where the
   names have the same shapes; else TRM_BAD_SHAPE in all.  Before
   trm_model_narrow, whose masters it does not know: bf16 weights that want a
   gradient are TRM_BAD_TYPE.  First values need it only where the ranks'
   seeds differ.  */
  extern trm_status trm_parallel_model (trm_model *model);

  /* Averages MODEL's gradients from here on.  They are sent in buckets, in the
   order in which backward ends: the weight that was made last comes first.

     bucket  bytes of one, 0: 1 MiB; a larger weight is one by itself

   A bucket is sent in the background when its gradients are complete.  Leaves
   are, at the end of backward, so that buckets overlap with one another;
   trm_parallel_layer lets them overlap with backward.  Weights that are made
   later are taken in by the next trm_parallel_wait.

   Two buffers hold all gradients, of bf16 and f16 as f32.  Free it when
   nothing walks over the weights any more, and tapes are closed.  */
  typedef struct trm_parallel_settings
  {
    int64_t bucket;
  } trm_parallel_settings;
  typedef struct trm_parallel trm_parallel;
  extern trm_parallel *trm_parallel_gradients (trm_model *model,
                                               trm_parallel_settings settings);
  extern void trm_parallel_free (trm_parallel *parallel);

  /* X, which LAYER is about to be computed of: a view.  When backward comes
   back to here the gradients of the weights "LAYER.anything" are complete and
   set out while it goes on.  They must not be used before (TRM_CHANGED in
   trm_parallel_wait); one that is not used gets a gradient of 0.

     x = trm_parallel_layer (p, "block.3", x);
     x = block (model, "block.3", x);

   MPI moves on here, also what else is under way: a message that is too large
   for one piece may wait for it.  */
  extern trm_tensor *trm_parallel_layer (trm_parallel *parallel,
                                         const char *layer, trm_tensor *x);

  /* HOLD: backwards add to the gradients of this rank and send nothing; after
   it is off, the next one sends all.  For parts of a batch one after the
   other, and around trm_gradients of weights.  */
  extern void trm_parallel_hold (trm_parallel *parallel, bool hold);

  /* After backward and before trm_step: each gradient is the average of those
   of all copies.  A weight that some copies have no gradient of has 0 there;
   one that none has stays without.  */
  extern trm_status trm_parallel_wait (trm_parallel *parallel);

  /* A batch in PARTS through all stages, forward and back; all ranks call it,
   in place of a tape, trm_backward and trm_parallel_wait:

     while (!trm_parallel_pass (p, 8, stage, &batch, &loss))
       trm_step (optimiser, NULL);

   STAGE (CONTEXT, PART, X) gives what this stage makes of a part, which the
   next one gets as X; in stage 0 X is NULL, and the last one gives the loss of
   the part, one element.  *LOSS (may be NULL) becomes its mean over parts and
   copies, in all ranks, and the gradients are those of this mean.  With one
   copy they are the same, to the bit, as one process gets that goes forward and
   back with one part after the other.

     gradients  of this stage's weights, to average over the copies; NULL: each
                copy has its own
     part       from 0 on, of this copy's share of the batch; shapes may differ,
                but the mean is the batch's where all parts are as large
     x          any type and shape.  It is freed when the part has gone back

   What wants no gradient gets none: where all stages compute in
   trm_tape_pause (), with GRADIENTS NULL, a pass only goes forward.

   A stage holds as many parts at a time as stages come from it on, itself
   counted.  A weight is one stage's: one of the same name in another stage is
   another weight.

   When one rank fails so do all, soon: the others get TRM_NOT_HERE and its
   message, with its rank, and so do all from the calls that follow.  */
  typedef trm_tensor *trm_stage (void *context, int part, trm_tensor *x);
  extern trm_status trm_parallel_pass (trm_parallel *gradients, int parts,
                                       trm_stage *stage, void *context,
                                       double *loss);

  /* Between trm_parallel_pass and trm_step, in place of the optimiser's clip,
   which sees one stage: the norm of the gradients of all stages, together, is
   *NORM (may be NULL), the same in all ranks, and at most MOST afterwards (0:
   as it is).  All ranks call it, and fail together.  */
  extern trm_status trm_parallel_clip (trm_model *model, double most,
                                       double *norm);

  /* The weights of all stages, as in one process: copies of them, put into
   WHOLE, a model of rank 0's that is not MODEL, where it lacks them, else
   written over.  In the other ranks WHOLE is not read.  All ranks call it, and
   fail together: where two stages have a weight of one name, or WHOLE one of
   another shape; then it is as it was.  */
  extern trm_status trm_parallel_collect (trm_model *model, trm_model *whole);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
