/* Memory for the temporaries of regions, kept from call to call.

   A request is rounded up to a size class, four to an octave (1, 1.25, 1.5,
   1.75 times a power of two), and served from the class's list of free
   blocks, or from the system when that is empty.  Blocks given back are
   kept, so a region that is called again touches warm memory and makes no
   system call.  Nothing is returned to the system.

     block    | pad | head | memory ...
                           ^ aligned to 64, what the caller sees

   Blocks of a MiB and more begin on a 2 MiB border and ask for huge pages;
   their memory begins a different number of cache lines after the border
   from block to block, so that arrays of one region do not fall on the same
   cache sets.  */

#include "runtime.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#define LINE      64
#define BIG       ((size_t) 1 << 20)
#define HUGE_PAGE ((size_t) 2 << 20)
#define COLOURS   32
#define STEP      9
#define CLASSES   256
#define MAX_BYTES ((int64_t) 1 << 46)

/* What stands in the line before a block's memory: the next free block; the
   block's class; of a region's temporary its bytes and who has it
   (trm_temporary_more).  */
typedef struct head
{
  struct head *next;
  int class;
  int32_t holder;
  int64_t bytes;
} head;

_Static_assert(sizeof (head) <= LINE, "a head fits a cache line");

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static head *free_list[CLASSES];
static unsigned serial;
static int64_t from_system;

/* The bytes of class C.  */
static size_t
class_bytes (int c)
{
  return (size_t) (4 + c % 4) << (c / 4 + 6);
}

/* The smallest class that holds BYTES.  */
static int
class_of (size_t bytes)
{
  int c = 0;
  if (bytes > class_bytes (0))
    c = 4 * (63 - __builtin_clzll ((unsigned long long) bytes) - 8);
  while (class_bytes (c) < bytes)
    c++;
  return c;
}

/* A block of class C from the system, NULL when there is none.  */
static head *
new_block (int c)
{
  size_t bytes = class_bytes (c);
  size_t pad = LINE, border = LINE;
  if (bytes >= BIG)
    {
      unsigned n = __atomic_fetch_add (&serial, 1, __ATOMIC_RELAXED);
      pad = LINE * (1 + n * STEP % COLOURS);
      border = HUGE_PAGE;
    }
  size_t whole = (bytes + pad + border - 1) / border * border;
  char *block = aligned_alloc (border, whole);
  if (!block)
    return NULL;
  __atomic_add_fetch (&from_system, 1, __ATOMIC_RELAXED);
  if (border == HUGE_PAGE)
    madvise (block, whole, MADV_HUGEPAGE);
  head *h = (head *) (block + pad - LINE);
  h->class = c;
  return h;
}

/* A block of class C that was given back, or NULL.  */
static head *
take_free (int c)
{
  pthread_mutex_lock (&lock);
  head *h = free_list[c];
  if (h)
    free_list[c] = h->next;
  pthread_mutex_unlock (&lock);
  return h;
}

int64_t
trm_scratch_from_system (void)
{
  return __atomic_load_n (&from_system, __ATOMIC_RELAXED);
}

void *
trm_block_get (int64_t bytes)
{
  if (bytes < 0 || bytes > MAX_BYTES)
    return NULL;
  int c = class_of ((size_t) bytes);
  head *h = take_free (c);
  if (!h)
    h = new_block (c);
  return h ? (char *) h + LINE : NULL;
}

/* The head of the block that MEMORY is of.  */
static head *
head_of (void *memory)
{
  return (head *) ((char *) memory - LINE);
}

void
trm_block_put (void *memory)
{
  if (!memory)
    return;
  head *h = head_of (memory);
  pthread_mutex_lock (&lock);
  h->next = free_list[h->class];
  free_list[h->class] = h;
  pthread_mutex_unlock (&lock);
}

void *
trm_scratch_get (int64_t bytes)
{
  void *memory = trm_block_get (bytes);
  if (!memory)
    return NULL;
  head *h = head_of (memory);
  bool watched = __atomic_load_n (&trm_memory_watched, __ATOMIC_RELAXED) > 1;
  h->bytes = bytes;
  h->holder = watched ? trm_temporary_more (bytes) : 0;
  return memory;
}

void
trm_scratch_put (void *memory)
{
  if (memory && head_of (memory)->holder)
    trm_temporary_less (head_of (memory)->bytes, head_of (memory)->holder);
  trm_block_put (memory);
}
