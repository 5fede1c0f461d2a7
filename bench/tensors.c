/* tensors JSON SECONDS [WORD]

   Measures the library of tensors, those of its rows whose names contain WORD,
   on one and on two threads, prints a table and writes the same to the file
   JSON.

     operations   forward, and forward and backward, each in turns with loops
                  by hand, for SECONDS, after their results were compared
     tasks        single calls in turns with what they are held against, for
                  SECONDS, at least LEAST_ROUNDS of them

   BENCH_FULL=1 adds those tasks that need minutes.  Loops by hand run on one
   thread; copies on as many as the library.  */

#include "tensors.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
  MOST_ROWS = 256,
  MOST_ROUNDS = 101,
  LEAST_ROUNDS = 5
};

/* Results that lie further apart, as part of the largest, are told.  */
#define APART 1e-3

/* A time, the best one, and how many times as long what it is held against
   takes; 0 where there is none.  */
typedef struct figure
{
  double ns;
  double best;
  double spread;
  double ratio;
} figure;

typedef struct row
{
  const char *group;
  const char *name;
  int threads;
  figure forward;
  figure both;
  double differs;
  double most_ns;
} row;

/* An operation with its operands.  */
typedef struct subject
{
  const bench_operation *operation;
  trm_tensor *in[BENCH_INPUTS];
  trm_tensor *seed;
  bench_arrays arrays;
} subject;

static row rows[MOST_ROWS];
static int n_rows;
static double seconds;

/* Stop with a message.  */
__attribute__ ((noreturn)) static void
stop (const char *what, const char *which)
{
  fprintf (stderr, "tensors: %s: %s\n", what, which);
  exit (2);
}

/* Stop when the library said that something failed.  */
static void
stop_on_error (const char *what)
{
  if (trm_error ())
    stop (what, trm_message ());
}

/* A clock that only goes forward.  */
static double
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return 1e9 * (double) t.tv_sec + (double) t.tv_nsec;
}

static void
call_forward (void *context)
{
  subject *s = context;
  trm_drop (s->operation->run (s->in));
}

/* Forward and backward; the gradients stay.  */
static void
differentiate (subject *s)
{
  trm_tape_open ();
  trm_backward (s->operation->run (s->in), s->seed);
  trm_tape_close ();
}

static void
call_both (void *context)
{
  subject *s = context;
  differentiate (s);
  for (int i = 0; i < BENCH_INPUTS; i++)
    if (s->operation->wants >> i & 1)
      trm_forget_gradient (s->in[i]);
}

static void
call_hand (void *context)
{
  subject *s = context;
  s->operation->hand (&s->arrays);
}

static void
call_hand_both (void *context)
{
  subject *s = context;
  s->operation->hand_both (&s->arrays);
}

/* Memory for N numbers.  */
static float *
memory (int64_t n)
{
  size_t bytes = (size_t) n * sizeof (float);
  float *made = aligned_alloc (64, (bytes + 63) & ~63ul);
  if (!made)
    stop ("no memory for", "the arrays");
  return made;
}

/* An input as I says, the same each time.  */
static trm_tensor *
make_input (const bench_input *i, trm_random *random)
{
  if (i->kinds == BENCH_TRUTH)
    return trm_bernoulli (random, i->rank, i->extent, .5);
  if (i->kinds)
    return trm_integers (random, i->rank, i->extent, 0, i->kinds);
  double least = i->least ? i->least : -1;
  return trm_uniform (random, TRM_F32, i->rank, i->extent, least, 1);
}

/* Operands of S's operation, and arrays for loops by hand.  */
static void
make_operands (subject *s)
{
  trm_random random = { 1, 0 };
  bench_arrays *a = &s->arrays;
  for (int i = 0; i < BENCH_INPUTS && s->operation->in[i].rank; i++)
    {
      trm_tensor *t = s->in[i] = make_input (&s->operation->in[i], &random);
      stop_on_error (s->operation->name);
      a->extent[i] = t->extent;
      if (t->type == TRM_F32)
        a->in[i] = t->at;
      else if (t->type == TRM_BOOL)
        a->truth[i] = t->at;
      else
        a->index[i] = t->at;
      if (!(s->operation->wants >> i & 1))
        continue;
      trm_want_gradient (t);
      a->gain[i] = memory (trm_count (t));
    }
  trm_tensor *y = s->operation->run (s->in);
  stop_on_error (s->operation->name);
  s->seed = trm_uniform (&random, TRM_F32, y->rank, y->extent, -1, 1);
  a->seed = s->seed->at;
  a->out = memory (2 * trm_count (y));
  a->spare = memory (BENCH_SPARE);
  trm_drop (y);
}

static void
drop_operands (subject *s)
{
  for (int i = 0; i < BENCH_INPUTS; i++)
    {
      trm_drop (s->in[i]);
      free (s->arrays.gain[i]);
    }
  trm_drop (s->seed);
  free (s->arrays.out);
  free (s->arrays.spare);
}

/* Element I of the array AT of TYPE.  */
static double
element (trm_type type, const void *at, int64_t i)
{
  switch (type)
    {
    case TRM_BOOL:
      return ((const uint8_t *) at)[i];
    case TRM_I64:
      return (double) ((const int64_t *) at)[i];
    default:
      return ((const float *) at)[i];
    }
}

/* The largest distance of T from Y, of T's type, as part of the largest Y.  */
static double
distance (const trm_tensor *t, const void *y)
{
  double far = 0, large = 0;
  for (int64_t i = 0, n = trm_count (t); i < n; i++)
    {
      double x = element (t->type, t->at, i), z = element (t->type, y, i);
      if (isnan (x))
        return INFINITY;
      far = fmax (far, fabs (x - z));
      large = fmax (large, fabs (z));
    }
  return large > 0 ? far / large : far;
}

/* How far the library's results and gradients lie from those by hand.  */
static double
compare (subject *s)
{
  trm_tensor *y = s->operation->run (s->in);
  stop_on_error (s->operation->name);
  const bench_operation *o = s->operation;
  (o->wants ? o->hand_both : o->hand) (&s->arrays);
  double worst = distance (y, s->arrays.out);
  trm_drop (y);
  if (!o->wants)
    return worst;
  differentiate (s);
  stop_on_error (s->operation->name);
  for (int i = 0; i < BENCH_INPUTS; i++)
    if (s->operation->wants >> i & 1)
      {
        trm_tensor *g = trm_gradient_of (s->in[i]);
        worst = fmax (worst, g ? distance (g, s->arrays.gain[i]) : INFINITY);
        trm_forget_gradient (s->in[i]);
      }
  return worst;
}

/* CALL of S, in turns with HAND where it is not NULL.  */
static figure
time_call (subject *s, void (*call) (void *), void (*hand) (void *))
{
  trm_bench_settings settings = { .seconds = seconds };
  trm_timing t[2];
  double ratio = 0, spread = 0;
  if (hand)
    trm_bench_pair (call, hand, s, &settings, t, &ratio, &spread);
  else
    trm_bench (call, s, &settings, t);
  return (figure){ t[0].median, t[0].best, t[0].spread, ratio };
}

/* A time with a unit.  */
static void
print_time (double ns)
{
  static const char *const unit[] = { "ns", "us", "ms", "s" };
  int u = 0;
  for (; u < 3 && ns >= 1000; u++)
    ns /= 1000;
  printf (" %7.*f %-2s", ns < 100 ? 2 : 1, ns, unit[u]);
}

static void
print_figure (const figure *f)
{
  if (f->ns > 0)
    print_time (f->ns);
  else
    printf (" %10s", "-");
  if (f->ns > 0)
    printf (" %5.0f%%", 100 * f->spread / f->ns);
  else
    printf (" %6s", "-");
  if (f->ratio > 0)
    printf (" %7.2fx", f->ratio);
  else
    printf (" %8s", "-");
}

static void
print_head (void)
{
  trm_bench_machine (stdout);
  printf ("\n%-32s %7s %10s %6s %8s %10s %6s %8s\n", "tensors", "threads",
          "forward", "spread", "against", "both", "spread", "against");
}

static void
print_row (const row *r)
{
  printf ("%-32s %7d", r->name, r->threads);
  print_figure (&r->forward);
  print_figure (&r->both);
  if (r->most_ns > 0)
    printf ("  %g ns %s", r->most_ns,
            r->forward.ns <= r->most_ns ? "reached" : "MISSED");
  if (r->differs > APART)
    printf ("  DIFFERS by %.1e", r->differs);
  putchar ('\n');
  fflush (stdout);
}

/* Room for one more row, of GROUP and NAME.  */
static row *
add_row (const char *group, const char *name, int threads)
{
  if (n_rows == MOST_ROWS)
    stop ("too many rows", name);
  row *r = &rows[n_rows++];
  *r = (row){ .group = group, .name = name, .threads = threads };
  omp_set_num_threads (threads);
  return r;
}

static void
measure_operation (const bench_operation *o)
{
  subject s = { .operation = o };
  make_operands (&s);
  for (int threads = 1; threads <= 2; threads++)
    {
      row *r = add_row ("operation", o->name, threads);
      r->most_ns = threads == 1 ? o->most_ns : 0;
      r->differs = o->hand ? compare (&s) : 0;
      r->forward = time_call (&s, call_forward, o->hand ? call_hand : NULL);
      if (o->wants)
        r->both
          = time_call (&s, call_both, o->hand_both ? call_hand_both : NULL);
      stop_on_error (o->name);
      print_row (r);
    }
  drop_operands (&s);
}

/* Copy half of BYTES in MEMORY to the other half, by all threads.  */
static void
copy (char *memory, double bytes)
{
  size_t n = (size_t) omp_get_max_threads ();
  size_t part = (size_t) (bytes / 2) / n;
#pragma omp parallel for
  for (size_t i = 0; i < n; i++)
    memcpy (memory + (n + i) * part, memory + i * part, part);
}

static int
compare_numbers (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

/* The figure of the N times A, held against B.  */
static figure
summarise (double *a, double *b, int n)
{
  qsort (a, (size_t) n, sizeof *a, compare_numbers);
  qsort (b, (size_t) n, sizeof *b, compare_numbers);
  return (figure){ .ns = a[n / 2],
                   .best = a[0],
                   .spread = (a[n - 1 - n / 4] - a[n / 4]) / 2,
                   .ratio = b[n / 2] / a[n / 2] };
}

/* Calls of T in turns with what they are held against.  */
static figure
time_task (const bench_task *t, void *context, char *memory)
{
  double a[MOST_ROUNDS] = { 0 }, b[MOST_ROUNDS] = { 0 };
  double end = now () + 1e9 * seconds;
  int n = -1;
  for (; n < LEAST_ROUNDS || (n < MOST_ROUNDS && now () < end); n++)
    {
      if (t->before)
        t->before (context);
      int k = n < 0 ? 0 : n;
      double begin = now ();
      t->call (context);
      a[k] = now () - begin;
      if (t->before)
        t->before (context);
      begin = now ();
      if (t->other)
        t->other (context);
      else if (memory)
        copy (memory, t->bytes);
      b[k] = t->other || memory ? now () - begin : 0;
    }
  return summarise (a, b, n);
}

static void
measure_task (const char *group, const bench_task *t)
{
  char *memory = t->bytes > 0 ? malloc ((size_t) t->bytes) : NULL;
  if (memory)
    memset (memory, 1, (size_t) t->bytes);
  for (int threads = 1; threads <= 2; threads++)
    {
      row *r = add_row (group, t->name, threads);
      void *context = t->make ();
      stop_on_error (t->name);
      if (!context)
        stop ("cannot be made", t->name);
      r->forward = time_task (t, context, memory);
      stop_on_error (t->name);
      t->end (context);
      print_row (r);
    }
  free (memory);
}

/* The key NAME with the numbers of F.  */
static void
write_figure (FILE *file, const char *name, const figure *f)
{
  fprintf (file,
           ", \"%s\": {\"median_ns\": %.1f, \"best_ns\": %.1f, "
           "\"spread_ns\": %.1f, \"against\": %.4f}",
           name, f->ns, f->best, f->spread, f->ratio);
}

/* All rows, to the file PATH.  */
static void
write_json (const char *path)
{
  FILE *file = fopen (path, "w");
  if (!file)
    stop ("cannot write", path);
  fputs ("[\n", file);
  for (const row *r = rows; r < rows + n_rows; r++)
    {
      fprintf (file, "{\"group\": \"%s\", \"name\": \"%s\", \"threads\": %d",
               r->group, r->name, r->threads);
      write_figure (file, "forward", &r->forward);
      write_figure (file, "both", &r->both);
      fprintf (file, ", \"differs\": %.3g, \"most_ns\": %g}%s\n",
               isinf (r->differs) ? 1e9 : r->differs, r->most_ns,
               r + 1 < rows + n_rows ? "," : "");
    }
  fputs ("]\n", file);
  if (fclose (file))
    stop ("cannot write", path);
}

/* Those of TASKS that are asked for.  */
static void
measure_tasks (const char *group, const bench_task *tasks, const char *word)
{
  const char *full = getenv ("BENCH_FULL");
  for (const bench_task *t = tasks; t->name; t++)
    if (strstr (t->name, word) && (!t->is_full || (full && atoi (full))))
      measure_task (group, t);
}

int
main (int argc, char **argv)
{
  if (argc < 3)
    stop ("usage", "tensors JSON SECONDS [WORD]");
  const char *word = argc > 3 ? argv[3] : "";
  seconds = atof (argv[2]);
  print_head ();
  for (const bench_operation *o = bench_operations; o->name; o++)
    if (strstr (o->name, word))
      measure_operation (o);
  measure_tasks ("step", bench_steps, word);
  measure_tasks ("memory", bench_memory, word);
  write_json (argv[1]);
  return 0;
}
