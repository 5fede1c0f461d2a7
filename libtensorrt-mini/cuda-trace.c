/* What the device did when: four lanes of a trace beside those of the threads
   (trace.c), for copies to the device, for kernels, for the time between them,
   and for copies from the device.

   The newest events are kept.  When kernels ran is the device's word, where the
   process was profiled from its start (cuda-time.c).  Copies are timed by the
   host.  */

#include "profile.h"

#include "cuda.h"

#include <stdlib.h>
#include <unistd.h>

#define EVENTS     16384
#define FIRST_LANE 1000001

/* Ticks of its beginning and end; what it was of, for which region.  */
typedef struct event
{
  int64_t begin;
  int64_t end;
  trm_cuda_lane lane;
  const char *name;
  const trm_site *site;
  intptr_t bytes;
} event;

static event *ring;
static int64_t written;

/* The next event, of which the time and the name are known; NULL where none are
   kept.  */
static event *
next_event (int64_t end, int64_t ns, const char *name)
{
  if (!trm_records (TRM_RECORD_EVENTS)
      || (!ring && !(ring = malloc (EVENTS * sizeof *ring))))
    return NULL;
  event *e = &ring[written++ % EVENTS];
  e->end = end;
  e->begin = end - (int64_t) ((double) ns / trm_clock_tick ());
  e->name = name ? name : "?";
  return e;
}

void
trm_cuda_traced (trm_cuda_lane lane, const char *name, intptr_t bytes,
                 int64_t ns)
{
  event *e = next_event (trm_ticks (), ns, name);
  if (!e)
    return;
  e->lane = lane;
  e->site = trm_cuda_site;
  e->bytes = bytes;
}

void
trm_cuda_traced_until (int64_t end, trm_cuda_lane lane, const char *name,
                       const trm_site *site, int64_t ns)
{
  event *e = next_event (end, ns, name);
  if (!e)
    return;
  e->lane = lane;
  e->site = site;
  e->bytes = 0;
}

/* E as one of P's events.  */
static void
print_event (FILE *file, const event *e, const trm_profile *p)
{
  fputs (",\n{\"ph\": \"X\", \"cat\": \"cuda\", \"name\": ", file);
  trm_print_json_string (file, e->name);
  fprintf (file,
           ", \"pid\": %ld, \"tid\": %d, \"ts\": %.3f, \"dur\": %.3f, "
           "\"args\": {\"bytes\": %lld, \"region\": ",
           (long) getpid (), FIRST_LANE + (int) e->lane,
           (double) (e->begin - p->begin) * p->tick / 1000,
           (double) (e->end - e->begin) * p->tick / 1000, (long long) e->bytes);
  trm_print_json_string (file, e->site ? e->site->name : "");
  fputs ("}}", file);
}

/* The names of the lanes.  */
static void
print_lanes (FILE *file)
{
  static const char *const names[]
    = { "CUDA copies in", "CUDA kernels", "CUDA idle", "CUDA copies out" };
  for (int i = 0; i < 4; i++)
    fprintf (file,
             ",\n{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": %ld, "
             "\"tid\": %d, \"args\": {\"name\": \"%s\"}}",
             (long) getpid (), FIRST_LANE + i, names[i]);
}

void
trm_cuda_trace_print (FILE *file, const trm_profile *p)
{
  trm_cuda_lock ();
  int64_t first = written > EVENTS ? written - EVENTS : 0;
  if (written)
    print_lanes (file);
  for (int64_t i = first; i < written; i++)
    if (ring[i % EVENTS].begin >= p->begin)
      print_event (file, &ring[i % EVENTS], p);
  trm_cuda_unlock ();
}
