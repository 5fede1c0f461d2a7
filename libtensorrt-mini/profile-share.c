/* The wall clock, shared out among the regions that run at once.

   Self times and the time outside regions add up to the wall clock however
   many threads run regions at once: a shared clock advances by dt / k in
   each stretch dt in which k threads are inside regions, and a region's
   self time is what this clock gained while it ran itself (not a region
   inside it).  Stretches with k = 0 are the time outside.

     thread 1  |--A--|-----|          A.self = 1 + 1/2
     thread 2        |--B--|--B--|    B.self = 1/2 + 1 + ...

   k changes only where a thread's outermost region begins or ends: there one
   word is locked for some ten instructions.  Regions inside others read the
   shared clock without writing, and try again when it changed meanwhile (the
   lock word counts, and is odd while held).  */

#include "profile.h"

#include <sched.h>

#define SPINS 100

/* word: the lock; busy: threads inside regions; on: the wall clock runs; epoch,
   first: the one that is, and the one in which counts began; last: ticks when
   the rest was right; begin: of the clocks; shared, outside, all: they, in
   ticks; newest: the region that began last, NULL when none is under way.  */
static struct
{
  unsigned word;
  int busy;
  int on;
  long epoch;
  long first;
  int64_t last;
  int64_t begin;
  double shared;
  double outside;
  double all;
  trm_site *newest;
} share __attribute__ ((aligned (64)));

void
trm_share_lock (void)
{
  for (int i = 0;; i++)
    {
      unsigned word = __atomic_load_n (&share.word, __ATOMIC_RELAXED);
      if (!(word & 1)
          && __atomic_compare_exchange_n (&share.word, &word, word + 1, true,
                                          __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        break;
      if (i % SPINS == SPINS - 1)
        sched_yield ();
    }
  __atomic_thread_fence (__ATOMIC_RELEASE);
}

void
trm_share_unlock (void)
{
  unsigned word = __atomic_load_n (&share.word, __ATOMIC_RELAXED);
  __atomic_store_n (&share.word, word + 1, __ATOMIC_RELEASE);
}

/* Set X to Y where others may read it meanwhile.  */
static void
set_double (double *x, double y)
{
  __atomic_store (x, &y, __ATOMIC_RELAXED);
}

/* Let the clocks catch up with NOW, which another processor may have read a
   little earlier than the last one.  */
static void
advance (int64_t now)
{
  if (now <= share.last)
    return;
  double dt = share.on ? (double) (now - share.last) : 0;
  share.all += dt;
  if (share.busy == 0)
    share.outside += dt;
  else
    set_double (&share.shared,
                share.shared + (share.busy == 1 ? dt : dt / share.busy));
  __atomic_store_n (&share.last, now, __ATOMIC_RELAXED);
}

/* K threads are inside regions from now on.  */
static void
set_busy (int k)
{
  __atomic_store_n (&share.busy, k, __ATOMIC_RELAXED);
}

bool
trm_share_begin (trm_site *site, long epoch, int64_t *now, double *shared)
{
  trm_share_lock ();
  bool fresh = epoch == share.epoch;
  *now = trm_ticks ();
  if (fresh)
    {
      advance (*now);
      set_busy (share.busy + 1);
      __atomic_store_n (&share.newest, site, __ATOMIC_RELAXED);
    }
  *shared = share.shared;
  trm_share_unlock ();
  return fresh;
}

bool
trm_share_end (long epoch, int64_t now, double *shared)
{
  trm_share_lock ();
  bool fresh = epoch == share.epoch;
  if (fresh)
    {
      advance (now);
      set_busy (share.busy - 1);
      if (share.busy == 0)
        __atomic_store_n (&share.newest, NULL, __ATOMIC_RELAXED);
    }
  *shared = share.shared;
  trm_share_unlock ();
  return fresh;
}

/* The lock word while nobody holds it.  */
static unsigned
wait_unlocked (void)
{
  for (int i = 0;; i++)
    {
      unsigned word = __atomic_load_n (&share.word, __ATOMIC_ACQUIRE);
      if (!(word & 1))
        return word;
      if (i % SPINS == SPINS - 1)
        sched_yield ();
    }
}

/* Whether nobody has held the lock since it was WORD.  */
static bool
is_unchanged (unsigned word)
{
  __atomic_thread_fence (__ATOMIC_ACQUIRE);
  return word == __atomic_load_n (&share.word, __ATOMIC_RELAXED);
}

double
trm_share_at (int64_t now)
{
  unsigned word;
  double shared;
  int64_t last;
  int busy, on;
  do
    {
      word = wait_unlocked ();
      __atomic_load (&share.shared, &shared, __ATOMIC_RELAXED);
      last = __atomic_load_n (&share.last, __ATOMIC_RELAXED);
      busy = __atomic_load_n (&share.busy, __ATOMIC_RELAXED);
      on = __atomic_load_n (&share.on, __ATOMIC_RELAXED);
    }
  while (!is_unchanged (word));
  if (now <= last || !on)
    return shared;
  double dt = (double) (now - last);
  return shared + (busy > 1 ? dt / busy : dt);
}

/* Begin an epoch, without calls under way, and counts when FRESH.  Who sees the
   epoch sees whether counts began in it.  */
static void
begin_epoch (bool fresh)
{
  advance (trm_ticks ());
  if (fresh)
    __atomic_store_n (&share.first, share.epoch + 1, __ATOMIC_RELAXED);
  __atomic_store_n (&share.epoch, share.epoch + 1, __ATOMIC_RELEASE);
  set_busy (0);
  __atomic_store_n (&share.newest, NULL, __ATOMIC_RELAXED);
}

void
trm_share_run (bool on, bool fresh)
{
  trm_share_lock ();
  begin_epoch (fresh);
  __atomic_store_n (&share.on, on, __ATOMIC_RELAXED);
  if (fresh)
    {
      share.begin = trm_ticks ();
      __atomic_store_n (&share.last, share.begin, __ATOMIC_RELAXED);
      share.all = share.outside = 0;
      set_double (&share.shared, 0);
    }
  trm_share_unlock ();
}

void
trm_profile_forget (void)
{
  trm_share_lock ();
  begin_epoch (false);
  trm_share_unlock ();
}

bool
trm_share_is_on (void)
{
  return __atomic_load_n (&share.on, __ATOMIC_RELAXED);
}

long
trm_profile_epoch (void)
{
  return __atomic_load_n (&share.epoch, __ATOMIC_ACQUIRE);
}

long
trm_share_first_epoch (void)
{
  return __atomic_load_n (&share.first, __ATOMIC_RELAXED);
}

trm_wall
trm_share_wall (void)
{
  trm_share_lock ();
  advance (trm_ticks ());
  trm_wall wall = { share.begin, share.all, share.outside };
  trm_share_unlock ();
  return wall;
}

trm_site *
trm_share_under_way (void)
{
  return __atomic_load_n (&share.newest, __ATOMIC_RELAXED);
}

void
trm_share_tell (trm_site *site)
{
  __atomic_store_n (&share.newest, site, __ATOMIC_RELAXED);
}
