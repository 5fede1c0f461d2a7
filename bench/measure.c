/* measure FOLDER JSON SECONDS [WORD]

   Measures the kernels in FOLDER/NAME-WAY.so, those whose names contain WORD,
   each for about SECONDS on one and on two threads, prints a table, and
   writes the same to the file JSON.

     for each kernel
       fill its arrays, which all ways share
       for 1 and 2 threads
         run each way once, compare results; warm-up
         find how many calls take as long as the clock needs
         in turns, each way first once: time so many calls of each way
         medians and quartiles

   It does not pin threads, does not flush caches, and takes no outliers
   away.  */

#include "measure.h"

#include <dlfcn.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum
{
  MOST_ROWS = 128,
  MOST_ROUNDS = 101,
  LEAST_ROUNDS = 7
};

#define LEAST_NS 2e6

static const char *const files[]
  = { "square",  "rows",   "product",  "pairwise",
      "stencil", "stream", "gradient", "objective" };

static const char *const suffix[BENCH_HAND]
  = { "plain", "fast", "unfused", "fused" };

/* One kernel with the same row of each shared object, and its arrays.  */
typedef struct subject
{
  const bench_kernel *way[BENCH_HAND];
  float *array[BENCH_ARRAYS];
  float *expected[BENCH_ARRAYS];
  int threads;
} subject;

/* Stop with a message.  */
__attribute__ ((noreturn)) static void
stop (const char *what, const char *which)
{
  fprintf (stderr, "measure: %s %s\n", what, which);
  exit (2);
}

/* The kernels of FILE as WAY compiles it.  */
static const bench_kernel *
load (const char *folder, const char *file, int way)
{
  char path[4096];
  snprintf (path, sizeof path, "%s/%s-%s.so", folder, file, suffix[way]);
  void *object = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  if (!object)
    stop ("cannot load", dlerror ());
  return dlsym (object, "bench_kernels");
}

/* Numbers from the kernel's low to high in array A, the same each time.  */
static void
fill (const bench_kernel *kernel, int a, float *array)
{
  double *wide = (double *) array;
  unsigned seed = (unsigned) a + 1;
  for (long i = 0; i < kernel->length[a]; i++)
    {
      seed = seed * 1664525u + 1013904223u;
      float value
        = kernel->low
          + (kernel->high - kernel->low) * (float) (seed >> 8) / (1 << 24);
      if (kernel->is_double)
        wide[i] = value;
      else
        array[i] = value;
    }
}

/* The bytes of array A.  */
static size_t
bytes_of (const bench_kernel *kernel, int a)
{
  return (size_t) kernel->length[a]
         * (kernel->is_double ? sizeof (double) : sizeof (float));
}

/* Memory of BYTES.  */
static float *
memory (size_t bytes)
{
  float *made = aligned_alloc (64, (bytes + 63) & ~63ul);
  if (!made)
    stop ("no memory for", "the arrays");
  return made;
}

/* The kernel whose hand is measured.  */
static const bench_kernel *
by_hand (const subject *s)
{
  return s->way[s->way[BENCH_FAST]->hand_is_planned ? BENCH_FUSED : BENCH_FAST];
}

/* Whether WAY of S can be run.  */
static bool
has_way (const subject *s, int way)
{
  const bench_kernel *kernel = s->way[BENCH_FAST];
  switch (way)
    {
    case BENCH_HAND:
      return kernel->hand || bench_blas (kernel, s->array, s->threads);
    case BENCH_FORWARD:
      return kernel->forward;
    case BENCH_PEAK:
      return kernel->flops > 0;
    case BENCH_COPY:
      return kernel->bytes > 0;
    default:
      return s->way[way]->run;
    }
}

/* One call of WAY.  */
static void
call (const subject *s, int way)
{
  const bench_kernel *fast = s->way[BENCH_FAST];
  if (way == BENCH_PEAK)
    bench_peak (fast->flops, s->threads);
  else if (way == BENCH_COPY)
    bench_copy (fast->bytes, s->threads);
  else if (way == BENCH_FORWARD)
    s->way[BENCH_FUSED]->forward (s->array);
  else if (way == BENCH_HAND && fast->hand)
    by_hand (s)->hand (s->array);
  else if (way == BENCH_HAND)
    bench_blas (fast, s->array, s->threads);
  else
    s->way[way]->run (s->array);
}

/* WAY's results are compared with those of PLAIN.  */
static bool
is_compared (const subject *s, int way)
{
  return way < BENCH_FORWARD && s->way[BENCH_PLAIN]->run;
}

/* Nanoseconds of a call, over CALLS of them.  */
static double
time_calls (const subject *s, int way, long calls)
{
  double start = bench_now ();
  for (long c = 0; c < calls; c++)
    call (s, way);
  return (bench_now () - start) / (double) calls;
}

/* How many calls of WAY are to be timed together.  */
static long
count_calls (const subject *s, int way)
{
  long calls = 1;
  while (time_calls (s, way, calls) * (double) calls < LEAST_NS)
    calls *= 2;
  return calls;
}

/* The largest distance of X[0..N) from Y, as part of the largest Y.  */
static double
distance (long n, const float *x, const float *y, bool is_double)
{
  const double *wide_x = (const double *) x, *wide_y = (const double *) y;
  double far = 0, large = 0;
  for (long i = 0; i < n; i++)
    {
      double a = is_double ? wide_x[i] : x[i], b = is_double ? wide_y[i] : y[i];
      far = fmax (far, fabs (a - b));
      large = fmax (large, fabs (b));
      if (isnan (a) && !isnan (b))
        return INFINITY;
    }
  return large > 0 ? far / large : far;
}

/* Fill the arrays, run WAY once, compare with what PLAIN left.  */
static double
check (subject *s, int way)
{
  const bench_kernel *kernel = s->way[BENCH_PLAIN];
  double worst = 0;
  for (int a = 0; a < BENCH_ARRAYS && kernel->length[a]; a++)
    fill (kernel, a, s->array[a]);
  if (kernel->forward)
    call (s, BENCH_FORWARD);
  call (s, way);
  if (!is_compared (s, way))
    return 0;
  for (int a = 0; a < BENCH_ARRAYS && kernel->length[a]; a++)
    if (kernel->temp >> a & 1)
      continue;
    else if (way == BENCH_PLAIN)
      memcpy (s->expected[a], s->array[a], bytes_of (kernel, a));
    else
      worst = fmax (worst, distance (kernel->length[a], s->array[a],
                                     s->expected[a], kernel->is_double));
  return worst;
}

static int
compare_numbers (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

/* The sample of VALUE[0..N).  */
static bench_sample
summarise (double *value, int n)
{
  qsort (value, (size_t) n, sizeof *value, compare_numbers);
  return (bench_sample){ .n = n,
                         .median = (value[n / 2] + value[(n - 1) / 2]) / 2,
                         .low = value[n / 4],
                         .high = value[n - 1 - n / 4] };
}

/* Measure S for about SECONDS: ROW.  */
static void
measure (subject *s, double seconds, bench_row *row)
{
  static double value[BENCH_WAYS][MOST_ROUNDS];
  long calls[BENCH_WAYS] = { 0 };
  int n = 0;
  omp_set_num_threads (s->threads);
  for (int way = 0; way < BENCH_WAYS; way++)
    if (has_way (s, way))
      {
        row->differs[way] = check (s, way);
        calls[way] = count_calls (s, way);
      }
  double end = bench_now () + 1e9 * seconds;
  for (; n < MOST_ROUNDS && (n < LEAST_ROUNDS || bench_now () < end); n++)
    for (int k = 0; k < BENCH_WAYS; k++)
      {
        int way = (n + k) % BENCH_WAYS;
        if (calls[way])
          value[way][n] = time_calls (s, way, calls[way]);
      }
  for (int way = 0; way < BENCH_WAYS; way++)
    if (calls[way])
      row->ns[way] = summarise (value[way], n);
}

/* The kernel INDEX of the objects in WAYS, with arrays.  */
static subject
make_subject (const bench_kernel *const *ways, int index)
{
  subject s = { 0 };
  const bench_kernel *kernel = ways[0] + index;
  for (int way = 0; way < BENCH_HAND; way++)
    s.way[way] = ways[way] + index;
  for (int a = 0; a < BENCH_ARRAYS && kernel->length[a]; a++)
    {
      s.array[a] = memory (bytes_of (kernel, a));
      if (!(kernel->temp >> a & 1))
        s.expected[a] = memory (bytes_of (kernel, a));
    }
  return s;
}

/* Measure kernel INDEX of WAYS, on one and two threads: ROW[0..2).  */
static void
measure_kernel (const bench_kernel *const *ways, int index, double seconds,
                bench_row *row)
{
  subject s = make_subject (ways, index);
  for (int threads = 1; threads <= 2; threads++, row++)
    {
      s.threads = threads;
      row->kernel = ways[0] + index;
      row->threads = threads;
      measure (&s, seconds, row);
      bench_print_row (stdout, row);
      fflush (stdout);
    }
  for (int a = 0; a < BENCH_ARRAYS; a++)
    {
      free (s.array[a]);
      free (s.expected[a]);
    }
}

int
main (int argc, char **argv)
{
  static bench_row row[MOST_ROWS];
  int n = 0;
  if (argc < 4)
    stop ("usage: measure FOLDER JSON SECONDS", "[WORD]");
  bench_machine machine = bench_machine_find ();
  bench_print_head (stdout, &machine);
  for (size_t f = 0; f < sizeof files / sizeof *files; f++)
    {
      const bench_kernel *ways[BENCH_HAND];
      for (int way = 0; way < BENCH_HAND; way++)
        ways[way] = load (argv[1], files[f], way);
      for (int k = 0; ways[0][k].name && n + 2 <= MOST_ROWS; k++)
        if (argc < 5 || strstr (ways[0][k].name, argv[4]))
          {
            measure_kernel (ways, k, atof (argv[3]), &row[n]);
            n += 2;
          }
    }
  FILE *json = fopen (argv[2], "w");
  if (!json)
    stop ("cannot write", argv[2]);
  bench_print_json (json, &machine, n, row);
  return fclose (json) != 0;
}
