/* Walks over the elements of several tensors of one shape, row by row.

   Axes that lie one after the other in all tensors become one, and the axis
   along which the first one moves least stands inside:

     trm_axes axes;
     trm_axes_order (&axes, 2, rank, extent, stride);
     do
       row (axes.extent[axes.n - 1], to + axes.offset[0], from + axes.offset[1],
            trm_axes_step (&axes, 0), trm_axes_step (&axes, 1));
     while (trm_axes_next (&axes));

   Where an extent is 0 trm_axes_order gives false, and there is no walk.  */

#ifndef TRM_AXES_H
#define TRM_AXES_H

#include "tensor.h"

#define TRM_OPERANDS 4

/* extent: of the N axes, the outermost first, at least one; step: elements from
   one subscript to the next, by tensor; at, offset: where the walk stands.  */
typedef struct trm_axes
{
  int n;
  int operands;
  int64_t extent[TRM_RANK];
  int64_t step[TRM_OPERANDS][TRM_RANK];
  int64_t at[TRM_RANK];
  int64_t offset[TRM_OPERANDS];
} trm_axes;

/* Fill AXES for OPERANDS tensors of EXTENT with these strides.  */
extern bool trm_axes_order (trm_axes *axes, int operands, int rank,
                            const int64_t *extent,
                            const int64_t *const stride[]);

/* Move to the next row; false behind the last one.  */
extern bool trm_axes_next (trm_axes *axes);

/* Whether the two innermost axes are a transposition: the first tensor moves by
   1 along the last one, the second along the one before.  Such a pair is best
   walked in squares of TRM_SQUARE, whose lines stay in the first cache; a walk
   over what is around it has one axis fewer.  */
#define TRM_SQUARE 16
extern bool trm_axes_turned (const trm_axes *axes);

/* The step of tensor K along a row.  */
static inline int64_t
trm_axes_step (const trm_axes *axes, int k)
{
  return axes->step[k][axes->n - 1];
}

#endif
