/* Pruning: the smallest elements of a weight become 0 and stay so.

   The mask stands beside the weight; the optimiser puts zeros back after each
   step (optimiser.c), and products use the kept elements only (compressed.c).
   Of elements of one magnitude those in front go first.  What is 0 already is
   the smallest: pruning again with a larger share goes on.  */

#include "tensor.h"

#include "kernel.h"
#include "train.h"

#include <math.h>
#include <stdlib.h>

/* Zeros where MASK is false, in T of f32 or f64, contiguous.  */
static void
apply_mask (trm_tensor *t, const trm_tensor *mask)
{
  trm_kernel (step, masked, t->type, trm_count (t), t->at, mask->at);
  trm_changed (t);
}

/* Ascending.  */
static int
compare (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

/* The mask that leaves out SHARE of the N magnitudes of SIZE; SORTED is room
   for as many.  */
static void
fill_mask (uint8_t *mask, int64_t n, const double *size, double *sorted,
           double share)
{
  int64_t less = 0, pruned = (int64_t) (share * (double) n);
  for (int64_t i = 0; i < n; i++)
    sorted[i] = size[i];
  qsort (sorted, (size_t) n, sizeof *sorted, compare);
  double bound = pruned > 0 ? sorted[pruned - 1] : -1;
  for (int64_t i = 0; i < n; i++)
    less += size[i] < bound;
  int64_t equal = pruned - less;
  for (int64_t i = 0; i < n; i++)
    mask[i] = size[i] > bound || (size[i] == bound && equal-- <= 0);
}

/* A mask of T's shape; NULL with a message without memory.  */
static trm_tensor *
mask_of (trm_tensor *t, double share)
{
  int64_t n = trm_count (t);
  trm_tensor *mask = trm_empty_like (t, TRM_BOOL);
  trm_tensor *size = trm_contiguous (trm_cast (trm_detach (t), TRM_F64));
  trm_tensor *sorted = trm_empty (TRM_F64, TRM_SHAPE (n));
  trm_tensor *own = size ? trm_copy (size) : NULL;
  if (!mask || !own || !sorted)
    return NULL;
  double *magnitude = own->at;
  for (int64_t i = 0; i < n; i++)
    magnitude[i] = isnan (magnitude[i]) ? INFINITY : fabs (magnitude[i]);
  fill_mask (mask->at, n, magnitude, sorted->at, share);
  return mask;
}

/* Weight I of MODEL, stepped as HOME, is pruned by MASK.  */
static trm_status
put_mask (trm_model *model, int i, trm_tensor *home, trm_tensor *mask)
{
  trm_weight *beside = trm_model_beside (model, i);
  trm_tensor *t = trm_names_at (model->names, i);
  trm_drop (beside->mask);
  beside->mask = trm_keep (mask);
  beside->compressed = trm_compressed_drop (beside->compressed);
  apply_mask (home, mask);
  return home == t ? TRM_OK : trm_copy_to (t, home);
}

trm_status
trm_prune (trm_model *model, const char *name, double share)
{
  if (!model || !name)
    return TRM_BAD_ARGUMENT;
  if (!(share >= 0 && share <= 1))
    return trm_fail (TRM_BAD_ARGUMENT, "prune: a share of %g", share);
  int i = trm_model_find (model, name);
  trm_weight *beside = i < 0 ? NULL : trm_model_beside (model, i);
  if (!beside)
    return i < 0 ? trm_fail (TRM_BAD_ARGUMENT, "prune: there is no %s", name)
                 : trm_error ();
  trm_tensor *t = trm_names_at (model->names, i);
  trm_tensor *home = beside->master ? beside->master : t;
  if (trm_type_computed (home->type) != home->type
      || !trm_type_is_float (home->type) || !trm_is_contiguous (home))
    return trm_fail (TRM_BAD_TYPE, "prune: %s is neither f32 nor f64", name);
  trm_status status = trm_scope_open ();
  if (status)
    return status;
  trm_tensor *mask = mask_of (home, share);
  status = mask ? put_mask (model, i, home, mask) : trm_error ();
  trm_scope_close ();
  return status;
}
