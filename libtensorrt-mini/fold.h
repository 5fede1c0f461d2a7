/* Folds: operations along axes.  Not installed.

   The axes named are made one axis in the middle:

     a [2][3][4][5] over axes 1, 2      x [2][12][5] -> y [2][5]
     a [2][3][4][5] over axes 0, 2      x [3 5][2 4][1], a permuted copy

   Casts, permutations and copies that bring x about are written down as such;
   the fold itself sees contiguous f32, f64, i64 or bool.  */

#ifndef TRM_FOLD_H
#define TRM_FOLD_H

#include "tensor.h"

/* A fold of x [outer][n][inner] over its middle, which is the axes from BEGIN
   up to, not including, END of x; kept: x's shape with 1 there.  */
typedef struct trm_middle
{
  int64_t outer, n, inner;
  double divisor;
  int begin, end;
  int rank;
  int64_t kept[TRM_RANK];
} trm_middle;

/* What becomes of element types.

   SUM      whole numbers and bool are folded as i64, and the result is i64
   EXTREME  they are folded as i64, the result is of their type
   AVERAGE  they are folded as f64, the result is f32
   PLACE    they are folded as i64, the result is always i64
   TRUTH    all are folded as bool
   RUNNING  as SUM; the result has x's shape  */
typedef enum trm_fold_kind
{
  TRM_FOLD_SUM,
  TRM_FOLD_EXTREME,
  TRM_FOLD_AVERAGE,
  TRM_FOLD_PLACE,
  TRM_FOLD_TRUTH,
  TRM_FOLD_RUNNING
} trm_fold_kind;

/* An operation.

   function  stands first, since calls name it; without backward nothing is
             written down; its context is a trm_middle
   of_none   it has a value of no elements
   run       the loop for f32 and f64; whole: that for i64, or bool
   back      its gradient for f32 and f64, or NULL  */
typedef struct trm_fold
{
  trm_function function;
  trm_fold_kind kind;
  bool of_none;
  void (*run) (trm_type type, const trm_middle *m, void *y, const void *x);
  void (*whole) (const trm_middle *m, void *y, const void *x);
  void (*back) (trm_type type, const trm_middle *m, const void *x,
                const void *y, const void *dy, void *dx);
} trm_fold;

/* What is asked for: AXIS[0..n), all where N is 0; KEEP leaves them with extent
   1; an average divides by the count less CORRECTION.  */
typedef struct trm_fold_over
{
  int n;
  const int *axis;
  bool keep;
  double correction;
} trm_fold_over;

/* OP of T, NULL with a message where that cannot be.  */
extern trm_tensor *trm_fold_of (const trm_fold *op, trm_tensor *t,
                                const trm_fold_over *over);

#endif
