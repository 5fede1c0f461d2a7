/* What the files of the CPU's run of kernels share: the block that runs, its
   threads, and the clock.

   One thread runs at a time, so there is one order of all that happens; the
   clock ticks when something orders threads: barriers, warp functions that all
   lanes of a warp take part in, fences, atomics.  What stamped T orders lies
   behind all accesses with a time below T.  */

#ifndef CUDA_CPU_BLOCK_H
#define CUDA_CPU_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "cuda_cpu_run.h"

#define TNS_CPU_MOST_THREADS 1024

/* Bytes around memory of the block that nobody may touch.  */
#define TNS_CPU_GUARD 4096

/* A coroutine.  */
struct tns_cpu_context;

/* Run ENTRY on STACK[0..BYTES), once switched to; it must not return.  NULL: no
   memory.  The caller frees it.  */
extern CUDA_CPU_HIDDEN struct tns_cpu_context *
tns_cpu_context_new (void *stack, size_t bytes, void (*entry) (void));

/* Go on in TO, until something switches to FROM.  */
extern CUDA_CPU_HIDDEN void tns_cpu_switch (struct tns_cpu_context *from,
                                            struct tns_cpu_context *to);

enum tns_cpu_state
{
  TNS_CPU_READY,
  TNS_CPU_AT_BARRIER,
  TNS_CPU_AT_WARP,
  TNS_CPU_AT_GROUP,
  TNS_CPU_AT_PHASE,
  TNS_CPU_RETURNED
};

/* A copy that is under way: VALID of BYTES, in the thread's group GROUP.  */
struct tns_cpu_pending
{
  char *shared;
  const char *global;
  int bytes, valid;
  unsigned group;
};

/* The times that a fence fixes: what its thread did before OWN, the threads of
   its warp before WARP, those of its block before BARRIER.  OWN 0: none.  */
struct tns_cpu_seen
{
  uint32_t own, warp, barrier;
};

/* What the last thread of warpgroup NUMBER does for all of them, with what each
   gave.  */
typedef void tns_cpu_group_all (struct tns_cpu_site at, unsigned number,
                                void *const *operand);

/* A thread of the block.

     number     x fastest; its lane is number % 32
     at         where it waits, for the lanes of MASK or the block
     predicate  what it gave to the barrier; the parity that it waits for
     operand    what it gave to the warp function, which ALL completes; ORDERS:
                the function orders the lanes
     copies     [n_copies] of ROOM: the copies under way; GROUP is open
     fence      its last one in this block
     meets      what completes the warpgroup's function that it waits in
     batch      the group of its products that is open; fenced: their sums are
                theirs
     shown      when it last showed warpgroups what it had stored  */
struct tns_cpu_thread
{
  struct tns_cpu_context *context;
  struct tns_cpu_index index;
  unsigned number;
  enum tns_cpu_state state;
  struct tns_cpu_site at;
  unsigned mask;
  int predicate;
  void *operand;
  tns_cpu_all *all;
  int orders;
  struct tns_cpu_pending *copies;
  int n_copies, room;
  unsigned group;
  struct tns_cpu_seen fence;
  tns_cpu_group_all *meets;
  unsigned batch;
  bool fenced;
  uint32_t shown;
};

/* The block that runs.

     thread   [n_threads]
     current  the one that runs, NULL outside
     number   of the block, counted over all launches from 1
     place    its number in the grid, x fastest
     barrier  when its last barrier was
     warp     when all lanes of each warp last met
     met      when some of a warp did: two lanes of it
     result   of the last barrier, by enum tns_cpu_barrier_result
     dynamic  its TNS_SHARED, dynamic_bytes long  */
struct tns_cpu_block
{
  struct tns_cpu_index grid, size, index;
  struct tns_cpu_thread *thread;
  unsigned n_threads;
  struct tns_cpu_thread *current;
  uint32_t number, place, barrier, warp[32], met[32][32][32];
  int result[3];
  char *dynamic;
  size_t dynamic_bytes;
};

extern CUDA_CPU_HIDDEN struct tns_cpu_block tns_cpu_here;

/* The clock; when the launch began.  */
extern CUDA_CPU_HIDDEN uint32_t tns_cpu_now, tns_cpu_began;

/* What is wrong, as printf; the first one counts.  Called by a thread it does
   not return: the launch ends.  */
extern CUDA_CPU_HIDDEN void tns_cpu_stop (enum cuda_cpu_status status,
                                          const char *words, ...)
  __attribute__ ((format (printf, 2, 3)));

/* The status of the launch so far.  */
extern CUDA_CPU_HIDDEN enum cuda_cpu_status tns_cpu_status;

/* The current thread lets others run; it goes on when it is READY.  */
extern CUDA_CPU_HIDDEN void tns_cpu_yield (void);

/* A number below N, by the seed; 0 without one.  */
extern CUDA_CPU_HIDDEN unsigned tns_cpu_any (unsigned n);

/* Exchange ORDER[0..N), 0, 1, ... at first, as the seed says.  */
extern CUDA_CPU_HIDDEN void tns_cpu_mix (unsigned *order, unsigned n);

/* Call the kernel of the launch with its parameters.  */
extern CUDA_CPU_HIDDEN void tns_cpu_call_kernel (void);

/* Make N threads for a launch; whether there is memory.  Run those of the
   block, until all have returned or something is wrong.  */
extern CUDA_CPU_HIDDEN bool tns_cpu_threads_prepare (unsigned n);
extern CUDA_CPU_HIDDEN void tns_cpu_threads_run (void);

/* Complete what the lanes of WARP wait for, where all of one mask do; whether
   some were.  Of those left over: tell how they wait for each other.  */
extern CUDA_CPU_HIDDEN bool tns_cpu_warp_settle (unsigned warp);
extern CUDA_CPU_HIDDEN void tns_cpu_warp_tell (unsigned warp);

/* Wait for the warpgroup, whose last thread calls ALL.  */
extern CUDA_CPU_HIDDEN void tns_cpu_group_meet (struct tns_cpu_site at,
                                                void *operand,
                                                tns_cpu_group_all *all);

/* Complete what warpgroups wait for; whether some did.  Some thread does in
   vain: say so.  Another block begins.  */
extern CUDA_CPU_HIDDEN bool tns_cpu_group_settle (void);
extern CUDA_CPU_HIDDEN void tns_cpu_group_tell (void);
extern CUDA_CPU_HIDDEN void tns_cpu_group_forget (void);

/* Copies by maps end, and threads go on that wait for barriers; whether some
   do.  THREAD waits in vain: say so.  Another block begins.  */
extern CUDA_CPU_HIDDEN bool tns_cpu_map_settle (void);
extern CUDA_CPU_HIDDEN void
tns_cpu_map_tell (const struct tns_cpu_thread *thread);
extern CUDA_CPU_HIDDEN void tns_cpu_map_forget (void);

/* The value of an ELEMENT of 16 BITS.  */
extern CUDA_CPU_HIDDEN float tns_cpu_value (enum tns_cpu_element element,
                                            unsigned bits);

/* Whether [ADDRESS, ADDRESS + BYTES) touches the current thread's stack, or
   OTHERS: one of another thread.  */
extern CUDA_CPU_HIDDEN bool tns_cpu_on_stack (uintptr_t address, size_t bytes,
                                              bool others);

/* Each block's shared memory: make it ready, filled with NaN.  */
extern CUDA_CPU_HIDDEN void tns_cpu_shared_fill (void);

/* Where the text called the function that this stands in.  */
#define TNS_CPU_CALLER __builtin_return_address (0)

/* What an access does.  */
enum tns_cpu_access
{
  TNS_CPU_READS,
  TNS_CPU_WRITES,
  TNS_CPU_ADDS
};

/* The current thread accesses memory, called from PC in the text: whether it
   may, and nothing races.  ALIGNMENT 1: any.  */
extern CUDA_CPU_HIDDEN void tns_cpu_look (const void *address, size_t bytes,
                                          size_t alignment,
                                          enum tns_cpu_access access,
                                          const void *pc);

/* Whether nothing races with it, of memory that may be accessed; SHARED: the
   block's.  */
extern CUDA_CPU_HIDDEN void tns_cpu_order (uintptr_t address, size_t bytes,
                                           enum tns_cpu_access access,
                                           bool shared, const void *pc);

/* The current thread's copy to BYTES, a multiple of 4, of the block's memory
   begins, called from PC, or is waited for.  */
extern CUDA_CPU_HIDDEN void tns_cpu_order_copy (uintptr_t address, size_t bytes,
                                                bool begins, const void *pc);

/* A copy by a map to BYTES, likewise, begins, which is not the thread's.  */
extern CUDA_CPU_HIDDEN void tns_cpu_order_map (uintptr_t address, size_t bytes,
                                               const void *pc);

/* Its warpgroup's product begins to read BYTES, likewise, called from PC, or
   has read them: nobody writes them in between, and who wrote them before has
   shown them.  */
extern CUDA_CPU_HIDDEN void tns_cpu_order_group (uintptr_t address,
                                                 size_t bytes, bool begins,
                                                 const void *pc);

/* The current thread's atomic at ADDRESS was: it orders what fences fixed
   before the atomics there in front of what the block does from now.  */
extern CUDA_CPU_HIDDEN void tns_cpu_publish (uintptr_t address);

/* Another block, or launch, begins for these.  */
extern CUDA_CPU_HIDDEN void tns_cpu_order_block (void);
extern CUDA_CPU_HIDDEN void tns_cpu_order_launch (void);

/* No access was.  */
extern CUDA_CPU_HIDDEN void tns_cpu_order_forget (void);

/* FILE:LINE of PC, of the text's debug information, else an offset.  TO has
   room for BYTES.  */
extern CUDA_CPU_HIDDEN const char *tns_cpu_line (const void *pc, char *to,
                                                 size_t bytes);

/* The first byte of the object.  */
extern CUDA_CPU_HIDDEN const char __ehdr_start[];

#endif
