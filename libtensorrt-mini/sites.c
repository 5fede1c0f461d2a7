/* The regions of the program, and what happens around a call of one.

   Each object that holds regions registers them before main; their state
   word is 0 unless the environment or the program asks for something:

     site.state == 0            one load and one branch, nothing here runs
     TRM_STATE_COUNT            calls and time are counted (profile-call.c)
     TRM_STATE_ORIGINAL         the loops as written run
     TRM_STATE_CHECK            both run, on copies (check.c)

   trm_enter and trm_leave keep a stack of frames in each thread: regions
   may nest, recurse, and run in any number of threads at once.  A call that
   nests deeper than TRM_FRAMES is run but not counted or checked.

   What was forgotten: a change of mode or a reset gives the frames a new
   epoch; calls that are under way then end without being counted.

   Objects with regions cannot be unloaded: nothing unregisters a site.  */

#include "profile.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KERNELS "libtensorrt-mini/kernel-"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static trm_site *newest;
static pid_t process;
static int mode;

trm_site *
trm_sites (void)
{
  return __atomic_load_n (&newest, __ATOMIC_ACQUIRE);
}

bool
trm_site_has_choice (const trm_site *site)
{
  return site->flags & TRM_SITE_CHECK;
}

trm_own *
trm_site_own (const trm_site *site)
{
  return __atomic_load_n (&site->own, __ATOMIC_ACQUIRE);
}

/* The state that SITE should have.  */
static int32_t
wanted_state (const trm_site *site)
{
  int32_t state = 0;
  trm_mode m = trm_mode_get ();
  if (trm_profile_on () || trm_env ()->verbose)
    state |= TRM_STATE_COUNT;
  if (trm_profile_on () && trm_profile_shapes ())
    state |= TRM_STATE_GIVEN;
  if (m == TRM_MODE_ORIGINAL && trm_site_has_choice (site))
    state |= TRM_STATE_ORIGINAL;
  if (m == TRM_MODE_CHECK && trm_site_has_choice (site))
    state |= TRM_STATE_CHECK;
  return state;
}

/* Give SITE its state, and its trm_own before the state is not 0.  */
static void
update_site (trm_site *site)
{
  int32_t state = wanted_state (site);
  if (state && !site->own)
    __atomic_store_n (&site->own, calloc (1, sizeof (trm_own)),
                      __ATOMIC_RELEASE);
  __atomic_store_n (&site->state, state, __ATOMIC_RELEASE);
}

void
trm_sites_update (void)
{
  pthread_mutex_lock (&lock);
  trm_profile_forget ();
  for (trm_site *s = newest; s; s = s->next)
    update_site (s);
  pthread_mutex_unlock (&lock);
}

/* At exit, in the process that registered: write what was asked for.  */
static void
finish (void)
{
  if (process != getpid ())
    return;
  trm_profile_finish ();
  trm_gradcheck_finish ();
  trm_check_finish ();
  trm_verbose_finish ();
}

/* Have it run.  */
static void
register_finish (void)
{
  atexit (finish);
}

void
trm_finish_at_exit (void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once (&once, register_finish);
}

/* Before the first site: read the environment.  */
static void
begin (void)
{
  const trm_settings *env = trm_env ();
  __atomic_store_n (&mode, (int) env->mode, __ATOMIC_RELAXED);
  trm_profile_begin ();
  process = getpid ();
  if (trm_wish_writes (&env->profile) || env->verbose || env->gradcheck
      || env->mode == TRM_MODE_CHECK)
    trm_finish_at_exit ();
}

/* The same, once: before main, also in a program that has no region.  */
__attribute__ ((constructor)) static void
begin_once (void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once (&once, begin);
}

trm_mode
trm_mode_get (void)
{
  begin_once ();
  return (trm_mode) __atomic_load_n (&mode, __ATOMIC_RELAXED);
}

void
trm_mode_set (trm_mode wanted)
{
  begin_once ();
  __atomic_store_n (&mode, (int) wanted, __ATOMIC_RELAXED);
  trm_sites_update ();
}

void
trm_site_add (trm_site *site)
{
  pthread_mutex_lock (&lock);
  site->next = newest;
  update_site (site);
  __atomic_store_n (&newest, site, __ATOMIC_RELEASE);
  pthread_mutex_unlock (&lock);
}

void
trm_register (trm_site *site)
{
  begin_once ();
  if (site->version != TRM_ABI_VERSION)
    {
      if (trm_env ()->verbose)
        fprintf (stderr, "%s:%d: tensor: compiled for another runtime\n",
                 site->file, (int) site->line);
      return;
    }
  if (strstr (site->file, KERNELS))
    site->flags |= TRM_SITE_OWN;
  trm_site_add (site);
}

/* The frame around T's newest one, or NULL.  */
static trm_frame *
outer_frame (trm_thread *t, int i)
{
  return i > 0 ? &t->frame[i - 1] : NULL;
}

/* A call of SITE under check mode could not be compared.  */
static void
count_unchecked (trm_site *site)
{
  trm_own *own = trm_site_own (site);
  if (own)
    __atomic_fetch_add (&own->unchecked, 1, __ATOMIC_RELAXED);
}

/* Make ready for both versions of SITE; what to run.  Without memory, or
   without a list of what the region writes, the loops as written run.  */
static int
ask_for_both (trm_site *site, trm_frame *frame, const trm_span *span, int n)
{
  frame->copies = trm_check_begin (site, span, n);
  if (frame->copies)
    return TRM_RUN_FUSED | TRM_RUN_ORIGINAL;
  count_unchecked (site);
  return TRM_RUN_ORIGINAL;
}

/* What runs in state STATE where there is no choice of both.  */
static int
one_version (int state)
{
  return state & (TRM_STATE_ORIGINAL | TRM_STATE_CHECK) ? TRM_RUN_ORIGINAL
                                                        : TRM_RUN_FUSED;
}

/* What a call of SITE in state STATE runs that finds no frame.  */
static int
run_unframed (trm_site *site, int state)
{
  if (state & TRM_STATE_CHECK)
    count_unchecked (site);
  return one_version (state);
}

/* Fill FRAME of T, of SITE in state STATE; what it runs.  */
static int
begin_frame (trm_thread *t, trm_frame *frame, trm_site *site, int state)
{
  frame->site = site;
  frame->counts = t->given && t->given->region == site ? &t->given->site : site;
  t->given = NULL;
  frame->epoch = t->epoch;
  frame->counted = (state & TRM_STATE_COUNT) && t->node;
  frame->copies = NULL;
  frame->told = 0;
  return one_version (state);
}

int
trm_enter (trm_site *site, const trm_span *span, int n)
{
  int state = __atomic_load_n (&site->state, __ATOMIC_ACQUIRE);
  trm_thread *t = trm_mine;
  if (!t && !(t = trm_thread_new ()))
    return run_unframed (site, state);
  if (t->epoch != trm_profile_epoch ())
    trm_thread_renew (t);
  if (t->n == TRM_FRAMES)
    {
      t->too_deep++;
      return run_unframed (site, state);
    }
  trm_frame *frame = &t->frame[t->n];
  int asked = begin_frame (t, frame, site, state);
  if (state & TRM_STATE_CHECK)
    asked = ask_for_both (site, frame, span, n);
  frame->asked = (int16_t) asked;
  if (frame->counted)
    trm_call_begin (t, frame, outer_frame (t, t->n));
  __atomic_store_n (&t->n, t->n + 1, __ATOMIC_RELEASE);
  return asked;
}

/* The index of T's newest frame of SITE; -1 if none.  */
static int
find_frame (const trm_thread *t, const trm_site *site)
{
  int i = t->n - 1;
  while (i >= 0 && t->frame[i].site != site)
    i--;
  return i;
}

void
trm_between (trm_site *site)
{
  trm_thread *t = trm_mine;
  int i = !t || t->too_deep ? -1 : find_frame (t, site);
  if (i >= 0 && t->frame[i].copies)
    trm_check_between (site, t->frame[i].copies);
}

/* Add what the end of FRAME, at index I, tells: time, fallback, check.  */
static void
end_frame (trm_thread *t, int i, int took)
{
  trm_frame *frame = &t->frame[i];
  trm_site *site = frame->site;
  frame->fell_back = (frame->asked & TRM_RUN_FUSED) && !took;
  if (frame->counted)
    trm_call_end (t, frame, outer_frame (t, i));
  if (frame->fell_back)
    __atomic_fetch_add (&site->fallbacks, 1, __ATOMIC_RELAXED);
  if (frame->fell_back && frame->counts != site)
    __atomic_fetch_add (&frame->counts->fallbacks, 1, __ATOMIC_RELAXED);
  if (frame->copies && took)
    trm_check_compare (site, frame->copies);
}

void
trm_leave (trm_site *site, int took)
{
  trm_thread *t = trm_mine;
  if (!t || t->too_deep)
    {
      if (t)
        t->too_deep--;
      return;
    }
  int i = find_frame (t, site);
  if (i < 0)
    return;
  trm_frames_drop (t, i + 1);
  if (t->epoch == trm_profile_epoch ())
    end_frame (t, i, took);
  trm_frames_drop (t, i);
}

const char *
trm_version (void)
{
  return TRM_VERSION;
}
