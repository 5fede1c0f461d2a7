/* Checkpoints: a model and its optimiser as one safetensors file.

     state        i64: step, random numbers, method and rate (below)
     place/NAME   i64: number of the weight, steps made, whether it wants a
                  gradient
     w/NAME       the weight           master/NAME  of a narrow one, f32
     mask/NAME    of a pruned one      mean/NAME, square/NAME  the optimiser's

   Loading first finds and copies all that it needs, with the shapes that the
   model and the optimiser ask for, and then changes them: what fails leaves
   both as they were.  Weights that the model has keep their tensors, and what
   has the type of before keeps its place in memory; weights that it lacks are
   made in the order of their numbers.  */

#include "tensor.h"

#include "optimiser.h"

#include <stdlib.h>
#include <string.h>

#define META       "gcc-tensor checkpoint 1"
#define KEY_BYTES  300
#define NO_METHOD  (-1)
#define PLACE_WORD 3

/* What "state" holds.  */
enum
{
  STEP,
  FIRST_SEED,
  FIRST_COUNTER,
  NOISE_SEED,
  NOISE_COUNTER,
  NARROW,
  METHOD,
  RATE,
  STATE_WORDS
};

/* What a weight has in the file, beside its place.  */
enum
{
  WEIGHT,
  MASTER,
  MASK,
  MEAN,
  SQUARE,
  PARTS
};
static const char *const prefix[PARTS]
  = { "w/", "master/", "mask/", "mean/", "square/" };

/* The file's part I is the optimiser's part I - MEAN + TRM_PART_MEAN.  */
#define OPTIMISER_PART(i) ((i) -MEAN + TRM_PART_MEAN)

/* Put T under PREFIX NAME into NAMES; NULL is nothing to put.  */
static trm_status
put (trm_names *names, const char *before, const char *name, trm_tensor *t)
{
  char key[KEY_BYTES];
  if (!t)
    return TRM_OK;
  int length = snprintf (key, sizeof key, "%s%s", before, name);
  if (length >= (int) sizeof key)
    return trm_fail (TRM_BAD_ARGUMENT, "checkpoint: the name %.40s... is long",
                     name);
  return trm_names_put (names, key, t);
}

/* Put N words into NAMES.  */
static trm_status
put_words (trm_names *names, const char *before, const char *name, int n,
           const int64_t *word)
{
  trm_tensor *t = trm_from (TRM_I64, TRM_SHAPE (n), word);
  return t ? put (names, before, name, t) : trm_error ();
}

/* Put what MODEL and O, NULL or prepared, have of weight I into NAMES.  */
static trm_status
put_weight (trm_names *names, trm_model *model, trm_optimiser *o, int i)
{
  const char *name = trm_names_name (model->names, i);
  trm_tensor *t = trm_names_at (model->names, i);
  const trm_weight *beside = trm_model_beside (model, i);
  const trm_stepped *s = o ? &o->stepped[i] : NULL;
  trm_tensor *part[PARTS] = { t, beside->master, beside->mask };
  int64_t place[PLACE_WORD] = { i, s ? s->steps : 0, trm_wants_gradient (t) };
  for (int k = MEAN; k < PARTS && s; k++)
    part[k] = s->part[OPTIMISER_PART (k)];
  trm_status status = put_words (names, "place/", name, PLACE_WORD, place);
  for (int k = 0; k < PARTS && !status; k++)
    status = put (names, prefix[k], name, part[k]);
  return status;
}

/* Put the state of all into NAMES.  */
static trm_status
put_state (trm_names *names, const trm_model *model, const trm_optimiser *o,
           int64_t step)
{
  int64_t word[STATE_WORDS]
    = { [STEP] = step,
        [FIRST_SEED] = (int64_t) model->first.seed,
        [FIRST_COUNTER] = (int64_t) model->first.counter,
        [NOISE_SEED] = (int64_t) model->noise.seed,
        [NOISE_COUNTER] = (int64_t) model->noise.counter,
        [NARROW] = model->narrow,
        [METHOD] = o ? (int64_t) o->settings.method : NO_METHOD };
  if (o)
    memcpy (&word[RATE], &o->settings.rate, sizeof word[RATE]);
  return put_words (names, "state", "", STATE_WORDS, word);
}

trm_status
trm_checkpoint_save (const char *path, trm_model *model, trm_optimiser *o,
                     int64_t step)
{
  if (!path || !model)
    return TRM_BAD_ARGUMENT;
  int n = trm_names_count (model->names);
  if ((o && trm_optimiser_prepare (o))
      || (n && !trm_model_beside (model, n - 1)) || trm_scope_open ())
    return trm_error ();
  trm_names *names = trm_names_new ();
  trm_status status = names ? put_state (names, model, o, step) : trm_error ();
  for (int i = 0; i < n && !status; i++)
    status = put_weight (names, model, o, i);
  if (!status)
    status = trm_safetensors_write (path, names, META);
  trm_names_free (names);
  trm_scope_close ();
  return status;
}

/* A weight of a file.  at: its number in the model, -1 where that lacks it;
   part: copies.  */
typedef struct loaded
{
  const char *name;
  int at;
  int64_t place[PLACE_WORD];
  trm_tensor *part[PARTS];
} loaded;

/* A file under way: weights by their numbers; the last number that was found
   among names.  */
typedef struct loading
{
  const char *path;
  trm_names *names;
  trm_model *model;
  trm_optimiser *optimiser;
  int64_t state[STATE_WORDS];
  int n;
  loaded *weight;
  int looked;
} loading;

/* The file lacks NAME, or has it wrongly.  */
static trm_status
bad (const loading *l, const char *before, const char *name, const char *words)
{
  return trm_fail (TRM_BAD_FILE, "checkpoint_load: %s: %s%s %s", l->path,
                   before, name, words);
}

/* What the file has under BEFORE NAME, NULL where it has nothing.  */
static trm_tensor *
find (loading *l, const char *before, const char *name)
{
  char key[KEY_BYTES];
  snprintf (key, sizeof key, "%s%s", before, name);
  int i = trm_find_name (l->names, key, l->looked);
  if (i < 0)
    return NULL;
  l->looked = i;
  return trm_names_at (l->names, i);
}

/* N words of the file.  */
static trm_status
find_words (loading *l, const char *before, const char *name, int n,
            int64_t *word)
{
  trm_tensor *t = find (l, before, name);
  if (!t || t->type != TRM_I64 || t->rank != 1 || t->extent[0] != n)
    return bad (l, before, name, t ? "is not i64" : "is not there");
  for (int i = 0; i < n; i++)
    word[i] = trm_get_int (t, TRM_SHAPE (i));
  return TRM_OK;
}

/* List the file's weights by their numbers.  */
static trm_status
list_weights (loading *l)
{
  int all = trm_names_count (l->names);
  size_t length = strlen (prefix[WEIGHT]);
  for (int i = 0; i < all; i++)
    l->n += !strncmp (trm_names_name (l->names, i), prefix[WEIGHT], length);
  l->weight = calloc ((size_t) l->n + 1, sizeof *l->weight);
  if (!l->weight)
    return trm_fail (TRM_NO_MEMORY, "checkpoint_load: no memory");
  for (int i = 0; i < all; i++)
    {
      const char *name = trm_names_name (l->names, i);
      int64_t place[PLACE_WORD];
      if (strncmp (name, prefix[WEIGHT], length))
        continue;
      name += length;
      if (find_words (l, "place/", name, PLACE_WORD, place))
        return trm_error ();
      if (place[0] < 0 || place[0] >= l->n || l->weight[place[0]].name)
        return bad (l, "place/", name, "is not its own");
      loaded *w = &l->weight[place[0]];
      w->name = name;
      w->at = trm_model_find (l->model, name);
      memcpy (w->place, place, sizeof place);
    }
  return TRM_OK;
}

/* The type of part K of a weight of TYPE.  */
static trm_type
type_of_part (int k, trm_type type)
{
  if (k == WEIGHT)
    return type;
  return k == MASK ? TRM_BOOL : trm_type_computed (type);
}

/* Copy part K of W, which has to be there when NEEDED.  */
static trm_status
copy_part (loading *l, loaded *w, int k, bool needed)
{
  char a[TRM_SHAPE_TEXT], b[TRM_SHAPE_TEXT];
  trm_tensor *t = find (l, prefix[k], w->name);
  const trm_tensor *like
    = w->at >= 0 ? trm_names_at (l->model->names, w->at) : w->part[WEIGHT];
  if (!t)
    return needed ? bad (l, prefix[k], w->name, "is not there") : TRM_OK;
  if (like && !trm_same_shape (t, like))
    return trm_fail (TRM_BAD_SHAPE, "checkpoint_load: %s: %s%s is %s, not %s",
                     l->path, prefix[k], w->name,
                     trm_shape_text (a, t->rank, t->extent),
                     trm_shape_text (b, like->rank, like->extent));
  trm_type type = k == WEIGHT ? t->type : w->part[WEIGHT]->type;
  if (t->type != type_of_part (k, type))
    return bad (l, prefix[k], w->name, "has another type");
  w->part[k] = trm_copy (t);
  return w->part[k] ? TRM_OK : trm_error ();
}

/* Copy what is needed of W.  */
static trm_status
copy_weight (loading *l, loaded *w)
{
  trm_status status = TRM_OK;
  int end = l->optimiser
              ? trm_optimiser_end (l->optimiser) - TRM_PART_MEAN + MEAN
              : MEAN;
  for (int k = 0; k < end && !status; k++)
    status = copy_part (l, w, k, k == WEIGHT || (k >= MEAN && w->place[2]));
  if (status || !w->place[2] || trm_type_is_float (w->part[WEIGHT]->type))
    return status;
  return bad (l, prefix[WEIGHT], w->name, "cannot want a gradient");
}

/* Find all that is needed in the file, and copies.  */
static trm_status
find_all (loading *l)
{
  trm_status status = find_words (l, "state", "", STATE_WORDS, l->state);
  if (!status && l->optimiser
      && l->state[METHOD] != (int64_t) l->optimiser->settings.method)
    status = bad (l, "state", "", "is of another method");
  if (!status)
    status = list_weights (l);
  for (int i = 0; i < l->n && !status; i++)
    status = copy_weight (l, &l->weight[i]);
  int have = trm_names_count (l->model->names);
  for (int i = 0; i < have && !status; i++)
    {
      const char *name = trm_names_name (l->model->names, i);
      if (!find (l, prefix[WEIGHT], name))
        status = bad (l, prefix[WEIGHT], name, "is not there");
    }
  return status;
}

/* T, kept, takes the place of *PLACE.  */
static void
replace (trm_tensor **place, trm_tensor *t)
{
  trm_keep (t);
  trm_drop (*place);
  *place = t;
}

/* The elements of T become *PLACE's, where that has them of this type, or T
   takes its place.  */
static trm_status
replace_state (trm_tensor **place, trm_tensor *t)
{
  if (*place && t && (*place)->type == t->type)
    return trm_copy_to (*place, t);
  replace (place, t);
  return TRM_OK;
}

/* The elements of FROM become those of T, which is a weight.  */
static trm_status
replace_weight (trm_tensor *t, const trm_tensor *from)
{
  if (t->type != from->type)
    {
      trm_become (t, from);
      return TRM_OK;
    }
  trm_forget_gradient (t);
  return trm_copy_to (t, from);
}

/* W becomes MODEL's.  */
static trm_status
load_weight (trm_model *model, loaded *w)
{
  trm_tensor *t = w->part[WEIGHT];
  if (w->at < 0)
    {
      if (w->place[2])
        trm_want_gradient (t);
      if (!trm_model_put (model, w->name, t))
        return trm_error ();
      w->at = trm_names_count (model->names) - 1;
    }
  else if (replace_weight (trm_names_at (model->names, w->at), t))
    return trm_error ();
  trm_weight *beside = trm_model_beside (model, w->at);
  if (!beside)
    return trm_error ();
  replace (&beside->master, w->part[MASTER]);
  replace (&beside->mask, w->part[MASK]);
  beside->compressed = trm_compressed_drop (beside->compressed);
  return TRM_OK;
}

/* The optimiser's part of the file becomes L's.  */
static trm_status
load_optimiser (loading *l)
{
  trm_optimiser *o = l->optimiser;
  if (trm_optimiser_prepare (o))
    return trm_error ();
  for (int i = 0; i < l->n; i++)
    {
      const loaded *w = &l->weight[i];
      trm_stepped *s = &o->stepped[w->at];
      s->type = trm_type_computed (w->part[WEIGHT]->type);
      s->steps = w->place[1];
      for (int k = MEAN; k < PARTS; k++)
        if (replace_state (&s->part[OPTIMISER_PART (k)], w->part[k]))
          return trm_error ();
    }
  memcpy (&o->settings.rate, &l->state[RATE], sizeof o->settings.rate);
  return TRM_OK;
}

/* All that was found becomes the model's and the optimiser's.  */
static trm_status
load_all (loading *l)
{
  trm_status status = TRM_OK;
  for (int i = 0; i < l->n && !status; i++)
    status = load_weight (l->model, &l->weight[i]);
  if (status)
    return status;
  l->model->first = (trm_random){ (uint64_t) l->state[FIRST_SEED],
                                  (uint64_t) l->state[FIRST_COUNTER] };
  l->model->noise = (trm_random){ (uint64_t) l->state[NOISE_SEED],
                                  (uint64_t) l->state[NOISE_COUNTER] };
  l->model->narrow = l->state[NARROW];
  return l->optimiser ? load_optimiser (l) : TRM_OK;
}

/* Whether the file at PATH says that it is a checkpoint; if not, why.  */
static bool
is_checkpoint (const char *path)
{
  trm_forget_error ();
  char *meta = trm_safetensors_meta (path);
  bool is = meta && strcmp (meta, META) == 0;
  free (meta);
  if (!is && !trm_error ())
    trm_fail (TRM_BAD_FILE, "checkpoint_load: %s is not a checkpoint", path);
  return is;
}

trm_status
trm_checkpoint_load (const char *path, trm_model *model, trm_optimiser *o,
                     int64_t *step)
{
  if (!path || !model || trm_scope_open ())
    return path && model ? trm_error () : TRM_BAD_ARGUMENT;
  loading l = { .path = path,
                .names = trm_safetensors_read (path),
                .model = model,
                .optimiser = o };
  trm_status status = l.names && is_checkpoint (path) ? TRM_OK : trm_error ();
  if (!status)
    status = find_all (&l);
  if (!status)
    status = load_all (&l);
  if (!status && step)
    *step = l.state[STEP];
  trm_names_free (l.names);
  free (l.weight);
  trm_scope_close ();
  return status;
}
