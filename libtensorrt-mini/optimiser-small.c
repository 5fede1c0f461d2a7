/* Small weights, stepped together.

   Of the step of some hundred numbers most is what stands around its loop.
   Small weights of one type lie side by side in one block, their gradients and
   states likewise, each array on cache lines of its own:

     weights     | a a a . | b . . . | c c c c |      . is 0, and stays so
     gradients   | a a a . | b . . . | c c c c |
     states      ...

   and one call steps all of them; what it does to an element is the same.  A
   weight moves there at its first step, a gradient is copied to its room at the
   end of backward (walk.c).  All stay tensors of their own, each with its own
   storage: where one has no gradient, or made fewer steps of Adam's, all are
   stepped one by one, and where one is not where it was put, as after a
   checkpoint was loaded, they settle again in the next step.  */

#include "tensor.h"

#include "optimiser.h"

#include <stdlib.h>
#include <string.h>

/* Elements of the largest weight that is small; bytes that the arrays of a
   block begin at multiples of.  */
#define MOST_SMALL 4096
#define LINE       64

/* A weight that moves to a block: its number, tensors there for its parts.  */
typedef struct settler
{
  int i;
  trm_tensor *home[TRM_PARTS];
} settler;

/* A weight's storage in a block is given back: the block is needed less.  */
static void
leave (void *block)
{
  trm_storage_drop (block);
}

/* Whether nobody but the model holds T, and nobody else its storage, which is
   memory of our own or in BLOCK: nobody misses it when it is elsewhere.  */
static bool
is_alone (const trm_tensor *t, const trm_storage *block)
{
  const trm_storage *s = t->own->storage;
  return __atomic_load_n (&t->own->references, __ATOMIC_ACQUIRE) == 1
         && __atomic_load_n (&s->references, __ATOMIC_ACQUIRE) == 1
         && (s->bytes > 0 || (s->freed == leave && s->argument == block));
}

/* Whether weight I of O may be one of those in B's block.  */
static bool
is_small (const trm_optimiser *o, const trm_small *b, int i)
{
  const trm_tensor *t = trm_names_at (o->model->names, i);
  const trm_stepped *s = &o->stepped[i];
  int64_t n = trm_count (t);
  bool has_states = true;
  for (int k = TRM_PART_MEAN; k < trm_optimiser_end (o); k++)
    has_states &= s->part[k] != NULL;
  return has_states && !t->own->room && s->type == b->type && t->type == b->type
         && trm_wants_gradient (t) && n > 0 && n <= MOST_SMALL
         && trm_is_contiguous (t) && is_alone (t, b->block)
         && !o->model->weight[i].master;
}

/* What T takes of each array of a block.  */
static int64_t
padded (const trm_tensor *t)
{
  int64_t line = LINE / (int64_t) trm_type_bytes (t->type);
  return (trm_count (t) + line - 1) / line * line;
}

/* A tensor like T at AT in BLOCK, with a storage of its own.  */
static trm_tensor *
tensor_in (trm_storage *block, const trm_tensor *t, void *at)
{
  trm_storage *own = trm_storage_wrap (at, leave, trm_storage_keep (block));
  if (!own)
    trm_storage_drop (block);
  return own ? trm_tensor_new (t->type, t->rank, t->extent, NULL, own, at)
             : NULL;
}

/* T's elements, which nobody shares, move to HOME; T's version stays.  */
static void
move (trm_tensor *t, trm_tensor *home)
{
  trm_storage *old = t->own->storage;
  memcpy (home->at, t->at, (size_t) trm_count (t) * trm_type_bytes (t->type));
  t->own->storage = trm_storage_keep (home->own->storage);
  t->own->storage->version = old->version;
  t->at = home->at;
  trm_storage_drop (old);
}

/* State *PART moves to HOME.  */
static void
move_state (trm_tensor **part, trm_tensor *home)
{
  trm_tensor *old = *part;
  memcpy (home->at, old->at,
          (size_t) trm_count (old) * trm_type_bytes (old->type));
  trm_drop (old);
  *part = trm_keep (home);
}

/* The weight of S moves.  */
static void
settle (trm_optimiser *o, const settler *s)
{
  trm_stepped *of = &o->stepped[s->i];
  trm_tensor *t = trm_names_at (o->model->names, s->i);
  move (t, s->home[TRM_PART_WEIGHT]);
  of->room = t->own->room = trm_keep (s->home[TRM_PART_GRADIENT]);
  for (int k = TRM_PART_MEAN; k < trm_optimiser_end (o); k++)
    move_state (&of->part[k], s->home[k]);
  for (int k = 0; k < trm_optimiser_end (o); k++)
    of->home[k] = s->home[k]->at;
}

/* Homes for S's weight at element FIRST of B's arrays; false where there is no
   memory.  */
static bool
find_homes (const trm_optimiser *o, const trm_small *b, int64_t first,
            settler *s)
{
  const trm_tensor *t = trm_names_at (o->model->names, s->i);
  int64_t bytes = (int64_t) trm_type_bytes (b->type);
  for (int k = 0; k < trm_optimiser_end (o); k++)
    {
      char *at = (char *) b->block->memory + (k * b->elements + first) * bytes;
      s->home[k] = tensor_in (b->block, t, at);
      if (!s->home[k])
        return false;
    }
  return true;
}

/* The weights of LIST settle in the block B, which is empty.  */
static trm_status
settle_all (trm_optimiser *o, const trm_small *b, settler *list)
{
  int64_t first = 0;
  for (int k = 0; k < b->n; k++)
    {
      if (!find_homes (o, b, first, &list[k]))
        return trm_error ();
      first += padded (trm_names_at (o->model->names, list[k].i));
    }
  for (int k = 0; k < b->n; k++)
    settle (o, &list[k]);
  return TRM_OK;
}

/* The small weights of B's type, in LIST; how many they are, and the elements
   that they take, in B.  */
static void
list_small (const trm_optimiser *o, trm_small *b, settler *list)
{
  b->n = 0;
  b->elements = 0;
  for (int i = 0; i < o->n; i++)
    if (is_small (o, b, i))
      {
        list[b->n++].i = i;
        b->elements += padded (trm_names_at (o->model->names, i));
      }
}

/* No weight of TYPE has a home any more; they stay where they are.  */
static void
leave_homes (trm_optimiser *o, trm_type type)
{
  for (int i = 0; i < o->n; i++)
    {
      trm_stepped *s = &o->stepped[i];
      trm_tensor *t = trm_names_at (o->model->names, i);
      if (s->type != type || !s->home[0])
        continue;
      s->home[0] = NULL;
      if (t->own->room != s->room)
        continue;
      if (t->own->gradient != s->room)
        trm_drop (t->own->room);
      t->own->room = NULL;
    }
}

/* A block for the small weights of B's type, in which they settle, in place of
   the one before; LIST is room for all.  */
static trm_status
settle_type (trm_optimiser *o, trm_small *b, settler *list)
{
  trm_small made = *b;
  leave_homes (o, b->type);
  list_small (o, &made, list);
  if (made.n < 2)
    return TRM_OK;
  int64_t bytes = made.elements * (int64_t) trm_type_bytes (b->type)
                  * trm_optimiser_end (o);
  made.block = trm_storage_new (bytes);
  if (!made.block)
    return trm_error ();
  memset (made.block->memory, 0, (size_t) bytes);
  trm_status status = trm_scope_open ();
  if (!status)
    {
      status = settle_all (o, &made, list);
      trm_scope_close ();
    }
  trm_storage_drop (status ? made.block : b->block);
  if (!status)
    *b = made;
  return status;
}

trm_status
trm_small_settle (trm_optimiser *o)
{
  settler *list = o->n ? malloc ((size_t) o->n * sizeof *list) : NULL;
  if (o->n && !list)
    return trm_fail (TRM_NO_MEMORY, "step: no memory");
  trm_status status = TRM_OK;
  for (int k = 0; k < TRM_SMALL_TYPES && o->n && !status; k++)
    status = settle_type (o, &o->small[k], list);
  free (list);
  return status;
}

bool
trm_small_is_whole (const trm_optimiser *o, const trm_small *b, int64_t *steps)
{
  int n = 0;
  bool counts = o->settings.method == TRM_ADAM;
  for (int i = 0; i < o->n; i++)
    {
      const trm_stepped *s = &o->stepped[i];
      if (!s->is_home || s->type != b->type)
        continue;
      if (n++ == 0)
        *steps = s->steps;
      else if (counts && s->steps != *steps)
        return false;
    }
  return n > 0 && n == b->n;
}
