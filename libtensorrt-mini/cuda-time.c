/* When kernels ran, and copies, by the device's clock, where the process is
   profiled from its start.

     in the stream   m0 f m1 g m2        m3 f m4         marks, kernels
     read behind a wait: f took m1 - m0, g m2 - m1, f m4 - m3; between m2 and
     m3 nothing ran

   A mark is an event that is recorded in front of a kernel, and behind the last
   one of those that are launched together.  What a mark says is a distance from
   another, in milliseconds of 24 bits: the first one is read as soon as it is
   recorded, and so has a time of the host's; the last one that was read is
   where the next ones are counted from, so that distances stay short.

   A copy has a mark in front and one behind, in its own stream.  Copies to the
   device are known to be over when kernels behind them are, copies from it when
   they end.  */

#include "profile.h"

#include "cuda-unit.h"

#define MOST        512
#define MOST_COPIES 64

/* An event, which may be none yet; what ran behind it, for which region; a NULL
   kernel: nothing.  */
typedef struct mark
{
  trm_cu_event event;
  trm_cuda_kernel *kernel;
  const trm_site *site;
} mark;

/* A copy of BYTES bytes of NAME for a region: the events around it.  */
typedef struct copy
{
  trm_cu_event begins, ends;
  trm_cuda_lane lane;
  const char *name;
  const trm_site *site;
  intptr_t bytes;
} copy;

static mark marks[MOST];
static int n_marks;
static copy copies[MOST_COPIES];
static int n_copies;
static bool copies_now;

/* What marks are counted from, and its time: nanoseconds since the first of
   these, which was at ORIGIN, ticks of the host.  */
static trm_cu_event base;
static double base_ns;
static int64_t origin;

/* Make EVENT, unless it was, and record it in STREAM.  */
static bool
record (trm_cu_event *event, trm_cu_stream stream)
{
  return (*event || !trm_cuda.cu.EventCreate (event, 0))
         && !trm_cuda.cu.EventRecord (*event, stream);
}

/* Let marks be counted from now on.  */
static bool
begin (void)
{
  if (base)
    return true;
  if (!record (&base, trm_cuda_here->work)
      || trm_cuda.cu.EventSynchronize (base))
    return false;
  origin = trm_ticks ();
  return true;
}

/* Record a mark, of which there is room for one.  */
static void
add_mark (trm_cuda_kernel *kernel, const trm_site *site)
{
  mark *m = &marks[n_marks];
  if (!record (&m->event, trm_cuda_here->work))
    return;
  m->kernel = kernel;
  m->site = site;
  n_marks++;
}

void
trm_cuda_mark (trm_cuda_kernel *kernel, const trm_site *site)
{
  if (!trm_cuda_here->timed || !begin ())
    return;
  if (n_marks == MOST - 1)
    {
      add_mark (NULL, NULL);
      if (!trm_cuda.cu.StreamSynchronize (trm_cuda_here->work))
        trm_cuda_read_marks ();
    }
  if (n_marks < MOST)
    add_mark (kernel, site);
}

/* The nanoseconds from FROM to TO; 0: not known.  */
static double
between (trm_cu_event from, trm_cu_event to)
{
  float ms = 0;
  return trm_cuda.cu.EventElapsedTime (&ms, from, to) ? 0 : 1e6 * (double) ms;
}

/* What ended END nanoseconds behind base, in ticks.  */
static int64_t
ticks_at (double end)
{
  return origin + (int64_t) ((base_ns + end) / trm_clock_tick ());
}

/* K, for SITE, took NS nanoseconds, up to END of them behind base; NULL:
   nothing ran.  */
static void
note (trm_cuda_kernel *k, const trm_site *site, double ns, double end)
{
  trm_cuda_span span
    = { ticks_at (end), (int64_t) ns, k ? k->name : "idle", site, 0 };
  trm_cuda_traced (k ? TRM_CUDA_LANE_WORK : TRM_CUDA_LANE_IDLE, &span);
  if (!k)
    return;
  k->launches++;
  k->ns += span.ns;
  trm_cuda_took (site, span.ns);
}

/* Trace all copies, which are over.  */
static void
read_copies (void)
{
  for (int i = 0; i < n_copies; i++)
    {
      const copy *c = &copies[i];
      trm_cuda_span span = { ticks_at (between (base, c->ends)),
                             (int64_t) between (c->begins, c->ends), c->name,
                             c->site, c->bytes };
      trm_cuda_traced (c->lane, &span);
    }
  n_copies = 0;
}

void
trm_cuda_copy_begins (trm_cu_stream stream)
{
  copies_now = trm_cuda_here->timed && n_copies < MOST_COPIES && begin ()
               && record (&copies[n_copies].begins, stream);
}

void
trm_cuda_copy_ends (trm_cu_stream stream)
{
  copies_now = copies_now && record (&copies[n_copies].ends, stream);
}

void
trm_cuda_time_copy (bool out, const char *name, intptr_t bytes, int64_t ns)
{
  trm_cuda_lane lane = out ? TRM_CUDA_LANE_OUT : TRM_CUDA_LANE_IN;
  copy *c = &copies[n_copies];
  if (!copies_now)
    {
      trm_cuda_span span = { trm_ticks (), ns, name, trm_cuda_site, bytes };
      trm_cuda_traced (lane, &span);
      return;
    }
  copies_now = false;
  c->lane = lane;
  c->name = name;
  c->site = trm_cuda_site;
  c->bytes = bytes;
  n_copies++;
  if (out && !trm_cuda.cu.EventSynchronize (c->ends))
    read_copies ();
}

void
trm_cuda_read_marks (void)
{
  if (!trm_cuda_here->timed)
    return;
  read_copies ();
  if (n_marks == 0)
    return;
  double idle = between (base, marks[0].event);
  note (NULL, NULL, idle, idle);
  for (int i = 0; i + 1 < n_marks; i++)
    note (marks[i].kernel, marks[i].site,
          between (marks[i].event, marks[i + 1].event),
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
  n_marks = n_copies = 0;
}
