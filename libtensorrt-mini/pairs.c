/* Blocks of two tensors that are broadcast (pairs.h).

   Axes that lie one after the other in both, and in the result, become one;
   the last two of what is left are a block, the others are walked:

     [n][c][h][w] + [c][1][1]   n blocks of [c][h w]; b one element a row
     [n][m] + [m]               one block [n][m]; b one row for all  */

#include "pairs.h"
#include "axes.h"

bool
trm_is_plain (const trm_tensor *t, trm_type type)
{
  return t->type == type && trm_is_contiguous (t);
}

trm_tensor *
trm_plain (trm_tensor *t, trm_type type)
{
  return trm_contiguous (trm_cast (t, type));
}

/* BLOCK's extents and steps from the last two axes of AXES, which are left
   with those around.  */
static void
take_block (trm_axes *axes, trm_block *block)
{
  int inner = axes->n - 1, outer = axes->n - 2;
  block->columns = axes->extent[inner];
  block->a_step = (int) axes->step[1][inner];
  block->b_step = (int) axes->step[2][inner];
  block->rows = 1;
  if (outer < 0)
    return;
  block->rows = axes->extent[outer];
  block->a_row = axes->step[1][outer];
  block->b_row = axes->step[2][outer];
  axes->n--;
}

/* Fill Y, of the shape that A and B broadcast to.  */
static void
walk_blocks (const trm_pairs *p, trm_tensor *y, const trm_tensor *a,
             const trm_tensor *b)
{
  trm_axes axes;
  trm_block block = { .rows = 1 };
  int64_t a_stride[TRM_RANK], b_stride[TRM_RANK];
  const int64_t *const stride[] = { y->stride, a_stride, b_stride };
  trm_broadcast_strides (a, y->rank, a_stride);
  trm_broadcast_strides (b, y->rank, b_stride);
  if (!trm_axes_order (&axes, 3, y->rank, y->extent, stride))
    return;
  take_block (&axes, &block);
  int64_t read = (int64_t) trm_type_bytes (p->computed);
  int64_t written = (int64_t) trm_type_bytes (p->written);
  do
    {
      block.y = (char *) y->at + axes.offset[0] * written;
      block.a = (const char *) a->at + axes.offset[1] * read;
      block.b = (const char *) b->at + axes.offset[2] * read;
      p->run (p->computed, &block);
    }
  while (trm_axes_next (&axes));
}

trm_tensor *
trm_pairs_apply (const trm_pairs *p, const trm_tensor *a, const trm_tensor *b)
{
  if (trm_same_shape (a, b))
    {
      trm_tensor *y = trm_empty_like (a, p->written);
      if (y)
        p->run (p->computed, &(trm_block){ .rows = 1,
                                           .columns = trm_count (y),
                                           .y = y->at,
                                           .a = a->at,
                                           .b = b->at,
                                           .a_step = 1,
                                           .b_step = 1 });
      return y;
    }
  int64_t extent[TRM_RANK];
  int rank = trm_broadcast (p->name, a, b, extent);
  trm_tensor *y = rank < 0 ? NULL : trm_empty (p->written, rank, extent);
  if (y)
    walk_blocks (p, y, a, b);
  return y;
}
