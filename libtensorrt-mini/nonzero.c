/* Where the elements are that are not 0, or false: a row of subscripts for
   each, in the order of the elements.

     [[0, 3], [1, 0]]  ->  [[0, 1], [1, 0]]  */

#include "tensor.h"

/* T's elements as a contiguous bool tensor, which belongs to the innermost
   scope; NaN is true.  */
static trm_tensor *
truths (const trm_tensor *t)
{
  trm_tensor *b = trm_empty_like (t, TRM_BOOL);
  if (b)
    trm_copy_elements (t->rank, t->extent, TRM_BOOL, b->at, b->stride, t->type,
                       t->at, t->stride);
  return b;
}

/* How many of TRUE[0..n) are.  */
static int64_t
count_true (const uint8_t *true_at, int64_t n)
{
  int64_t count = 0;
  for (int64_t i = 0; i < n; i++)
    count += true_at[i];
  return count;
}

/* The subscripts of element I of T, in ROW.  */
static void
write_subscripts (const trm_tensor *t, int64_t i, int64_t *row)
{
  for (int k = t->rank - 1; k >= 0; k--)
    {
      row[k] = i % t->extent[k];
      i /= t->extent[k];
    }
}

/* The rows for T, whose elements are TRUTH.  */
static trm_tensor *
list_rows (const trm_tensor *t, const uint8_t *truth)
{
  int64_t n = trm_count (t);
  trm_tensor *rows
    = trm_empty (TRM_I64, TRM_SHAPE (count_true (truth, n), t->rank));
  int64_t *row = rows ? rows->at : NULL;
  for (int64_t i = 0; rows && i < n; i++)
    if (truth[i])
      {
        write_subscripts (t, i, row);
        row += t->rank;
      }
  return rows;
}

trm_tensor *
trm_nonzero (const trm_tensor *t)
{
  if (!t || trm_scope_open ())
    return NULL;
  trm_tensor *truth = truths (t);
  trm_tensor *rows = trm_scope_give (truth ? list_rows (t, truth->at) : NULL);
  trm_scope_close ();
  return rows;
}
