/* The measurements as a table and as JSON.  */

#include "measure.h"

static const char *const key[BENCH_WAYS]
  = { "plain", "fast", "unfused", "fused", "hand", "forward", "peak", "copy" };

static const char *const words[BENCH_WAYS]
  = { "-O3",  "-ffast-math", "unfused", "fused",
      "hand", "forward",     "peak",    "copy" };

/* Below this part of -ffast-math's speed nothing may fall.  */
#define FLOOR 0.95

double
bench_ratio (const bench_row *row, bench_way way)
{
  const bench_sample *fused = &row->ns[BENCH_FUSED];
  return row->ns[way].n && fused->n ? row->ns[way].median / fused->median : 0;
}

void
bench_print_head (FILE *file, const bench_machine *machine)
{
  fprintf (file, "%s, %d processors, vectors of %d bytes, GCC %s\n",
           machine->cpu, machine->cores, machine->vector_bytes,
           machine->compiler);
  fprintf (file,
           "one thread: %.1f GFLOP/s multiply-add, %.1f GB/s copy; %s\n\n",
           machine->peak, machine->bandwidth,
           machine->blas[0] ? machine->blas : "no OpenBLAS");
  fprintf (file, "%-34s %7s %10s %6s %7s %7s %8s %7s %8s %6s %6s  %s\n",
           "kernel", "threads", "fused", "spread", "-O3", "-ffast", "unfused",
           "hand", "forward", "peak", "copy", "goals");
}

/* NS nanoseconds with a unit.  */
static void
print_time (FILE *file, double ns)
{
  static const char *const unit[] = { "ns", "us", "ms", "s" };
  int u = 0;
  for (; u < 3 && ns >= 1000; u++)
    ns /= 1000;
  fprintf (file, " %7.*f %-2s", ns < 100 ? 2 : 1, ns, unit[u]);
}

/* The ratio of WAY in a column of WIDTH.  */
static void
print_ratio (FILE *file, const bench_row *row, bench_way way, int width)
{
  double ratio = bench_ratio (row, way);
  if (ratio > 0)
    fprintf (file, " %*.2fx", width - 1, ratio);
  else
    fprintf (file, " %*s", width, "-");
}

/* The limit of the machine, PEAK or COPY, that ROW would have to beat in order
   to be AT_LEAST times, more than once, as fast as WAY; else BENCH_WAYS.  */
static bench_way
limit_of (const bench_row *row, bench_way way, double at_least)
{
  for (bench_way limit = BENCH_PEAK; limit <= BENCH_COPY; limit++)
    if (at_least > 1 && row->ns[limit].n
        && row->ns[way].median < at_least * row->ns[limit].median)
      return limit;
  return BENCH_WAYS;
}

/* One goal: AT_LEAST times WAY.  */
static void
print_goal (FILE *file, const bench_row *row, bench_way way, double at_least)
{
  bool reached = bench_ratio (row, way) >= at_least;
  bench_way limit = limit_of (row, way, at_least);
  fprintf (file, "  %.2fx %s ", at_least, words[way]);
  if (reached || limit == BENCH_WAYS)
    fputs (reached ? "reached" : "MISSED", file);
  else
    fprintf (file, "above %s", words[limit]);
}

/* Whether GOAL is one, is about ROW's threads, and was measured.  */
static bool
is_asked (const bench_row *row, const bench_goal *goal)
{
  return goal->at_least > 0 && goal->threads == row->threads
         && bench_ratio (row, goal->way) > 0;
}

void
bench_print_row (FILE *file, const bench_row *row)
{
  const bench_kernel *kernel = row->kernel;
  const bench_sample *fused = &row->ns[BENCH_FUSED];
  fprintf (file, "%-34s %7d", kernel->name, row->threads);
  print_time (file, fused->median);
  fprintf (file, " %5.0f%%", 50 * (fused->high - fused->low) / fused->median);
  print_ratio (file, row, BENCH_PLAIN, 7);
  print_ratio (file, row, BENCH_FAST, 7);
  print_ratio (file, row, BENCH_UNFUSED, 8);
  print_ratio (file, row, BENCH_HAND, 7);
  print_ratio (file, row, BENCH_FORWARD, 8);
  print_ratio (file, row, BENCH_PEAK, 6);
  print_ratio (file, row, BENCH_COPY, 6);
  for (int g = 0; g < BENCH_GOALS; g++)
    if (is_asked (row, &kernel->goal[g]))
      print_goal (file, row, kernel->goal[g].way, kernel->goal[g].at_least);
  if (kernel->most_ns > 0 && row->threads == 1)
    fprintf (file, "  %g ns %s", kernel->most_ns,
             fused->median <= kernel->most_ns ? "reached" : "MISSED");
  if (row->ns[BENCH_FAST].n && bench_ratio (row, BENCH_FAST) < FLOOR)
    print_goal (file, row, BENCH_FAST, FLOOR);
  for (int way = 0; way < BENCH_PEAK; way++)
    if (row->differs[way] > 1e-4)
      fprintf (file, "  %s DIFFERS by %.1e", words[way], row->differs[way]);
  fputc ('\n', file);
}

/* The way WAY of ROW.  */
static void
print_way (FILE *file, const bench_row *row, int way)
{
  const bench_sample *s = &row->ns[way];
  fprintf (file,
           ", \"%s\": {\"median_ns\": %.1f, \"low_ns\": %.1f, "
           "\"high_ns\": %.1f, \"samples\": %d, \"over_fused\": %.4f, "
           "\"differs\": %.3g}",
           key[way], s->median, s->low, s->high, s->n,
           bench_ratio (row, (bench_way) way), row->differs[way]);
}

/* The goals of ROW.  */
static void
print_goals (FILE *file, const bench_row *row)
{
  int n = 0;
  fputs (", \"goals\": [", file);
  for (int g = 0; g < BENCH_GOALS; g++)
    {
      const bench_goal *goal = &row->kernel->goal[g];
      if (!is_asked (row, goal))
        continue;
      bool reached = bench_ratio (row, goal->way) >= goal->at_least;
      bench_way limit = limit_of (row, goal->way, goal->at_least);
      fprintf (file, "%s{\"over\": \"%s\", \"at_least\": %g, \"reached\": %s",
               n++ ? ", " : "", key[goal->way], goal->at_least,
               reached ? "true" : "false");
      if (limit < BENCH_WAYS)
        fprintf (file, ", \"above\": \"%s\"", key[limit]);
      fputs ("}", file);
    }
  fputs ("]", file);
}

void
bench_print_json (FILE *file, const bench_machine *machine, int n,
                  const bench_row *row)
{
  fprintf (file,
           "{\"machine\": {\"cpu\": \"%s\", \"processors\": %d, "
           "\"vector_bytes\": %d, \"compiler\": \"GCC %s\", \"blas\": \"%s\", "
           "\"gflops\": %.2f, \"copy_gb\": %.2f},\n \"kernels\": [",
           machine->cpu, machine->cores, machine->vector_bytes,
           machine->compiler, machine->blas, machine->peak, machine->bandwidth);
  for (int r = 0; r < n; r++)
    {
      fprintf (file, "%s\n  {\"name\": \"%s\", \"threads\": %d", r ? "," : "",
               row[r].kernel->name, row[r].threads);
      for (int way = 0; way < BENCH_WAYS; way++)
        if (row[r].ns[way].n)
          print_way (file, &row[r], way);
      print_goals (file, &row[r]);
      fputs ("}", file);
    }
  fputs ("]}\n", file);
}
