/* What the files of the program that measures on a device share.

   A way of a row runs a region in a data block, which keeps its arrays on the
   device, between two looks at the clock.  */

#ifndef BENCH_CUDA_H
#define BENCH_CUDA_H

#include <stdbool.h>
#include <time.h>

enum
{
  CUDA_ROUNDS = 12,
  CUDA_RUNS = 8,
  CUDA_ARRAYS = 8
};

/* name     what is measured
   elements of each array; 0: not used
   bytes    that have to be read and written, once
   flops    of it, where those decide
   run      fill NS[0..CUDA_ROUNDS), nanoseconds
   bf16     what is multiplied is of that type, as the peer's  */
typedef struct cuda_row
{
  const char *name;
  long elements[CUDA_ARRAYS];
  double bytes;
  double flops;
  void (*run) (float *const *a, double *ns);
  bool bf16;
} cuda_row;

/* Nanoseconds of a clock that only goes forward.  Its body is here so that a
   data block knows that a call touches none of its arrays.  */
static inline double
cuda_now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return 1e9 * (double) t.tv_sec + (double) t.tv_nsec;
}

/* What is waited for: a region that leaves something to the host.  */
__attribute__ ((unused)) static float cuda_fence[32];

/* The clock around CUDA_RUNS times BODY, CUDA_ROUNDS times, for one of them.
   Regions do not wait for their kernels in a data block; the last one, whose
   array no block keeps, does.  */
#define ROUNDS(...)                                                            \
  for (int t = 0; t < CUDA_ROUNDS; t++)                                        \
    {                                                                          \
      double start = cuda_now ();                                              \
      for (int run = 0; run < CUDA_RUNS; run++)                                \
        {                                                                      \
          __VA_ARGS__                                                          \
        }                                                                      \
      _Pragma ("tensor target(cuda)") for (int e = 0; e < 32; e++)             \
        cuda_fence[e]                                                          \
        += 1;                                                                  \
      ns[t] = (cuda_now () - start) / CUDA_RUNS;                               \
    }

/* The rows of each file; the last has no name.  */
extern const cuda_row cuda_memory_rows[];
extern const cuda_row cuda_product_rows[];
extern const cuda_row cuda_precision_rows[];
extern const cuda_row cuda_small_rows[];

/* The median of NS[0..CUDA_ROUNDS), which is sorted.  */
extern double cuda_median (double *ns);

/* cuda-peer.c: CUDA's driver and cuBLAS, where they are; false where not.
   Nanoseconds of a copy of BYTES on the device; of the product of two matrices
   of N x N floats: as they are, or as bf16 with F32 sums.  */
extern bool cuda_peer_open (void);
extern double cuda_peer_copy (long bytes);
extern double cuda_peer_product (int n, bool bf16);

#endif
