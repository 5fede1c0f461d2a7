/* The table of memory that has a copy on the device: a list for each device,
   since few arrays are kept at a time, and a region touches a few.  */

#include "cuda.h"

#include <stdlib.h>

static int n_entries;

bool
trm_cuda_has_entries (void)
{
  return __atomic_load_n (&n_entries, __ATOMIC_ACQUIRE) > 0;
}

trm_cuda_entry *
trm_cuda_entries (void)
{
  return trm_cuda_here->newest;
}

trm_cuda_entry *
trm_cuda_overlap (trm_cuda_entry *e, const void *base, intptr_t bytes)
{
  const char *at = base;
  while (e && (!e->base || e->base >= at + bytes || at >= e->base + e->bytes))
    e = e->next;
  return e;
}

trm_cuda_entry *
trm_cuda_enter (void *base, intptr_t bytes, const char *name)
{
  trm_cuda_entry *e = calloc (1, sizeof *e);
  if (!e)
    return NULL;
  e->base = base;
  e->bytes = bytes;
  e->name = name;
  e->next = trm_cuda_here->newest;
  trm_cuda_here->newest = e;
  __atomic_add_fetch (&n_entries, 1, __ATOMIC_RELEASE);
  return e;
}

void
trm_cuda_remove (trm_cuda_entry *e)
{
  trm_cuda_entry **at = &trm_cuda_here->newest;
  trm_cuda_now (e, TRM_CUDA_ON_HOST);
  while (*at != e)
    at = &(*at)->next;
  *at = e->next;
  __atomic_sub_fetch (&n_entries, 1, __ATOMIC_RELEASE);
  free (e);
}

void
trm_cuda_remove_all (void)
{
  while (trm_cuda_here->newest)
    trm_cuda_remove (trm_cuda_here->newest);
}
