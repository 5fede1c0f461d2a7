/* A launch on the CPU: blocks one after the other, until all have ended or
   something is wrong.  See cuda_cpu_run.h.  */

#define _GNU_SOURCE

#include "cuda_cpu_block.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SHARED (227 << 10)
#define SHARED_ROOM                                                            \
  (MOST_SHARED / TNS_CPU_GUARD * TNS_CPU_GUARD + 3 * TNS_CPU_GUARD)
#define MOST_PARAMS 4096
#define FEW_PARAMS  256

/* When a launch begins the clock anew.  */
#ifndef TNS_CPU_MOST_TIME
#  define TNS_CPU_MOST_TIME 0x80000000
#endif

struct tns_cpu_block tns_cpu_here;
uint32_t tns_cpu_now = 1, tns_cpu_began;

enum cuda_cpu_status tns_cpu_status;

static struct
{
  unsigned long seed, state;
  char message[1000];
  void (*kernel) (void);
  size_t param_bytes;
  union
  {
    char byte[MOST_PARAMS];
    long double alignment;
  } params;
} run;

/* Arguments by value, in memory: a kernel reads the front of them.  */
struct few_params
{
  char byte[FEW_PARAMS];
} __attribute__ ((aligned (16)));
struct most_params
{
  char byte[MOST_PARAMS];
} __attribute__ ((aligned (16)));

unsigned
tns_cpu_any (unsigned n)
{
  if (!run.seed)
    return 0;
  run.state = run.state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned) ((run.state >> 33) % n);
}

void
tns_cpu_mix (unsigned *order, unsigned n)
{
  for (unsigned i = n; run.seed && i > 1; i--)
    {
      unsigned other = tns_cpu_any (i), last = order[i - 1];
      order[i - 1] = order[other];
      order[other] = last;
    }
}

/* The kernel's name, where the object tells.  */
static const char *
kernel_name (void)
{
  Dl_info found;
  if (dladdr ((void *) run.kernel, &found) && found.dli_sname)
    return found.dli_sname;
  return "kernel";
}

void
tns_cpu_stop (enum cuda_cpu_status status, const char *words, ...)
{
  if (tns_cpu_status == CUDA_CPU_DONE)
    {
      tns_cpu_status = status;
      int n
        = snprintf (run.message, sizeof run.message, "%s: ", kernel_name ());
      va_list rest;
      va_start (rest, words);
      if (n > 0 && (size_t) n < sizeof run.message)
        vsnprintf (run.message + n, sizeof run.message - (size_t) n, words,
                   rest);
      va_end (rest);
    }
  if (tns_cpu_here.current)
    tns_cpu_yield ();
}

struct tns_cpu_index
tns_cpu_thread (void)
{
  return tns_cpu_here.current->index;
}

struct tns_cpu_index
tns_cpu_block (void)
{
  return tns_cpu_here.index;
}

struct tns_cpu_index
tns_cpu_block_size (void)
{
  return tns_cpu_here.size;
}

struct tns_cpu_index
tns_cpu_grid_size (void)
{
  return tns_cpu_here.grid;
}

void *
tns_cpu_shared (void)
{
  return tns_cpu_here.dynamic;
}

/* Run block number N of the grid.  */
static void
run_block (unsigned n)
{
  struct tns_cpu_index grid = tns_cpu_here.grid;
  tns_cpu_here.index = (struct tns_cpu_index){ n % grid.x, n / grid.x % grid.y,
                                               n / grid.x / grid.y };
  tns_cpu_here.place = n;
  tns_cpu_here.number++;
  tns_cpu_here.barrier = ++tns_cpu_now;
  for (int i = 0; i < 32; i++)
    tns_cpu_here.warp[i] = tns_cpu_now;
  tns_cpu_shared_fill ();
  tns_cpu_order_block ();
  tns_cpu_threads_run ();
}

/* The object is unloaded.  */
static __attribute__ ((destructor)) void
free_all (void)
{
  if (tns_cpu_here.dynamic)
    free (tns_cpu_here.dynamic - TNS_CPU_GUARD);
  tns_cpu_here.dynamic = NULL;
}

/* The clock stands at its beginning: what was before is forgotten.  */
static void
begin_clock (void)
{
  tns_cpu_order_forget ();
  memset (tns_cpu_here.met, 0, sizeof tns_cpu_here.met);
  tns_cpu_now = 1;
}

/* N_THREADS threads, shared memory between guards, and the order of N_BLOCKS
   blocks; NULL: no memory.  */
static unsigned *
prepare (size_t n_blocks, size_t n_threads, size_t shared_bytes)
{
  tns_cpu_here.dynamic_bytes = shared_bytes;
  if (!tns_cpu_here.dynamic)
    {
      char *all = aligned_alloc (TNS_CPU_GUARD, SHARED_ROOM);
      tns_cpu_here.dynamic = all ? all + TNS_CPU_GUARD : NULL;
    }
  if (!tns_cpu_threads_prepare ((unsigned) n_threads) || !tns_cpu_here.dynamic)
    return NULL;
  unsigned *order = malloc (n_blocks * sizeof *order);
  for (size_t i = 0; order && i < n_blocks; i++)
    order[i] = (unsigned) i;
  return order;
}

/* Whether a device would launch this; says so where not.  */
static bool
is_launch (size_t n_blocks, size_t n_threads, size_t shared_bytes,
           size_t param_bytes)
{
  if (n_blocks && n_blocks <= 0x7fffffff && n_threads
      && n_threads <= TNS_CPU_MOST_THREADS && shared_bytes <= MOST_SHARED
      && param_bytes > 16 && param_bytes <= MOST_PARAMS)
    return true;
  tns_cpu_stop (CUDA_CPU_REFUSED,
                "%zu blocks of %zu threads with %zu bytes of shared memory "
                "and %zu of parameters",
                n_blocks, n_threads, shared_bytes, param_bytes);
  return false;
}

void
tns_cpu_call_kernel (void)
{
  if (run.param_bytes <= FEW_PARAMS)
    ((void (*) (struct few_params)) run.kernel) (
      *(struct few_params *) &run.params);
  else
    ((void (*) (struct most_params)) run.kernel) (
      *(struct most_params *) &run.params);
}

void
cuda_cpu_seed (unsigned long seed)
{
  run.seed = seed;
  run.state = seed;
}

const char *
cuda_cpu_message (void)
{
  return run.message;
}

int
cuda_cpu_launch (void (*kernel) (void), const unsigned grid[3],
                 const unsigned block[3], size_t shared_bytes, void **params,
                 size_t param_bytes)
{
  size_t n_blocks = (size_t) grid[0] * grid[1] * grid[2];
  size_t n_threads = (size_t) block[0] * block[1] * block[2];
  run.kernel = kernel;
  tns_cpu_status = CUDA_CPU_DONE;
  run.message[0] = 0;
  if (!is_launch (n_blocks, n_threads, shared_bytes, param_bytes))
    return tns_cpu_status;
  unsigned *order = prepare (n_blocks, n_threads, shared_bytes);
  if (!order)
    {
      tns_cpu_stop (CUDA_CPU_MEMORY, "no memory for the launch");
      return tns_cpu_status;
    }
  memcpy (run.params.byte, params[0], param_bytes);
  run.param_bytes = param_bytes;
  tns_cpu_here.grid = (struct tns_cpu_index){ grid[0], grid[1], grid[2] };
  tns_cpu_here.size = (struct tns_cpu_index){ block[0], block[1], block[2] };
  tns_cpu_here.n_threads = (unsigned) n_threads;
  if (tns_cpu_now > TNS_CPU_MOST_TIME)
    begin_clock ();
  tns_cpu_began = ++tns_cpu_now;
  tns_cpu_order_launch ();
  tns_cpu_mix (order, (unsigned) n_blocks);
  for (size_t i = 0; i < n_blocks && tns_cpu_status == CUDA_CPU_DONE; i++)
    run_block (order[i]);
  free (order);
  return tns_cpu_status;
}
