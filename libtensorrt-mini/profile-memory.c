/* The memory of tensors over time.

   TRM_MOMENTS stretches of equal length, each with the most bytes that were
   in use in it.  When time runs beyond the last one, two become one:

     | 3 | 5 | 4 | 4 |   ->   | 5 | 4 |   |   |  */

#include "profile.h"

#define FIRST_STEP 100000

int trm_memory_watched;

static trm_moments line;

void
trm_memory_clear (void)
{
  trm_threads_lock ();
  line.n = 0;
  line.begin = trm_ticks ();
  line.step = FIRST_STEP;
  trm_threads_unlock ();
}

/* Two stretches become one.  */
static void
halve (void)
{
  for (int i = 0; i < TRM_MOMENTS / 2; i++)
    {
      int64_t a = 2 * i < line.n ? line.bytes[2 * i] : -1;
      int64_t b = 2 * i + 1 < line.n ? line.bytes[2 * i + 1] : -1;
      line.bytes[i] = a > b ? a : b;
    }
  line.n = (line.n + 1) / 2;
  line.step *= 2;
}

/* BYTES are in use at NOW.  */
static void
add_moment (int64_t bytes, int64_t now)
{
  int64_t i = (now - line.begin) / line.step;
  if (now < line.begin)
    return;
  while (i >= TRM_MOMENTS)
    {
      halve ();
      i = (now - line.begin) / line.step;
    }
  while (line.n <= i)
    line.bytes[line.n++] = -1;
  if (bytes > line.bytes[i])
    line.bytes[i] = bytes;
}

/* Add BYTES to what the region that T runs has allocated.  */
static void
add_to_region (trm_thread *t, int64_t bytes)
{
  const trm_frame *frame = t->n ? &t->frame[t->n - 1] : NULL;
  if (frame && frame->counted)
    TRM_ADD (t->node[frame->node].allocated, bytes);
}

void
trm_memory_changed (int64_t bytes, int64_t all)
{
  int64_t now = trm_ticks ();
  bool keep = trm_records (TRM_RECORD_EVENTS);
  trm_thread *t = trm_mine || !keep ? trm_mine : trm_thread_new ();
  if (t && t->epoch != trm_profile_epoch ())
    trm_thread_renew (t);
  trm_threads_lock ();
  add_moment (all, now);
  trm_threads_unlock ();
  if (t && bytes > 0)
    add_to_region (t, bytes);
  if (t && keep)
    trm_event_keep (t, NULL, now, now, all);
}

trm_moments
trm_memory_over_time (void)
{
  trm_threads_lock ();
  trm_moments now = line;
  trm_threads_unlock ();
  return now;
}
