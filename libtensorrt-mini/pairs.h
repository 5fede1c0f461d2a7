/* What operations on two tensors, element by element, share.  Not installed.

   Both are broadcast; the result is made block by block: rows of which each
   operand has one, one for all, or one element.  */

#ifndef TRM_PAIRS_H
#define TRM_PAIRS_H

#include "kernel.h"
#include "tensor.h"

/* y [rows][columns]; element (i, j) of a stands at i * a_row + j * a_step, and
   so it is with b; steps are 0 or 1, and not both 0.  */
typedef struct trm_block
{
  int64_t rows, columns;
  void *y;
  const void *a, *b;
  int64_t a_row, b_row;
  int a_step, b_step;
} trm_block;

/* An operation.

   name      for messages
   computed  the type that RUN reads, f32, f64, i64 or bool
   written   the type that it writes
   run       does one block  */
typedef struct trm_pairs
{
  const char *name;
  trm_type computed;
  trm_type written;
  void (*run) (trm_type computed, const trm_block *block);
} trm_pairs;

/* The result for A and B, contiguous and of the type P->computed.  */
extern trm_tensor *trm_pairs_apply (const trm_pairs *p, const trm_tensor *a,
                                    const trm_tensor *b);

/* T itself when it is contiguous and of TYPE, else a copy, by operations that
   are written down; of the innermost scope.  Whether it is.  */
extern trm_tensor *trm_plain (trm_tensor *t, trm_type type);
extern bool trm_is_plain (const trm_tensor *t, trm_type type);

/* Call the kernel NAME for BLOCK in the form that its steps ask for.  */
#define TRM_RUN_BLOCK(name, type, block)                                       \
  do                                                                           \
    {                                                                          \
      const trm_block *k_ = (block);                                           \
      if (k_->b_step == 0)                                                     \
        TRM_RUN_FORM (name##_10, type, k_);                                    \
      else if (k_->a_step == 0)                                                \
        TRM_RUN_FORM (name##_01, type, k_);                                    \
      else                                                                     \
        TRM_RUN_FORM (name##_11, type, k_);                                    \
    }                                                                          \
  while (0)
#define TRM_RUN_FORM(name, type, k)                                            \
  trm_kernel (elementwise, name, type, k->rows, k->columns, k->y, k->a,        \
              k->a_row, k->b, k->b_row)

/* static void NAME (const trm_block *): y := VALUE of the elements v of a and w
   of b, of type ELEMENT, by a plain loop.  */
#define TRM_BLOCK_LOOP(name, result, element, value)                           \
  static void name (const trm_block *block)                                    \
  {                                                                            \
    result *restrict y = block->y;                                             \
    const element *a = block->a, *b = block->b;                                \
    for (int64_t i = 0; i < block->rows; i++)                                  \
      for (int64_t j = 0; j < block->columns; j++)                             \
        {                                                                      \
          element v = a[i * block->a_row + j * block->a_step];                 \
          element w __attribute__ ((unused))                                   \
          = b[i * block->b_row + j * block->b_step];                           \
          y[i * block->columns + j] = value;                                   \
        }                                                                      \
  }

#endif
