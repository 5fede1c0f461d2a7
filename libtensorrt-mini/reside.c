/* Tensors whose elements are on a device, too, as long as they are there.

     storage   | head |  --memory-->  | pages of its own, guarded |

   The storage of a tensor that resides has its memory in pages of its own,
   which cuda-guard.c watches.  Where no device is used these are memory as any
   other.  */

#include "tensor.h"

#include "cuda.h"

#include <string.h>

/* S goes.  */
static void
release (void *s)
{
  trm_storage *storage = s;
  trm_cuda_unguard (storage->memory);
  trm_pages_put (storage->memory, storage->bytes);
}

/* Whether T may move; if not, why.  */
static trm_status
check_alone (const trm_tensor *t)
{
  const trm_storage *s = t->own->storage;
  if (s->bytes == 0 && trm_count (t) > 0)
    return trm_fail (TRM_BAD_ARGUMENT, "reside: the memory is the caller's");
  if (__atomic_load_n (&s->references, __ATOMIC_ACQUIRE) > 1)
    return trm_fail (TRM_BAD_ARGUMENT, "reside: there are views of it");
  return TRM_OK;
}

/* Move T to a storage of its own, in pages.  */
static trm_status
move (trm_tensor *t)
{
  trm_storage *old = t->own->storage;
  trm_storage *new = trm_storage_pages (old->bytes, release);
  if (!new)
    return trm_error ();
  trm_copy_bytes (old->bytes, new->memory, old->memory);
  new->version = old->version + 1;
  t->at = (char *) new->memory + ((char *) t->at - (char *) old->memory);
  t->own->storage = new;
  trm_storage_drop (old);
  trm_cuda_guard (new->memory, new->bytes);
  return TRM_OK;
}

trm_status
trm_reside (trm_tensor *t)
{
  if (!t)
    return TRM_BAD_ARGUMENT;
  const trm_storage *s = t->own->storage;
  if (s->freed == release || (s->bytes == 0 && trm_count (t) == 0))
    return TRM_OK;
  trm_status status = check_alone (t);
  return status ? status : move (t);
}

void
trm_to_host (const trm_tensor *t, bool written)
{
  if (t && t->own->storage->freed == release)
    trm_cuda_host (t->own->storage->memory, t->own->storage->bytes,
                   TRM_CUDA_READ | (written ? TRM_CUDA_WRITE : 0));
}
