/* Small weights, side by side.

   Of the step of some hundred numbers most is what stands around its loop.  So
   a model makes its small weights of one type in one block, rooms for their
   gradients in the same order behind, and an optimiser their states, each on
   cache lines of its own:

     weights     | a a a . | b . . . | c c c c | ...    . is 0, and stays so
     gradients   | a a a . | b . . . | c c c c | ...
     states      ...

   and one call steps those that stand in a row (optimiser.c); what it does to
   an element is the same.  A gradient is copied to its room at the end of
   backward (walk.c).  All are tensors with storages of their own, and none
   moves.  What a program puts among the names stays where it is.  */

#include "tensor.h"

#include "train.h"

#include <stdlib.h>
#include <string.h>

/* Elements of the largest weight that is small, and of a model's first block;
   of the largest block.  Bytes that the parts of a block begin at multiples
   of.  */
#define MOST_SMALL 4096
#define MOST_BLOCK (1 << 17)
#define LINE       64

/* A weight's storage in a block is given back: the block is needed less.  */
static void
leave (void *block)
{
  trm_storage_drop (block);
}

trm_tensor *
trm_small_tensor (trm_storage *block, const trm_tensor *t, int64_t first)
{
  void *at
    = (char *) block->memory + first * (int64_t) trm_type_bytes (t->type);
  trm_storage *own = trm_storage_wrap (at, leave, trm_storage_keep (block));
  if (!own)
    trm_storage_drop (block);
  return own ? trm_tensor_new (t->type, t->rank, t->extent, NULL, own, at)
             : NULL;
}

/* What T takes of each array of a block.  */
static int64_t
padded (const trm_tensor *t)
{
  int64_t line = LINE / (int64_t) trm_type_bytes (t->type);
  return (trm_count (t) + line - 1) / line * line;
}

/* Whether T becomes a small weight of MODEL.  */
static bool
is_small (const trm_model *model, const trm_tensor *t)
{
  int64_t n = trm_count (t);
  return trm_wants_gradient (t) && !model->narrow && n > 0 && n <= MOST_SMALL
         && (t->type == TRM_F32 || t->type == TRM_F64);
}

/* A new block of MODEL for ELEMENTS of TYPE; NULL without memory.  */
static trm_small *
make_block (trm_model *model, trm_type type, int64_t elements)
{
  trm_small *grown = realloc (model->small, ((size_t) model->n_small + 1)
                                              * sizeof *model->small);
  if (!grown)
    return trm_fail_null (TRM_NO_MEMORY, "model: no memory");
  model->small = grown;
  trm_storage *memory
    = trm_storage_new (2 * elements * (int64_t) trm_type_bytes (type));
  if (!memory)
    return NULL;
  grown[model->n_small]
    = (trm_small){ .type = type, .elements = elements, .memory = memory };
  return &grown[model->n_small++];
}

/* The first block of MODEL with room for T, or a new one, twice as large as
   the last one of its type.  */
static trm_small *
find_block (trm_model *model, const trm_tensor *t)
{
  int64_t elements = MOST_SMALL;
  for (int k = 0; k < model->n_small; k++)
    {
      trm_small *b = &model->small[k];
      if (b->type != t->type)
        continue;
      if (b->elements - b->used >= padded (t))
        return b;
      elements = b->elements < MOST_BLOCK ? 2 * b->elements : MOST_BLOCK;
    }
  return make_block (model, t->type, elements);
}

/* T's elements in the free part of B, with a room for a gradient.  */
static trm_tensor *
place (const trm_small *b, const trm_tensor *t)
{
  size_t bytes = trm_type_bytes (t->type);
  trm_tensor *w = trm_small_tensor (b->memory, t, b->used);
  trm_tensor *room
    = w ? trm_small_tensor (b->memory, t, b->elements + b->used) : NULL;
  if (!room)
    return NULL;
  memset (w->at, 0, (size_t) padded (t) * bytes);
  memset (room->at, 0, (size_t) padded (t) * bytes);
  memcpy (w->at, t->at, (size_t) trm_count (t) * bytes);
  w->own->room = trm_keep (room);
  return trm_want_gradient (w);
}

trm_tensor *
trm_model_put (trm_model *model, const char *name, trm_tensor *t)
{
  int i = trm_names_count (model->names);
  trm_weight *beside = trm_model_beside (model, i);
  bool becomes_small = is_small (model, t);
  trm_small *b = beside && becomes_small ? find_block (model, t) : NULL;
  if (becomes_small)
    t = b ? place (b, t) : NULL;
  if (!beside || !t || trm_names_put (model->names, name, t))
    return NULL;
  if (b)
    {
      beside->small = (int) (b - model->small) + 1;
      beside->first = b->used;
      b->used += padded (t);
      beside->end = b->used;
    }
  return t;
}

void
trm_small_free (trm_model *model)
{
  for (int k = 0; k < model->n_small; k++)
    trm_storage_drop (model->small[k].memory);
  free (model->small);
}
