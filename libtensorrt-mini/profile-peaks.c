/* What this machine reaches: multiplications and additions a nanosecond, with
   the widest vectors that it has, and bytes a nanosecond read and written by
   a copy of memory that does not fit the caches; on all processors at once,
   some milliseconds of each.  The roofline of a region stands on them.  */

#define _GNU_SOURCE

#include "profile.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#define SUMS       10
#define ROUNDS     20000
#define PASSES     3
#define COPY_BYTES ((size_t) 128 << 20)
#define LEAST_COPY ((size_t) 4 << 20)
#define WORKERS    256

/* NAME: ROUNDS times SUMS multiplications and additions on vectors of BYTES
   bytes of TYPE, none of which waits for another; how many operations.  */
#define PEAK(name, type, bytes, isa)                                           \
  isa static double name (volatile type *seed)                                 \
  {                                                                            \
    typedef type vector __attribute__ ((vector_size (bytes)));                 \
    vector sum[SUMS] = { { 0 } };                                              \
    vector a = (vector){ 0 } + *seed, b = a - *seed / 2;                       \
    for (int i = 0; i < ROUNDS; i++)                                           \
      {                                                                        \
        _Pragma ("GCC unroll 16") for (int k = 0; k < SUMS; k++) sum[k]        \
          = sum[k] * a + b;                                                    \
      }                                                                        \
    for (int k = 0; k < SUMS; k++)                                             \
      *seed = sum[k][0] > 1e30 ? 0 : *seed;                                    \
    return 2.0 * SUMS * ROUNDS * (bytes / sizeof (type));                      \
  }

#if defined __x86_64__
#  define AVX512 __attribute__ ((target ("avx512f"), optimize ("O2")))
#  define AVX2   __attribute__ ((target ("avx2,fma"), optimize ("O2")))
PEAK (single_avx512, float, 64, AVX512)
PEAK (double_avx512, double, 64, AVX512)
PEAK (single_avx2, float, 32, AVX2)
PEAK (double_avx2, double, 32, AVX2)
#endif
PEAK (single_plain, float, 16, __attribute__ ((optimize ("O2"))))
PEAK (double_plain, double, 16, __attribute__ ((optimize ("O2"))))

/* The functions for this processor.  */
static double (*run_single) (volatile float *seed) = single_plain;
static double (*run_double) (volatile double *seed) = double_plain;

/* Choose them.  */
static void
choose (void)
{
#if defined __x86_64__
  __builtin_cpu_init ();
  if (__builtin_cpu_supports ("avx512f"))
    {
      run_single = single_avx512;
      run_double = double_avx512;
    }
  else if (__builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma"))
    {
      run_single = single_avx2;
      run_double = double_avx2;
    }
#endif
}

/* One thread: the bytes that it copies; what it reached.  */
typedef struct worker
{
  size_t bytes;
  trm_peaks peaks;
} worker;

/* How many threads there are, 0 while that is not known; how many wait.  */
static int crew, ready;

/* Wait until all threads have come here.  */
static void
wait_for_all (void)
{
  __atomic_add_fetch (&ready, 1, __ATOMIC_RELAXED);
  while (__atomic_load_n (&ready, __ATOMIC_RELAXED)
         != __atomic_load_n (&crew, __ATOMIC_RELAXED))
    sched_yield ();
}

/* Bytes a nanosecond of copying within MEMORY, twice BYTES; the best of some
   passes.  */
static double
time_copy (char *memory, size_t bytes)
{
  double best = 0;
  for (int i = 0; i < PASSES; i++)
    {
      int64_t begin = trm_now ();
      memcpy (memory + (i % 2 ? bytes : 0), memory + (i % 2 ? 0 : bytes),
              bytes);
      double rate = 2.0 * (double) bytes / (double) (trm_now () - begin + 1);
      best = rate > best ? rate : best;
    }
  return best;
}

/* Operations a nanosecond, the best of some runs; of doubles when WIDE.  */
static double
time_sums (bool wide)
{
  volatile float single = 0.5f;
  volatile double two = 0.5;
  double best = 0;
  for (int i = 0; i < PASSES; i++)
    {
      int64_t begin = trm_now ();
      double n = wide ? run_double (&two) : run_single (&single);
      double rate = n / (double) (trm_now () - begin + 1);
      best = rate > best ? rate : best;
    }
  return best;
}

/* What a thread does.  */
static void *
work (void *argument)
{
  worker *w = argument;
  char *memory = malloc (2 * w->bytes);
  if (memory)
    memset (memory, 1, 2 * w->bytes);
  wait_for_all ();
  if (memory)
    w->peaks.bytes = time_copy (memory, w->bytes);
  w->peaks.flops_f32 = time_sums (false);
  w->peaks.flops_f64 = time_sums (true);
  free (memory);
  return NULL;
}

/* How many processors the process may use.  */
static int
count_processors (void)
{
  cpu_set_t set;
  int n = sched_getaffinity (0, sizeof set, &set) ? 1 : CPU_COUNT (&set);
  return n < 1 ? 1 : n > WORKERS ? WORKERS : n;
}

/* Run N workers, or as many as there can be; the sum of what they reach.  */
static trm_peaks
run_workers (int n)
{
  static worker worker_of[WORKERS];
  pthread_t thread[WORKERS];
  trm_peaks sum = { 0 };
  size_t bytes = COPY_BYTES / (size_t) (2 * n);
  int made = 0;
  for (; made < n; made++)
    {
      worker *w = &worker_of[made];
      *w = (worker){ .bytes = bytes > LEAST_COPY ? bytes : LEAST_COPY };
      if (pthread_create (&thread[made], NULL, work, w))
        break;
    }
  __atomic_store_n (&crew, made, __ATOMIC_RELAXED);
  for (int i = 0; i < made; i++)
    {
      pthread_join (thread[i], NULL);
      sum.flops_f32 += worker_of[i].peaks.flops_f32;
      sum.flops_f64 += worker_of[i].peaks.flops_f64;
      sum.bytes += worker_of[i].peaks.bytes;
    }
  return sum;
}

trm_peaks
trm_peaks_measure (void)
{
  static trm_peaks peaks;
  if (peaks.bytes > 0)
    return peaks;
  choose ();
  peaks = run_workers (count_processors ());
  return peaks;
}
