/* The memory of tensors, counted.

   A storage's head and its memory are one block of scratch.c, which keeps
   blocks that were given back: an allocation that was made before costs no
   system call.

     block   | trm_storage | pad | memory, aligned to 64 ...

   Counts are of bytes asked for.  The limit is tested against them.  */

#include "tensor.h"

#include "abi.h"
#include "runtime.h"

#define HEAD ((sizeof (trm_storage) + 63) / 64 * 64)

static struct
{
  int64_t bytes;
  int64_t peak;
  int64_t allocations;
  int64_t limit;
} memory;

/* Count BYTES more, of *HOLDER; false when that is above the limit.  */
static bool
count_bytes (int64_t bytes, int32_t *holder)
{
  *holder = 0;
  int64_t limit = __atomic_load_n (&memory.limit, __ATOMIC_RELAXED);
  int64_t now = __atomic_add_fetch (&memory.bytes, bytes, __ATOMIC_RELAXED);
  if (limit > 0 && now > limit)
    {
      __atomic_sub_fetch (&memory.bytes, bytes, __ATOMIC_RELAXED);
      return false;
    }
  __atomic_add_fetch (&memory.allocations, 1, __ATOMIC_RELAXED);
  int64_t peak = __atomic_load_n (&memory.peak, __ATOMIC_RELAXED);
  while (now > peak
         && !__atomic_compare_exchange_n (&memory.peak, &peak, now, true,
                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
  if (__atomic_load_n (&trm_memory_watched, __ATOMIC_RELAXED))
    *holder = trm_memory_more (bytes, now);
  return true;
}

/* Count BYTES of HOLDER less.  */
static void
discount_bytes (int64_t bytes, int32_t holder)
{
  int64_t now = __atomic_sub_fetch (&memory.bytes, bytes, __ATOMIC_RELAXED);
  if (__atomic_load_n (&trm_memory_watched, __ATOMIC_RELAXED))
    trm_memory_less (bytes, now, holder);
}

/* BYTES more are not allowed.  */
static trm_storage *
refuse_bytes (int64_t bytes)
{
  return trm_fail_null (TRM_NO_MEMORY,
                        "%lld bytes more are above the limit of %lld",
                        (long long) bytes, (long long) memory.limit);
}

/* The system does not have BYTES more.  */
static trm_storage *
no_memory (int64_t bytes)
{
  return trm_fail_null (TRM_NO_MEMORY, "no memory for %lld bytes",
                        (long long) bytes);
}

trm_storage *
trm_storage_new (int64_t bytes)
{
  int32_t holder;
  if (!count_bytes (bytes, &holder))
    return refuse_bytes (bytes);
  trm_storage *storage = trm_block_get (bytes + (int64_t) HEAD);
  if (!storage)
    {
      discount_bytes (bytes, holder);
      return no_memory (bytes);
    }
  *storage = (trm_storage){ .references = 1,
                            .bytes = bytes,
                            .holder = holder,
                            .memory = (char *) storage + HEAD };
  return storage;
}

trm_storage *
trm_storage_pages (int64_t bytes, void (*freed) (void *storage))
{
  int32_t holder = 0;
  trm_storage *s = trm_storage_wrap (NULL, freed, NULL);
  if (!s || !count_bytes (bytes, &holder))
    {
      trm_block_put (s);
      return s ? refuse_bytes (bytes) : NULL;
    }
  s->memory = trm_pages_get (bytes);
  if (!s->memory)
    {
      discount_bytes (bytes, holder);
      trm_block_put (s);
      return no_memory (bytes);
    }
  s->bytes = bytes;
  s->holder = holder;
  s->argument = s;
  return s;
}

trm_storage *
trm_storage_wrap (void *at, void (*freed) (void *argument), void *argument)
{
  trm_storage *storage = trm_block_get ((int64_t) HEAD);
  if (!storage)
    return trm_fail_null (TRM_NO_MEMORY, "no memory for a view");
  *storage = (trm_storage){
    .references = 1, .memory = at, .freed = freed, .argument = argument
  };
  return storage;
}

trm_storage *
trm_storage_keep (trm_storage *storage)
{
  __atomic_add_fetch (&storage->references, 1, __ATOMIC_RELAXED);
  return storage;
}

void
trm_storage_drop (trm_storage *storage)
{
  if (!storage
      || __atomic_sub_fetch (&storage->references, 1, __ATOMIC_ACQ_REL) > 0)
    return;
  if (storage->freed)
    storage->freed (storage->argument);
  discount_bytes (storage->bytes, storage->holder);
  trm_block_put (storage);
}

trm_memory
trm_memory_now (void)
{
  return (trm_memory){
    .bytes = __atomic_load_n (&memory.bytes, __ATOMIC_RELAXED),
    .peak = __atomic_load_n (&memory.peak, __ATOMIC_RELAXED),
    .allocations = __atomic_load_n (&memory.allocations, __ATOMIC_RELAXED),
    .from_system = trm_scratch_from_system (),
    .limit = __atomic_load_n (&memory.limit, __ATOMIC_RELAXED)
  };
}

void
trm_memory_limit (int64_t bytes)
{
  __atomic_store_n (&memory.limit, bytes, __ATOMIC_RELAXED);
}

void
trm_memory_reset_peak (void)
{
  __atomic_store_n (&memory.peak,
                    __atomic_load_n (&memory.bytes, __ATOMIC_RELAXED),
                    __ATOMIC_RELAXED);
}
