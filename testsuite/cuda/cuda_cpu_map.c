/* Barriers of shared memory, mbarrier, and the copies that complete them,
   cp.async.bulk.tensor, on the CPU.

   A barrier has completed a phase when as many threads have arrived as it was
   made for and as many bytes have come as they expected; who waits for a parity
   waits for the last phase that had it.  A copy is under way until no thread
   has anything else to do: what it fills holds NaN, and nobody may touch it.

   The map that a copy goes by is what fake-driver.c's cuTensorMapEncodeTiled
   makes: two dimensions, of elements of two bytes, in boxes with rows of 128
   bytes, which are swizzled as descriptors have it (cuda_cpu_group.c).  */

#include "cuda_cpu_block.h"

#include <stdlib.h>
#include <string.h>

#define ROW_BYTES  128
#define BLOCK_ROWS 8

/* Eight bytes of shared memory: arrivals that are missing, of COUNT; bytes that
   are; how many phases there were, but for their carry.  */
struct barrier
{
  uint16_t missing, count;
  uint32_t bytes : 31, phase : 1;
};

/* A copy under way, of the box at (X, Y) of MAP, to TO.  */
struct copy
{
  char *to;
  struct tns_cpu_map map;
  int x, y;
  struct barrier *barrier;
};

static struct
{
  struct copy *copy;
  size_t n, room;
} under_way;

/* The object is unloaded.  */
static __attribute__ ((destructor)) void
free_copies (void)
{
  free (under_way.copy);
  under_way.copy = NULL;
  under_way.n = under_way.room = 0;
}

void
tns_cpu_map_forget (void)
{
  under_way.n = 0;
}

/* End B's phase where nothing is missing.  */
static void
look_at_phase (struct barrier *b)
{
  if (b->missing > 0 || b->bytes > 0)
    return;
  b->missing = b->count;
  b->phase ^= 1;
}

void
tns_cpu_barrier_init (void *barrier, int arrivals)
{
  tns_cpu_look (barrier, 8, 8, TNS_CPU_READS, TNS_CPU_CALLER);
  *(struct barrier *) barrier
    = (struct barrier){ (uint16_t) arrivals, (uint16_t) arrivals, 0, 0 };
}

void
tns_cpu_barrier_arrive (void *barrier, unsigned bytes)
{
  struct barrier *b = barrier;
  if (b->missing == 0 || b->count == 0)
    tns_cpu_stop (CUDA_CPU_DIVERGED,
                  "thread %u of block %u arrives at a barrier at which all "
                  "have arrived",
                  tns_cpu_here.current->number, tns_cpu_here.place);
  b->missing--;
  b->bytes += bytes;
  look_at_phase (b);
}

void
tns_cpu_barrier_wait (void *barrier, int parity)
{
  struct tns_cpu_thread *self = tns_cpu_here.current;
  self->operand = barrier;
  self->predicate = parity;
  self->state = TNS_CPU_AT_PHASE;
  tns_cpu_yield ();
}

/* Room for one more copy; the launch ends where there is no memory.  */
static void
make_room (void)
{
  if (under_way.n < under_way.room)
    return;
  size_t room = 2 * under_way.room + 8;
  struct copy *more = realloc (under_way.copy, room * sizeof *more);
  if (!more)
    tns_cpu_stop (CUDA_CPU_MEMORY, "no memory for copies by maps");
  under_way.copy = more;
  under_way.room = room;
}

/* How many elements of row Y of MAP there are from X on, of a box's.  */
static int
there (const struct tns_cpu_map *map, int x, int y)
{
  long long left = (long long) map->extent[0] - x;
  if (y < 0 || x < 0 || (unsigned long long) y >= map->extent[1] || left < 0)
    return 0;
  return left < map->box[0] ? (int) left : (int) map->box[0];
}

/* Element (X, Y) of MAP.  */
static const char *
element_of (const struct tns_cpu_map *map, int x, int y)
{
  return map->base + (unsigned long long) y * map->stride + 2 * (size_t) x;
}

void
tns_cpu_map_copy (void *to, const void *by, int x, int y, void *barrier)
{
  const struct tns_cpu_map *map = by;
  size_t at = (size_t) ((char *) to - tns_cpu_here.dynamic);
  size_t bytes = (size_t) map->box[1] * ROW_BYTES;
  if (map->mark != TNS_CPU_MAP || map->box[0] * 2 != ROW_BYTES
      || at % (BLOCK_ROWS * ROW_BYTES) || at >= tns_cpu_here.dynamic_bytes
      || bytes > tns_cpu_here.dynamic_bytes - at)
    tns_cpu_stop (CUDA_CPU_BOUNDS,
                  "thread %u of block %u copies by no map, or to no place "
                  "for it",
                  tns_cpu_here.current->number, tns_cpu_here.place);
  for (int row = 0; row < (int) map->box[1]; row++)
    tns_cpu_look (element_of (map, x, y + row),
                  2 * (size_t) there (map, x, y + row), 2, TNS_CPU_READS,
                  TNS_CPU_CALLER);
  tns_cpu_order_map ((uintptr_t) to, bytes, TNS_CPU_CALLER);
  memset (to, 0xff, bytes);
  make_room ();
  under_way.copy[under_way.n++] = (struct copy){ to, *map, x, y, barrier };
}

/* Do COPY.  */
static void
finish (const struct copy *copy)
{
  const struct tns_cpu_map *map = &copy->map;
  size_t bytes = (size_t) map->box[1] * ROW_BYTES;
  tns_cpu_order_copy ((uintptr_t) copy->to, bytes, false, NULL);
  memset (copy->to, 0, bytes);
  for (int row = 0; row < (int) map->box[1]; row++)
    for (int k = 0; k < there (map, copy->x, copy->y + row); k++)
      {
        int chunk = k / 8 ^ row % BLOCK_ROWS;
        memcpy (copy->to + row * ROW_BYTES + chunk * 16 + k % 8 * 2,
                element_of (map, copy->x + k, copy->y + row), 2);
      }
  copy->barrier->bytes -= (uint32_t) bytes;
  look_at_phase (copy->barrier);
}

bool
tns_cpu_map_settle (void)
{
  bool settled = false;
  for (size_t i = 0; i < under_way.n; i++)
    finish (&under_way.copy[i]);
  under_way.n = 0;
  for (unsigned i = 0; i < tns_cpu_here.n_threads; i++)
    {
      struct tns_cpu_thread *thread = &tns_cpu_here.thread[i];
      if (thread->state != TNS_CPU_AT_PHASE)
        continue;
      const struct barrier *b = thread->operand;
      if (b->phase != (unsigned) thread->predicate)
        {
          thread->state = TNS_CPU_READY;
          settled = true;
        }
    }
  return settled;
}

void
tns_cpu_map_tell (const struct tns_cpu_thread *thread)
{
  tns_cpu_stop (CUDA_CPU_DIVERGED,
                "thread %u of block %u waits for a barrier that nobody "
                "completes",
                thread->number, tns_cpu_here.place);
}
