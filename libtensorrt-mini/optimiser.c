/* Optimisers: fetch the gradients, mask them, their norm, step, put back.

   Each weight is stepped by a call of one region, but for small ones, which the
   model made side by side (small-weights.c): those in a row that have their
   gradients in their rooms, and made the same number of Adam's steps, are
   stepped by one call.

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
#include <string.h>

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
  for (int k = 0; o && k < o->n_rows; k++)
    trm_storage_drop (o->row[k].states);
  for (int i = 0; o && i < o->n; i++)
    for (int k = 0; k < TRM_PARTS; k++)
      trm_drop (o->stepped[i].part[k]);
  if (o)
    {
      free (o->stepped);
      free (o->row);
    }
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

/* Have states, zeros, for the model's first N blocks.  */
static trm_status
make_rows (trm_optimiser *o, int n)
{
  trm_row *grown
    = n > o->n_rows ? realloc (o->row, (size_t) n * sizeof *grown) : o->row;
  if (n > 0 && !grown)
    return trm_fail (TRM_NO_MEMORY, "step: no memory");
  o->row = grown;
  for (; o->n_rows < n; o->n_rows++)
    {
      const trm_small *b = &o->model->small[o->n_rows];
      int64_t bytes = (trm_optimiser_end (o) - TRM_PART_MEAN) * b->elements
                      * (int64_t) trm_type_bytes (b->type);
      trm_storage *states = trm_storage_new (bytes);
      if (!states)
        return trm_error ();
      memset (states->memory, 0, (size_t) bytes);
      o->row[o->n_rows] = (trm_row){ .states = states };
    }
  return TRM_OK;
}

/* Where element FIRST of part K is in block SMALL.  */
static void *
home_of (const trm_optimiser *o, int small, int k, int64_t first)
{
  const trm_small *b = &o->model->small[small - 1];
  bool is_state = k >= TRM_PART_MEAN;
  char *memory
    = is_state ? o->row[small - 1].states->memory : b->memory->memory;
  int64_t array = is_state ? k - TRM_PART_MEAN : k;
  return memory
         + (array * b->elements + first) * (int64_t) trm_type_bytes (b->type);
}

/* Know where weight I, T, is at home, if it is a small one that is there, and
   make its states.  */
static trm_status
know_home (trm_optimiser *o, int i, const trm_tensor *t)
{
  const trm_weight *w = &o->model->weight[i];
  trm_stepped *s = &o->stepped[i];
  if (!w->small || t->at != home_of (o, w->small, TRM_PART_WEIGHT, w->first))
    return TRM_OK;
  s->small = w->small;
  for (int k = 0; k < trm_optimiser_end (o); k++)
    s->home[k] = home_of (o, w->small, k, w->first);
  trm_status status = trm_scope_open ();
  if (status)
    return status;
  const trm_small *b = &o->model->small[w->small - 1];
  for (int k = TRM_PART_MEAN; k < trm_optimiser_end (o) && !status; k++)
    {
      int64_t first = (k - TRM_PART_MEAN) * b->elements + w->first;
      s->part[k]
        = trm_keep (trm_small_tensor (o->row[w->small - 1].states, t, first));
      status = s->part[k] ? TRM_OK : trm_error ();
    }
  trm_scope_close ();
  return status;
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
  trm_status status = know_home (o, i, t);
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
  if (!trm_model_beside (o->model, n - 1) || make_rows (o, o->model->n_small))
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

/* Where part K of S is in this step.  */
static void *
place_of (const trm_stepped *s, int k)
{
  return s->is_home ? s->home[k] : s->at[k];
}

/* Zeros where weight I is pruned, in part K.  */
static inline void
mask_part (const trm_optimiser *o, int i, int k)
{
  const trm_stepped *s = &o->stepped[i];
  const trm_tensor *mask = o->model->weight[i].mask;
  if (mask)
    trm_kernel (step, masked, s->type, trm_count (mask), place_of (s, k),
                mask->at);
}

/* Whether all parts of a weight, T with gradient G, are at home; its states are
   where it has one, and a room is with the weight that it was made for.  */
static bool
are_home (const trm_stepped *s, const trm_tensor *t, const trm_tensor *g)
{
  return s->small && t->at == s->home[TRM_PART_WEIGHT] && g == t->own->room;
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
  trm_tensor *t = s->of = trm_names_at (o->model->names, i);
  const trm_tensor *g = t->own->gradient;
  __builtin_prefetch (&t->own->storage->version, 1);
  s->here = g && t->own->wants;
  s->is_home = s->here && are_home (s, t, g);
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
                         place_of (&o->stepped[i], TRM_PART_GRADIENT));
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

/* Step the weights of block SMALL that are in its row, which is empty then.  */
static void
step_row (trm_optimiser *o, int small, double scale)
{
  trm_row *row = &o->row[small - 1];
  void *at[TRM_PARTS] = { NULL };
  for (int k = 0; k < trm_optimiser_end (o); k++)
    at[k] = home_of (o, small, k, row->begin);
  if (row->end > row->begin)
    step_elements (o, o->model->small[small - 1].type, row->end - row->begin,
                   at, row->steps, scale);
  row->begin = row->end;
}

/* Step the weights that are at home, those in a row by one call.  */
static void
step_small (trm_optimiser *o, double scale)
{
  bool counts = o->settings.method == TRM_ADAM;
  for (int i = 0; i < o->n; i++)
    {
      const trm_stepped *s = &o->stepped[i];
      if (!s->is_home)
        continue;
      trm_row *row = &o->row[s->small - 1];
      const trm_weight *w = &o->model->weight[i];
      if (w->first != row->end || (counts && s->steps != row->steps))
        {
          step_row (o, s->small, scale);
          row->begin = w->first;
          row->steps = s->steps;
        }
      row->end = w->end;
    }
  for (int k = 1; k <= o->n_rows; k++)
    step_row (o, k, scale);
}

/* Weight I, which is at home, has been stepped.  */
static void
leave_home (trm_optimiser *o, int i)
{
  trm_stepped *s = &o->stepped[i];
  mask_part (o, i, TRM_PART_WEIGHT);
  trm_changed (s->of);
  s->of->own->gradient = NULL;
  s->steps++;
}

/* Weight I, which is not, has been stepped where its parts are.  */
static trm_status
put_back (trm_optimiser *o, int i)
{
  trm_stepped *s = &o->stepped[i];
  trm_tensor *t = s->of;
  trm_tensor *master = o->model->weight[i].master;
  trm_tensor *home = master ? master : t;
  trm_status status = TRM_OK;
  mask_part (o, i, TRM_PART_WEIGHT);
  trm_changed (home);
  if (s->part[TRM_PART_WEIGHT])
    status = trm_copy_to (home, s->part[TRM_PART_WEIGHT]);
  if (master && !status)
    status = trm_copy_to (t, master);
  trm_forget_gradient (t);
  s->steps++;
  return status;
}

/* Step all weights that are here with their gradients times SCALE.  */
static trm_status
step_all (trm_optimiser *o, double scale)
{
  trm_status status = TRM_OK;
  step_small (o, scale);
  for (int i = 0; i < o->n && !status; i++)
    {
      const trm_stepped *s = &o->stepped[i];
      if (s->is_home)
        leave_home (o, i);
      else if (s->here)
        {
          step_elements (o, s->type, count_of (o, i), s->at, s->steps, scale);
          status = put_back (o, i);
        }
    }
  return status;
}

trm_status
trm_step (trm_optimiser *o, double *norm)
{
  trm_status status = o ? trm_optimiser_prepare (o) : TRM_BAD_ARGUMENT;
  if (status)
    return status;
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
