/* The arrays of a run: what holds them on the device, the copies to it before
   the first launch, those from it behind the last one.

   What is written and was needed before, as sums that are added to, is copied
   out as a whole before any of it gets to the host's arrays; what is wholly
   written goes there directly, since the CPU's version would write all of it
   again.  So a failure, until the last copy from the device is there, lets the
   CPU's version run as if nothing had been tried.  The exception is an array
   that a data block keeps, which the device alone had and that kernels have
   changed: its contents are lost, and the process ends with a message.  */

#include "tensor.h"

#include "cuda.h"

/* Bits of an entry's use beside those of TRM_CUDA_: what is written is read by
   somebody later; it is touched.  */
#define SEEN    256
#define TOUCHED 512

/* Whether there is anything of A on the host.  */
static bool
has_host (const trm_cuda_array *a)
{
  return a->base && a->bytes > 0;
}

bool
trm_cuda_needs_contents (const trm_cuda_entry *e)
{
  if (e->use & TRM_CUDA_READ)
    return true;
  return (e->use & TRM_CUDA_WRITE) && !(e->use & TRM_CUDA_ALL)
         && ((e->use & SEEN) || e->scopes);
}

/* Add to *IN the bytes of A that would be copied by a run on the device, to
   *OUT those that would be by one on the CPU.  */
static void
count_copies (const trm_cuda_array *a, double *in, double *out)
{
  const trm_cuda_entry *e
    = trm_cuda_overlap (trm_cuda_entries (), a->base, a->bytes);
  bool reads = (a->use & TRM_CUDA_READ)
               || ((a->use & TRM_CUDA_WRITE) && !(a->use & TRM_CUDA_ALL));
  bool leaves = (a->use & TRM_CUDA_WRITE) && !(a->use & TRM_CUDA_DEAD)
                && (!e || !e->scopes);
  if (reads && (!e || e->state == TRM_CUDA_ON_HOST))
    *in += (double) a->bytes;
  if (leaves)
    *in += (double) a->bytes;
  if (reads && e && e->state == TRM_CUDA_ON_DEVICE)
    *out += (double) a->bytes;
}

void
trm_cuda_missing (const trm_cuda_array *array, intptr_t n, double *in,
                  double *out)
{
  *in = *out = 0;
  for (intptr_t i = 0; i < n; i++)
    if (has_host (&array[i]))
      count_copies (&array[i], in, out);
}

/* Tell E what the run does to it by A.  */
static void
mark_entry (trm_cuda_entry *e, const trm_cuda_array *a)
{
  if (!e->use)
    e->was = e->state;
  if (!e->name)
    e->name = a->name;
  e->use |= TOUCHED | (a->use & (TRM_CUDA_READ | TRM_CUDA_WRITE));
  if (!(a->use & TRM_CUDA_WRITE))
    return;
  if (!(a->use & TRM_CUDA_DEAD))
    e->use |= SEEN;
  if ((a->use & TRM_CUDA_ALL) && a->bytes == e->bytes)
    e->use |= TRM_CUDA_ALL;
}

/* Find, or make, the entry of each array, and mark it.  Since entries may be
   united, nothing is marked, and no address is known, before all are there;
   since what is not marked may have to make room, all are marked before one
   gets memory.  */
static bool
cover_arrays (const trm_cuda_array *array, intptr_t n)
{
  for (intptr_t i = 0; i < n; i++)
    if (has_host (&array[i]) && !trm_cuda_cover (&array[i]))
      return false;
  for (intptr_t i = 0; i < n; i++)
    if (has_host (&array[i]))
      mark_entry (trm_cuda_cover (&array[i]), &array[i]);
  return true;
}

/* The entry of A with memory on the device; NULL with a fault.  Memory of the
   device alone gets one here.  */
static trm_cuda_entry *
hold_array (const trm_cuda_array *a)
{
  if (has_host (a))
    {
      trm_cuda_entry *e = trm_cuda_cover (a);
      return trm_cuda_give_memory (e) ? e : NULL;
    }
  trm_cuda_entry *e = trm_cuda_enter (NULL, a->bytes, a->name);
  if (!e)
    {
      trm_cuda_fault (TRM_CUDA_NO_HOST_MEMORY, "for the table");
      return NULL;
    }
  mark_entry (e, a);
  return trm_cuda_give_memory (e) ? e : NULL;
}

/* Hold each of ARRAY[0..N) that is touched, and tell its address.  */
static bool
hold_arrays (trm_cuda_array *array, intptr_t n)
{
  for (intptr_t i = 0; i < n; i++)
    {
      trm_cuda_array *a = &array[i];
      a->device = 0;
      if (!has_host (a) && !(a->bytes > 0 && (a->use & TRM_CUDA_SCRATCH)))
        continue;
      trm_cuda_entry *e = hold_array (a);
      if (!e)
        return false;
      a->device = (intptr_t) e->device;
      if (e->base)
        a->device += (char *) a->base - e->base;
    }
  return true;
}

/* Copy to the device what is needed there, and let kernels wait for that, and
   for new memory.  */
static bool
copy_in (void)
{
  for (trm_cuda_entry *e = trm_cuda_entries (); e; e = e->next)
    if (e->base && e->use && e->state == TRM_CUDA_ON_HOST
        && trm_cuda_needs_contents (e))
      {
        int64_t begin = trm_now ();
        trm_cuda_now (e, TRM_CUDA_ON_BOTH);
        if (!trm_cuda_put (e->device, e->base, e->bytes))
          {
            trm_cuda_now (e, TRM_CUDA_ON_HOST);
            return false;
          }
        trm_cuda_copied (false, e->name, e->bytes, trm_now () - begin,
                         e->use & TRM_CUDA_READ ? "the region reads"
                                                : "the region writes a part");
      }
  if (!trm_cuda_here->filling)
    return true;
  trm_cuda_here->filling = false;
  return TRM_CALL (NOT_COPIED, EventRecord, trm_cuda_here->filled,
                   trm_cuda_here->in)
         && TRM_CALL (NOT_COPIED, StreamWaitEvent, trm_cuda_here->work,
                      trm_cuda_here->filled, 0);
}

bool
trm_cuda_hold (trm_cuda_array *array, intptr_t n)
{
  return cover_arrays (array, n) && hold_arrays (array, n) && copy_in ();
}

/* Copy E out to memory of its own first.  */
static bool
stage (trm_cuda_entry *e)
{
  e->stage = trm_block_get (e->bytes);
  if (!e->stage)
    return trm_cuda_fault (TRM_CUDA_NO_HOST_MEMORY, "for copies out");
  return trm_cuda_get (e->stage, e->device, e->bytes);
}

/* Whether E is to be on the host when the run has ended.  */
static bool
leaves (const trm_cuda_entry *e)
{
  return e->base && e->use & SEEN && !e->scopes;
}

bool
trm_cuda_copy_out (bool staged)
{
  for (trm_cuda_entry *e = trm_cuda_entries (); e; e = e->next)
    if (leaves (e) && trm_cuda_needs_contents (e) == staged)
      {
        int64_t begin = trm_now ();
        if (!(staged ? stage (e) : trm_cuda_get (e->base, e->device, e->bytes)))
          return false;
        trm_cuda_copied (true, e->name, e->bytes, trm_now () - begin,
                         "the region ends");
      }
  return true;
}

void
trm_cuda_unstage (bool fine)
{
  for (trm_cuda_entry *e = trm_cuda_entries (); e; e = e->next)
    if (e->stage)
      {
        if (fine)
          trm_copy_bytes (e->bytes, e->base, e->stage);
        trm_block_put (e->stage);
        e->stage = NULL;
      }
}

/* Whether of the contents that E had when the run began nothing is left, since
   the device alone had them and kernels have changed them.  */
static bool
is_spoilt (const trm_cuda_entry *e)
{
  return (e->use & TRM_CUDA_WRITE) && e->was == TRM_CUDA_ON_DEVICE
         && trm_cuda_needs_contents (e);
}

bool
trm_cuda_has_spoilt (void)
{
  for (const trm_cuda_entry *e = trm_cuda_entries (); e; e = e->next)
    if (is_spoilt (e))
      return true;
  return false;
}

/* Where the contents of E are after a run that was FINE, or failed, kernels
   having been LAUNCHED or not.  */
static void
settle (trm_cuda_entry *e, bool fine, bool launched)
{
  if (!(e->use & TRM_CUDA_WRITE))
    return;
  if (fine)
    trm_cuda_now (e, TRM_CUDA_ON_DEVICE);
  else if (launched)
    {
      if (is_spoilt (e))
        trm_cuda_lost (e->name, e->bytes);
      trm_cuda_now (e, TRM_CUDA_ON_HOST);
    }
}

void
trm_cuda_settle (bool fine, bool launched)
{
  for (trm_cuda_entry *e = trm_cuda_entries (), *next; e; e = next)
    {
      next = e->next;
      if (e->use)
        settle (e, fine, launched);
      e->use = 0;
      if (!e->scopes)
        trm_cuda_drop (e);
    }
}
