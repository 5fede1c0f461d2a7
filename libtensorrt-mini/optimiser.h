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
   at      where the parts are in this step
   home    (optimiser-small.c) where they stand side by side with others', all
           NULL of what is not small
   room    the weight's, in which its gradient is at home
   is_home in this step they are there, so that it is stepped with the others */
typedef struct trm_stepped
{
  trm_type type;
  trm_tensor *part[TRM_PARTS];
  int64_t steps;
  bool here;
  void *at[TRM_PARTS];
  void *home[TRM_PARTS];
  const trm_tensor *room;
  bool is_home;
} trm_stepped;

/* N small weights of one TYPE side by side: BLOCK holds an array of ELEMENTS
   for each part; NULL: there are none.  */
typedef struct trm_small
{
  trm_type type;
  int n;
  int64_t elements;
  trm_storage *block;
} trm_small;

/* f32 and f64.  */
#define TRM_SMALL_TYPES 2

/* n: weights that are known, the first of the model's; settled: those that are
   small are at home, as far as the last step knew.  left: what the steps, PACED
   of them, have left of Adam's first mean and square.  */
struct trm_optimiser
{
  trm_model *model;
  trm_optimiser_settings settings;
  int n;
  trm_stepped *stepped;
  bool settled;
  trm_small small[TRM_SMALL_TYPES];
  int64_t paced;
  double left[2];
};

/* optimiser.c: make the states of weights that are new, zeros.  The states of
   the method are parts TRM_PART_MEAN up to, not including, the end.  */
extern trm_status trm_optimiser_prepare (trm_optimiser *o);
extern int trm_optimiser_end (const trm_optimiser *o);

/* optimiser-small.c: give the small weights of O homes side by side, where they
   are two at least.  Without memory they stay where they are, with a message.
   Whether all that have a home in B are there in this step, after the same
   number of STEPS where that matters.  */
extern trm_status trm_small_settle (trm_optimiser *o);
extern bool trm_small_is_whole (const trm_optimiser *o, const trm_small *b,
                                int64_t *steps);

#endif
