/* What comes to tensors in a walk back, found by the tensor:

     flow  | y | h | w | x |                 in the order they were reached
     slot  | 2 | . | . | 4 | . | 3 | 1 | . | by hash: place in flow + 1

   Nothing is kept in the tensors, so that threads may walk over tapes that
   share leaves.  A gradient's first part is what came, or a copy where that is
   of another shape or type or lies in a caller's memory; further ones are added
   to it, or where others have it too to a copy.
   Tensors that were walked are forgotten when room is needed: no gradient
   comes to them any more, since all that read them ran later.  */

#include "tape.h"

#include <stdlib.h>

/* Where T stands among WALK's slots, or would.  */
static int64_t
slot_of (const trm_walk *walk, const trm_tensor *t)
{
  uint64_t hash = (uint64_t) (uintptr_t) t * 0x9E3779B97F4A7C15u;
  int64_t i = (int64_t) (hash >> 32) & (walk->n_slots - 1);
  while (walk->slot[i] && walk->flow[walk->slot[i] - 1].of != t)
    i = (i + 1) & (walk->n_slots - 1);
  return i;
}

trm_flow *
trm_flow_find (const trm_walk *walk, const trm_tensor *t)
{
  int64_t place = walk->n ? walk->slot[slot_of (walk, t)] : 0;
  return place ? &walk->flow[place - 1] : NULL;
}

/* Forget FLOW.  */
static void
drop_flow (trm_flow *flow)
{
  trm_drop (flow->gradient);
  trm_shell_drop (flow->of);
}

/* Forget what WALK does not need any more, and count the rest anew.  */
static void
forget_walked (trm_walk *walk)
{
  int64_t n = 0;
  for (int64_t i = 0; i < walk->n; i++)
    if (walk->flow[i].walked && !walk->flow[i].gradient)
      drop_flow (&walk->flow[i]);
    else
      walk->flow[n++] = walk->flow[i];
  walk->n = n;
}

/* Fill WALK's slots anew.  */
static void
fill_slots (trm_walk *walk)
{
  for (int64_t i = 0; i < walk->n_slots; i++)
    walk->slot[i] = 0;
  for (int64_t i = 0; i < walk->n; i++)
    walk->slot[slot_of (walk, walk->flow[i].of)] = i + 1;
}

/* Room for one more in WALK; false without memory.  */
static bool
make_room (trm_walk *walk)
{
  if (walk->n < walk->room)
    return true;
  forget_walked (walk);
  if (walk->n >= walk->room / 2)
    {
      int64_t room = walk->room ? walk->room * 2 : 64;
      trm_flow *flow = realloc (walk->flow, (size_t) room * sizeof *flow);
      if (flow)
        walk->flow = flow;
      int64_t *slot = realloc (walk->slot, (size_t) room * 2 * sizeof *slot);
      if (slot)
        {
          walk->slot = slot;
          walk->n_slots = room * 2;
        }
      if (flow && slot)
        walk->room = room;
    }
  fill_slots (walk);
  return walk->n < walk->room;
}

trm_flow *
trm_flow_of (trm_walk *walk, trm_tensor *t)
{
  trm_flow *flow = trm_flow_find (walk, t);
  if (flow)
    return flow;
  if (!make_room (walk))
    return trm_fail_null (TRM_NO_MEMORY, "%s: no memory for the walk",
                          walk->name);
  flow = &walk->flow[walk->n++];
  *flow = (trm_flow){ .of = trm_shell_keep (t) };
  walk->slot[slot_of (walk, t)] = walk->n;
  return flow;
}

bool
trm_is_sole (const trm_tensor *t)
{
  const trm_storage *storage = t->own->storage;
  return __atomic_load_n (&t->own->references, __ATOMIC_ACQUIRE) == 1
         && __atomic_load_n (&storage->references, __ATOMIC_ACQUIRE) == 1
         && storage->bytes > 0;
}

trm_status
trm_gradient_own (trm_tensor **gradient)
{
  if (trm_is_sole (*gradient))
    return TRM_OK;
  trm_status status = trm_scope_open ();
  if (status)
    return status;
  trm_tensor *copy = trm_keep (trm_copy (*gradient));
  trm_scope_close ();
  if (!copy)
    return trm_error ();
  trm_drop (*gradient);
  *gradient = copy;
  return TRM_OK;
}

/* Whether G can be a gradient of X as it is.  */
static bool
may_stand (const trm_tensor *x, const trm_tensor *g)
{
  return g->type == x->type && trm_same_shape (x, g) && trm_is_contiguous (g)
         && g->own->storage->bytes > 0;
}

/* A contiguous tensor of X's shape and type that holds G.  */
static trm_tensor *
first_part (const trm_tensor *x, trm_tensor *g)
{
  int64_t stride[TRM_RANK];
  g = trm_sum_to_shape (g, x);
  if (g && may_stand (x, g))
    return g;
  trm_tensor *part = g ? trm_empty_like (x, x->type) : NULL;
  if (!part)
    return NULL;
  trm_broadcast_strides (g, x->rank, stride);
  trm_copy_elements (x->rank, x->extent, x->type, part->at, part->stride,
                     g->type, g->at, stride);
  return part;
}

/* G in X's shape and type, as operations.  */
static trm_tensor *
in_shape_of (trm_tensor *g, const trm_tensor *x)
{
  g = trm_cast (trm_sum_to_shape (g, x), x->type);
  return g && !trm_same_shape (g, x) ? trm_expand (g, x->rank, x->extent) : g;
}

trm_status
trm_flow_add (trm_walk *walk, trm_tensor *x, trm_tensor *g)
{
  trm_flow *flow = trm_flow_of (walk, x);
  if (!flow)
    return TRM_NO_MEMORY;
  if (!walk->twice && flow->gradient)
    {
      trm_status status = trm_gradient_own (&flow->gradient);
      return status ? status : trm_accumulate (flow->gradient, g);
    }
  trm_tensor *whole = walk->twice ? in_shape_of (g, x) : first_part (x, g);
  if (flow->gradient)
    whole = trm_add (flow->gradient, whole);
  if (!whole)
    return trm_error () ? trm_error () : TRM_NO_MEMORY;
  trm_keep (whole);
  trm_drop (flow->gradient);
  flow->gradient = whole;
  return TRM_OK;
}

void
trm_flow_free (trm_walk *walk)
{
  for (int64_t i = 0; i < walk->n; i++)
    drop_flow (&walk->flow[i]);
  free (walk->flow);
  free (walk->slot);
  *walk = (trm_walk){ 0 };
}
