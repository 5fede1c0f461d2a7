/* The threads of a block as coroutines, on stacks of their own.

   A sweep lets each warp run: its lanes that are ready one after the other,
   then what they wait for together.  When no thread is ready the block's
   barrier is due.  */

#define _GNU_SOURCE

#include "cuda_cpu_block.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define STACK_BYTES ((size_t) 320 << 10)

static struct tns_cpu_thread threads[TNS_CPU_MOST_THREADS];
static char *stacks;
static unsigned n_stacks;
static struct tns_cpu_context *scheduler;

void
tns_cpu_yield (void)
{
  tns_cpu_switch (tns_cpu_here.current->context, scheduler);
}

int
tns_cpu_lane (void)
{
  return (int) (tns_cpu_here.current->number % 32);
}

bool
tns_cpu_on_stack (uintptr_t address, size_t bytes, bool others)
{
  uintptr_t first = (uintptr_t) stacks;
  uintptr_t end = first + n_stacks * STACK_BYTES;
  if (!others)
    {
      first += tns_cpu_here.current->number * STACK_BYTES;
      end = first + STACK_BYTES;
    }
  return address + bytes > first && address < end;
}

/* What each thread does.  */
static void
thread_main (void)
{
  tns_cpu_call_kernel ();
  tns_cpu_here.current->state = TNS_CPU_RETURNED;
  tns_cpu_yield ();
}

int
tns_cpu_barrier (struct tns_cpu_site at, int predicate,
                 enum tns_cpu_barrier_result result)
{
  struct tns_cpu_thread *self = tns_cpu_here.current;
  self->at = at;
  self->mask = 0;
  self->predicate = predicate != 0;
  self->state = TNS_CPU_AT_BARRIER;
  tns_cpu_yield ();
  return tns_cpu_here.result[result];
}

/* Let THREAD run until it waits or returns.  */
static void
resume (struct tns_cpu_thread *thread)
{
  tns_cpu_here.current = thread;
  tns_cpu_switch (scheduler, thread->context);
  tns_cpu_here.current = NULL;
}

/* Let the lanes of WARP run which are ready; whether one was.  */
static bool
run_lanes (unsigned warp)
{
  unsigned order[32], n = tns_cpu_here.n_threads - 32 * warp;
  n = n < 32 ? n : 32;
  for (unsigned i = 0; i < n; i++)
    order[i] = 32 * warp + i;
  tns_cpu_mix (order, n);
  bool ran = false;
  for (unsigned i = 0; i < n && tns_cpu_status == CUDA_CPU_DONE; i++)
    if (threads[order[i]].state == TNS_CPU_READY)
      {
        resume (&threads[order[i]]);
        ran = true;
      }
  return ran;
}

/* Let each warp run for a while; whether a thread did.  */
static bool
sweep (void)
{
  unsigned order[TNS_CPU_MOST_THREADS / 32];
  unsigned n = (tns_cpu_here.n_threads + 31) / 32;
  for (unsigned i = 0; i < n; i++)
    order[i] = i;
  tns_cpu_mix (order, n);
  bool ran = false;
  for (unsigned i = 0; i < n; i++)
    do
      {
        ran |= run_lanes (order[i]);
        if (tns_cpu_status != CUDA_CPU_DONE)
          return false;
      }
    while (tns_cpu_warp_settle (order[i]) && tns_cpu_any (4));
  return ran;
}

/* The first thread in STATE, NULL where none is.  */
static struct tns_cpu_thread *
first_in (enum tns_cpu_state state)
{
  for (unsigned i = 0; i < tns_cpu_here.n_threads; i++)
    if (threads[i].state == state)
      return &threads[i];
  return NULL;
}

/* Threads wait at a barrier, FIRST among them, and not all do: say so.  */
static void
tell_returned (const struct tns_cpu_thread *first)
{
  const struct tns_cpu_thread *gone = first_in (TNS_CPU_RETURNED);
  tns_cpu_stop (CUDA_CPU_DIVERGED,
                "%s:%d: thread %u of block %u waits in %s for thread %u, "
                "which has returned",
                first->at.file, first->at.line, first->number,
                tns_cpu_here.place, first->at.name, gone->number);
}

/* Whether all threads wait at the place where FIRST does; says so where one
   waits elsewhere.  */
static bool
is_one_place (const struct tns_cpu_thread *first)
{
  for (unsigned i = 0; i < tns_cpu_here.n_threads; i++)
    {
      const struct tns_cpu_thread *other = &threads[i];
      if (other->at.line == first->at.line
          && !strcmp (other->at.file, first->at.file)
          && !strcmp (other->at.name, first->at.name))
        continue;
      tns_cpu_stop (CUDA_CPU_DIVERGED,
                    "%s:%d: thread %u of block %u waits in %s, and thread %u "
                    "in %s at %s:%d",
                    first->at.file, first->at.line, first->number,
                    tns_cpu_here.place, first->at.name, other->number,
                    other->at.name, other->at.file, other->at.line);
      return false;
    }
  return true;
}

/* All threads wait at one barrier: they go on.  */
static void
pass_barrier (void)
{
  int count = 0, n = (int) tns_cpu_here.n_threads;
  for (int i = 0; i < n; i++)
    {
      count += threads[i].predicate;
      threads[i].state = TNS_CPU_READY;
    }
  tns_cpu_here.result[TNS_CPU_OR] = count > 0;
  tns_cpu_here.result[TNS_CPU_AND] = count == n;
  tns_cpu_here.result[TNS_CPU_COUNT] = count;
  tns_cpu_here.barrier = ++tns_cpu_now;
}

/* No thread is ready: the block has ended (false), a warpgroup or its barrier
   is due, or threads wait in vain (false).  */
static bool
go_on (void)
{
  const struct tns_cpu_thread *at_warp = first_in (TNS_CPU_AT_WARP);
  const struct tns_cpu_thread *first = first_in (TNS_CPU_AT_BARRIER);
  const struct tns_cpu_thread *at_phase = first_in (TNS_CPU_AT_PHASE);
  if (tns_cpu_group_settle () || tns_cpu_map_settle ())
    return true;
  if (at_warp)
    tns_cpu_warp_tell (at_warp->number / 32);
  else if (first_in (TNS_CPU_AT_GROUP))
    tns_cpu_group_tell ();
  else if (at_phase)
    tns_cpu_map_tell (at_phase);
  else if (first && first_in (TNS_CPU_RETURNED))
    tell_returned (first);
  else if (first && is_one_place (first))
    {
      pass_barrier ();
      return true;
    }
  return false;
}

/* The bytes of thread I's stack.  Stacks that began as far apart as a power of
   two would all have their first lines in the same few places of the caches:
   each change of threads missed them.  */
static size_t
stack_bytes (unsigned i)
{
  const size_t line = 64;
  return STACK_BYTES - TNS_CPU_GUARD - i % 61 * 17 * line;
}

/* Make thread I of the block ready to start; whether there is memory.  */
static bool
start_thread (unsigned i)
{
  struct tns_cpu_thread *thread = &threads[i];
  struct tns_cpu_index size = tns_cpu_here.size;
  free (thread->context);
  thread->context = tns_cpu_context_new (
    stacks + i * STACK_BYTES + TNS_CPU_GUARD, stack_bytes (i), thread_main);
  thread->index = (struct tns_cpu_index){ i % size.x, i / size.x % size.y,
                                          i / size.x / size.y };
  thread->number = i;
  thread->state = TNS_CPU_READY;
  thread->n_copies = 0;
  thread->group = 0;
  thread->batch = 0;
  thread->fenced = false;
  thread->shown = 0;
  thread->fence = (struct tns_cpu_seen){ 0 };
  return thread->context;
}

/* The object is unloaded, or needs more stacks.  */
static __attribute__ ((destructor)) void
free_threads (void)
{
  for (unsigned i = 0; i < n_stacks; i++)
    {
      free (threads[i].context);
      free (threads[i].copies);
      threads[i] = (struct tns_cpu_thread){ 0 };
    }
  if (stacks)
    munmap (stacks, n_stacks * STACK_BYTES);
  free (scheduler);
  stacks = NULL;
  scheduler = NULL;
  n_stacks = 0;
}

/* N stacks, each above a page that cannot be accessed; whether there are.  */
static bool
make_stacks (unsigned n)
{
  char *all = mmap (NULL, n * STACK_BYTES, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED)
    return false;
  stacks = all;
  n_stacks = n;
  for (size_t i = 0; i < n; i++)
    if (mprotect (all + i * STACK_BYTES, TNS_CPU_GUARD, PROT_NONE))
      return false;
  return true;
}

bool
tns_cpu_threads_prepare (unsigned n)
{
  tns_cpu_here.thread = threads;
  if (n <= n_stacks)
    return true;
  free_threads ();
  scheduler = tns_cpu_context_new (NULL, 0, NULL);
  return scheduler && make_stacks (n);
}

void
tns_cpu_threads_run (void)
{
  tns_cpu_group_forget ();
  tns_cpu_map_forget ();
  for (unsigned i = 0; i < tns_cpu_here.n_threads; i++)
    if (!start_thread (i))
      {
        tns_cpu_stop (CUDA_CPU_MEMORY, "no memory for the threads");
        return;
      }
  do
    while (sweep ())
      ;
  while (tns_cpu_status == CUDA_CPU_DONE && go_on ());
}
