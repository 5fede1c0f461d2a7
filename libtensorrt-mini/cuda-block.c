/* Data blocks, and what the host does between the regions of one.

   A block only enters its arrays, or counts one scope more for entries that
   hold them: memory and copies come with the first region that wants them.  So
   it costs little where CUDA is not used, or not yet.  Under TRM_MODE=check and
   original nothing is kept: the loops as written want all on the host.  An
   array that is "present" and is not there yet is copied in and out.  */

#include "cuda.h"

/* Let one block more keep A.  */
static void
keep (const trm_cuda_array *a)
{
  bool there = trm_cuda_overlap (trm_cuda_entries (), a->base, a->bytes);
  trm_cuda_entry *e = trm_cuda_cover (a);
  if (!e)
    return;
  e->scopes++;
  e->writes
    |= (a->use & TRM_CUDA_WRITE) || ((a->use & TRM_CUDA_SCRATCH) && !there);
}

/* The entry that holds the whole of A; NULL when there is none.  */
static trm_cuda_entry *
holder (const trm_cuda_array *a)
{
  const char *base = a->base;
  trm_cuda_entry *e = trm_cuda_overlap (trm_cuda_entries (), base, a->bytes);
  bool whole = e && e->base <= base && base + a->bytes <= e->base + e->bytes;
  return whole ? e : NULL;
}

/* An array that one block less is to keep, unless that is done.  */
typedef struct leaving
{
  const trm_cuda_array *array;
  bool done;
} leaving;

/* Let one block less keep it, where the device does for one.  The last one
   copies out what is to be seen.  */
static void
release_here (void *of)
{
  leaving *l = of;
  trm_cuda_entry *e = l->done ? NULL : holder (l->array);
  if (!e || e->scopes <= (e->guarded ? 1 : 0))
    return;
  l->done = true;
  if (--e->scopes > 0)
    return;
  if (e->writes && !trm_cuda_bring_back (e, "the block ends"))
    trm_cuda_lost (e->name, e->bytes);
  trm_cuda_drop (e);
}

/* Let one block less keep A, on the thread's device or else on another, where
   the thread went from one to another meanwhile.  */
static void
release (const trm_cuda_array *a)
{
  leaving l = { a, false };
  release_here (&l);
  trm_cuda_each (release_here, &l);
}

/* Do WHAT with each of ARRAY[0..N) that there is something of.  */
static void
each (trm_cuda_array *array, intptr_t n, void (*what) (const trm_cuda_array *a))
{
  trm_cuda_lock ();
  bool pushed = trm_cuda_push ();
  trm_cuda_forget_fault ();
  for (intptr_t i = 0; i < n; i++)
    if (array[i].base && array[i].bytes > 0)
      what (&array[i]);
  if (pushed)
    trm_cuda_pop ();
  trm_cuda_unlock ();
}

void
trm_cuda_data_begin (trm_cuda_array *array, intptr_t n)
{
  if (!trm_cuda_off () && trm_mode_get () == TRM_MODE_FUSED)
    each (array, n, keep);
}

void
trm_cuda_data_end (trm_cuda_array *array, intptr_t n)
{
  if (trm_cuda_has_entries ())
    each (array, n, release);
}

/* What trm_cuda_host was given.  */
typedef struct asked
{
  char *base;
  intptr_t bytes;
  intptr_t use;
} asked;

/* Do what it says, for the device.  */
static void
use_on_host (void *given)
{
  const asked *a = given;
  const char *why
    = a->use & TRM_CUDA_WRITE ? "the host writes" : "the host reads";
  trm_cuda_entry *e = trm_cuda_entries (), *next;
  if (a->base && a->bytes >= 0)
    {
      trm_cuda_to_host (a->base, a->bytes, a->use, why);
      return;
    }
  for (; e; e = next)
    {
      next = e->next;
      if (!a->base || (e->base <= a->base && a->base < e->base + e->bytes))
        trm_cuda_to_host (e->base, e->bytes, a->use & ~TRM_CUDA_ALL, why);
    }
}

void
trm_cuda_host (void *base, intptr_t bytes, intptr_t use)
{
  asked a = { base, bytes, use };
  if (!trm_cuda_has_entries ())
    return;
  trm_cuda_lock ();
  trm_cuda_forget_fault ();
  trm_cuda_place = (const char *) __builtin_return_address (0) - 1;
  trm_cuda_each (use_on_host, &a);
  trm_cuda_place = NULL;
  trm_cuda_unlock ();
}
