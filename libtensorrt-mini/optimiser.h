/* Optimisers, as a checkpoint sees them.  Not installed.  */

#ifndef TRM_OPTIMISER_H
#define TRM_OPTIMISER_H

#include "train.h"

/* What a step reads and writes for a weight, an array each: the weight, its
   gradient, its states.  SGD's velocity is a mean.  */
enum
{
  TRM_PART_WEIGHT,
  TRM_PART_GRADIENT,
  TRM_PART_MEAN,
  TRM_PART_SQUARE,
  TRM_PARTS
};

/* What the optimiser has of the weight with the same number.

   type    f32 or f64, of all parts
   part    contiguous, of the weight's shape: the states that the method has;
           the weight and the gradient where a step needs copies, else NULL
   steps   how many were made
   here    it has a gradient, and takes part in this step
   at      where the parts are in this step  */
typedef struct trm_stepped
{
  trm_type type;
  trm_tensor *part[TRM_PARTS];
  int64_t steps;
  bool here;
  void *at[TRM_PARTS];
} trm_stepped;

/* n: weights that are known, the first of the model's.  */
struct trm_optimiser
{
  trm_model *model;
  trm_optimiser_settings settings;
  int n;
  trm_stepped *stepped;
};

/* optimiser.c: make the states of weights that are new, zeros.  The states of
   the method are parts TRM_PART_MEAN up to, not including, the end.  */
extern trm_status trm_optimiser_prepare (trm_optimiser *o);
extern int trm_optimiser_end (const trm_optimiser *o);

#endif
