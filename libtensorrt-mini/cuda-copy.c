/* Copies between host and device, through a ring of slots that the driver has
   pinned, so that the device copies one slot while the host fills, or empties,
   another:

     put    host  --memcpy-->  slot  --stream in-->   device
     get    device  --stream out-->  slot  --memcpy-->  host

   Threads share what the host copies.  A slot's event tells when the device is
   done with it.  Without pinned memory
   slots are plain memory, which the driver copies once more.  */

#include "tensor.h"

#include "cuda.h"

#define SLOTS      TRM_CUDA_SLOTS
#define SLOT_BYTES ((intptr_t) 4 << 20)

typedef trm_cuda_slot slot;

/* Make S, unless it was.  */
static bool
make_slot (slot *s)
{
  void *at = NULL;
  if (s->at)
    return true;
  if (!TRM_CALL (NO_START, EventCreate, &s->over, TRM_CU_NO_TIMING))
    return false;
  if (trm_cuda.cu.MemAllocHost (&at, (size_t) SLOT_BYTES))
    at = trm_block_get (SLOT_BYTES);
  s->at = at;
  return at || trm_cuda_fault (TRM_CUDA_NO_HOST_MEMORY, "for copies");
}

/* The next slot, of which the device has no more need; NULL with a fault.  */
static slot *
next_slot (void)
{
  slot *s = &trm_cuda_here->ring[trm_cuda_here->turn++ % SLOTS];
  bool is_new = !s->at;
  if (!make_slot (s))
    return NULL;
  return is_new || TRM_CALL (NOT_COPIED, EventSynchronize, s->over) ? s : NULL;
}

/* The bytes of the part that begins at AT of BYTES.  */
static size_t
part_at (intptr_t at, intptr_t bytes)
{
  return (size_t) (bytes - at < SLOT_BYTES ? bytes - at : SLOT_BYTES);
}

bool
trm_cuda_put (trm_cu_pointer to, const void *from, intptr_t bytes)
{
  trm_cuda_here->filling = true;
  trm_cuda_copy_begins (trm_cuda_here->in);
  for (intptr_t at = 0; at < bytes; at += SLOT_BYTES)
    {
      size_t part = part_at (at, bytes);
      slot *s = next_slot ();
      if (!s)
        return false;
      trm_copy_bytes ((int64_t) part, s->at, (const char *) from + at);
      if (!TRM_CALL (NOT_COPIED, MemcpyHtoDAsync, to + (trm_cu_pointer) at,
                     s->at, part, trm_cuda_here->in)
          || !TRM_CALL (NOT_COPIED, EventRecord, s->over, trm_cuda_here->in))
        return false;
    }
  trm_cuda_copy_ends (trm_cuda_here->in);
  return true;
}

/* Begin the copy of the part at AT to *USED.  */
static bool
begin_part (slot **used, trm_cu_pointer from, intptr_t at, intptr_t bytes)
{
  slot *s = *used = next_slot ();
  return s
         && TRM_CALL (NOT_COPIED, MemcpyDtoHAsync, s->at,
                      from + (trm_cu_pointer) at, part_at (at, bytes),
                      trm_cuda_here->out)
         && TRM_CALL (NOT_COPIED, EventRecord, s->over, trm_cuda_here->out);
}

bool
trm_cuda_get (void *to, trm_cu_pointer from, intptr_t bytes)
{
  slot *used[SLOTS];
  intptr_t begun = 0, ended = 0;
  trm_cuda_copy_begins (trm_cuda_here->out);
  while (ended * SLOT_BYTES < bytes)
    {
      for (; begun < ended + SLOTS && begun * SLOT_BYTES < bytes; begun++)
        if (!begin_part (&used[begun % SLOTS], from, begun * SLOT_BYTES, bytes))
          return false;
      slot *s = used[ended % SLOTS];
      if (!TRM_CALL (NOT_COPIED, EventSynchronize, s->over))
        return false;
      trm_copy_bytes ((int64_t) part_at (ended * SLOT_BYTES, bytes),
                      (char *) to + ended * SLOT_BYTES, s->at);
      ended++;
    }
  trm_cuda_copy_ends (trm_cuda_here->out);
  return true;
}
