/* Optimisers: fetch the gradients, mask them, their norm, step, put back.

   Each weight is stepped by a call of one region, but for small ones, which lie
   side by side and are stepped by one call for all (optimiser-small.c).

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
  o->small[0].type = TRM_F32;
  o->small[1].type = TRM_F64;
  o->paced = -1;
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
  for (int k = 0; o && k < TRM_SMALL_TYPES; k++)
    trm_storage_drop (o->small[k].block);
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
  o->settled = false;
  for (; o->n < n; o->n++)
    if (know_weight (o, o->n))
      return trm_error ();
  return TRM_OK;
}

/* What is stepped for weight I: its master, or itself.  */
static trm_tensor *
stepped_tensor (const trm_optimiser *o, int i)
{
  trm_tensor *master = o->model->weight[i].master;
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
  const trm_tensor *mask = o->model->weight[i].mask;
  if (mask)
    trm_kernel (step, masked, s->type, trm_count (mask), s->at[k], mask->at);
}

/* Whether the elements of weight I, T, and its states are at home.  */
static bool
is_at_home (const trm_optimiser *o, int i, const trm_tensor *t)
{
  const trm_stepped *s = &o->stepped[i];
  bool is_home = t->at == s->home[TRM_PART_WEIGHT];
  for (int k = TRM_PART_MEAN; k < trm_optimiser_end (o) && is_home; k++)
    is_home = s->part[k]->at == s->home[k];
  return is_home;
}

/* Whether all parts of weight I, T with gradient G, are at home; then they have
   been found.  */
static bool
fetch_home (trm_optimiser *o, int i, const trm_tensor *t, const trm_tensor *g)
{
  trm_stepped *s = &o->stepped[i];
  if (!s->home[0])
    return false;
  bool is_home = is_at_home (o, i, t);
  o->settled &= is_home;
  if (!is_home || g != s->room)
    return false;
  for (int k = 0; k < TRM_PARTS; k++)
    s->at[k] = s->home[k];
  return true;
}

/* Find the parts of weight I, T with gradient G.  */
static trm_status
fetch_parts (trm_optimiser *o, int i, const trm_tensor *t, const trm_tensor *g)
{
  trm_stepped *s = &o->stepped[i];
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
  return TRM_OK;
}

/* Find the parts of weight I where it has a gradient.  */
static trm_status
fetch (trm_optimiser *o, int i)
{
  trm_stepped *s = &o->stepped[i];
  const trm_tensor *t = trm_names_at (o->model->names, i);
  const trm_tensor *g = t->own->gradient;
  s->here = g && trm_wants_gradient (t);
  s->is_home = s->here && fetch_home (o, i, t, g);
  if (!s->here)
    return TRM_OK;
  trm_status status = s->is_home ? TRM_OK : fetch_parts (o, i, t, g);
  if (!status)
    mask_part (o, i, TRM_PART_GRADIENT);
  return status;
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

/* What Adam's first mean and square have left after STEPS steps and this one is
   in O->left.  */
static void
pace (trm_optimiser *o, int64_t steps)
{
  double t = (double) (steps + 1);
  if (o->paced == steps)
    return;
  o->paced = steps;
  o->left[0] = 1 - pow (o->settings.beta1, t);
  o->left[1] = 1 - pow (o->settings.beta2, t);
}

/* Step N elements of TYPE, whose parts are AT, after STEPS steps, with their
   gradients times SCALE.  */
static void
step_elements (trm_optimiser *o, trm_type type, int64_t n, void *const *at,
               int64_t steps, double scale)
{
  const trm_optimiser_settings *set = &o->settings;
  void *w = at[TRM_PART_WEIGHT], *g = at[TRM_PART_GRADIENT];
  void *mean = at[TRM_PART_MEAN], *square = at[TRM_PART_SQUARE];
  double keep = 1 - set->rate * set->decay;
  if (set->method == TRM_ADAM)
    {
      pace (o, steps);
      trm_kernel (step, adam, type, n, w, g, mean, square, 1 - set->beta1,
                  1 - set->beta2, set->rate / o->left[0], 1 / sqrt (o->left[1]),
                  set->epsilon, scale, keep);
    }
  else if (set->momentum != 0)
    trm_kernel (step, momentum, type, n, w, g, mean, set->rate, set->momentum,
                scale, keep);
  else
    trm_kernel (step, sgd, type, n, w, g, set->rate, scale, keep);
}

/* Step the weights that are at home in B, where all are; else leave them to be
   stepped one by one.  */
static void
step_small (trm_optimiser *o, const trm_small *b, double scale)
{
  void *at[TRM_PARTS] = { NULL };
  int64_t steps = 0;
  bool is_whole = trm_small_is_whole (o, b, &steps);
  for (int i = 0; i < o->n && !is_whole; i++)
    if (o->stepped[i].type == b->type)
      o->stepped[i].is_home = false;
  for (int k = 0; k < trm_optimiser_end (o) && is_whole; k++)
    at[k] = (char *) b->block->memory
            + k * b->elements * (int64_t) trm_type_bytes (b->type);
  if (is_whole)
    step_elements (o, b->type, b->elements, at, steps, scale);
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

/* Step all weights that are here with their gradients times SCALE.  */
static trm_status
step_all (trm_optimiser *o, double scale)
{
  trm_status status = TRM_OK;
  for (int k = 0; k < TRM_SMALL_TYPES; k++)
    if (o->small[k].block)
      step_small (o, &o->small[k], scale);
  for (int i = 0; i < o->n && !status; i++)
    {
      const trm_stepped *s = &o->stepped[i];
      if (!s->here)
        continue;
      if (!s->is_home)
        step_elements (o, s->type, count_of (o, i), s->at, s->steps, scale);
      status = put_back (o, i);
    }
  return status;
}

trm_status
trm_step (trm_optimiser *o, double *norm)
{
  trm_status status = o ? trm_optimiser_prepare (o) : TRM_BAD_ARGUMENT;
  if (!status && !o->settled)
    status = trm_small_settle (o);
  if (status)
    return status;
  o->settled = true;
  for (int i = 0; !status && i < o->n; i++)
    status = fetch (o, i);
  if (status)
    return status;
  bool is_norm_asked = norm || o->settings.clip > 0;
  double all = is_norm_asked ? gradient_norm (o) : 0;
  double scale = clip_scale (o, all);
  if (norm)
    *norm = all;
  return step_all (o, scale);
}
