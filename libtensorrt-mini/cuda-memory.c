/* Memory on the device.

   It comes in the order of the stream in, before the copies to it, and goes in
   the order of the stream out, after the copies from it; that of the device
   alone does both in the order of the kernels.  The pool keeps what went.
   Where memory is short, entries that the run under way does not use
   make room: first those whose contents the host has, too, then the others,
   whose contents are copied out.  Data blocks keep entries without memory,
   which get some when they are used again.  */

#include "cuda.h"

/* Ask the driver once for memory for E.  */
static bool
ask (trm_cuda_entry *e)
{
  size_t bytes = (size_t) e->bytes;
  trm_cu_stream stream = e->base ? trm_cuda_here->in : trm_cuda_here->work;
  trm_cuda_here->filling |= e->base != NULL;
  if (trm_cuda_here->pool)
    return TRM_CALL (NO_MEMORY, MemAllocAsync, &e->device, bytes, stream);
  return TRM_CALL (NO_MEMORY, MemAlloc, &e->device, bytes);
}

void
trm_cuda_take_memory (trm_cuda_entry *e)
{
  if (e->later)
    trm_cuda_wait ();
  if (!e->device)
    return;
  if (trm_cuda_here->pool)
    trm_cuda.cu.MemFreeAsync (e->device, e->base ? trm_cuda_here->out
                                                 : trm_cuda_here->work);
  else
    trm_cuda.cu.MemFree (e->device);
  e->device = 0;
  trm_cuda_now (e, TRM_CUDA_ON_HOST);
}

/* Let all entries in STATE that the run does not use make room.  */
static void
evict (trm_cuda_state state)
{
  for (trm_cuda_entry *e = trm_cuda_entries (); e; e = e->next)
    if (e->device && !e->use && e->state == state
        && trm_cuda_bring_back (e, "memory is short"))
      trm_cuda_take_memory (e);
  trm_cuda.cu.StreamSynchronize (trm_cuda_here->out);
  if (trm_cuda_here->pool)
    trm_cuda.cu.MemPoolTrimTo (trm_cuda_here->pool, 0);
}

/* Ask once more for memory for E, where nothing but its shortness failed.  */
static bool
ask_again (trm_cuda_entry *e)
{
  if (trm_cuda.sticky || trm_cuda.why != TRM_CUDA_NO_MEMORY)
    return false;
  trm_cuda_forget_fault ();
  return ask (e);
}

bool
trm_cuda_give_memory (trm_cuda_entry *e)
{
  if (e->device || ask (e))
    return true;
  evict (TRM_CUDA_ON_HOST);
  evict (TRM_CUDA_ON_BOTH);
  if (ask_again (e))
    return true;
  evict (TRM_CUDA_ON_DEVICE);
  if (ask_again (e))
    return true;
  e->device = 0;
  return false;
}
