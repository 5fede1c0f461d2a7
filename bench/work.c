/* What the kernels are held against: the multiply-adds and the memory of
   this machine, and OpenBLAS when it is there.  */

#include "measure.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef __AVX512F__
#  define VECTOR_BYTES 64
#elif defined __AVX__
#  define VECTOR_BYTES 32
#else
#  define VECTOR_BYTES 16
#endif

enum
{
  LANES = VECTOR_BYTES / 4,
  CHAINS = 10
};

typedef float vector __attribute__ ((vector_size (VECTOR_BYTES)));

double
bench_now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return 1e9 * (double) t.tv_sec + (double) t.tv_nsec;
}

/* TIMES multiply-adds in each of CHAINS vectors.  */
BENCH_ALONE static float
multiply_add (long times)
{
  vector a[CHAINS], m;
  volatile float seed = .999f;
  for (int l = 0; l < LANES; l++)
    m[l] = seed;
  for (int i = 0; i < CHAINS; i++)
    a[i] = m;
  for (long t = 0; t < times; t++)
#pragma GCC unroll 10
    for (int i = 0; i < CHAINS; i++)
      a[i] = a[i] * m + m;
  for (int i = 1; i < CHAINS; i++)
    a[0] += a[i];
  return a[0][0];
}

void
bench_peak (double flops, int threads)
{
  static volatile float sink;
  long times = (long) (flops / threads / (2 * LANES * CHAINS));
#pragma omp parallel num_threads(threads)
  sink = multiply_add (times);
}

void
bench_copy (double bytes, int threads)
{
  static char *from, *to;
  static size_t room;
  size_t part = (size_t) (bytes / 2 / threads);
  if (room < part * (size_t) threads)
    {
      room = part * (size_t) threads;
      from = realloc (from, room);
      to = realloc (to, room);
      memset (from, 1, room);
      memset (to, 1, room);
    }
#pragma omp parallel for num_threads(threads)
  for (int t = 0; t < threads; t++)
    memcpy (to + (size_t) t * part, from + (size_t) t * part, part);
}

/* The functions of OpenBLAS that are called.  */
typedef struct blas
{
  bool looked;
  void (*sgemm) (int order, int ta, int tb, int m, int n, int k, float alpha,
                 const float *a, int lda, const float *b, int ldb, float beta,
                 float *c, int ldc);
  void (*set_threads) (int n);
  char *(*name) (void);
} blas;

/* The kernels of OpenBLAS for these vectors: some releases do not know every
   processor and take the oldest ones.  */
#define CORE                                                                   \
  (VECTOR_BYTES == 64 ? "SkylakeX" : VECTOR_BYTES == 32 ? "Haswell" : "Nehalem")

/* OpenBLAS, looked for once.  */
static const blas *
find_blas (void)
{
  static blas found;
  if (found.looked)
    return &found;
  setenv ("OPENBLAS_CORETYPE", CORE, 0);
  void *library = dlopen ("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
  found.looked = true;
  if (!library)
    return &found;
  *(void **) &found.set_threads = dlsym (library, "openblas_set_num_threads");
  *(void **) &found.name = dlsym (library, "openblas_get_config");
  if (found.set_threads && found.name)
    *(void **) &found.sgemm = dlsym (library, "cblas_sgemm");
  return &found;
}

bool
bench_blas (const bench_kernel *kernel, float *const *array, int threads)
{
  enum
  {
    ROW_MAJOR = 101,
    PLAIN = 111,
    TRANSPOSED = 112
  };
  const blas *b = find_blas ();
  int n = 1;
  if (!kernel->product || !b->sgemm)
    return false;
  while ((long) n * n < kernel->length[0])
    n++;
  b->set_threads (threads);
  for (long i = 0; i < kernel->length[0]; i++)
    array[0][i] = 10;
  b->sgemm (ROW_MAJOR, kernel->product == 'a' ? TRANSPOSED : PLAIN,
            kernel->product == 'b' ? TRANSPOSED : PLAIN, n, n, n, 100, array[1],
            n, array[2], n, 1, array[0], n);
  return true;
}

/* The best of a few measurements of multiply-adds.  */
static double
measure_peak (void)
{
  double flops = 6e8, best = 0;
  for (int t = 0; t < 7; t++)
    {
      double start = bench_now ();
      bench_peak (flops, 1);
      double rate = flops / (bench_now () - start);
      best = rate > best ? rate : best;
    }
  return best;
}

/* The best of a few copies of 128 MiB, bytes read and written.  */
static double
measure_bandwidth (void)
{
  size_t bytes = 128 << 20;
  char *from = malloc (bytes), *to = malloc (bytes);
  double best = 0;
  for (int t = 0; from && to && t < 7; t++)
    {
      memset (from, t, bytes);
      double start = bench_now ();
      memcpy (to, from, bytes);
      double rate = 2.0 * (double) bytes / (bench_now () - start);
      best = rate > best ? rate : best;
    }
  free (from);
  free (to);
  return best;
}

/* The processor's name, from the kernel.  */
static void
read_cpu (char *name, size_t bytes)
{
  char line[256];
  FILE *file = fopen ("/proc/cpuinfo", "r");
  snprintf (name, bytes, "unknown");
  while (file && fgets (line, sizeof line, file))
    {
      char *colon = strchr (line, ':');
      if (strncmp (line, "model name", 10) != 0 || !colon)
        continue;
      colon[1 + strcspn (colon + 1, "\n")] = 0;
      snprintf (name, bytes, "%s", colon + 2);
      break;
    }
  if (file)
    fclose (file);
}

bench_machine
bench_machine_find (void)
{
  bench_machine m = { .vector_bytes = VECTOR_BYTES, .compiler = __VERSION__ };
  const blas *b = find_blas ();
  read_cpu (m.cpu, sizeof m.cpu);
  m.cores = (int) sysconf (_SC_NPROCESSORS_ONLN);
  m.blas = b->sgemm ? b->name () : "";
  m.peak = measure_peak ();
  m.bandwidth = measure_bandwidth ();
  return m;
}
