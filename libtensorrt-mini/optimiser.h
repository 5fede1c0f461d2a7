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

/* What the optimiser has of the weight with the same number; first what is
   looked at for each small weight in each step.

   of      the weight, in this step
   type    f32 or f64, of all parts
   small   the model's block of a small weight, counted from 1; 0: none
   steps   how many were made
   here    it has a gradient, and takes part in this step
   is_home in this step all parts are at home, so that it is stepped with others
   home    where parts stand in the arrays of the block
   at      where they are in this step, if it is not home
   part    contiguous, of the weight's shape: the states that the method has;
           the weight and the gradient where a step needs copies, else NULL  */
typedef struct trm_stepped
{
  trm_tensor *of;
  trm_type type;
  int small;
  int64_t steps;
  bool here;
  bool is_home;
  void *home[TRM_PARTS];
  void *at[TRM_PARTS];
  trm_tensor *part[TRM_PARTS];
} trm_stepped;

/* Weights of a block of the model in a row, from element BEGIN up to END of its
   arrays, which have made as many STEPS.  States: arrays as long.  */
typedef struct trm_row
{
  trm_storage *states;
  int64_t begin, end;
  int64_t steps;
} trm_row;

/* n: weights that are known, the first of the model's; row: for each of the
   model's first N_ROWS blocks.  left: what the steps, PACED of them, have left
   of Adam's first mean and square.  */
struct trm_optimiser
{
  trm_model *model;
  trm_optimiser_settings settings;
  int n;
  trm_stepped *stepped;
  int n_rows;
  trm_row *row;
  int64_t paced;
  double left[2];
};

/* optimiser.c: make the states of weights that are new, zeros.  The states of
   the method are parts TRM_PART_MEAN up to, not including, the end.  */
extern trm_status trm_optimiser_prepare (trm_optimiser *o);
extern int trm_optimiser_end (const trm_optimiser *o);

#endif
