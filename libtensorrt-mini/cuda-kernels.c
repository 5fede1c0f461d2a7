/* The table of kernels below a profile's: what each takes of the device, asked
   when it is first launched, and how long it ran.

   occupied  how many of the threads that a multiprocessor holds are there when
             as many blocks as fit run on it; what a block takes of registers
             and of shared memory decides that  */

#include "cuda-unit.h"

static trm_cuda_code *codes;

/* The threads that a multiprocessor holds.  */
static int
count_threads (void)
{
  static int threads;
  if (threads == 0
      && trm_cuda.cu.DeviceGetAttribute (&threads, TRM_CU_THREADS,
                                         trm_cuda_here->device))
    threads = 2048;
  return threads;
}

void
trm_cuda_keep_code (trm_cuda_code *code)
{
  code->next = codes;
  codes = code;
}

void
trm_cuda_describe (trm_cuda_kernel *k, int threads, int shared)
{
  trm_cu *cu = &trm_cuda.cu;
  int at_once = 0;
  if (!trm_cuda_here->timed || k->threads)
    return;
  k->threads = threads;
  cu->FuncGetAttribute (&k->registers, TRM_CU_REGISTERS, k->function);
  cu->FuncGetAttribute (&k->local, TRM_CU_LOCAL_BYTES, k->function);
  cu->FuncGetAttribute (&k->shared_bytes, TRM_CU_SHARED_BYTES, k->function);
  cu->OccupancyMaxActiveBlocksPerMultiprocessor (&at_once, k->function, threads,
                                                 (size_t) shared);
  k->shared_bytes += shared;
  k->occupied = 100.0 * at_once * threads / count_threads ();
}

/* K's line, and that of the one beside it; the table's head, unless there was
   *SOME line.  */
static void
print_kernel (FILE *file, const trm_cuda_kernel *k, bool *some)
{
  if (k->group)
    print_kernel (file, k->group, some);
  if (!k->launches)
    return;
  if (!*some)
    fprintf (file, "%-28s %10s %12s %9s %8s %9s %8s %8s %10s\n", "CUDA kernel",
             "launches", "ms", "us each", "threads", "registers", "shared",
             "spilled", "occupied");
  *some = true;

  fprintf (file, "%-28s %10lld %12.3f %9.2f %8d %9d %8d %8d %8.0f %%\n",
           k->name, (long long) k->launches, (double) k->ns / 1e6,
           (double) k->ns / 1e3 / (double) k->launches, k->threads,
           k->registers, k->shared_bytes, k->local, k->occupied);
}

void
trm_cuda_kernels_print (FILE *file)
{
  bool some = false;
  trm_cuda_lock ();
  for (const trm_cuda_code *c = codes; c; c = c->next)
    for (intptr_t i = 0; i < c->n; i++)
      print_kernel (file, &c->kernel[i], &some);
  trm_cuda_unlock ();
}
