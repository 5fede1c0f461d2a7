/* A trace: what each thread did when, for chrome://tracing or Perfetto.

   While events are kept each thread writes its own into a ring, at the end of
   each call; the oldest make room for the newest.  The file has one lane a
   thread, regions as complete events ("X") and the memory of tensors as a
   counter ("C"), times in microseconds since the wall clock began:

     {"ph": "X", "name": "blur", "tid": 1, "ts": 12.345, "dur": 6.789, ...}  */

#include "profile.h"

#include <stdlib.h>
#include <unistd.h>

void
trm_event_keep (trm_thread *t, trm_site *site, int64_t begin, int64_t end,
                int64_t value)
{
  trm_event *ring = t->ring;
  if (!ring)
    return;
  trm_event *event = &ring[t->written % TRM_EVENTS];
  TRM_SET (event->begin, begin);
  TRM_SET (event->end, end);
  TRM_SET (event->site, site);
  TRM_SET (event->value, value);
  __atomic_store_n (&t->written, t->written + 1, __ATOMIC_RELEASE);
}

/* Number I of T's events.  */
static trm_event
load_event (const trm_thread *t, int64_t i)
{
  const trm_event *from = &t->ring[i % TRM_EVENTS];
  return (trm_event){
    .begin = __atomic_load_n (&from->begin, __ATOMIC_RELAXED),
    .end = __atomic_load_n (&from->end, __ATOMIC_RELAXED),
    .site = __atomic_load_n (&from->site, __ATOMIC_RELAXED),
    .value = __atomic_load_n (&from->value, __ATOMIC_RELAXED),
  };
}

/* The larger of X and Y.  */
static int64_t
larger (int64_t x, int64_t y)
{
  return x > y ? x : y;
}

int64_t
trm_events_take (const trm_thread *t, trm_event *event, int64_t most,
                 int64_t *dropped)
{
  *dropped = 0;
  if (!__atomic_load_n (&t->ring, __ATOMIC_ACQUIRE))
    return 0;
  int64_t written = __atomic_load_n (&t->written, __ATOMIC_ACQUIRE);
  int64_t oldest = larger (t->origin, written - TRM_EVENTS);
  int64_t from = larger (oldest, written - most);
  for (int64_t i = from; i < written; i++)
    event[i - from] = load_event (t, i);
  int64_t now = __atomic_load_n (&t->written, __ATOMIC_ACQUIRE);
  int64_t lost = larger (0, now - TRM_EVENTS + 1 - from);
  if (now == written)
    lost = 0;
  lost = lost < written - from ? lost : written - from;
  for (int64_t i = 0; lost && i < written - from - lost; i++)
    event[i] = event[i + lost];
  *dropped = oldest - t->origin + lost;
  return written - from - lost;
}

/* TICKS in microseconds.  */
static double
micros (int64_t ticks, const trm_profile *p)
{
  return (double) ticks * p->tick / 1000;
}

/* The sizes of SITE, when it stands for calls with some.  */
static void
print_given (FILE *file, const trm_site *site)
{
  const trm_sizes *sizes = (const trm_sizes *) site;
  if (!(site->flags & TRM_SITE_SIZES) || sizes->rest)
    return;
  fputs (", \"sizes\": ", file);
  trm_sizes_json (file, sizes, 0, sizes->n_sizes);
}

/* EVENT of thread T, of a region.  */
static void
print_call (FILE *file, const trm_event *event, const trm_thread *t,
            const trm_profile *p)
{
  const trm_site *site = trm_site_region (event->site);
  fputs (",\n{\"ph\": \"X\", \"cat\": \"region\", \"name\": ", file);
  trm_print_json_string (file, site->name);
  fprintf (file,
           ", \"pid\": %ld, \"tid\": %d, \"ts\": %.3f, \"dur\": %.3f, "
           "\"args\": {\"file\": ",
           (long) getpid (), t->lane, micros (event->begin - p->begin, p),
           micros (event->end - event->begin, p));
  trm_print_json_string (file, site->file);
  fprintf (file, ", \"line\": %d%s", (int) site->line,
           event->value ? ", \"fell_back\": true" : "");
  print_given (file, event->site);
  fputs ("}}", file);
}

/* EVENT, of the memory of tensors.  */
static void
print_memory (FILE *file, const trm_event *event, const trm_profile *p)
{
  fprintf (file,
           ",\n{\"ph\": \"C\", \"name\": \"tensors\", \"pid\": %ld, "
           "\"ts\": %.3f, \"args\": {\"bytes\": %lld}}",
           (long) getpid (), micros (event->begin - p->begin, p),
           (long long) event->value);
}

/* The lane of T, and N events of it.  */
static void
print_lane (FILE *file, const trm_event *event, int64_t n, const trm_thread *t,
            const trm_profile *p)
{
  fprintf (file,
           ",\n{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": %ld, "
           "\"tid\": %d, \"args\": {\"name\": \"thread %d\"}}",
           (long) getpid (), t->lane, t->lane);
  for (int64_t i = 0; i < n; i++)
    if (event[i].site)
      print_call (file, &event[i], t, p);
    else
      print_memory (file, &event[i], p);
}

/* Whether T has counts, or events, to show.  */
static bool
is_shown (const trm_thread *t)
{
  int nodes = __atomic_load_n (&t->nodes, __ATOMIC_RELAXED);
  int64_t written = __atomic_load_n (&t->written, __ATOMIC_RELAXED);
  return trm_thread_is_fresh (t) && (nodes > 2 || written > t->origin);
}

void
trm_profile_trace (FILE *file, const trm_profile *p)
{
  trm_event *event = malloc (TRM_EVENTS * sizeof *event);
  int64_t dropped;
  fprintf (file,
           "{\"displayTimeUnit\": \"ns\", \"otherData\": {\"dropped\": %lld},\n"
           "\"traceEvents\": [\n{\"ph\": \"M\", \"name\": \"process_name\", "
           "\"pid\": %ld, \"args\": {\"name\": \"tensor regions\"}}",
           (long long) p->dropped, (long) getpid ());
  trm_threads_lock ();
  for (trm_thread *t = trm_threads (); event && t; t = t->next)
    if (is_shown (t))
      {
        int64_t n = trm_events_take (t, event, TRM_EVENTS, &dropped);
        print_lane (file, event, n, t, p);
      }
  trm_threads_unlock ();
  trm_cuda_trace_print (file, p);
  fputs ("]}\n", file);
  free (event);
}

/* How many threads have events, at least 1.  */
static int64_t
count_lanes (void)
{
  int64_t n = 0;
  for (trm_thread *t = trm_threads (); t; t = t->next)
    n += is_shown (t) && t->ring;
  return n ? n : 1;
}

/* The number of SITE's row in P, -1 when it has none.  */
static int
row_of (const trm_site *site, const trm_profile *p)
{
  for (int i = 0; i < p->n; i++)
    if (p->row[i].site == trm_site_shown (site, p->by))
      return i;
  return -1;
}

void
trm_events_json (FILE *file, const trm_profile *p, int64_t most)
{
  trm_threads_lock ();
  int64_t each = most / count_lanes (), dropped;
  each = each < TRM_EVENTS ? each : TRM_EVENTS;
  trm_event *event = malloc ((size_t) each * sizeof *event);
  const char *comma = "";
  fputs ("[", file);
  for (trm_thread *t = trm_threads (); event && t; t = t->next)
    {
      int64_t n = is_shown (t) ? trm_events_take (t, event, each, &dropped) : 0;
      for (int64_t i = 0; i < n; i++)
        if (event[i].site && event[i].begin >= p->begin)
          {
            fprintf (file, "%s[%d, %d, %.3f, %.3f]", comma, t->lane,
                     row_of (event[i].site, p),
                     micros (event[i].begin - p->begin, p),
                     micros (event[i].end - event[i].begin, p));
            comma = ",\n  ";
          }
    }
  trm_threads_unlock ();
  fputs ("]", file);
  free (event);
}
