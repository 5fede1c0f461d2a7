/* Timing calls (trm-bench.h).

     warm up     until a tenth of the time is gone, at least once; the rate of
                 these calls says how many make a run
     runs        A B, B A, A B, ...: each the time of CALLS calls over CALLS
     quartiles   of the runs, sorted

   A stopwatch does the same around a statement: its batches end when LEFT is
   used up, where trm_next_run decides what the next one is for.  */

#include "tensor.h"

#include "choose.h"
#include "runtime.h"
#include "trm-bench.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#define MOST_RUNS  10000
#define COLD_BYTES (64 << 20)
#define RESOLUTION 20000.0

/* What is timed: one call, or two in turns.  ns[k] are the runs of call K.
   wash: memory that is written to empty the caches, or NULL.  */
typedef struct contest
{
  void (*call[2]) (void *context);
  void *context;
  int n;
  int runs;
  int64_t calls;
  double first[2];
  double *ns[2];
  char *wash;
} contest;

/* Write all of C's wash, so that nothing else is in the caches.  */
static void
empty_caches (contest *c)
{
  for (size_t i = 0; c->wash && i < COLD_BYTES; i += 64)
    ((volatile char *) c->wash)[i]++;
}

/* Nanoseconds of CALLS calls of K.  */
static double
time_calls (contest *c, int k, int64_t calls)
{
  empty_caches (c);
  int64_t begin = trm_now ();
  for (int64_t i = 0; i < calls; i++)
    c->call[k](c->context);
  return (double) (trm_now () - begin);
}

/* Warm up for NS nanoseconds a call; nanoseconds of the slower one.  */
static double
warm_up (contest *c, double ns)
{
  double slowest = 1;
  for (int k = 0; k < c->n; k++)
    {
      double spent = c->first[k] = time_calls (c, k, 1), last = spent;
      int64_t calls = 1;
      while (spent < ns)
        {
          last = time_calls (c, k, calls) / (double) calls;
          spent += last * (double) calls;
          calls *= last * (double) calls < RESOLUTION ? 2 : 1;
        }
      slowest = last > slowest ? last : slowest;
    }
  return slowest;
}

/* Time the runs, another call first in each.  */
static void
time_runs (contest *c)
{
  for (int r = 0; r < c->runs; r++)
    for (int i = 0; i < c->n; i++)
      {
        int k = (i + r) % c->n;
        c->ns[k][r] = time_calls (c, k, c->calls) / (double) c->calls;
      }
}

/* Smaller numbers first.  */
static int
compare_numbers (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

/* The element at Q of 4 of the N sorted X, between neighbours.  */
static double
quartile (const double *x, int n, int q)
{
  double at = (n - 1) * q / 4.0;
  int low = (int) at;
  int high = low + 1 < n ? low + 1 : low;
  return x[low] + (at - low) * (x[high] - x[low]);
}

/* What NS[0..runs) show, of CALLS calls each; they are sorted after that.  */
static trm_timing
summarise (double *ns, int runs, int64_t calls, double first)
{
  qsort (ns, (size_t) runs, sizeof *ns, compare_numbers);
  double apart = quartile (ns, runs, 3) - quartile (ns, runs, 1);
  trm_timing t = { .first = first,
                   .best = ns[0],
                   .median = quartile (ns, runs, 2),
                   .spread = apart / 2,
                   .runs = runs,
                   .calls = calls,
                   .threads = omp_get_max_threads () };
  for (int r = 0; r < runs; r++)
    t.outliers += ns[r] > t.median + 3 * t.spread && ns[r] > t.median * 1.05;
  return t;
}

/* Fill in what SETTINGS leaves open; false when it is out of bounds.  */
static bool
settle (trm_bench_settings *s)
{
  s->runs = s->runs ? s->runs : 7;
  s->seconds = s->seconds > 0 ? s->seconds : 1;
  if (s->cold && s->calls == 0)
    s->calls = 1;
  return s->runs > 0 && s->runs <= MOST_RUNS && s->calls >= 0;
}

/* Run contest C by SETTINGS; its runs are the caller's to free.  */
static trm_status
hold (contest *c, const trm_bench_settings *settings)
{
  trm_bench_settings s = settings ? *settings : (trm_bench_settings){ 0 };
  if (!settle (&s))
    return trm_fail (TRM_BAD_ARGUMENT, "bench: %d runs of %lld calls", s.runs,
                     (long long) s.calls);
  c->runs = s.runs;
  c->wash = s.cold ? calloc (1, COLD_BYTES) : NULL;
  for (int k = 0; k < c->n; k++)
    c->ns[k] = malloc ((size_t) s.runs * sizeof (double));
  if ((s.cold && !c->wash) || !c->ns[0] || (c->n > 1 && !c->ns[1]))
    return trm_fail (TRM_NO_MEMORY, "bench: no memory");
  double a_call = warm_up (c, s.seconds * 1e8 / c->n);
  double fit = s.seconds * 1e9 / (a_call * s.runs * c->n);
  c->calls = s.calls ? s.calls : fit > 1 ? (int64_t) fit : 1;
  time_runs (c);
  return TRM_OK;
}

/* Free what C holds.  */
static void
clear (contest *c)
{
  free (c->ns[0]);
  free (c->ns[1]);
  free (c->wash);
}

trm_status
trm_bench (void (*call) (void *context), void *context,
           const trm_bench_settings *settings, trm_timing *timing)
{
  contest c = { .call = { call }, .context = context, .n = 1 };
  trm_status status = hold (&c, settings);
  if (status == TRM_OK)
    *timing = summarise (c.ns[0], c.runs, c.calls, c.first[0]);
  clear (&c);
  return status;
}

trm_status
trm_bench_pair (void (*a) (void *context), void (*b) (void *context),
                void *context, const trm_bench_settings *settings,
                trm_timing timing[2], double *ratio, double *spread)
{
  contest c = { .call = { a, b }, .context = context, .n = 2 };
  trm_status status = hold (&c, settings);
  double *over = status ? NULL : malloc ((size_t) c.runs * sizeof (double));
  if (over)
    {
      for (int r = 0; r < c.runs; r++)
        over[r] = c.ns[1][r] / c.ns[0][r];
      qsort (over, (size_t) c.runs, sizeof *over, compare_numbers);
      *ratio = quartile (over, c.runs, 2);
      *spread = (quartile (over, c.runs, 3) - quartile (over, c.runs, 1)) / 2;
      for (int k = 0; k < 2; k++)
        timing[k] = summarise (c.ns[k], c.runs, c.calls, c.first[k]);
    }
  else if (!status)
    status = trm_fail (TRM_NO_MEMORY, "bench: no memory");
  free (over);
  clear (&c);
  return status;
}

/* What a stopwatch is at.  */
enum
{
  START,
  FIRST,
  WARM,
  RUNS
};

trm_stopwatch
trm_stopwatch_start (const trm_bench_settings *settings)
{
  trm_stopwatch w = { .phase = START, .calls = 1 };
  w.asked = settings ? *settings : (trm_bench_settings){ 0 };
  if (settle (&w.asked))
    w.ns = malloc ((size_t) w.asked.runs * sizeof (double));
  return w;
}

/* The batch of W that ended after NS nanoseconds was for warming up: the next
   one is longer, or the first that counts.  */
static void
warm_on (trm_stopwatch *w, double ns)
{
  double a_call = ns / (double) w->calls;
  w->spent += ns;
  w->calls *= ns < RESOLUTION ? 2 : 1;
  if (w->spent < w->asked.seconds * 1e8)
    return;
  double fit = w->asked.seconds * 1e9 / (a_call * w->asked.runs);
  w->phase = RUNS;
  w->calls = w->asked.calls ? w->asked.calls : fit > 1 ? (int64_t) fit : 1;
}

bool
trm_next_run (trm_stopwatch *w)
{
  double ns = (double) (trm_now () - w->begin);
  if (!w->ns)
    return false;
  if (w->phase == START)
    w->phase = FIRST;
  else if (w->phase == RUNS)
    w->ns[w->run++] = ns / (double) w->calls;
  else
    {
      w->first = w->phase == FIRST ? ns : w->first;
      w->phase = WARM;
      warm_on (w, ns);
    }
  w->left = w->calls;
  w->begin = trm_now ();
  return w->run < w->asked.runs;
}

trm_status
trm_stopwatch_end (trm_stopwatch *w, trm_timing *timing)
{
  if (!w->ns)
    return trm_fail (TRM_BAD_ARGUMENT, "stopwatch: %d runs of %lld calls",
                     w->asked.runs, (long long) w->asked.calls);
  *timing = summarise (w->ns, w->asked.runs, w->calls, w->first);
  free (w->ns);
  w->ns = NULL;
  return TRM_OK;
}

/* NS nanoseconds as a number of three digits and a unit, in TEXT.  */
static const char *
time_text (char text[32], double ns)
{
  static const char *const unit[] = { "ns", "us", "ms", "s" };
  int u = 0;
  for (; u < 3 && ns >= 999.5; u++)
    ns /= 1000;
  snprintf (text, 32, "%.*f %s",
            ns < 9.995   ? 2
            : ns < 99.95 ? 1
                         : 0,
            ns, unit[u]);
  return text;
}

void
trm_bench_print (FILE *file, const char *name, const trm_timing *t)
{
  char median[32], best[32], first[32];
  fprintf (file,
           "%s: %s a call +-%.0f %% (best %s, first %s; %d runs of %lld calls,"
           " %d threads)\n",
           name, time_text (median, t->median), 100 * t->spread / t->median,
           time_text (best, t->best), time_text (first, t->first), t->runs,
           (long long) t->calls, t->threads);
  if (t->outliers)
    fprintf (file, "%s: %d of the runs lie far above the median\n", name,
             t->outliers);
}

/* What stands behind KEY in the first such line of the file PATH, in TEXT of
   BYTES bytes; "" when there is none.  */
static const char *
find_line (const char *path, const char *key, char *text, size_t bytes)
{
  FILE *file = fopen (path, "r");
  char line[512];
  bool found = false;
  text[0] = 0;
  while (file && !found && fgets (line, sizeof line, file))
    if ((found = strncmp (line, key, strlen (key)) == 0))
      {
        const char *value = line + strlen (key);
        value += strspn (value, " \t:");
        snprintf (text, bytes, "%.*s", (int) strcspn (value, "\n"), value);
      }
  if (file)
    fclose (file);
  return text;
}

void
trm_bench_machine (FILE *file)
{
  char model[256], now[64], most[64];
  find_line ("/proc/cpuinfo", "model name", model, sizeof model);
  find_line ("/proc/cpuinfo", "cpu MHz", now, sizeof now);
  find_line ("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "", most,
             sizeof most);
  fprintf (file, "%s, %d threads, kernels for x86-64-v%d",
           *model ? model : "processor not known", omp_get_num_procs (),
           trm_level ());
  if (*now)
    fprintf (file, ", %.0f MHz now", atof (now));
  if (*most)
    fprintf (file, ", %.0f at most", atof (most) / 1000);
  fprintf (file, "\n");
}
