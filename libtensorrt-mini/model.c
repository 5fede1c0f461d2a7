/* Models: weights with names, and what stands beside them.

   The names are the model: a layer's function looks its weights up, makes what
   is missing, and what a program puts into trm_model_names is a weight as well.
   Small ones are made side by side (small-weights.c).  Beside each name stands
   its master and its mask:

     names   | hidden.w | hidden.b | out.w | ...
     weight  | mask     |          |       | ...    grown when asked for

   First values are a function of the model's seed and the weight's name, not
   of the order of creation: the counter of the random numbers begins at the
   64-bit FNV-1a hash of the name, whose bits are mixed by two products
   (splitmix64's), added to the model's own.  */

#include "tensor.h"

#include "train.h"

#include <stdlib.h>
#include <string.h>

#define NAME_BYTES 256
#define NOISE      0x6e6f697365

trm_model *
trm_model_new (trm_random random)
{
  trm_model *model = calloc (1, sizeof *model);
  trm_names *names = model ? trm_names_new () : NULL;
  if (!names)
    {
      free (model);
      return trm_fail_null (TRM_NO_MEMORY, "model: no memory");
    }
  *model = (trm_model){ .names = names,
                        .first = random,
                        .noise = { random.seed ^ NOISE, random.counter },
                        .training = true };
  return model;
}

void
trm_model_free (trm_model *model)
{
  for (int i = 0; model && i < model->room; i++)
    {
      trm_drop (model->weight[i].master);
      trm_drop (model->weight[i].mask);
      trm_compressed_drop (model->weight[i].compressed);
    }
  if (model)
    {
      trm_names_free (model->names);
      trm_small_free (model);
      free (model->weight);
    }
  free (model);
}

trm_names *
trm_model_names (trm_model *model)
{
  return model ? model->names : NULL;
}

void
trm_model_training (trm_model *model, bool training)
{
  if (model)
    model->training = training;
}

void
trm_forget_gradients (trm_model *model)
{
  int n = model ? trm_names_count (model->names) : 0;
  for (int i = 0; i < n; i++)
    trm_forget_gradient (trm_names_at (model->names, i));
}

trm_weight *
trm_model_beside (trm_model *model, int i)
{
  if (i < model->room)
    return &model->weight[i];
  int room = i + 16;
  trm_weight *grown
    = realloc (model->weight, (size_t) room * sizeof *model->weight);
  if (!grown)
    return trm_fail_null (TRM_NO_MEMORY, "model: no memory");
  memset (grown + model->room, 0,
          (size_t) (room - model->room) * sizeof *grown);
  model->weight = grown;
  model->room = room;
  return &grown[i];
}

int
trm_find_name (const trm_names *names, const char *name, int looked)
{
  int n = trm_names_count (names);
  for (int k = 1; k <= n; k++)
    {
      int i = (looked + k) % n;
      if (strcmp (trm_names_name (names, i), name) == 0)
        return i;
    }
  return -1;
}

int
trm_model_find (trm_model *model, const char *name)
{
  int i = trm_find_name (model->names, name, model->looked);
  if (i >= 0)
    model->looked = i;
  return i;
}

void
trm_become (trm_tensor *t, const trm_tensor *from)
{
  trm_storage *old = t->own->storage;
  t->own->storage = trm_storage_keep (from->own->storage);
  t->own->storage->version += old->version + 1;
  trm_storage_drop (old);
  t->at = from->at;
  t->type = from->type;
  for (int i = 0; i < t->rank; i++)
    t->stride[i] = from->stride[i];
  trm_forget_gradient (t);
}

/* Weight I of MODEL, of f32, becomes bf16, with a master beside.  */
static trm_status
narrow_weight (trm_model *model, int i)
{
  trm_tensor *t = trm_names_at (model->names, i);
  trm_weight *beside = trm_model_beside (model, i);
  if (!beside)
    return TRM_NO_MEMORY;
  if (!trm_wants_gradient (t) || t->type != TRM_F32)
    return TRM_OK;
  trm_status status = trm_scope_open ();
  if (status)
    return status;
  trm_tensor *master = trm_contiguous (trm_detach (t));
  trm_tensor *narrow = trm_cast (master, TRM_BF16);
  if (narrow)
    {
      beside->master = trm_keep (master);
      trm_become (t, narrow);
    }
  trm_scope_close ();
  return narrow ? TRM_OK : trm_error ();
}

trm_status
trm_model_narrow (trm_model *model)
{
  if (!model)
    return TRM_BAD_ARGUMENT;
  model->narrow = true;
  for (int i = 0; i < trm_names_count (model->names); i++)
    if (narrow_weight (model, i))
      return trm_error ();
  return TRM_OK;
}

/* Where the random numbers of MODEL's weight NAME begin.  */
static trm_random
first_random (const trm_model *model, const char *name)
{
  uint64_t hash = 0xcbf29ce484222325;
  for (const char *c = name; *c; c++)
    hash = (hash ^ (unsigned char) *c) * 0x100000001b3;
  hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9;
  hash = (hash ^ hash >> 27) * 0x94d049bb133111eb;
  return (trm_random){ model->first.seed,
                       model->first.counter + (hash ^ hash >> 31) };
}

/* The first values of NAME.  */
static trm_tensor *
first_values (const trm_model *model, const char *name, const trm_form *f)
{
  trm_random random = first_random (model, name);
  switch (f->first)
    {
    case TRM_FIRST_UNIFORM:
      return trm_uniform (&random, f->type, f->rank, f->extent, -f->bound,
                          f->bound);
    case TRM_FIRST_NORMAL:
      return trm_normal (&random, f->type, f->rank, f->extent, 0, 1);
    default:
      return trm_full (f->type, f->rank, f->extent, f->first == TRM_FIRST_ONE);
    }
}

/* A new weight NAME of MODEL.  */
static trm_tensor *
make_weight (trm_model *model, const char *name, const trm_form *form)
{
  if (trm_scope_open ())
    return NULL;
  trm_tensor *t = first_values (model, name, form);
  if (t && !form->statistic)
    trm_want_gradient (t);
  t = t ? trm_model_put (model, name, t) : NULL;
  trm_scope_close ();
  if (!t)
    return NULL;
  model->looked = trm_names_count (model->names) - 1;
  return model->narrow && narrow_weight (model, model->looked) ? NULL : t;
}

trm_tensor *
trm_model_weight (trm_model *model, const char *layer, const char *part,
                  const trm_form *form)
{
  char name[NAME_BYTES], have[TRM_SHAPE_TEXT], want[TRM_SHAPE_TEXT];
  int length = snprintf (name, sizeof name, "%s.%s", layer, part);
  if (length < 0 || length >= (int) sizeof name)
    return trm_fail_null (TRM_BAD_ARGUMENT,
                          "layer: a name of more than %d letters",
                          NAME_BYTES - 1);
  int i = trm_model_find (model, name);
  if (i < 0)
    return make_weight (model, name, form);
  trm_tensor *t = trm_names_at (model->names, i);
  bool fits = t->rank == form->rank;
  for (int k = 0; k < t->rank && fits; k++)
    fits = t->extent[k] == form->extent[k];
  return fits ? t
              : trm_fail_null (TRM_BAD_SHAPE,
                               "layer: %s is %s, where %s is needed", name,
                               trm_shape_text (have, t->rank, t->extent),
                               trm_shape_text (want, form->rank, form->extent));
}
