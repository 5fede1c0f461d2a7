/* The memory of tensors over time, and, when who holds it is asked for
   (profile-holders.c), of the temporaries of regions.

   TRM_MOMENTS stretches of equal length, each with the most bytes that were
   in use in it.  When time runs beyond the last one, two become one:

     | 3 | 5 | 4 | 4 |   ->   | 5 | 4 |   |   |  */

#include "tensor.h"

#include "profile.h"

#define FIRST_STEP 100000

int trm_memory_watched;

static trm_moments line;
static int64_t tensors;
static int64_t temporaries;
static int64_t peak;

void
trm_memory_clear (void)
{
  trm_threads_lock ();
  tensors = trm_memory_now ().bytes;
  temporaries = 0;
  peak = tensors;
  line.n = 1;
  line.begin = trm_ticks ();
  line.step = FIRST_STEP;
  line.bytes[0] = tensors;
  trm_holders_clear ();
  trm_threads_unlock ();
}

/* Two stretches become one.  */
static void
halve (void)
{
  for (int i = 0; i < TRM_MOMENTS / 2; i++)
    {
      int64_t a = 2 * i < line.n ? line.bytes[2 * i] : 0;
      int64_t b = 2 * i + 1 < line.n ? line.bytes[2 * i + 1] : 0;
      line.bytes[i] = a > b ? a : b;
    }
  line.n = (line.n + 1) / 2;
  line.step *= 2;
  trm_holders_halve ();
}

/* The stretch of NOW; those up to it have what is in use.  */
static int
reach (int64_t now)
{
  if (!line.n || now < line.begin)
    return 0;
  int64_t i = (now - line.begin) / line.step;
  while (i >= TRM_MOMENTS)
    {
      halve ();
      i = (now - line.begin) / line.step;
    }
  while (line.n <= i)
    line.bytes[line.n++] = tensors + temporaries;
  return (int) i;
}

/* Stretch I has what is in use now.  */
static void
add_moment (int i)
{
  int64_t bytes = tensors + temporaries;
  if (bytes > line.bytes[i])
    line.bytes[i] = bytes;
  if (bytes > peak)
    {
      peak = bytes;
      trm_holders_peak ();
    }
}

/* Add BYTES to what the region that T runs has allocated.  */
static void
add_to_region (trm_thread *t, int64_t bytes)
{
  const trm_frame *frame = t->n ? &t->frame[t->n - 1] : NULL;
  if (frame && frame->counted)
    TRM_ADD (t->node[frame->node].allocated, bytes);
}

/* The thread, of this epoch; NULL when it has no memory, or needs none.  */
static trm_thread *
find_thread (bool keep)
{
  trm_thread *t = trm_mine || !keep ? trm_mine : trm_thread_new ();
  if (t && t->epoch != trm_profile_epoch ())
    trm_thread_renew (t);
  return t;
}

int32_t
trm_memory_more (int64_t bytes, int64_t all)
{
  bool keep = trm_records (TRM_RECORD_EVENTS);
  trm_thread *t = find_thread (keep);
  trm_origin origin;
  bool told = trm_records (TRM_RECORD_HOLDERS);
  if (told)
    trm_origin_find (&origin, NULL);
  int64_t now = trm_ticks ();
  trm_threads_lock ();
  int i = reach (now);
  tensors = all;
  int32_t holder = told ? trm_holder_add (&origin, bytes, i) : 0;
  add_moment (i);
  trm_threads_unlock ();
  if (t)
    add_to_region (t, bytes);
  if (t && keep)
    trm_event_keep (t, NULL, now, now, all);
  return holder;
}

void
trm_memory_less (int64_t bytes, int64_t all, int32_t holder)
{
  bool keep = trm_records (TRM_RECORD_EVENTS);
  trm_thread *t = find_thread (keep);
  int64_t now = trm_ticks ();
  trm_threads_lock ();
  int i = reach (now);
  tensors = all;
  trm_holder_take_away (holder, bytes, i);
  add_moment (i);
  trm_threads_unlock ();
  if (t && keep)
    trm_event_keep (t, NULL, now, now, all);
}

int32_t
trm_temporary_more (int64_t bytes)
{
  trm_origin origin;
  trm_thread *t = find_thread (false);
  trm_origin_find (&origin, t && t->n ? t->frame[t->n - 1].site : NULL);
  trm_threads_lock ();
  int i = reach (trm_ticks ());
  temporaries += bytes;
  int32_t holder = trm_holder_add (&origin, bytes, i);
  if (!holder)
    temporaries -= bytes;
  add_moment (i);
  trm_threads_unlock ();
  return holder;
}

void
trm_temporary_less (int64_t bytes, int32_t holder)
{
  trm_threads_lock ();
  int i = reach (trm_ticks ());
  if (trm_holder_take_away (holder, bytes, i))
    temporaries -= bytes;
  trm_threads_unlock ();
}

trm_moments
trm_memory_over_time (trm_holder *holder, int *n)
{
  trm_threads_lock ();
  int last = trm_share_is_on () ? reach (trm_ticks ()) : line.n - 1;
  trm_moments now = line;
  now.most = peak;
  *n = trm_holders_copy (holder, last);
  trm_threads_unlock ();
  return now;
}
