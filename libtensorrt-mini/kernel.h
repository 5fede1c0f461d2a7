/* The loops of the operations, as tables of functions.

   A family is a pair of files:

     kernel-NAME.def  a row for each function, TRM_KERNEL for loops and
                      TRM_GRADIENT for what the plugin writes:
                      (result, name, (arguments)), R for the number type
     kernel-NAME.h    the loops, R for the number type, F (name) for names,
                      M (name) for functions of math.h

   kernel.c compiles each family for f32 and f64, once for each instruction set
   of build-aux/runtime.mk; choose.c picks the tables that this processor runs.
   Arrays are contiguous; they do not overlap unless a loop's comment says so.
   Gradients of elementwise and rows set the adjoints, whatever these held, but
   for those of tables of rows; these, and those of the other families, add to
   them.

     trm_kernel (rows, softmax, x->type, n, m, y->at, x->at);  */

#ifndef TRM_KERNEL_H
#define TRM_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#define TRM_PASTE_OF(a, b) a##b
#define TRM_PASTE(a, b)    TRM_PASTE_OF (a, b)

/* X (NAME) for each family.  */
#define TRM_FAMILIES(X)                                                        \
  X (elementwise)                                                              \
  X (rows)                                                                     \
  X (product)                                                                  \
  X (attention)                                                                \
  X (cell)                                                                     \
  X (window)                                                                   \
  X (step)                                                                     \
  X (index)                                                                    \
  X (random)                                                                   \
  X (cast)

#define TRM_FAMILY elementwise
#define TRM_ROWS   "kernel-elementwise.def"
#include "family.h"
#define TRM_FAMILY rows
#define TRM_ROWS   "kernel-rows.def"
#include "family.h"
#define TRM_FAMILY product
#define TRM_ROWS   "kernel-product.def"
#include "family.h"
#define TRM_FAMILY attention
#define TRM_ROWS   "kernel-attention.def"
#include "family.h"
#define TRM_FAMILY cell
#define TRM_ROWS   "kernel-cell.def"
#include "family.h"
#define TRM_FAMILY window
#define TRM_ROWS   "kernel-window.def"
#include "family.h"
#define TRM_FAMILY step
#define TRM_ROWS   "kernel-step.def"
#include "family.h"
#define TRM_FAMILY index
#define TRM_ROWS   "kernel-index.def"
#include "family.h"
#define TRM_FAMILY random
#define TRM_ROWS   "kernel-random.def"
#include "family.h"
#define TRM_FAMILY cast
#define TRM_ROWS   "kernel-cast.def"
#include "family.h"

/* Call NAME of FAMILY for TYPE, f64 or else f32.  */
#define trm_kernel(family, name, type, ...)                                    \
  ((type) == TRM_F64 ? trm_kernels_##family->f64.name (__VA_ARGS__)            \
                     : trm_kernels_##family->f32.name (__VA_ARGS__))

#endif
