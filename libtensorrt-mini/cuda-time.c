/* When kernels ran, by the device's clock, where the process is profiled from
   its start.

     in the stream   m0 f m1 g m2        m3 f m4         marks, kernels
     read behind a wait: f took m1 - m0, g m2 - m1, f m4 - m3; between m2 and
     m3 nothing ran

   A mark is an event that is recorded in front of a kernel, and behind the last
   one of those that are launched together.  What a mark says is a distance from
   another, in milliseconds of 24 bits: the first one is read as soon as it is
   recorded, and so has a time of the host's; the last one that was read is
   where the next ones are counted from, so that distances stay short.  */

#include "profile.h"

#include "cuda-unit.h"

#define MOST 512

/* An event, which may be none yet; what ran behind it, for which region; a NULL
   kernel: nothing.  */
typedef struct mark
{
  trm_cu_event event;
  trm_cuda_kernel *kernel;
  const trm_site *site;
} mark;

static mark marks[MOST];
static int n_marks;

/* What marks are counted from, and its time: nanoseconds since the first of
   these, which was at ORIGIN, ticks of the host.  */
static trm_cu_event base;
static double base_ns;
static int64_t origin;

/* Make EVENT, unless it was, and record it.  */
static bool
record (trm_cu_event *event)
{
  return (*event || !trm_cuda.cu.EventCreate (event, 0))
         && !trm_cuda.cu.EventRecord (*event, trm_cuda.work);
}

/* Let marks be counted from now on.  */
static bool
begin (void)
{
  if (base)
    return true;
  if (!record (&base) || trm_cuda.cu.EventSynchronize (base))
    return false;
  origin = trm_ticks ();
  return true;
}

void
trm_cuda_mark (trm_cuda_kernel *kernel, const trm_site *site)
{
  if (!trm_cuda.timed || !begin ())
    return;
  if (n_marks == MOST && !trm_cuda.cu.StreamSynchronize (trm_cuda.work))
    trm_cuda_read_marks ();
  mark *m = &marks[n_marks];
  if (n_marks == MOST || !record (&m->event))
    return;
  m->kernel = kernel;
  m->site = site;
  n_marks++;
}

/* The nanoseconds from FROM to TO; 0: not known.  */
static double
between (trm_cu_event from, trm_cu_event to)
{
  float ms = 0;
  return trm_cuda.cu.EventElapsedTime (&ms, from, to) ? 0 : 1e6 * (double) ms;
}

/* What ran behind M, NULL: nothing, took NS nanoseconds, up to END of them
   behind base.  */
static void
note (const mark *m, double ns, double end)
{
  int64_t ticks = origin + (int64_t) ((base_ns + end) / trm_clock_tick ());
  trm_cuda_kernel *k = m ? m->kernel : NULL;
  if (!k)
    {
      trm_cuda_traced_until (ticks, TRM_CUDA_LANE_IDLE, "idle", NULL,
                             (int64_t) ns);
      return;
    }
  k->launches++;
  k->ns += (int64_t) ns;
  trm_cuda_took (m->site, (int64_t) ns);
  trm_cuda_traced_until (ticks, TRM_CUDA_LANE_WORK, k->name, m->site,
                         (int64_t) ns);
}

void
trm_cuda_read_marks (void)
{
  if (n_marks == 0)
    return;
  double idle = between (base, marks[0].event);
  note (NULL, idle, idle);
  for (int i = 0; i + 1 < n_marks; i++)
    note (&marks[i], between (marks[i].event, marks[i + 1].event),
          between (base, marks[i + 1].event));
  mark *last = &marks[n_marks - 1];
  base_ns += between (base, last->event);
  trm_cu_event spare = base;
  base = last->event;
  last->event = spare;
  n_marks = 0;
}

void
trm_cuda_drop_marks (void)
{
  n_marks = 0;
}
