/* Calls, time, operations and bytes of each region.

   Two times are kept of a region:

     total   nanoseconds from trm_enter to trm_leave, added over its calls;
             a region that calls itself is counted once
     self    its part of the wall clock

   Self times and the time outside regions add up to the wall clock however
   many threads run regions at once: a shared clock advances by dt / k in
   each stretch dt in which k threads are inside regions, and a region's
   self time is what this clock gained while it ran itself (not a region
   inside it).  Stretches with k = 0 are the time outside.

     thread 1  |--A--|-----|          A.self = 1 + 1/2
     thread 2        |--B--|--B--|    B.self = 1/2 + 1 + ...

   Every event reads the clock and takes one lock: some tens of nanoseconds,
   and only while counting is on.  */

#include "runtime.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The shared clock.  last: time of the last event; busy: threads inside
   regions; shared: what the shared clock shows; wall, outside: nanoseconds
   while counting was on, and those of them outside regions.  */
static struct
{
  pthread_mutex_t lock;
  long epoch;
  int64_t last;
  int busy;
  int on;
  double shared;
  double wall;
  double outside;
} profile = { .lock = PTHREAD_MUTEX_INITIALIZER };

int64_t
trm_now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (int64_t) t.tv_sec * 1000000000 + t.tv_nsec;
}

bool
trm_profile_on (void)
{
  return __atomic_load_n (&profile.on, __ATOMIC_RELAXED);
}

long
trm_profile_epoch (void)
{
  return __atomic_load_n (&profile.epoch, __ATOMIC_RELAXED);
}

/* Let the shared clock catch up with NOW.  */
static void
advance (int64_t now)
{
  double dt = profile.on ? (double) (now - profile.last) : 0;
  profile.wall += dt;
  if (profile.busy > 0)
    profile.shared += dt / profile.busy;
  else
    profile.outside += dt;
  profile.last = now;
}

void
trm_profile_forget (void)
{
  pthread_mutex_lock (&profile.lock);
  advance (trm_now ());
  __atomic_add_fetch (&profile.epoch, 1, __ATOMIC_RELAXED);
  profile.busy = 0;
  pthread_mutex_unlock (&profile.lock);
}

/* FRAME begins to run at NOW inside OUTER.  */
static void
begin_frame (trm_frame *frame, trm_frame *outer, int64_t now)
{
  advance (now);
  frame->begin = now;
  if (!outer || !outer->counted)
    profile.busy++;
  else
    outer->self += profile.shared - outer->entered;
  frame->entered = profile.shared;
}

void
trm_profile_enter (trm_frame *frame, trm_frame *outer)
{
  pthread_mutex_lock (&profile.lock);
  if (frame->epoch == profile.epoch)
    begin_frame (frame, outer, trm_now ());
  pthread_mutex_unlock (&profile.lock);
}

/* Add a call of NS nanoseconds to OWN, of a site compiled with profile;
   CALLS with this one.  */
static void
add_finer (trm_own *own, int64_t calls, int64_t ns, bool fell_back)
{
  if (calls == 1)
    own->first = own->least = own->most = ns;
  own->least = ns < own->least ? ns : own->least;
  own->most = ns > own->most ? ns : own->most;
  own->fallback += fell_back ? ns : 0;
}

/* Add the call of FRAME, which ended at NOW, to its site.  */
static void
add_call (trm_frame *frame, int64_t now, bool nested)
{
  trm_site *site = frame->site;
  trm_own *own = trm_site_own (site);
  site->calls++;
  if (!nested)
    site->ns += now - frame->begin;
  if (own)
    own->self += frame->self + profile.shared - frame->entered;
  if (own && (site->flags & TRM_SITE_PROFILE))
    add_finer (own, site->calls, now - frame->begin, frame->fell_back);
}

/* FRAME ended at NOW, OUTER goes on.  */
static void
finish_frame (trm_frame *frame, trm_frame *outer, int64_t now, bool nested)
{
  if (now > profile.last)
    advance (now);
  add_call (frame, now, nested);
  if (!outer || !outer->counted)
    profile.busy--;
  else
    outer->entered = profile.shared;
}

void
trm_profile_leave (trm_frame *frame, trm_frame *outer, bool nested)
{
  int64_t now = trm_now ();
  pthread_mutex_lock (&profile.lock);
  if (frame->epoch == profile.epoch)
    finish_frame (frame, outer, now, nested);
  pthread_mutex_unlock (&profile.lock);
}

/* Set the counts of every site to nothing.  */
static void
clear_sites (void)
{
  for (trm_site *s = trm_sites (); s; s = s->next)
    {
      trm_own *own = trm_site_own (s);
      s->calls = s->ns = s->fallbacks = 0;
      s->flops = s->bytes = 0;
      if (own)
        {
          own->self = 0;
          own->fallback = 0;
        }
    }
}

void
trm_profile_begin (void)
{
  const trm_settings *env = trm_env ();
  profile.last = trm_now ();
  __atomic_store_n (&profile.on, env->table || env->json, __ATOMIC_RELAXED);
}

void
trm_profile_reset (void)
{
  trm_mode_get ();
  trm_profile_forget ();
  pthread_mutex_lock (&profile.lock);
  clear_sites ();
  profile.last = trm_now ();
  profile.wall = profile.shared = profile.outside = 0;
  pthread_mutex_unlock (&profile.lock);
}

void
trm_profile_start (void)
{
  trm_profile_reset ();
  __atomic_store_n (&profile.on, 1, __ATOMIC_RELAXED);
  trm_sites_update ();
}

void
trm_profile_stop (void)
{
  trm_mode_get ();
  trm_profile_forget ();
  __atomic_store_n (&profile.on, 0, __ATOMIC_RELAXED);
  trm_sites_update ();
}

double
trm_site_self (const trm_site *site)
{
  trm_own *own = trm_site_own (site);
  return own ? own->self : 0;
}

/* Most self time first; equal ones by place.  */
static int
compare_sites (const void *a, const void *b)
{
  trm_site *x = *(trm_site *const *) a;
  trm_site *y = *(trm_site *const *) b;
  double d = trm_site_self (y) - trm_site_self (x);
  if (d != 0)
    return d > 0 ? 1 : -1;
  int by_file = strcmp (x->file, y->file);
  return by_file ? by_file : x->line - y->line;
}

/* The sites that were called, in TAKEN's rows, and what of the wall clock
   they account for.  */
static double
take_rows (trm_profile *taken)
{
  double self = 0;
  int n = 0;
  for (trm_site *s = trm_sites (); s; s = s->next)
    n += s->calls > 0;
  taken->row = n ? malloc ((size_t) n * sizeof (trm_site *)) : NULL;
  for (trm_site *s = trm_sites (); s; s = s->next)
    if (s->calls > 0)
      {
        self += trm_site_self (s);
        if (taken->row && taken->n < n)
          taken->row[taken->n++] = s;
      }
  return self;
}

trm_profile
trm_profile_take (void)
{
  trm_profile taken = { 0 };
  pthread_mutex_lock (&profile.lock);
  advance (trm_now ());
  taken.wall = profile.wall;
  taken.outside = profile.outside;
  taken.under_way = taken.wall - taken.outside - take_rows (&taken);
  if (taken.row)
    qsort (taken.row, (size_t) taken.n, sizeof *taken.row, compare_sites);
  pthread_mutex_unlock (&profile.lock);
  return taken;
}

void
trm_profile_print (FILE *file)
{
  trm_profile taken = trm_profile_take ();
  trm_profile_table (file, &taken);
  free (taken.row);
}

/* Write what the environment asked for to FILE.  */
static void
write_asked (FILE *file)
{
  trm_profile taken = trm_profile_take ();
  if (trm_env ()->json)
    trm_profile_json (file, &taken);
  else
    trm_profile_table (file, &taken);
  free (taken.row);
}

void
trm_profile_finish (void)
{
  const trm_settings *env = trm_env ();
  if (!env->table && !env->json)
    return;
  FILE *file = env->profile_file ? fopen (env->profile_file, "w") : stderr;
  if (!file)
    {
      fprintf (stderr, "tensor: cannot write %s\n", env->profile_file);
      return;
    }
  write_asked (file);
  if (file != stderr)
    fclose (file);
}
