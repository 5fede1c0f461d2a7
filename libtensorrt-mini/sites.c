/* The regions of the program, and what happens around a call of one.

   Each object that holds regions registers them before main; their state
   word is 0 unless the environment or the program asks for something:

     site.state == 0            one load and one branch, nothing here runs
     TRM_STATE_COUNT            calls and time are counted (profile.c)
     TRM_STATE_ORIGINAL         the loops as written run
     TRM_STATE_CHECK            both run, on copies (check.c)

   trm_enter and trm_leave keep a stack of frames in each thread: regions
   may nest, recurse, and run in any number of threads at once.  A call that
   nests deeper than FRAMES is run but not counted or checked.

   What was forgotten: a change of mode or a reset gives the frames a new
   epoch; calls that are under way then end without being counted.

   Objects with regions cannot be unloaded: nothing unregisters a site.  */

#include "runtime.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#define FRAMES 32

typedef struct thread_stack
{
  long epoch;
  int n;
  int too_deep;
  trm_frame frame[FRAMES];
} thread_stack;

static _Thread_local thread_stack stack;
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

/* Before the first site: read the environment.  */
static void
begin (void)
{
  const trm_settings *env = trm_env ();
  __atomic_store_n (&mode, (int) env->mode, __ATOMIC_RELAXED);
  trm_profile_begin ();
  process = getpid ();
  if (env->table || env->json || env->verbose || env->gradcheck
      || env->mode == TRM_MODE_CHECK)
    atexit (finish);
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
  pthread_mutex_lock (&lock);
  site->next = newest;
  update_site (site);
  __atomic_store_n (&newest, site, __ATOMIC_RELEASE);
  pthread_mutex_unlock (&lock);
}

/* Drop what the thread's frames from N on hold.  */
static void
drop_frames (int n)
{
  for (; stack.n > n; stack.n--)
    trm_check_free (stack.frame[stack.n - 1].copies);
}

/* Forget the frames of an older epoch.  */
static void
drop_stale (void)
{
  long epoch = trm_profile_epoch ();
  if (stack.epoch == epoch)
    return;
  drop_frames (0);
  stack.too_deep = 0;
  stack.epoch = epoch;
}

/* The frame around the one at index I, or NULL.  */
static trm_frame *
outer_frame (int i)
{
  return i > 0 ? &stack.frame[i - 1] : NULL;
}

/* Make ready for both versions of SITE; what to run.  Without memory, or
   without a list of what the region writes, the loops as written run.  */
static int
ask_for_both (trm_site *site, trm_frame *frame, const trm_span *span, int n)
{
  frame->copies = trm_check_begin (site, span, n);
  if (frame->copies)
    return TRM_RUN_FUSED | TRM_RUN_ORIGINAL;
  trm_own *own = trm_site_own (site);
  if (own)
    __atomic_fetch_add (&own->unchecked, 1, __ATOMIC_RELAXED);
  return TRM_RUN_ORIGINAL;
}

int
trm_enter (trm_site *site, const trm_span *span, int n)
{
  int state = __atomic_load_n (&site->state, __ATOMIC_ACQUIRE);
  int asked = state & (TRM_STATE_ORIGINAL | TRM_STATE_CHECK) ? TRM_RUN_ORIGINAL
                                                             : TRM_RUN_FUSED;
  drop_stale ();
  if (stack.n == FRAMES)
    {
      stack.too_deep++;
      return asked;
    }
  trm_frame *frame = &stack.frame[stack.n];
  *frame = (trm_frame){ .site = site, .epoch = stack.epoch };
  if (state & TRM_STATE_CHECK)
    asked = ask_for_both (site, frame, span, n);
  frame->asked = asked;
  frame->counted = state & TRM_STATE_COUNT;
  if (frame->counted)
    trm_profile_enter (frame, outer_frame (stack.n));
  stack.n++;
  return asked;
}

/* The index of the newest frame of SITE, at most FROM; -1 if none.  */
static int
find_frame (const trm_site *site, int from)
{
  int i = from;
  while (i >= 0 && stack.frame[i].site != site)
    i--;
  return i;
}

void
trm_between (trm_site *site)
{
  int i = stack.too_deep ? -1 : find_frame (site, stack.n - 1);
  if (i >= 0 && stack.frame[i].copies)
    trm_check_between (site, stack.frame[i].copies);
}

/* Add what the end of FRAME, at index I, tells: time, fallback, check.  */
static void
end_frame (trm_frame *frame, int i, int took)
{
  trm_site *site = frame->site;
  frame->fell_back = (frame->asked & TRM_RUN_FUSED) && !took;
  if (frame->counted)
    trm_profile_leave (frame, outer_frame (i), find_frame (site, i - 1) >= 0);
  if (frame->fell_back)
    __atomic_fetch_add (&site->fallbacks, 1, __ATOMIC_RELAXED);
  if (frame->copies && took)
    trm_check_compare (site, frame->copies);
}

void
trm_leave (trm_site *site, int took)
{
  if (stack.too_deep)
    {
      stack.too_deep--;
      return;
    }
  int i = find_frame (site, stack.n - 1);
  if (i < 0)
    return;
  drop_frames (i + 1);
  if (stack.epoch == trm_profile_epoch ())
    end_frame (&stack.frame[i], i, took);
  drop_frames (i);
}

const char *
trm_version (void)
{
  return TRM_VERSION;
}
