/* What is counted when a call of a region begins and ends, in the calling
   thread's own tree:

     main -- step (100 calls) -- blur (200 calls)
          |                   +- scale (100 calls)
          +- blur (1 call)

   A place is found by (place it was called from, region): first the place that
   was found last from there, then a hash table.

   Where calls take long enough that a system call or six do not count
   (SPAN_NS, COUNTER_NS), the time of all the process's processors and their
   counters are read around them too.  */

#include "profile.h"

#define SPAN_NS    200000.0
#define COUNTER_NS 2000000.0
#define SLOT_MASK  (2 * TRM_NODES - 1)

int trm_recording;

static int64_t span_ticks = (int64_t) SPAN_NS;
static int64_t counter_ticks = (int64_t) COUNTER_NS;

void
trm_call_prepare (double tick)
{
  TRM_SET (span_ticks, (int64_t) (SPAN_NS / tick));
  TRM_SET (counter_ticks, (int64_t) (COUNTER_NS / tick));
}

/* The slot of SITE from PARENT in T's table: what is there, or an empty one.
   The table is never more than half full.  */
static int32_t *
find_slot (trm_thread *t, int32_t parent, const trm_site *site)
{
  uint64_t hash = ((uintptr_t) site >> 4) + (uint64_t) parent * 2654435761u;
  hash *= 0x9e3779b97f4a7c15u;
  for (unsigned i = (unsigned) (hash >> 40);; i++)
    {
      int32_t *slot = &t->slot[i & SLOT_MASK];
      trm_node *node = &t->node[*slot];
      if (!*slot || (node->site == site && node->parent == parent))
        return slot;
    }
}

/* The place of SITE from PARENT that was not found last.  */
static int32_t
find_node (trm_thread *t, int32_t parent, trm_site *site)
{
  int32_t *slot = find_slot (t, parent, site);
  int32_t i = *slot;
  if (!i && t->nodes == TRM_NODES)
    return 1;
  if (!i)
    {
      i = t->nodes;
      t->node[i] = (trm_node){ .site = site, .parent = parent };
      __atomic_store_n (&t->nodes, i + 1, __ATOMIC_RELEASE);
      *slot = i;
    }
  t->node[parent].newest = i;
  return i;
}

/* Whether calls of NODE take more than *TICKS on average, or none ended.  */
static bool
is_long (const trm_node *node, const int64_t *ticks)
{
  return node->ticks >= __atomic_load_n (ticks, __ATOMIC_RELAXED) * node->calls;
}

/* Read what is read around long calls, of NODE, into FRAME.  */
static void
begin_readings (trm_frame *frame, const trm_node *node)
{
  frame->reads = 0;
  if (!is_long (node, &span_ticks))
    return;
  frame->reads = 1;
  if (trm_records (TRM_RECORD_COUNTERS) && is_long (node, &counter_ticks))
    {
      frame->reads = 2;
      trm_counters_read (frame->count);
    }
  frame->cpu = trm_cpu_now ();
}

/* Add what happened to these since, in TICKS, to NODE.  */
static void
end_readings (const trm_frame *frame, trm_node *node, int64_t ticks)
{
  TRM_ADD (node->cpu, trm_cpu_now () - frame->cpu);
  TRM_ADD (node->spanned, ticks);
  if (frame->reads < 2)
    return;
  int64_t count[TRM_COUNTERS];
  trm_counters_read (count);
  TRM_ADD (node->counted, ticks);
  for (int i = 0; i < TRM_COUNTERS; i++)
    TRM_ADD (node->count[i], count[i] - frame->count[i]);
}

void
trm_call_begin (trm_thread *t, trm_frame *frame, trm_frame *outer)
{
  bool inside = outer && outer->counted;
  int32_t parent = inside ? outer->node : 0;
  int32_t i = t->node[parent].newest;
  if (!i || t->node[i].site != frame->counts)
    i = find_node (t, parent, frame->counts);
  frame->node = i;
  frame->inside = inside;
  frame->self = 0;
  begin_readings (frame, &t->node[i]);
  if (inside)
    {
      frame->begin = trm_ticks ();
      frame->entered = trm_share_at (frame->begin);
      outer->self += frame->entered - outer->entered;
      outer->entered = frame->entered;
      if (trm_records (TRM_RECORD_SAMPLES))
        trm_share_tell (frame->counts);
    }
  else
    frame->counted = trm_share_begin (frame->counts, frame->epoch,
                                      &frame->begin, &frame->entered);
  if (trm_records (TRM_RECORD_RANGES))
    frame->told = (int8_t) trm_tools_begin (frame->site);
}

/* Add a call of TICKS that began at BEGIN to NODE, of a site compiled with
   profile.  */
static void
add_finer (trm_node *node, int64_t begin, int64_t ticks, bool fell_back)
{
  if (node->calls == 0)
    {
      TRM_SET (node->first_at, begin);
      TRM_SET (node->first, ticks);
    }
  if (node->calls == 0 || ticks < node->least)
    TRM_SET (node->least, ticks);
  if (ticks > node->most)
    TRM_SET (node->most, ticks);
  if (fell_back)
    TRM_ADD (node->fallback, ticks);
}

void
trm_call_end (trm_thread *t, trm_frame *frame, trm_frame *outer)
{
  int64_t now = trm_ticks ();
  double shared;
  trm_node *node = &t->node[frame->node];
  int64_t ticks = now - frame->begin;
  if (frame->inside)
    shared = trm_share_at (now);
  else if (!trm_share_end (frame->epoch, now, &shared))
    return;
  frame->counted = false;
  if (frame->reads)
    end_readings (frame, node, ticks);
  if (frame->site->flags & TRM_SITE_PROFILE)
    add_finer (node, frame->begin, ticks, frame->fell_back);
  TRM_ADD (node->ticks, ticks);
  trm_add_double (&node->self, frame->self + shared - frame->entered);
  TRM_ADD (node->calls, 1);
  if (frame->inside)
    outer->entered = shared;
  if (frame->inside && trm_records (TRM_RECORD_SAMPLES))
    trm_share_tell (outer->counts);
  if (trm_records (TRM_RECORD_EVENTS))
    trm_event_keep (t, frame->counts, frame->begin, now, frame->fell_back);
}

void
trm_frames_drop (trm_thread *t, int n)
{
  double shared;
  for (; t->n > n; t->n--)
    {
      trm_frame *frame = &t->frame[t->n - 1];
      if (frame->counted && !frame->inside)
        trm_share_end (frame->epoch, trm_ticks (), &shared);
      if (frame->told)
        trm_tools_end (frame->told);
      trm_check_free (frame->copies);
      frame->copies = NULL;
    }
}
