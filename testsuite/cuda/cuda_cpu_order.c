/* Races: two accesses to a byte, one of which writes, that nothing orders.  An
   asynchronous copy writes from when it begins to when it is waited for: nobody
   may touch where it goes in between, its own thread neither.  A product of a
   warpgroup reads as long.

   Each four bytes of memory that kernels touch have a granule: their last
   accesses, as many as fit.  A new access is held against those, then drops the
   ones that it stands for: what races with them later would race with it, too.

   Two accesses of a block are ordered by its barrier or by their warp; two
   blocks only by atomics, as in a reduction whose last block adds:

     block 1: partial[1] = x;  __threadfence ();  atomicAdd (&ticket, 1)
     block 2: atomicAdd (&ticket, 1) was the last;  ... partial[1] ...

   A fence fixes what its thread knows is done (struct tns_cpu_seen), an atomic
   publishes the last fence of its thread at its address, and takes what was
   published there for the thread, and behind the next barrier for its
   block.  */

#include "cuda_cpu_block.h"

#include <stdlib.h>
#include <string.h>

#define N_CELLS       8
#define GRANULE       4
#define PAGE          4096
#define PAGE_GRANULES (PAGE / GRANULE)

/* An access: to the bytes MASK of a granule; PC as an offset in the object.
   TIME 0: none.  */
struct cell
{
  uint32_t time, block, pc;
  uint16_t thread;
  uint8_t mask, access;
};

/* A copy to a granule that THREAD of BLOCK began at PC, and which is under way;
   BLOCK 0: none.  */
struct under_way
{
  uint32_t block, pc;
  unsigned thread;
};

/* The granules of the page that begins at ADDRESS.  read: the last of the
   n_reads products that read a granule.  */
struct page
{
  uintptr_t address;
  struct page *next;
  struct cell cell[PAGE_GRANULES][N_CELLS];
  struct under_way copy[PAGE_GRANULES];
  struct under_way read[PAGE_GRANULES];
  uint32_t n_reads[PAGE_GRANULES];
};

/* What THREAD of BLOCK published at ADDRESS.  */
struct published
{
  uintptr_t address;
  uint32_t block;
  unsigned thread;
  struct tns_cpu_seen seen;
};

/* THREAD of the block that runs has taken the first UPTO that were published,
   of those at ADDRESS, at TIME.  */
struct taken
{
  uintptr_t address;
  unsigned thread;
  uint32_t time;
  size_t upto;
};

#define N_LISTS 4096

static struct page *pages[N_LISTS];
static struct page *last_page;

static struct
{
  struct published *published;
  size_t n_published, published_room;
  struct taken *taken;
  size_t n_taken, taken_room;
} atomics;

static unsigned victim;

/* ARRAY of *ROOM elements of BYTES bytes with room for one more behind N; NULL:
   no memory, said.  */
static void *
with_room (void *array, size_t n, size_t *room, size_t bytes)
{
  if (n < *room)
    return array;
  void *more = realloc (array, (2 * *room + 16) * bytes);
  if (!more)
    tns_cpu_stop (CUDA_CPU_MEMORY, "no memory to find races");
  else
    *room = 2 * *room + 16;
  return more;
}

void
tns_cpu_order_forget (void)
{
  last_page = NULL;
  for (int i = 0; i < N_LISTS; i++)
    while (pages[i])
      {
        struct page *next = pages[i]->next;
        free (pages[i]);
        pages[i] = next;
      }
}

/* The object is unloaded.  */
static __attribute__ ((destructor)) void
free_all (void)
{
  tns_cpu_order_forget ();
  free (atomics.published);
  free (atomics.taken);
}

void
tns_cpu_order_launch (void)
{
  atomics.n_published = 0;
  atomics.n_taken = 0;
}

void
tns_cpu_order_block (void)
{
  atomics.n_taken = 0;
}

void
tns_cpu_fence (void)
{
  struct tns_cpu_thread *self = tns_cpu_here.current;
  self->fence.own = ++tns_cpu_now;
  self->fence.barrier = tns_cpu_here.barrier;
  self->fence.warp = tns_cpu_here.warp[self->number / 32];
}

void
tns_cpu_publish (uintptr_t address)
{
  const struct tns_cpu_thread *self = tns_cpu_here.current;
  struct taken *taken = with_room (atomics.taken, atomics.n_taken,
                                   &atomics.taken_room, sizeof *taken);
  struct published *published
    = with_room (atomics.published, atomics.n_published,
                 &atomics.published_room, sizeof *published);
  atomics.taken = taken;
  atomics.published = published;
  taken[atomics.n_taken++]
    = (struct taken){ address, self->number, ++tns_cpu_now,
                      atomics.n_published };
  published[atomics.n_published++]
    = (struct published){ address, tns_cpu_here.number, self->number,
                          self->fence };
}

/* Whether the thread that runs stands behind what THREAD of its block did at
   TIME.  */
static bool
is_behind (unsigned thread, uint32_t time)
{
  unsigned self = tns_cpu_here.current->number;
  if (thread == self || time < tns_cpu_here.barrier)
    return true;
  return thread / 32 == self / 32
         && (time < tns_cpu_here.warp[self / 32]
             || time < tns_cpu_here.met[self / 32][thread % 32][self % 32]);
}

/* Whether what was published covers the access CELL.  */
static bool
covers (const struct published *published, const struct cell *cell)
{
  return published->block == cell->block
         && (cell->time < published->seen.barrier
             || (cell->thread == published->thread
                 && cell->time < published->seen.own)
             || (cell->thread / 32u == published->thread / 32
                 && cell->time < published->seen.warp));
}

/* Whether atomics order the access CELL of another block to ADDRESS before
   what the current thread does.  */
static bool
is_ordered_by_atomics (const struct cell *cell, uintptr_t address)
{
  for (size_t i = 0; i < atomics.n_taken; i++)
    {
      const struct taken *taken = &atomics.taken[i];
      if (!is_behind (taken->thread, taken->time))
        continue;
      if (cell->access == TNS_CPU_ADDS && taken->address == address)
        return true;
      for (size_t k = 0; k < taken->upto; k++)
        if (atomics.published[k].address == taken->address
            && covers (&atomics.published[k], cell))
          return true;
    }
  return false;
}

/* Whether CELL holds nothing, or an access to what was other memory: of an
   earlier launch, or of another block's shared memory.  */
static bool
is_stale (const struct cell *cell, bool shared)
{
  return cell->time < tns_cpu_began
         || (shared && cell->block != tns_cpu_here.number);
}

/* Whether the access CELL is over for the current thread.  */
static bool
is_over (const struct cell *cell, uintptr_t address)
{
  return cell->block == tns_cpu_here.number
           ? is_behind (cell->thread, cell->time)
           : is_ordered_by_atomics (cell, address);
}

/* Whether A and B can be a race.  */
static bool
is_conflict (enum tns_cpu_access a, enum tns_cpu_access b)
{
  return a != b || a == TNS_CPU_WRITES;
}

/* Whether a later access B to the same bytes stands for A.  */
static bool
stands_for (enum tns_cpu_access b, enum tns_cpu_access a)
{
  return b == TNS_CPU_WRITES || b == a;
}

/* Say that NEW, by the current thread, races with OLD.  */
static void
tell_race (const struct cell *new, const struct cell *old, uintptr_t address,
           bool shared)
{
  static const char *const verb[] = { "reads", "writes", "adds to" };
  static const char *const verbed[] = { "read", "wrote", "added to" };
  char line[300], old_line[300];
  bool same = old->block == tns_cpu_here.number;
  tns_cpu_stop (
    CUDA_CPU_RACE,
    "%s: thread %u of block %u %s %s memory at %#lx that thread %u of %s "
    "block %s at %s, and nothing orders the two",
    tns_cpu_line (__ehdr_start + new->pc, line, sizeof line), new->thread,
    tns_cpu_here.place, verb[new->access], shared ? "shared" : "global",
    (unsigned long) address, old->thread, same ? "this" : "another",
    verbed[old->access],
    tns_cpu_line (__ehdr_start + old->pc, old_line, sizeof old_line));
}

/* Hold NEW against OLD, an access to the same granule; whether OLD still has to
   be kept beside it.  */
static bool
meets (const struct cell *old, const struct cell *new, uintptr_t address,
       bool shared)
{
  bool conflict
    = old->mask & new->mask &&is_conflict (old->access, new->access);
  bool stands
    = !(old->mask & ~new->mask) && stands_for (new->access, old->access);
  if (stands && new->access == TNS_CPU_ADDS)
    return false;
  if (!conflict && !stands)
    return true;
  bool over = is_over (old, address);
  if (conflict && !over)
    tell_race (new, old, address, shared);
  return !over || !stands;
}

/* The granules of the page of ADDRESS; NULL: no memory.  */
static struct page *
page_of (uintptr_t address)
{
  address -= address % PAGE;
  if (last_page && last_page->address == address)
    return last_page;
  struct page **list = &pages[address / PAGE % N_LISTS];
  struct page *page = *list;
  while (page && page->address != address)
    page = page->next;
  if (!page && (page = calloc (1, sizeof *page)))
    {
      page->address = address;
      page->next = *list;
      *list = page;
    }
  last_page = page;
  return page;
}

/* The cell of CELL[0..N_CELLS) that is given up: of a read where one is.  */
static struct cell *
give_up (struct cell *cell)
{
  for (unsigned i = 0; i < N_CELLS; i++)
    {
      struct cell *other = &cell[(victim + i) % N_CELLS];
      if (other->access == TNS_CPU_READS)
        {
          victim++;
          return other;
        }
    }
  return &cell[victim++ % N_CELLS];
}

/* Hold NEW against the last accesses CELL[0..N_CELLS) of the granule at
   ADDRESS, and keep it.  */
static void
see (struct cell *cell, const struct cell *new, uintptr_t address, bool shared)
{
  struct cell *room = NULL;
  for (unsigned i = 0; i < N_CELLS; i++)
    {
      struct cell *old = &cell[i];
      if (is_stale (old, shared) || !meets (old, new, address, shared))
        {
          old->time = 0;
          room = old;
        }
    }
  *(room ? room : give_up (cell)) = *new;
}

/* The granules of the page of ADDRESS; the launch ends where there is no
   memory.  */
static struct page *
needed_page (uintptr_t address)
{
  struct page *page = page_of (address);
  if (!page)
    tns_cpu_stop (CUDA_CPU_MEMORY, "no memory to find races");
  return page;
}

/* Say that NEW, by the current thread, is of what the copy OLD fills.  */
static void
tell_under_way (const struct cell *new, const struct under_way *old)
{
  static const char *const verb[] = { "reads", "writes", "adds to" };
  char line[300], old_line[300];
  tns_cpu_stop (
    CUDA_CPU_RACE,
    "%s: thread %u of block %u %s shared memory that a copy fills which thread "
    "%u began at %s and has not waited for",
    tns_cpu_line (__ehdr_start + new->pc, line, sizeof line), new->thread,
    tns_cpu_here.place, verb[new->access], old->thread,
    tns_cpu_line (__ehdr_start + old->pc, old_line, sizeof old_line));
}

/* What the current thread begins, called from PC.  */
static struct under_way
under_way_from (const void *pc)
{
  return (struct under_way){ tns_cpu_here.number,
                             (uint32_t) ((const char *) pc - __ehdr_start),
                             tns_cpu_here.current->number };
}

void
tns_cpu_order_copy (uintptr_t address, size_t bytes, bool begins,
                    const void *pc)
{
  struct under_way none = { 0 };
  struct under_way copy = begins ? under_way_from (pc) : none;
  for (uintptr_t at = address; at < address + bytes; at += GRANULE)
    needed_page (at)->copy[at % PAGE / GRANULE] = copy;
}

/* Say that a product at PC reads what OLD wrote, which is not shown.  */
static void
tell_not_shown (const struct cell *old, const void *pc)
{
  char line[300], old_line[300];
  tns_cpu_stop (
    CUDA_CPU_RACE,
    "%s: a warpgroup of block %u reads shared memory that thread "
    "%u wrote at %s and has not shown it",
    tns_cpu_line (pc, line, sizeof line), tns_cpu_here.place, old->thread,
    tns_cpu_line (__ehdr_start + old->pc, old_line, sizeof old_line));
}

/* Whether what was written of CELL[0..N_CELLS) in this block is shown to
   warpgroups; says so where not.  */
static bool
is_shown (const struct cell *cell, const void *pc)
{
  for (unsigned i = 0; i < N_CELLS; i++)
    if (!is_stale (&cell[i], true) && cell[i].access == TNS_CPU_WRITES
        && cell[i].time >= tns_cpu_here.thread[cell[i].thread].shown)
      {
        tell_not_shown (&cell[i], pc);
        return false;
      }
  return true;
}

void
tns_cpu_order_group (uintptr_t address, size_t bytes, bool begins,
                     const void *pc)
{
  for (uintptr_t at = address; at < address + bytes; at += GRANULE)
    {
      unsigned granule = (unsigned) (at % PAGE / GRANULE);
      struct page *page = needed_page (at);
      uint32_t *n = &page->n_reads[granule];
      if (!begins)
        {
          *n -= *n > 0;
          continue;
        }
      if (!is_shown (page->cell[granule], pc))
        return;
      *n = page->read[granule].block == tns_cpu_here.number ? *n + 1 : 1;
      page->read[granule] = under_way_from (pc);
    }
}

/* Say that NEW, by the current thread, is of what the product OLD reads.  */
static void
tell_read (const struct cell *new, const struct under_way *old)
{
  char line[300], old_line[300];
  tns_cpu_stop (
    CUDA_CPU_RACE,
    "%s: thread %u of block %u writes shared memory that a product reads which "
    "began at %s and which its warpgroup has not waited for",
    tns_cpu_line (__ehdr_start + new->pc, line, sizeof line), new->thread,
    tns_cpu_here.place,
    tns_cpu_line (__ehdr_start + old->pc, old_line, sizeof old_line));
}

/* Look whether NEW, of granule GRANULE of PAGE of shared memory, is of what is
   under way.  */
static void
see_under_way (const struct cell *new, const struct page *page,
               unsigned granule)
{
  if (page->copy[granule].block == tns_cpu_here.number)
    tell_under_way (new, &page->copy[granule]);
  if (new->access != TNS_CPU_READS && page->n_reads[granule] > 0
      && page->read[granule].block == tns_cpu_here.number)
    tell_read (new, &page->read[granule]);
}

void
tns_cpu_order_map (uintptr_t address, size_t bytes, const void *pc)
{
  struct cell new = { .time = tns_cpu_now,
                      .pc = (uint32_t) ((const char *) pc - __ehdr_start),
                      .thread = (uint16_t) tns_cpu_here.current->number,
                      .access = TNS_CPU_WRITES };
  for (uintptr_t at = address; at < address + bytes; at += GRANULE)
    see_under_way (&new, needed_page (at), (unsigned) (at % PAGE / GRANULE));
  tns_cpu_order_copy (address, bytes, true, pc);
}

void
tns_cpu_order (uintptr_t address, size_t bytes, enum tns_cpu_access access,
               bool shared, const void *pc)
{
  struct cell new = { .time = tns_cpu_now,
                      .block = tns_cpu_here.number,
                      .pc = (uint32_t) ((const char *) pc - __ehdr_start),
                      .thread = (uint16_t) tns_cpu_here.current->number,
                      .access = (uint8_t) access };
  uintptr_t end = address + bytes;
  while (address < end)
    {
      uintptr_t granule = address - address % GRANULE;
      uintptr_t stop = granule + GRANULE < end ? granule + GRANULE : end;
      struct page *page = needed_page (granule);
      new.mask
        = (uint8_t) ((1u << (stop - granule)) - (1u << (address - granule)));
      if (shared)
        see_under_way (&new, page, (unsigned) (granule % PAGE / GRANULE));
      see (page->cell[granule % PAGE / GRANULE], &new, granule, shared);
      address = stop;
    }
}

unsigned
tns_cpu_atomic_add (unsigned *at, unsigned more)
{
  unsigned before;
  if (tns_cpu_any (2))
    tns_cpu_yield ();
  tns_cpu_look (at, sizeof *at, sizeof *at, TNS_CPU_ADDS, TNS_CPU_CALLER);
  tns_cpu_publish ((uintptr_t) at);
  before = *at;
  *at += more;
  return before;
}

unsigned
tns_cpu_atomic_next (unsigned *at, unsigned limit)
{
  unsigned before;
  if (tns_cpu_any (2))
    tns_cpu_yield ();
  tns_cpu_look (at, sizeof *at, sizeof *at, TNS_CPU_ADDS, TNS_CPU_CALLER);
  tns_cpu_publish ((uintptr_t) at);
  before = *at;
  *at = before >= limit ? 0 : before + 1;
  return before;
}
