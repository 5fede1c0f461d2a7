/* Where contents are, and how they get there:

     event                        host      both      device
     device reads                 in, both  both      device
     device writes all            device    device    device
     device writes a part         in,device device    device
     host reads                   host      both      out, both
     host writes all              host      host      host
     host writes a part           host      host      out, host

   Arrays that overlap an entry and are not inside of it: what overlaps is
   copied out and dropped, and the union is entered.  Outside of data blocks an
   entry goes when the run ends, because its address may be another array's
   then.

   What runs that are not known to have ended (cuda-later.c) write is the
   device's; before it is copied out, or the host changes what they read, they
   are waited for.

   With several devices the others are to each what the host is: they have an
   entry of their own of what they use, and what one reads that another has
   alone goes by the host.  */

#include "cuda.h"

bool
trm_cuda_bring_back (trm_cuda_entry *e, const char *why)
{
  if (e->state != TRM_CUDA_ON_DEVICE
      || (e->later && (trm_cuda_wait (), e->state != TRM_CUDA_ON_DEVICE)))
    return true;
  int64_t begin = trm_now ();
  if (!trm_cuda_fetch (e))
    return false;
  trm_cuda_copied (true, e->name, e->bytes, trm_now () - begin, why);
  return true;
}

void
trm_cuda_drop (trm_cuda_entry *e)
{
  trm_cuda_take_memory (e);
  trm_cuda_remove (e);
}

/* The smaller of X and Y.  */
static char *
lower (char *x, char *y)
{
  return x < y ? x : y;
}

/* The larger of X and Y.  */
static char *
upper (char *x, char *y)
{
  return x > y ? x : y;
}

/* The union of A and all that overlaps it, which goes.  NULL with a fault.  */
static trm_cuda_entry *
unite (const trm_cuda_array *a)
{
  char *low = a->base, *high = low + a->bytes;
  trm_cuda_entry *e, sum = { 0 };
  while ((e = trm_cuda_overlap (trm_cuda_entries (), low, high - low)))
    {
      if (e->guarded)
        trm_cuda_fault (TRM_CUDA_BEYOND, "%s", a->name);
      if (e->guarded || !trm_cuda_bring_back (e, "arrays overlap"))
        return NULL;
      low = lower (low, e->base);
      high = upper (high, e->base + e->bytes);
      sum.scopes += e->scopes;
      sum.writes |= e->writes;
      trm_cuda_drop (e);
    }
  e = trm_cuda_enter (low, high - low, a->name);
  if (!e)
    {
      trm_cuda_fault (TRM_CUDA_NO_HOST_MEMORY, "for the table");
      return NULL;
    }
  e->scopes = sum.scopes;
  e->writes = sum.writes;
  return e;
}

trm_cuda_entry *
trm_cuda_cover (const trm_cuda_array *a)
{
  char *base = a->base;
  trm_cuda_entry *e = trm_cuda_overlap (trm_cuda_entries (), a->base, a->bytes);
  if (!e && (e = trm_cuda_guard_here (a->base)))
    return trm_cuda_cover (a);
  if (e && e->base <= base && base + a->bytes <= e->base + e->bytes)
    return e;
  return unite (a);
}

void
trm_cuda_to_host (void *base, intptr_t bytes, intptr_t use, const char *why)
{
  char *low = base, *high = low + bytes;
  trm_cuda_entry *e = trm_cuda_entries ();
  for (; (e = trm_cuda_overlap (e, base, bytes)); e = e->next)
    {
      bool all = (use & TRM_CUDA_ALL) && !(use & TRM_CUDA_READ)
                 && low <= e->base && e->base + e->bytes <= high;
      if (!all && !trm_cuda_bring_back (e, why))
        trm_cuda_lost (e->name, e->bytes);
      if ((use & TRM_CUDA_WRITE) && e->later)
        trm_cuda_wait ();
      if (use & TRM_CUDA_WRITE)
        trm_cuda_now (e, TRM_CUDA_ON_HOST);
    }
}

/* All contents of the device are on the host.  */
static void
bring_all (void *why)
{
  for (trm_cuda_entry *e = trm_cuda_entries (); e; e = e->next)
    if (!trm_cuda_bring_back (e, why))
      trm_cuda_lost (e->name, e->bytes);
}

void
trm_cuda_all_to_host (void)
{
  trm_cuda_wait ();
  trm_cuda_each (bring_all, (void *) "the process forks");
}

/* The device is lost.  */
static void
lose (void *nothing)
{
  (void) nothing;
  for (trm_cuda_entry *e = trm_cuda_entries (); e; e = e->next)
    {
      if (e->state == TRM_CUDA_ON_DEVICE)
        trm_cuda_lost (e->name, e->bytes);
      trm_cuda_now (e, TRM_CUDA_ON_HOST);
      e->device = 0;
    }
}

void
trm_cuda_lose_devices (void)
{
  trm_cuda_each (lose, NULL);
}
