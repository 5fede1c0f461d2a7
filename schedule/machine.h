/* A machine, as far as decisions need it.  Same description, same code: the
   compiler never measures while it compiles.

   name            "znver4", "avx512", "znver3", "avx2", "avx", "sse2"
   vector_bytes    of one register; vector_registers how many
   line_bytes      of a cache line; 0: vectors may begin anywhere
   masks           masked loads are as cheap as plain ones, and masked stores,
                   but for mask_work
   fma             fused multiply and add exists
   rounds          vectors become whole numbers in one instruction
   divides         vectors of floats in as much time as estimates of quotients
                   take
   halves          the widest vectors take the time of two of half their bytes
   fma_per_cycle, load_per_cycle, store_per_cycle  vector operations
   fma_latency     cycles
   l1_bytes, l2_bytes, l3_bytes  of one core (l3: its share)
   l2_bandwidth, l3_bandwidth, memory_bandwidth  bytes a cycle, one core
   ghz             for turning cycles into nanoseconds
   fork_ns         a parallel region; wake_ns where the other threads sleep;
                   start_ns the first, which starts them
   window          operations that wait for their operands at a time
   exp_cycles      a vector of exp; divide_cycles a vector division
   mask_work       vector operations in the time that a masked store takes
                   beyond a plain one
   device          it is no processor: loops become kernels, lanes the threads
                   of a block (schedule/device.c)
   processors      of a device, each of which has room for some blocks
   stages          so many steps ahead memory of a block is filled by copies
                   that need no thread while they are under way; 0: there are
                   none
   barrier_cycles  a block's threads wait for each other
   shared_bytes    memory of blocks that run beside each other: what the
                   smallest device with such copies has; block_bytes of it are
                   the device's own for each block  */

#ifndef TNS_SCHEDULE_MACHINE_H
#define TNS_SCHEDULE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

/* Loops of fewer vectors gain less by vectors that begin where lines begin than
   the first one under a mask costs.  */
#define TNS_LEAST_ON_LINES 32

typedef struct tns_machine
{
  const char *name;
  int vector_bytes;
  int vector_registers;
  int line_bytes;
  bool masks;
  bool fma;
  bool rounds;
  bool divides;
  bool halves;
  double fma_per_cycle;
  double load_per_cycle;
  double store_per_cycle;
  double fma_latency;
  double l1_bytes;
  double l2_bytes;
  double l3_bytes;
  double l2_bandwidth;
  double l3_bandwidth;
  double memory_bandwidth;
  double ghz;
  double fork_ns;
  double wake_ns;
  double start_ns;
  double window;
  double exp_cycles;
  double divide_cycles;
  double mask_work;
  bool device;
  int processors;
  int stages;
  double barrier_cycles;
  long shared_bytes;
  long block_bytes;
} tns_machine;

/* The description called NAME, or NULL.  */
extern const tns_machine *tns_machine_find (const char *name);

/* The one for what the compiler may emit, TUNED for the processor of that name
   (NULL: not known), as -mtune has it.  */
extern const tns_machine *tns_machine_for (int vector_bytes, bool masks,
                                           bool fma, const char *tuned);

#endif
