/* Training: layers, optimisers, data, checkpoints.

   Nothing here is more than a few calls of trm-op.h put together; what a
   program wants otherwise it writes as a loop of its own.  */

#ifndef TRM_TRAIN_H
#define TRM_TRAIN_H

#include "trm-file.h"
#include "trm-op.h"
#include "trm-tape.h"

#ifdef __cplusplus
extern "C"
{
#endif
#pragma GCC visibility push(default)

  /* The weights of a model: tensors with names ("block.0.w"), all of which want
   a gradient.  A layer's function makes its weights when MODEL lacks them and
   uses them when it has them, so that a model is the C function that runs it:

     y = trm_relu (trm_layer_linear (model, "hidden", x, 100));
     y = trm_layer_linear (model, "out", y, 10);

   RANDOM gives the first values (Kaiming uniform, as PyTorch's).  Masters:
   trm_model_narrow keeps the weights as bf16 and f32 masters beside, which the
   optimiser steps.  */
  typedef struct trm_model trm_model;
  extern trm_model *trm_model_new (trm_random random);
  extern void trm_model_free (trm_model *model);
  extern trm_names *trm_model_names (trm_model *model);
  extern void trm_model_training (trm_model *model, bool training);
  extern trm_status trm_model_narrow (trm_model *model);
  extern void trm_forget_gradients (trm_model *model);

  extern trm_tensor *trm_layer_linear (trm_model *model, const char *name,
                                       trm_tensor *x, int64_t width);
  extern trm_tensor *trm_layer_conv2d (trm_model *model, const char *name,
                                       trm_tensor *x, int64_t channels,
                                       int64_t size, trm_window window);
  extern trm_tensor *trm_layer_embedding (trm_model *model, const char *name,
                                          trm_tensor *index, int64_t kinds,
                                          int64_t width);
  extern trm_tensor *trm_layer_layer_norm (trm_model *model, const char *name,
                                           trm_tensor *x);
  extern trm_tensor *trm_layer_rms_norm (trm_model *model, const char *name,
                                         trm_tensor *x);
  extern trm_tensor *trm_layer_batch_norm (trm_model *model, const char *name,
                                           trm_tensor *x);
  extern trm_tensor *trm_layer_dropout (trm_model *model, trm_tensor *x,
                                        double probability);

  /* x [b][t][c], HEADS heads: qkv, attention, and the mixing of the heads.  */
  extern trm_tensor *trm_layer_attention (trm_model *model, const char *name,
                                          trm_tensor *x, int heads,
                                          bool causal);

  /* Cells: the state after x [n][q]; NULL as a state is 0.  One that goes on in
   the next tape is copied to a tensor made outside of it, after backward.  */
  extern trm_tensor *trm_layer_rnn (trm_model *model, const char *name,
                                    trm_tensor *x, trm_tensor *h,
                                    int64_t width);
  extern trm_tensor *trm_layer_lstm (trm_model *model, const char *name,
                                     trm_tensor *x, trm_tensor *h,
                                     trm_tensor **c, int64_t width);
  extern trm_tensor *trm_layer_gru (trm_model *model, const char *name,
                                    trm_tensor *x, trm_tensor *h,
                                    int64_t width);

  /* Optimisers: a region steps each weight.  Fields that are 0 are off.

     sgd   velocity := momentum * velocity + g; w -= rate * velocity
     adam  Kingma and Ba 2015; decay: AdamW's, w -= rate * decay * w
     clip  the gradients' norm, all together, is at most this  */
  typedef enum trm_method
  {
    TRM_SGD,
    TRM_ADAM
  } trm_method;
  typedef struct trm_optimiser_settings
  {
    trm_method method;
    double rate;
    double momentum;
    double beta1;   /* 0: 0.9 */
    double beta2;   /* 0: 0.999 */
    double epsilon; /* 0: 1e-8 */
    double decay;
    double clip;
  } trm_optimiser_settings;
  typedef struct trm_optimiser trm_optimiser;
  extern trm_optimiser *trm_optimiser_new (trm_model *model,
                                           trm_optimiser_settings settings);
  extern void trm_optimiser_free (trm_optimiser *optimiser);
  extern void trm_optimiser_rate (trm_optimiser *optimiser, double rate);

  /* One step with the gradients as they are, which are forgotten; the norm of
   all of them before clipping is *NORM where NORM is not NULL.  No memory is
   allocated after the first step.  Weights of 4096 elements or less that
   layers made lie side by side, and are stepped together.  None moves.  */
  extern trm_status trm_step (trm_optimiser *optimiser, double *norm);

  /* Rates at STEP, as factors of the first one.  */
  extern double trm_rate_exponential (int64_t step, double gamma);
  extern double trm_rate_step (int64_t step, int64_t every, double gamma);
  extern double trm_rate_cosine (int64_t step, int64_t warm, int64_t steps,
                                 double least);

  /* The smallest SHARE of the elements of the weight called NAME by magnitude
   become 0 and stay so; trm_layer_linear then runs compressed rows.  */
  extern trm_status trm_prune (trm_model *model, const char *name,
                               double share);

  /* A checkpoint, one safetensors file: weights, masks, the optimiser's state,
   RANDOM and STEP.  Load gives the same bits back: training goes on as if it
   had not stopped.  Weights of the file's type keep their AT.  OPTIMISER may be
   NULL.  */
  extern trm_status trm_checkpoint_save (const char *path, trm_model *model,
                                         trm_optimiser *optimiser,
                                         int64_t step);
  extern trm_status trm_checkpoint_load (const char *path, trm_model *model,
                                         trm_optimiser *optimiser,
                                         int64_t *step);

  /* Data.  A map has COUNT examples, each read by READ into the OUT of a batch;
   a stream (COUNT -1) gives the next one, or TRM_BAD_INDEX at its end.  SAMPLE
   (may be NULL: 0, 1, ... or, when SHUFFLE, an order by the seed and epoch)
   says which example is the I-th of EPOCH.  READ runs in the loader's threads
   and writes example INDEX to element ROW of each OUT.

     shapes of one example: EXTENT, RANK, TYPE for each of N_OUT
     threads  0: in the caller's; prefetch: batches ahead (0: 2 a thread)  */
  typedef struct trm_source
  {
    void *context;
    int64_t count;
    trm_status (*read) (void *context, int64_t index, int64_t row,
                        trm_tensor **out);
    int64_t (*sample) (void *context, int64_t epoch, int64_t i);
    int n_out;
    struct
    {
      trm_type type;
      int rank;
      int64_t extent[TRM_RANK];
    } out[TRM_MOST_ARGUMENTS];
  } trm_source;
  typedef struct trm_loader_settings
  {
    int64_t batch;
    bool shuffle;
    bool drop_last;
    uint64_t seed;
    int threads;
    int prefetch;
  } trm_loader_settings;
  typedef struct trm_loader trm_loader;
  extern trm_loader *trm_loader_new (trm_source source,
                                     trm_loader_settings settings);
  extern void trm_loader_free (trm_loader *loader);

  /* Begin EPOCH; its next batch: tensors that are the loader's until the next
   call; false at the end, and on failure, which trm_error () tells apart.  */
  extern trm_status trm_loader_begin (trm_loader *loader, int64_t epoch);
  extern bool trm_loader_next (trm_loader *loader, trm_tensor **out);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
