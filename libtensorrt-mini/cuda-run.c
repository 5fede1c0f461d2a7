/* A run of a region on the device: begin, launch, end (abi-cuda.h).  */

#include "cuda-unit.h"

#include <limits.h>
#include <string.h>

/* Devices from this one on have copies that need no thread.  */
#define COPIES_ITSELF 80

trm_cuda_run trm_cuda_running;

/* Whether a run of COST is for the device; the fault says why not.  Before CUDA
   is started, savings are put aside until they pay for that.  */
static bool
pays (const trm_cuda_cost *cost)
{
  static double aside;
  double in = 0, out = 0;
  if (trm_cuda_wished () == TRM_CUDA_ALWAYS || !cost || cost->cpu_ns == 0)
    return true;
  trm_cuda_missing (trm_cuda_running.array, trm_cuda_running.n, &in, &out);
  trm_cuda_machine machine
    = trm_cuda_machine_of (trm_cuda_is_on () ? trm_cuda_here->name : NULL);
  double saves = trm_cuda_saves (cost, in, out, &machine);
  if (saves <= 0)
    return trm_cuda_refuse (TRM_CUDA_TOO_SMALL);
  if (trm_cuda_is_on ())
    return true;
  aside += saves;
  return aside > machine.start_ns || trm_cuda_refuse (TRM_CUDA_NOT_YET);
}

bool
trm_cuda_calm_down (void)
{
  bool in = TRM_CALL (NOT_COPIED, StreamSynchronize, trm_cuda_here->in);
  bool work = TRM_CALL (NOT_RUN, StreamSynchronize, trm_cuda_here->work);
  bool out = TRM_CALL (NOT_COPIED, StreamSynchronize, trm_cuda_here->out);
  return in && work && out;
}

/* The run fails: what becomes of those before it that were not known to have
   ended.  */
static void
end_others (void)
{
  bool calm
    = !trm_cuda.sticky && (!trm_cuda_running.code || trm_cuda_calm_down ());
  if (!calm || (trm_cuda_running.launched && trm_cuda_has_spoilt ()))
    trm_cuda_all_again ();
  else if (trm_cuda_running.code)
    trm_cuda_all_ended ();
}

/* The run fails, and the CPU's version is next: what the device alone holds of
   its arrays goes to the host.  Gives NULL.  */
static void *
give_up (void)
{
  trm_cuda_why why = trm_cuda.why;
  char words[sizeof trm_cuda.words];
  memcpy (words, trm_cuda.words, sizeof words);
  end_others ();
  trm_cuda_settle (false, trm_cuda_running.launched);
  if (trm_cuda.sticky)
    {
      trm_cuda_lose_devices ();
      trm_cuda_end_use (TRM_CUDA_ENDED);
    }
  trm_cuda_forget_fault ();
  for (intptr_t i = 0; i < trm_cuda_running.n; i++)
    if (trm_cuda_running.array[i].base && trm_cuda_running.array[i].bytes > 0)
      trm_cuda_to_host_all (
        trm_cuda_running.array[i].base, trm_cuda_running.array[i].bytes,
        trm_cuda_running.array[i].use, "the region runs on the CPU");
  return trm_cuda_fell (trm_cuda_running.site, why, words);
}

/* Leave the context and the lock.  */
static void
leave (void)
{
  trm_cuda_site = NULL;
  if (trm_cuda_running.pushed)
    trm_cuda_pop ();
  trm_cuda_unlock ();
}

bool
trm_cuda_is_wanted (const trm_cuda_unit *unit, const trm_cuda_cost *cost)
{
  if (unit->version < 1 || unit->version > TRM_CUDA_VERSION)
    return trm_cuda_fault (TRM_CUDA_OTHER_RUNTIME, "version %d",
                           (int) unit->version);
  return pays (cost) && trm_cuda_start ();
}

/* Whether the device has had all of A.  */
static bool
is_held (const trm_cuda_array *a)
{
  const char *base = a->base;
  const trm_cuda_entry *e
    = trm_cuda_overlap (trm_cuda_entries (), base, a->bytes);
  return e && e->state != TRM_CUDA_ON_HOST && e->base <= base
         && base + a->bytes <= e->base + e->bytes;
}

bool
trm_cuda_all_there (void)
{
  for (intptr_t i = 0; i < trm_cuda_running.n; i++)
    if ((trm_cuda_running.array[i].use & TRM_CUDA_MAY)
        && trm_cuda_running.array[i].bytes > 0
        && !is_held (&trm_cuda_running.array[i])
        && !trm_cuda_is_there (trm_cuda_running.array[i].base,
                               trm_cuda_running.array[i].bytes))
      return trm_cuda_fault (TRM_CUDA_NOT_THERE, "%s",
                             trm_cuda_running.array[i].name);
  return true;
}

void *
trm_cuda_begin (trm_cuda_unit *unit, trm_site *site, trm_cuda_array *array,
                intptr_t n, const trm_cuda_cost *cost)
{
  trm_cuda_why off = trm_cuda_off ();
  if (off)
    return trm_cuda_fell (site, off, trm_cuda_off_words ());
  trm_cuda_lock ();
  trm_cuda_running.site = site;
  trm_cuda_running.array = array;
  trm_cuda_running.n = n;
  trm_cuda_running.launched = false;
  trm_cuda_site = site;
  trm_cuda_forget_fault ();
  trm_cuda_running.pushed = trm_cuda_push ();
  bool wanted = !trm_cuda.why && trm_cuda_is_wanted (unit, cost);
  if (wanted && !trm_cuda_running.pushed)
    wanted = trm_cuda_running.pushed = trm_cuda_push ();
  trm_cuda_running.code = wanted ? trm_cuda_load (unit) : NULL;
  if (trm_cuda_running.code)
    trm_cuda_take_over (array, n);
  if (trm_cuda_running.code && trm_cuda_all_there ()
      && trm_cuda_hold (array, n))
    return &trm_cuda_running;
  give_up ();
  leave ();
  return NULL;
}

/* How many blocks of BLOCK threads with SHARED bytes of K the device holds at
   once; 0 with a fault.  */
static intptr_t
blocks_at_once (trm_cuda_kernel *k, intptr_t block, intptr_t shared)
{
  if (!k->per_processor || k->block != block || k->shared != shared)
    {
      int n = 0;
      if (!TRM_CALL (NOT_LAUNCHED, OccupancyMaxActiveBlocksPerMultiprocessor,
                     &n, k->function, (int) block, (size_t) shared))
        return 0;
      k->per_processor = n ? n : 1;
      k->block = block;
      k->shared = shared;
    }
  return (intptr_t) k->per_processor * trm_cuda_here->processors;
}

/* Let K have SHARED bytes of dynamic shared memory.  */
static bool
allow_shared (trm_cuda_kernel *k, intptr_t shared)
{
  if (shared <= k->most_shared)
    return true;
  k->most_shared = (int) shared;
  return TRM_CALL (NOT_LAUNCHED, FuncSetAttribute, k->function,
                   TRM_CU_DYNAMIC_SHARED, (int) shared);
}

void
trm_cuda_launch (void *which, intptr_t kernel, intptr_t work, intptr_t block,
                 intptr_t blocks, intptr_t shared, const void *args,
                 intptr_t bytes)
{
  trm_cuda_kernel *k = &trm_cuda_running.code->kernel[kernel];
  (void) which;
  if (trm_cuda_here->arch < COPIES_ITSELF)
    shared = 0;
  if (trm_cuda.why || work <= 0 || !allow_shared (k, shared))
    return;
  trm_cuda_describe (k, (int) block, (int) shared);
  intptr_t most = blocks ? blocks : blocks_at_once (k, block, shared);
  intptr_t n = (work - 1) / block + 1;
  n = n < most ? n : most;
  n = n < INT_MAX ? n : INT_MAX;
  trm_cuda_call of
    = { k, (unsigned) n, (unsigned) block, (unsigned) shared, false };
  if (n > 0 && trm_cuda_gather (of, args, bytes))
    trm_cuda_running.launched = true;
}

int
trm_cuda_launch_group (void *which, intptr_t kernel, intptr_t blocks,
                       intptr_t threads, intptr_t shared,
                       const trm_cuda_operand *operand, const void *args,
                       intptr_t bytes)
{
  trm_cuda_kernel *k = &trm_cuda_running.code->kernel[kernel];
  (void) which;
  if (trm_cuda.why || blocks <= 0 || blocks > INT_MAX)
    return 0;
  trm_cuda_kernel *group = trm_cuda_group_of (trm_cuda_running.code, k);
  const trm_cuda_given *given
    = group ? trm_cuda_group_given (operand, args, bytes) : NULL;
  if (!given || !allow_shared (group, shared))
    return 0;
  trm_cuda_describe (group, (int) threads, (int) shared);
  trm_cuda_call of
    = { group, (unsigned) blocks, (unsigned) threads, (unsigned) shared, true };
  if (trm_cuda_gather (of, given, sizeof *given))
    trm_cuda_running.launched = true;
  return 1;
}

void
trm_cuda_launch_rest (void)
{
  if (trm_cuda.why)
    trm_cuda_drop_gathered ();
  else if (trm_cuda_launch_gathered ())
    trm_cuda_running.launched = true;
}

int
trm_cuda_end (void *which)
{
  (void) which;
  trm_cuda_launch_rest ();
  bool fine = !trm_cuda.why
              && TRM_CALL (NOT_RUN, StreamSynchronize, trm_cuda_here->work)
              && trm_cuda_copy_out (true) && trm_cuda_copy_out (false);
  trm_cuda_unstage (fine);
  if (fine)
    {
      trm_cuda_all_ended ();
      trm_cuda_settle (true, true);
      trm_cuda_ran (trm_cuda_running.site);
    }
  else
    give_up ();
  leave ();
  return fine;
}

int
trm_cuda_end_later (void *which, trm_cuda_again *again, const void *args,
                    intptr_t bytes)
{
  trm_cuda_launch_rest ();
  if (trm_cuda.why
      || !trm_cuda_note (trm_cuda_running.site, again, args, bytes))
    return trm_cuda_end (which);
  trm_cuda_settle (true, true);
  leave ();
  return 1;
}
