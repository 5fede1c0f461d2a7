/* Folds: axes, types, and what is written down (fold.h).  */

#include "fold.h"
#include "pairs.h"
#include "rows.h"

#include <math.h>
#include <stdlib.h>

/* The type in which OP folds numbers of TYPE.  */
static trm_type
folded_type (const trm_fold *op, trm_type type)
{
  if (op->kind == TRM_FOLD_TRUTH)
    return TRM_BOOL;
  if (trm_type_is_float (type))
    return trm_type_computed (type);
  return op->kind == TRM_FOLD_AVERAGE ? TRM_F64 : TRM_I64;
}

/* The type of OP's result for numbers of TYPE, folded as FOLDED.  */
static trm_type
result_type (const trm_fold *op, trm_type type, trm_type folded)
{
  switch (op->kind)
    {
    case TRM_FOLD_EXTREME:
      return type;
    case TRM_FOLD_AVERAGE:
      return trm_real_type (type);
    case TRM_FOLD_PLACE:
      return TRM_I64;
    case TRM_FOLD_TRUTH:
      return TRM_BOOL;
    default:
      return trm_type_is_float (type) ? type : folded;
    }
}

/* Bits of the axes of T that are asked for; false with a message where there is
   no such axis, or one is named twice.  */
static bool
find_axes (const char *name, const trm_tensor *t, const trm_fold_over *over,
           unsigned *bits)
{
  *bits = over->n == 0 ? (1u << t->rank) - 1 : 0;
  for (int i = 0; i < over->n; i++)
    {
      int k = trm_axis (name, t->rank, over->axis[i]);
      if (k < 0)
        return false;
      if (*bits >> k & 1)
        {
          trm_fail (TRM_BAD_ARGUMENT, "%s: axis %d is named twice", name, k);
          return false;
        }
      *bits |= 1u << k;
    }
  return true;
}

/* Where the axes BITS of T begin and end in M when they are side by side; else
   false, and these in ORDER, which becomes T's axes with them at its end.  */
static bool
are_together (const trm_tensor *t, unsigned bits, trm_middle *m, int *order)
{
  int n = 0, kept = 0, folded = t->rank - __builtin_popcount (bits);
  for (int i = 0; i < t->rank; i++)
    if (bits >> i & 1)
      {
        m->begin = n++ ? m->begin : i;
        m->end = i + 1;
        order[folded++] = i;
      }
    else
      order[kept++] = i;
  if (m->end - m->begin == n)
    return true;
  m->begin = kept;
  m->end = t->rank;
  return false;
}

/* The extents of M, whose axes are known, for T with its axes in ORDER, or as
   they are where that is NULL.  */
static void
set_extents (trm_middle *m, const trm_tensor *t, const int *order)
{
  m->outer = m->n = m->inner = 1;
  m->rank = t->rank;
  for (int i = 0; i < t->rank; i++)
    {
      int64_t extent = t->extent[order ? order[i] : i];
      bool inside = i >= m->begin && i < m->end;
      m->kept[i] = inside ? 1 : extent;
      if (inside)
        m->n *= extent;
      else if (i < m->begin)
        m->outer *= extent;
      else
        m->inner *= extent;
    }
}

/* The empty result of OP for T over the axes BITS.  */
static trm_tensor *
empty_result (const trm_fold *op, const trm_tensor *t, unsigned bits, bool keep)
{
  int64_t extent[TRM_RANK];
  int rank = 0;
  trm_type folded = folded_type (op, t->type);
  for (int i = 0; i < t->rank; i++)
    if (op->kind == TRM_FOLD_RUNNING || !(bits >> i & 1))
      extent[rank++] = t->extent[i];
    else if (keep)
      extent[rank++] = 1;
  return trm_empty (op->kind == TRM_FOLD_PLACE ? TRM_I64 : folded, rank,
                    extent);
}

/* OP of X, contiguous and of a type that is folded, into Y.  */
static trm_tensor *
apply (const trm_fold *op, trm_tensor *x, trm_tensor *y, const trm_middle *m)
{
  if (!x || !y)
    return NULL;
  if (op->run && trm_type_is_float (x->type))
    op->run (x->type, m, y->at, x->at);
  else
    op->whole (m, y->at, x->at);
  if (!op->function.backward || !trm_is_recording (1, &x))
    return y;
  trm_middle *kept = malloc (sizeof *kept);
  if (!kept)
    return trm_fail_null (TRM_NO_MEMORY, "%s: no memory", op->function.name);
  *kept = *m;
  return trm_record (&op->function, 1, &x, 1, &y, kept) ? NULL : y;
}

/* The same of T, of any type and strides, with its axes in ORDER, NULL: as they
   are.  */
static trm_tensor *
apply_to_copy (const trm_fold *op, trm_tensor *t, trm_tensor *y,
               const int *order, const trm_middle *m)
{
  trm_type folded = folded_type (op, t->type);
  trm_tensor *x = order ? trm_permute (t, t->rank, order) : t;
  y = x ? apply (op, trm_plain (x, folded), y, m) : NULL;
  return y ? trm_cast (y, result_type (op, t->type, folded)) : NULL;
}

trm_tensor *
trm_fold_of (const trm_fold *op, trm_tensor *t, const trm_fold_over *over)
{
  trm_middle m = { .divisor = 1 };
  unsigned bits;
  int axes[TRM_RANK], *order = axes;
  char text[TRM_SHAPE_TEXT];
  if (!t || !find_axes (op->function.name, t, over, &bits))
    return NULL;
  if (are_together (t, bits, &m, axes))
    order = NULL;
  set_extents (&m, t, order);
  if (m.n == 0 && !op->of_none)
    return trm_fail_null (TRM_BAD_SHAPE, "%s: of no elements of %s",
                          op->function.name,
                          trm_shape_text (text, t->rank, t->extent));
  if (op->kind == TRM_FOLD_AVERAGE)
    m.divisor = fmax ((double) m.n - over->correction, 0);
  if (!order && trm_is_plain (t, folded_type (op, t->type)))
    return apply (op, t, empty_result (op, t, bits, over->keep), &m);
  if (trm_scope_open ())
    return NULL;
  trm_tensor *y = empty_result (op, t, bits, over->keep);
  y = trm_scope_give (y ? apply_to_copy (op, t, y, order, &m) : NULL);
  trm_scope_close ();
  return y;
}
