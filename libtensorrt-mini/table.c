/* The profile as text, for people.

   Region  Where       Calls  Self     Self %  Total    Total % Threads  Mean ..
   blur    image.c:42     10  1.234 s   45.1   1.234 s    45.1     2.0  123 ms
   outside regions            1.500 s   54.9
   all                        2.734 s  100.0

   A region compiled with profile has a second line, with the times of its
   first, fastest and slowest call, and of those that fell back.

   Self times add up to the wall clock (profile-share.c).  GFLOP/s and GB/s are
   the operations and bytes that the compiler counted for the fused loops, over
   the total time; they are empty where nothing was counted (the loops as
   written ran).  Mean includes the measurement itself, which the JSON form
   states as overhead_ns.  Columns of what was not asked for are left out.  */

#include "profile.h"

#include <string.h>

#define NAME_COLUMNS  24
#define MOST_COLUMNS  44
#define PLACE_COLUMNS 22

const char *
trm_time_text (char text[16], double ns)
{
  static const char *const unit[] = { "ns", "us", "ms", "s" };
  int u = 0;
  while (u < 3 && ns >= 999.95)
    {
      ns /= 1000;
      u++;
    }
  int digits = ns < 9.9995 ? 3 : ns < 99.995 ? 2 : 1;
  snprintf (text, 16, "%.*f %s", u || ns < 99 ? digits : 0, ns, unit[u]);
  return text;
}

void
trm_place_text (char *text, size_t bytes, const trm_site *site)
{
  const char *slash = strrchr (site->file, '/');
  if (*site->file)
    snprintf (text, bytes, "%s:%d", slash ? slash + 1 : site->file,
              (int) site->line);
  else
    snprintf (text, bytes, "-");
}

/* X with DIGITS behind the point, empty when it is not above 0.  */
static void
put_positive (char text[16], double x, int digits)
{
  text[0] = 0;
  if (x > 0)
    snprintf (text, 16, "%.*f", digits, x);
}

const char *
trm_bytes_text (char text[16], double bytes)
{
  static const char *const unit[] = { "B", "KiB", "MiB", "GiB" };
  int u = 0;
  while (u < 3 && bytes >= 1023.5)
    {
      bytes /= 1024;
      u++;
    }
  snprintf (text, 16, "%.*f %s", u ? 1 : 0, bytes, unit[u]);
  return text;
}

/* The text of one column of ROW.  */
typedef void put_cell (char text[16], const trm_row *row, const trm_profile *p);

/* How often it was called.  */
static void
put_calls (char text[16], const trm_row *row, const trm_profile *p)
{
  (void) p;
  snprintf (text, 16, "%lld", (long long) row->calls);
}

/* Its own time.  */
static void
put_self (char text[16], const trm_row *row, const trm_profile *p)
{
  (void) p;
  trm_time_text (text, row->self);
}

/* The same of all.  */
static void
put_self_share (char text[16], const trm_row *row, const trm_profile *p)
{
  snprintf (text, 16, "%.1f", p->wall > 0 ? 100 * row->self / p->wall : 0);
}

/* Its time with what it called, of all threads.  */
static void
put_total (char text[16], const trm_row *row, const trm_profile *p)
{
  (void) p;
  trm_time_text (text, row->total);
}

/* The same of all.  */
static void
put_total_share (char text[16], const trm_row *row, const trm_profile *p)
{
  snprintf (text, 16, "%.1f", p->wall > 0 ? 100 * row->total / p->wall : 0);
}

/* Processors that the process used meanwhile.  */
static void
put_threads (char text[16], const trm_row *row, const trm_profile *p)
{
  (void) p;
  put_positive (text, trm_row_threads (row), 1);
}

/* Time of a call.  */
static void
put_mean (char text[16], const trm_row *row, const trm_profile *p)
{
  (void) p;
  trm_time_text (text, row->total / (double) row->calls);
}

/* Operations a nanosecond.  */
static void
put_flops (char text[16], const trm_row *row, const trm_profile *p)
{
  (void) p;
  put_positive (text, row->total > 0 ? row->flops / row->total : 0, 2);
}

/* Bytes a nanosecond.  */
static void
put_moved (char text[16], const trm_row *row, const trm_profile *p)
{
  (void) p;
  put_positive (text, row->total > 0 ? row->bytes / row->total : 0, 2);
}

/* Part of what the machine would allow.  */
static void
put_roof (char text[16], const trm_row *row, const trm_profile *p)
{
  put_positive (text, 100 * trm_row_roof (row, p), 1);
}

/* Cycles an instruction.  */
static void
put_cpi (char text[16], const trm_row *row, const trm_profile *p)
{
  (void) p;
  put_positive (text, trm_row_cpi (row), 2);
}

/* Bytes of tensors made.  */
static void
put_allocated (char text[16], const trm_row *row, const trm_profile *p)
{
  (void) p;
  trm_bytes_text (text, (double) row->allocated);
}

/* Part of all samples, of threads that work for it, too.  */
static void
put_samples (char text[16], const trm_row *row, const trm_profile *p)
{
  double all = (double) p->samples;
  double own = (double) (row->samples + row->workers);
  snprintf (text, 16, "%.1f", all > 0 ? 100 * own / all : 0);
}

/* Calls that fell back.  */
static void
put_fallbacks (char text[16], const trm_row *row, const trm_profile *p)
{
  (void) p;
  snprintf (text, 16, "%lld", (long long) row->fallbacks);
}

/* What limits it.  */
static void
put_bound (char text[16], const trm_row *row, const trm_profile *p)
{
  snprintf (text, 16, "%s", trm_row_bound (row, p));
}

/* Which columns there are: always, or when something was asked for.  */
enum
{
  ALWAYS,
  WITH_PEAKS,
  WITH_COUNTERS,
  WITH_SAMPLES,
  WITH_MEMORY,
  CONDITIONS
};

static const struct
{
  const char *head;
  int width;
  int when;
  put_cell *put;
} columns[] = {
  { "Calls", 9, ALWAYS, put_calls },
  { "Self", 9, ALWAYS, put_self },
  { "Self %", 6, ALWAYS, put_self_share },
  { "Total", 9, ALWAYS, put_total },
  { "Total %", 7, ALWAYS, put_total_share },
  { "Threads", 7, ALWAYS, put_threads },
  { "Mean", 9, ALWAYS, put_mean },
  { "GFLOP/s", 8, ALWAYS, put_flops },
  { "GB/s", 7, ALWAYS, put_moved },
  { "Roof %", 6, WITH_PEAKS, put_roof },
  { "CPI", 5, WITH_COUNTERS, put_cpi },
  { "Samples %", 9, WITH_SAMPLES, put_samples },
  { "Allocated", 10, WITH_MEMORY, put_allocated },
  { "Fallbacks", 9, ALWAYS, put_fallbacks },
  { "Bound by", 10, WITH_PEAKS, put_bound },
};

#define COLUMNS (int) (sizeof columns / sizeof *columns)

/* Whether column I of P is shown.  */
static bool
is_shown (int i, const trm_profile *p, const trm_wish *wish)
{
  bool is[CONDITIONS]
    = { [ALWAYS] = true,
        [WITH_PEAKS] = wish->peaks,
        [WITH_COUNTERS] = wish->counters && !trm_counters_refused (),
        [WITH_SAMPLES] = p->samples > 0 };
  for (int k = 0; k < p->n; k++)
    is[WITH_MEMORY] |= p->row[k].allocated > 0;
  return is[columns[i].when];
}

/* The larger of N and TEXT's length, at most MOST.  */
static int
widen (int n, const char *text, int most)
{
  int length = (int) strlen (text);
  return length > most ? most : length > n ? length : n;
}

/* How wide the columns of names and of places are.  */
static void
measure_columns (const trm_profile *p, int *names, int *places)
{
  char place[64];
  *names = NAME_COLUMNS;
  *places = PLACE_COLUMNS;
  for (int i = 0; i < p->n; i++)
    {
      trm_place_text (place, sizeof place, p->row[i].site);
      *names = widen (*names, p->row[i].site->name, MOST_COLUMNS);
      *places = widen (*places, place, MOST_COLUMNS);
    }
}

/* The head.  */
static void
print_head (FILE *file, const trm_profile *p, const trm_wish *wish)
{
  int names, places;
  measure_columns (p, &names, &places);
  fprintf (file, "%-*s %-*s", names, "Region", places, "Where");
  for (int i = 0; i < COLUMNS; i++)
    if (is_shown (i, p, wish))
      fprintf (file, " %*s", columns[i].width, columns[i].head);
  fputc ('\n', file);
}

/* The name and the place of ROW of P, of a group what its regions share.  */
static void
print_name (FILE *file, const trm_row *row, const trm_profile *p, trm_group by)
{
  int names, places;
  char place[64];
  const char *slash = strrchr (row->site->file, '/');
  measure_columns (p, &names, &places);
  trm_place_text (place, sizeof place, row->site);
  if (by == TRM_BY_FILE)
    snprintf (place, sizeof place, "%s", slash ? slash + 1 : row->site->file);
  fprintf (file, "%-*s %-*s", names,
           by == TRM_BY_FILE ? "all of a file" : row->site->name, places,
           by == TRM_BY_NAME ? "" : place);
}

/* The line of ROW.  */
static void
print_row (FILE *file, const trm_row *row, const trm_profile *p,
           const trm_wish *wish)
{
  char text[16];
  print_name (file, row, p, wish->by);
  for (int i = 0; i < COLUMNS; i++)
    if (is_shown (i, p, wish))
      {
        columns[i].put (text, row, p);
        fprintf (file, " %*s", columns[i].width, text);
      }
  fputc ('\n', file);
}

/* The finer times of ROW, if it has them.  */
static void
print_finer (FILE *file, const trm_row *row)
{
  char first[16], least[16], most[16], back[16];
  if (!row->first_at)
    return;
  fprintf (file, "  first call %s, fastest %s, slowest %s",
           trm_time_text (first, row->first), trm_time_text (least, row->least),
           trm_time_text (most, row->most));
  if (row->fallbacks > 0)
    fprintf (file, ", %s in fallbacks", trm_time_text (back, row->fallback));
  fputs ("\n", file);
}

/* A row with a name and a time only.  */
static void
print_rest (FILE *file, const char *name, double ns, const trm_profile *p)
{
  int names, places;
  char self[16];
  measure_columns (p, &names, &places);
  fprintf (file, "%-*s %9s %9s %6.1f\n", names + places + 1, name, "",
           trm_time_text (self, ns), p->wall > 0 ? 100 * ns / p->wall : 0);
}

/* What is suspected of regions that wait.  */
static void
print_suspects (FILE *file, const trm_profile *p)
{
  for (int i = 0; i < p->n; i++)
    {
      const char *suspect = trm_row_suspect (&p->row[i], p);
      if (suspect)
        fprintf (file,
                 "note: %s takes %.2f cycles an instruction; perhaps %s\n",
                 p->row[i].site->name, trm_row_cpi (&p->row[i]), suspect);
    }
}

/* What the table's reader should know besides.  */
static void
print_notes (FILE *file, const trm_profile *p, const trm_wish *wish)
{
  if (p->tasks > p->processors)
    fprintf (file, "note: %d threads on %d processors\n", p->tasks,
             p->processors);
  if (p->dropped)
    fprintf (file,
             "note: of %lld events the oldest %lld were dropped from the "
             "trace\n",
             (long long) p->events, (long long) p->dropped);
  if (p->refused)
    fprintf (file, "note: %lld calls had no room to be counted\n",
             (long long) p->refused);
  if (wish->counters && trm_counters_refused ())
    fprintf (file, "note: no counters of the processor: %s\n",
             trm_counters_refused ());
  if (wish->peaks)
    fprintf (file,
             "note: this machine reaches %.1f GFLOP/s of single, %.1f of "
             "double precision, and copies %.1f GB/s\n",
             p->peaks.flops_f32, p->peaks.flops_f64, p->peaks.bytes);
  print_suspects (file, p);
  trm_profile_hot (file, p);
}

void
trm_profile_table (FILE *file, const trm_profile *p, const trm_wish *wish)
{
  print_head (file, p, wish);
  for (int i = 0; i < p->n; i++)
    {
      print_row (file, &p->row[i], p, wish);
      print_finer (file, &p->row[i]);
    }
  if (p->under_way > 0.0005 * p->wall)
    print_rest (file, "calls not finished", p->under_way, p);
  print_rest (file, "outside regions", p->outside, p);
  print_rest (file, "all", p->wall, p);
  print_notes (file, p, wish);
  trm_cuda_falls_print (file);
  trm_cuda_kernels_print (file);
  if (wish->sample && !wish->file[TRM_SAMPLE])
    trm_profile_samples (file, p);
  if (wish->memory && !wish->file[TRM_MEMORY] && p->memory.most)
    trm_profile_held (file, p);
}
