/* What the device did when: four lanes of a trace beside those of the threads
   (trace.c), for copies to the device, for kernels, for the time between them,
   and for copies from the device.

   The newest events are kept.  When what ran is the device's word, where the
   process was profiled from its start (cuda-time.c), else the host's, which
   knows of copies alone.  */

#include "profile.h"

#include "cuda.h"

#include <stdlib.h>
#include <unistd.h>

#define EVENTS     16384
#define FIRST_LANE 1000001

typedef struct event
{
  trm_cuda_lane lane;
  trm_cuda_span span;
} event;

static event *ring;
static int64_t written;

void
trm_cuda_traced (trm_cuda_lane lane, const trm_cuda_span *span)
{
  if (trm_records (TRM_RECORD_EVENTS)
      && (ring || (ring = malloc (EVENTS * sizeof *ring))))
    ring[written++ % EVENTS] = (event){ lane, *span };
}

/* The ticks at which E began.  */
static int64_t
beginning (const event *e)
{
  return e->span.end - (int64_t) ((double) e->span.ns / trm_clock_tick ());
}

/* E as one of P's events.  */
static void
print_event (FILE *file, const event *e, const trm_profile *p)
{
  fputs (",\n{\"ph\": \"X\", \"cat\": \"cuda\", \"name\": ", file);
  trm_print_json_string (file, e->span.name ? e->span.name : "?");
  fprintf (file,
           ", \"pid\": %ld, \"tid\": %d, \"ts\": %.3f, \"dur\": %.3f, "
           "\"args\": {\"bytes\": %lld, \"region\": ",
           (long) getpid (), FIRST_LANE + (int) e->lane,
           (double) (beginning (e) - p->begin) * p->tick / 1000,
           (double) e->span.ns / 1000, (long long) e->span.bytes);
  trm_print_json_string (file, e->span.site ? e->span.site->name : "");
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
    if (beginning (&ring[i % EVENTS]) >= p->begin)
      print_event (file, &ring[i % EVENTS], p);
  trm_cuda_unlock ();
}
