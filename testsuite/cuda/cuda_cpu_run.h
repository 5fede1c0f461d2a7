/* What runs CUDA kernels on the CPU, as its two users see it: a program that
   launches kernels, and a text of kernels (through cuda_cpu.h).

   The threads of a block are coroutines in one thread of the CPU; a switch
   happens at barriers, warp functions and atomics, in an order that a seed
   chooses.  Blocks run one after the other, in an order that the seed chooses.
   A text that g++ compiled with -fsanitize=thread,bounds,alignment calls
   functions of these names before each access; they are ours here, and look
   at it.  Nothing is linked with GCC's sanitizers:

     gcc -O2 -fPIC -nostdlib -r -o cuda_cpu.o cuda_cpu*.c
     g++ -x c++ -O1 -gdwarf-4 -fPIC -fno-exceptions -include cuda_cpu.h
         -fsanitize=thread,bounds,alignment -c text.cu -o text.o
     g++ -shared text.o cuda_cpu.o -o text.so

   as build-cpu does.  Without -fsanitize=... it computes the same, faster, and
   finds divergence only.

   With -DTNS_CPU_SHUFFLES_ORDER=0 only __syncwarp orders the lanes of a warp.

   What it cannot do: a thread that waits for another by reading memory until it
   changes waits for ever; a text that calls memcpy is not seen doing so; a
   race is seen where the last accesses that are kept (cuda_cpu_order.c) have
   one side of it, so that another order may find what this one did not.  */

#ifndef CUDA_CPU_RUN_H
#define CUDA_CPU_RUN_H

#include <stddef.h>

#ifdef __cplusplus
extern "C"
{
#endif

#define CUDA_CPU_HIDDEN __attribute__ ((visibility ("hidden")))

  /* How a launch ended.

     DONE      all threads returned
     REFUSED   what no device takes: an empty grid, a block of more than 1024
               threads, more than 227 KiB of shared memory
     DIVERGED  threads wait for each other at different places, or for one
               that has returned
     BOUNDS    an access beside an array, where nothing may be accessed, or
               not aligned
     RACE      two accesses to a byte that nothing orders, one of which writes
     MEMORY    none left  */
  enum cuda_cpu_status
  {
    CUDA_CPU_DONE,
    CUDA_CPU_REFUSED,
    CUDA_CPU_DIVERGED,
    CUDA_CPU_BOUNDS,
    CUDA_CPU_RACE,
    CUDA_CPU_MEMORY
  };

  /* Run KERNEL, whose one parameter is a struct of more than 16 bytes, held in
     PARAM_BYTES (at most 4096) bytes at PARAMS[0], and wait for it.
     SHARED_BYTES are for TNS_SHARED.  The first thing that is wrong ends the
     launch; the rest of it does not run.  Returns a cuda_cpu_status.  One
     launch at a time.  */
  extern int cuda_cpu_launch (void (*kernel) (void), const unsigned grid[3],
                              const unsigned block[3], size_t shared_bytes,
                              void **params, size_t param_bytes);

  /* What was wrong in the last launch, with FILE:LINE of the text; "" when it
     was done.  Valid until the next launch.  */
  extern const char *cuda_cpu_message (void);

  /* Which orders the next launches take; 0 at first: threads and blocks in the
     order of their numbers.  */
  extern void cuda_cpu_seed (unsigned long seed);

  /* Kernels may read the BYTES bytes at ADDRESS, and WRITABLE: write them.
     Once something is allowed, all else is an error.  ADDRESS NULL: everything
     may be accessed again, as at first.  0: no memory to keep it.  */
  extern int cuda_cpu_allow (const void *address, size_t bytes, int writable);

  /* The rest is called by texts.  */

  struct tns_cpu_index
  {
    unsigned x, y, z;
  };

  /* The bytes in front of each variable of a block.  */
  struct tns_cpu_gap
  {
    char byte[64];
  };

  /* Which thread runs.  */
  extern CUDA_CPU_HIDDEN struct tns_cpu_index tns_cpu_thread (void)
    __attribute__ ((const));
  extern CUDA_CPU_HIDDEN struct tns_cpu_index tns_cpu_block (void)
    __attribute__ ((const));
  extern CUDA_CPU_HIDDEN struct tns_cpu_index tns_cpu_block_size (void)
    __attribute__ ((const));
  extern CUDA_CPU_HIDDEN struct tns_cpu_index tns_cpu_grid_size (void)
    __attribute__ ((const));

  /* The dynamic shared memory.  */
  extern CUDA_CPU_HIDDEN void *tns_cpu_shared (void) __attribute__ ((const));

  /* Where a text calls.  */
  struct tns_cpu_site
  {
    const char *name, *file;
    int line;
  };

  enum tns_cpu_barrier_result
  {
    TNS_CPU_OR,
    TNS_CPU_AND,
    TNS_CPU_COUNT
  };

  /* Wait for the block; what the threads' PREDICATEs come to.  */
  extern CUDA_CPU_HIDDEN int
  tns_cpu_barrier (struct tns_cpu_site at, int predicate,
                   enum tns_cpu_barrier_result result);

  /* Wait for the lanes of MASK; the last one calls ALL with what each lane gave
     as OPERAND, and the lanes that are there.  ORDERS: what they
     did to memory before is seen by all of them behind.  */
  typedef void tns_cpu_all (struct tns_cpu_site at, void *const operand[32],
                            unsigned lanes);
  extern CUDA_CPU_HIDDEN void tns_cpu_meet (struct tns_cpu_site at,
                                            unsigned mask, void *operand,
                                            tns_cpu_all *all, int orders);

  /* The operands of shuffles: VALUE is each lane's, RESULT that of lane
     SOURCE.  Of votes: RESULT has a bit for each lane with a predicate.  */
  struct tns_cpu_shuffled
  {
    unsigned long long value, result;
    int source;
  };
  extern CUDA_CPU_HIDDEN tns_cpu_all tns_cpu_shuffle_all;
  struct tns_cpu_vote
  {
    int predicate;
    unsigned result;
  };
  extern CUDA_CPU_HIDDEN tns_cpu_all tns_cpu_vote_all;

  /* The calling thread's lane in its warp.  */
  extern CUDA_CPU_HIDDEN int tns_cpu_lane (void) __attribute__ ((const));

  /* Add to *AT, at once for all: atomicAdd; with a LIMIT: atomicInc, 0 behind
     it.  The value before.  */
  extern CUDA_CPU_HIDDEN unsigned tns_cpu_atomic_add (unsigned *at,
                                                      unsigned more);
  extern CUDA_CPU_HIDDEN unsigned tns_cpu_atomic_next (unsigned *at,
                                                       unsigned limit);

  /* __threadfence.  */
  extern CUDA_CPU_HIDDEN void tns_cpu_fence (void);

  /* cp.async: copy VALID of BYTES (4, 8 or 16), and zeros behind them, some
     time before the wait: here at the wait; until then the memory holds NaN.
     Commit ends a group; wait until at most N groups are not done.  */
  extern CUDA_CPU_HIDDEN void tns_cpu_copy (void *shared, const void *global,
                                            int bytes, int valid);
  extern CUDA_CPU_HIDDEN void tns_cpu_commit (void);
  extern CUDA_CPU_HIDDEN void tns_cpu_wait (int n);

  /* Tiles of a warp, in the layouts of PTX: ldmatrix .x4 (each lane gives the
     address of a row of eight 16-bit elements), and mma.sync with f32
     accumulators, of shape m16n8k16 (bf16, f16) and m16n8k8 (tf32); sums in
     the order of k.  */
  enum tns_cpu_element
  {
    TNS_CPU_BF16,
    TNS_CPU_F16,
    TNS_CPU_TF32
  };
  extern CUDA_CPU_HIDDEN void tns_cpu_load_tiles (struct tns_cpu_site at,
                                                  unsigned to[4],
                                                  const void *row,
                                                  int transposed);
  extern CUDA_CPU_HIDDEN void
  tns_cpu_multiply (struct tns_cpu_site at, enum tns_cpu_element element,
                    float sum[4], const unsigned a[4], const unsigned b[2]);

  /* wgmma, of the four warps of a group: 64 x 16 by 16 x COLUMNS elements, 256
     at most, at PLACES of the dynamic shared memory, as descriptors say, A's
     and B's, which lie ACROSS or not.  The sums are NaN until all products have
     been waited for.  A group's function is called by its 128 threads.  */
  struct tns_cpu_places
  {
    unsigned long long descriptor[2];
    int across[2];
  };
  extern CUDA_CPU_HIDDEN unsigned tns_cpu_group_address (const void *shared);
  extern CUDA_CPU_HIDDEN void tns_cpu_group_show (void);
  extern CUDA_CPU_HIDDEN void tns_cpu_group_fence (void);
  extern CUDA_CPU_HIDDEN void tns_cpu_group_commit (void);
  extern CUDA_CPU_HIDDEN void tns_cpu_group_wait (int n);
  extern CUDA_CPU_HIDDEN void
  tns_cpu_group_multiply (struct tns_cpu_site at, enum tns_cpu_element element,
                          int columns, float *sum,
                          struct tns_cpu_places places);

  /* mbarrier: ARRIVALs that it is made for; one that expects BYTES; wait for
     PARITY.  cp.async.bulk.tensor: copy the box at (X, Y) BY a map to the
     dynamic shared memory, and tell BARRIER.  */
  extern CUDA_CPU_HIDDEN void tns_cpu_barrier_init (void *barrier,
                                                    int arrivals);
  extern CUDA_CPU_HIDDEN void tns_cpu_barrier_arrive (void *barrier,
                                                      unsigned bytes);
  extern CUDA_CPU_HIDDEN void tns_cpu_barrier_wait (void *barrier, int parity);
  extern CUDA_CPU_HIDDEN void tns_cpu_map_copy (void *to, const void *by, int x,
                                                int y, void *barrier);

  /* Such a map, of 128 bytes, with this mark: where element (0, 0) is, how many
     there are, bytes from one Y to the next, elements of a box.  */
#define TNS_CPU_MAP 0x746d61705f757063ull
  struct tns_cpu_map
  {
    unsigned long long mark;
    const char *base;
    unsigned long long extent[2];
    unsigned long long stride;
    unsigned box[2];
    unsigned long long unused[10];
  };

  /* The bits of X rounded to ELEMENT: to the nearest, halves to even (tf32:
     away from zero).  */
  extern CUDA_CPU_HIDDEN unsigned tns_cpu_round (enum tns_cpu_element element,
                                                 float x);

#ifdef __cplusplus
}
#endif

#endif
