/* Walks over the elements of several tensors (axes.h).

     [2, 3, 4] contiguous in all   one row of 24
     transposed in the second      [2, 3], rows of 4  */

#include "axes.h"

#include <stdlib.h>

/* Axis TO of AXES becomes what axis FROM is.  */
static void
move_axis (trm_axes *axes, int to, int from)
{
  axes->extent[to] = axes->extent[from];
  for (int k = 0; k < axes->operands; k++)
    axes->step[k][to] = axes->step[k][from];
}

/* Put an axis in, in front of those along which the first tensor moves less;
   axes of stride 0 there stay outside of those that come later.  */
static void
insert_axis (trm_axes *axes, int axis, int64_t extent,
             const int64_t *const stride[])
{
  int64_t first = llabs (stride[0][axis]);
  int i = axes->n++;
  for (; i > 0 && llabs (axes->step[0][i - 1]) < first; i--)
    move_axis (axes, i, i - 1);
  axes->extent[i] = extent;
  for (int k = 0; k < axes->operands; k++)
    axes->step[k][i] = stride[k][axis];
}

/* Whether axes I and I + 1 are one in all tensors.  */
static bool
may_join (const trm_axes *axes, int i)
{
  for (int k = 0; k < axes->operands; k++)
    if (axes->step[k][i] != axes->step[k][i + 1] * axes->extent[i + 1])
      return false;
  return true;
}

/* Make one axis of I and I + 1.  */
static void
join_axes (trm_axes *axes, int i)
{
  int64_t both = axes->extent[i] * axes->extent[i + 1];
  for (int k = i; k + 1 < axes->n; k++)
    move_axis (axes, k, k + 1);
  axes->extent[i] = both;
  axes->n--;
}

bool
trm_axes_order (trm_axes *axes, int operands, int rank, const int64_t *extent,
                const int64_t *const stride[])
{
  axes->n = 0;
  axes->operands = operands;
  for (int i = 0; i < TRM_RANK; i++)
    axes->at[i] = 0;
  for (int k = 0; k < TRM_OPERANDS; k++)
    axes->offset[k] = 0;
  for (int i = 0; i < rank; i++)
    {
      if (extent[i] == 0)
        return false;
      if (extent[i] != 1)
        insert_axis (axes, i, extent[i], stride);
    }
  for (int i = axes->n - 2; i >= 0; i--)
    if (may_join (axes, i))
      join_axes (axes, i);
  if (axes->n == 0)
    {
      axes->n = axes->extent[0] = 1;
      for (int k = 0; k < operands; k++)
        axes->step[k][0] = 1;
    }
  return true;
}

bool
trm_axes_next (trm_axes *axes)
{
  for (int i = axes->n - 2; i >= 0; i--)
    {
      for (int k = 0; k < axes->operands; k++)
        axes->offset[k] += axes->step[k][i];
      if (++axes->at[i] < axes->extent[i])
        return true;
      for (int k = 0; k < axes->operands; k++)
        axes->offset[k] -= axes->extent[i] * axes->step[k][i];
      axes->at[i] = 0;
    }
  return false;
}

bool
trm_axes_turned (const trm_axes *axes)
{
  int last = axes->n - 1;
  int64_t step = axes->step[1][last];
  return last > 0 && axes->step[0][last] == 1 && step != 0 && step != 1
         && axes->step[1][last - 1] == 1 && axes->extent[last] >= TRM_SQUARE / 2
         && axes->extent[last - 1] >= TRM_SQUARE / 2;
}
