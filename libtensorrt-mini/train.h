/* What the files of training share.  Not installed.  */

#ifndef TRM_TRAIN_OWN_H
#define TRM_TRAIN_OWN_H

#include "tensor.h"

/* Which elements of a matrix w [p][q] are kept, row by row: element e is in
   row row[e] and column column[e]; those of row r are begin[r] to
   begin[r + 1] - 1.  Column by column the same of w': the k-th is element
   of_column[k], in row row_of[k]; those of column c are begin_column[c] to
   begin_column[c + 1] - 1.  Counted: calls on a tape keep it.  */
typedef struct trm_compressed
{
  int64_t references;
  int64_t p, q, kept;
  int32_t *begin;
  int32_t *row;
  int32_t *column;
  int32_t *begin_column;
  int32_t *of_column;
  int32_t *row_of;
} trm_compressed;

/* compressed.c: of MASK, bool [p][q]; NULL with a message when there is no
   memory.  One reference less, NULL is given back.  Whether rows are predicted
   to run faster than the whole matrix over N rows of x.  x [.., q] w', [.., p],
   w [p][q] of x's type: an operation, whose gradient of w is 0 where an element
   is not kept.  */
extern trm_compressed *trm_compressed_new (const trm_tensor *mask);
extern trm_compressed *trm_compressed_drop (trm_compressed *rows);
extern bool trm_compressed_gains (const trm_compressed *rows, int64_t n);
extern trm_tensor *trm_compressed_product (trm_tensor *x, trm_tensor *w,
                                           trm_compressed *rows);

/* What stands beside a weight of the same number in the model's names.

   master      f32, what the optimiser steps where the weight is bf16; or NULL
   mask        bool, false where the weight is pruned; NULL: it is whole
   compressed  of the mask, made when it is first used
   small       the model's block that it was made in, counted from 1; 0: none
   first, end  the elements of the block's arrays that are its  */
typedef struct trm_weight
{
  trm_tensor *master;
  trm_tensor *mask;
  trm_compressed *compressed;
  int small;
  int64_t first, end;
} trm_weight;

/* Small weights of one TYPE, f32 or f64, side by side: MEMORY holds two arrays
   of ELEMENTS, of the weights and of their gradients, of which USED are.  */
typedef struct trm_small
{
  trm_type type;
  int64_t used, elements;
  trm_storage *memory;
} trm_small;

/* first: of the first values; noise: of dropout; looked: the number that the
   last look-up found; small: N_SMALL blocks.  */
struct trm_model
{
  trm_names *names;
  int room;
  trm_weight *weight;
  int n_small;
  trm_small *small;
  trm_random first;
  trm_random noise;
  bool training;
  bool narrow;
  int looked;
};

/* The first values of a weight.  */
typedef enum trm_first
{
  TRM_FIRST_ZERO,
  TRM_FIRST_ONE,
  TRM_FIRST_UNIFORM, /* from -bound to bound */
  TRM_FIRST_NORMAL   /* mean 0, deviation 1 */
} trm_first;

/* What a layer asks for: a statistic wants no gradient and is never narrow.  */
typedef struct trm_form
{
  trm_first first;
  double bound;
  bool statistic;
  trm_type type;
  int rank;
  int64_t extent[4];
} trm_form;

/* model.c: the weight "LAYER.PART", made like FORM where MODEL has none; NULL
   with a message when it has another shape.  The number of the weight called
   NAME, or -1 without a message; of NAME among NAMES, looked for behind number
   LOOKED first.  What stands beside weight I.  FROM's elements and type become
   those of T, which has the same shape and stays where it is.  */
extern trm_tensor *trm_model_weight (trm_model *model, const char *layer,
                                     const char *part, const trm_form *form);
extern int trm_model_find (trm_model *model, const char *name);
extern int trm_find_name (const trm_names *names, const char *name, int looked);
extern trm_weight *trm_model_beside (trm_model *model, int i);
extern void trm_become (trm_tensor *t, const trm_tensor *from);

/* small-weights.c: T, which nobody else has, or a tensor with its elements in a
   block, becomes MODEL's last weight, called NAME, and is given back; NULL with
   a message on failure.  In an open scope.  A tensor like T, with a storage of
   its own, from element FIRST of BLOCK on.  MODEL's blocks are needed no
   more.  */
extern trm_tensor *trm_model_put (trm_model *model, const char *name,
                                  trm_tensor *t);
extern trm_tensor *trm_small_tensor (trm_storage *block, const trm_tensor *t,
                                     int64_t first);
extern void trm_small_free (trm_model *model);

#endif
