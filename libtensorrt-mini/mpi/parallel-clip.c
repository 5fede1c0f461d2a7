/* The norm of the gradients of all stages.

   An optimiser's clip sees the gradients that it steps, which are those of one
   stage.  All stages' squares are added up in their order, of one copy, whose
   gradients are the other copies' as well: all ranks get the same norm.  */

#include "mpi/ranks.h"

#include <math.h>

static const char name[] = "parallel_clip";

/* Add the squares of G to *SUM.  */
static trm_status
add_squares (trm_tensor *g, double *sum)
{
  trm_status status = trm_scope_open ();
  if (status)
    return status;
  g = trm_square (trm_cast (trm_detach (g), TRM_F64));
  g = trm_sum (g, TRM_ALL, false);
  if (g)
    *sum += trm_get (g, TRM_SCALAR);
  else
    status = trm_error ();
  trm_scope_close ();
  return status;
}

/* G times SCALE.  */
static trm_status
scale_by (trm_tensor *g, double scale)
{
  trm_status status = trm_scope_open ();
  if (status)
    return status;
  trm_tensor *less = trm_affine (trm_detach (g), scale, 0);
  status = less ? trm_copy_to (g, less) : trm_error ();
  trm_scope_close ();
  return status;
}

/* The squares of NAMES' gradients, in *SUM.  */
static trm_status
sum_squares (const trm_names *names, double *sum)
{
  trm_status status = TRM_OK;
  *sum = 0;
  for (int i = 0; i < trm_names_count (names) && !status; i++)
    {
      trm_tensor *g = trm_gradient_of (trm_names_at (names, i));
      if (g)
        status = add_squares (g, sum);
    }
  return status;
}

/* The norm of all stages' gradients, in *ALL, where this one's squares are
   SUM.  */
static trm_status
join_stages (double sum, double *all)
{
  const trm_ranks *here = &trm_ranks_here;
  trm_status status = trm_ranks_gather (sum, name);
  if (status)
    return status;
  if (here->size > 1)
    sum = 0;
  for (int s = 0; s < here->stages && here->size > 1; s++)
    sum += here->number[s * here->copies];
  *all = sqrt (sum);
  return TRM_OK;
}

/* All gradients of NAMES times SCALE.  */
static trm_status
scale_all (const trm_names *names, double scale)
{
  trm_status status = TRM_OK;
  for (int i = 0; i < trm_names_count (names) && !status; i++)
    {
      trm_tensor *g = trm_gradient_of (trm_names_at (names, i));
      if (g)
        status = scale_by (g, scale);
    }
  return status;
}

trm_status
trm_parallel_clip (trm_model *model, double most, double *norm)
{
  double sum = 0, all = 0;
  trm_status status = trm_ranks_check ();
  if (status)
    return status;
  const trm_names *names = trm_model_names (model);
  status = names ? sum_squares (names, &sum)
                 : trm_fail (TRM_BAD_ARGUMENT, "%s: no model", name);
  if (!status)
    status = join_stages (sum, &all);
  if (!status && most > 0 && all > most)
    status = scale_all (names, most / all);
  if (status)
    return trm_ranks_give_up (name, status);
  if (norm)
    *norm = all;
  return TRM_OK;
}
