/* Optimisers: fetch the gradients, mask them, their norm, step, put back.

   Each weight is stepped by a call of one region, which costs about 10 ns
   where the weight is too small for threads: copying small ones together for
   one call would cost more than it saves.

   A weight without a gradient is left alone, and its count of steps with it.
   Weights and gradients are stepped where they are, but for those of another
   type than they are computed in, or not contiguous, of which a copy is
   stepped.  Of a narrow weight the master is, and the weight is it, rounded.

   Memory is taken when a weight is seen for the first time.  Nothing is changed
   when it is lacking.  */

#include "tensor.h"

#include "kernel.h"
#include "optimiser.h"

#include <math.h>
#include <stdlib.h>

trm_optimiser *
trm_optimiser_new (trm_model *model, trm_optimiser_settings settings)
{
  if (!model)
    return NULL;
  trm_optimiser *o = calloc (1, sizeof *o);
  if (!o)
    return trm_fail_null (TRM_NO_MEMORY, "optimiser: no memory");
  o->model = model;
  o->settings = settings;
  if (settings.beta1 == 0)
    o->settings.beta1 = 0.9;
  if (settings.beta2 == 0)
    o->settings.beta2 = 0.999;
  if (settings.epsilon == 0)
    o->settings.epsilon = 1e-8;
  return o;
}

void
trm_optimiser_free (trm_optimiser *o)
{
  for (int i = 0; o && i < o->n; i++)
    for (int k = 0; k < TRM_PARTS; k++)
      trm_drop (o->stepped[i].part[k]);
  if (o)
    free (o->stepped);
  free (o);
}

void
trm_optimiser_rate (trm_optimiser *o, double rate)
{
  if (o)
    o->settings.rate = rate;
}

int
trm_optimiser_end (const trm_optimiser *o)
{
  if (o->settings.method == TRM_ADAM)
    return TRM_PART_SQUARE + 1;
  return TRM_PART_MEAN + (o->settings.momentum != 0);
}

/* Make part K of S for T, zeros, where it is not there yet.  */
static trm_status
make_part (trm_stepped *s, int k, const trm_tensor *t)
{
  if (s->part[k])
    return TRM_OK;
  trm_status status = trm_scope_open ();
  if (status)
    return status;
  s->part[k] = trm_keep (trm_zeros (s->type, t->rank, t->extent));
  trm_scope_close ();
  return s->part[k] ? TRM_OK : trm_error ();
}

/* Know weight I, for which O has room.  */
static trm_status
know_weight (trm_optimiser *o, int i)
{
  trm_tensor *t = trm_names_at (o->model->names, i);
  trm_stepped *s = &o->stepped[i];
  *s = (trm_stepped){ .type = trm_type_computed (t->type) };
  if (!trm_wants_gradient (t))
    return TRM_OK;
  trm_status status = TRM_OK;
  for (int k = TRM_PART_MEAN; k < trm_optimiser_end (o) && !status; k++)
    status = make_part (s, k, t);
  for (int k = 0; k < TRM_PARTS && status; k++)
    s->part[k] = trm_drop (s->part[k]);
  return status;
}

trm_status
trm_optimiser_prepare (trm_optimiser *o)
{
  int n = trm_names_count (o->model->names);
  if (n == o->n)
    return TRM_OK;
  trm_stepped *grown = realloc (o->stepped, (size_t) n * sizeof *grown);
  if (!grown)
    return trm_fail (TRM_NO_MEMORY, "step: no memory");
  o->stepped = grown;
  if (!trm_model_beside (o->model, n - 1))
    return trm_error ();
  for (; o->n < n; o->n++)
    if (know_weight (o, o->n))
      return trm_error ();
  return TRM_OK;
}

/* What is stepped for weight I: its master, or itself.  */
static trm_tensor *
stepped_tensor (const trm_optimiser *o, int i)
{
  trm_tensor *master = trm_model_beside (o->model, i)->master;
  return master ? master : trm_names_at (o->model->names, i);
}

/* Part K of S is T itself, or where that does not go a copy.  */
static trm_status
place_part (trm_stepped *s, int k, const trm_tensor *t)
{
  if (t->type == s->type && trm_is_contiguous (t))
    {
      s->part[k] = trm_drop (s->part[k]);
      s->at[k] = t->at;
      return TRM_OK;
    }
  if (make_part (s, k, t))
    return trm_error ();
  s->at[k] = s->part[k]->at;
  return trm_copy_to (s->part[k], t);
}

/* Zeros where weight I is pruned, in part K.  */
static void
mask_part (const trm_optimiser *o, int i, int k)
{
  const trm_stepped *s = &o->stepped[i];
  const trm_tensor *mask = trm_model_beside (o->model, i)->mask;
  if (mask)
    trm_kernel (step, masked, s->type, trm_count (mask), s->at[k], mask->at);
}

/* Find the parts of weight I where it has a gradient.  */
static trm_status
fetch (trm_optimiser *o, int i)
{
  trm_stepped *s = &o->stepped[i];
  trm_tensor *t = trm_names_at (o->model->names, i);
  trm_tensor *g = trm_gradient_of (t);
  s->here = trm_wants_gradient (t) && g;
  if (!s->here)
    return TRM_OK;
  if (!trm_same_shape (t, g))
    {
      char a[TRM_SHAPE_TEXT], b[TRM_SHAPE_TEXT];
      return trm_fail (TRM_BAD_SHAPE, "step: %s is %s, its gradient %s",
                       trm_names_name (o->model->names, i),
                       trm_shape_text (a, t->rank, t->extent),
                       trm_shape_text (b, g->rank, g->extent));
    }
  if (place_part (s, TRM_PART_WEIGHT, stepped_tensor (o, i))
      || place_part (s, TRM_PART_GRADIENT, g))
    return trm_error ();
  for (int k = TRM_PART_MEAN; k < trm_optimiser_end (o); k++)
    {
      if (make_part (s, k, t))
        return trm_error ();
      s->at[k] = s->part[k]->at;
    }
  mask_part (o, i, TRM_PART_GRADIENT);
  return TRM_OK;
}

/* The elements of weight I.  */
static int64_t
count_of (const trm_optimiser *o, int i)
{
  return trm_count (trm_names_at (o->model->names, i));
}

/* The norm of all gradients.  */
static double
gradient_norm (const trm_optimiser *o)
{
  double sum = 0;
  for (int i = 0; i < o->n; i++)
    if (o->stepped[i].here)
      sum += trm_kernel (step, squares, o->stepped[i].type, count_of (o, i),
                         o->stepped[i].at[TRM_PART_GRADIENT]);
  return sqrt (sum);
}

/* What clipping leaves of gradients whose norm is ALL.  */
static double
clip_scale (const trm_optimiser *o, double all)
{
  double clip = o->settings.clip;
  return clip > 0 && all > clip ? clip / all : 1;
}

/* Step weight I with its gradient times SCALE.  */
static void
step_weight (const trm_optimiser *o, int i, double scale)
{
  const trm_optimiser_settings *set = &o->settings;
  const trm_stepped *s = &o->stepped[i];
  void *w = s->at[TRM_PART_WEIGHT], *g = s->at[TRM_PART_GRADIENT];
  void *mean = s->at[TRM_PART_MEAN], *square = s->at[TRM_PART_SQUARE];
  int64_t n = count_of (o, i);
  double t = (double) (s->steps + 1);
  double keep = 1 - set->rate * set->decay;
  if (set->method == TRM_ADAM)
    trm_kernel (step, adam, s->type, n, w, g, mean, square, 1 - set->beta1,
                1 - set->beta2, set->rate / (1 - pow (set->beta1, t)),
                1 / sqrt (1 - pow (set->beta2, t)), set->epsilon, scale, keep);
  else if (set->momentum != 0)
    trm_kernel (step, momentum, s->type, n, w, g, mean, set->rate,
                set->momentum, scale, keep);
  else
    trm_kernel (step, sgd, s->type, n, w, g, set->rate, scale, keep);
}

/* Weight I has been stepped.  */
static trm_status
put_back (trm_optimiser *o, int i)
{
  trm_stepped *s = &o->stepped[i];
  trm_tensor *t = trm_names_at (o->model->names, i);
  trm_tensor *home = stepped_tensor (o, i);
  trm_status status = TRM_OK;
  mask_part (o, i, TRM_PART_WEIGHT);
  trm_changed (home);
  if (s->part[TRM_PART_WEIGHT])
    status = trm_copy_to (home, s->part[TRM_PART_WEIGHT]);
  if (home != t && !status)
    status = trm_copy_to (t, home);
  trm_forget_gradient (t);
  s->steps++;
  return status;
}

trm_status
trm_step (trm_optimiser *o, double *norm)
{
  trm_status status = o ? trm_optimiser_prepare (o) : TRM_BAD_ARGUMENT;
  for (int i = 0; !status && i < o->n; i++)
    status = fetch (o, i);
  if (status)
    return status;
  bool is_norm_asked = norm || o->settings.clip > 0;
  double all = is_norm_asked ? gradient_norm (o) : 0;
  double scale = clip_scale (o, all);
  if (norm)
    *norm = all;
  for (int i = 0; i < o->n && !status; i++)
    if (o->stepped[i].here)
      {
        step_weight (o, i, scale);
        status = put_back (o, i);
      }
  return status;
}
