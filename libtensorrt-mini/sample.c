/* Where the process is, asked a thousand times in each second that its
   processors work, or as often as the kernel's tick allows.

   The timer's signal, SIGPROF, comes to a thread that runs.  Is that thread in
   a region, the sample is the region's.  Else it is beside the region that ran
   meanwhile in another thread: threads of OpenMP work for regions that they
   have not entered themselves.  The address is counted in both cases, for its
   line.

   A program that uses SIGPROF itself keeps it, and is not sampled.  */

#define _GNU_SOURCE

#include "profile.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#define MICROS 1000
#define MASK   (TRM_ADDRESSES - 1)
#define SPINS  10000

static trm_address table[TRM_ADDRESSES];
static int taken;
static char busy;
static int running;
static int64_t cpu_begin;
static double cpu_before;

void *
trm_context_address (const void *context)
{
  const ucontext_t *c = context;
#if defined __x86_64__
  return (void *) c->uc_mcontext.gregs[REG_RIP];
#elif defined __aarch64__
  return (void *) c->uc_mcontext.pc;
#else
  (void) c;
  return NULL;
#endif
}

/* Lock the table; false when another thread keeps it.  */
static bool
lock_table (void)
{
  for (int i = 0; i < SPINS; i++)
    if (!__atomic_test_and_set (&busy, __ATOMIC_ACQUIRE))
      return true;
  return false;
}

/* Unlock it.  */
static void
unlock_table (void)
{
  __atomic_clear (&busy, __ATOMIC_RELEASE);
}

/* Whether A and B are the same but for their samples.  */
static bool
is_same (const trm_address *a, const trm_address *b)
{
  return a->at == b->at && a->site == b->site && a->inside == b->inside;
}

/* Count a sample at AT INSIDE region SITE, or while SITE ran elsewhere.  When
   the table is three quarters full new addresses count as none.  */
static void
count_address (void *at, trm_site *site, bool inside)
{
  trm_address wanted = { .at = at, .site = site, .inside = inside };
  uintptr_t i = ((uintptr_t) at ^ ((uintptr_t) site >> 3)) * 0x9e3779b1u >> 8;
  if (!lock_table ())
    return;
  if (taken > TRM_ADDRESSES / 4 * 3)
    wanted.at = NULL;
  if (taken == TRM_ADDRESSES - 1)
    wanted = (trm_address){ .at = NULL };
  while (table[i & MASK].samples && !is_same (&table[i & MASK], &wanted))
    i++;
  trm_address *found = &table[i & MASK];
  taken += found->samples == 0;
  wanted.samples = found->samples + 1;
  *found = wanted;
  unlock_table ();
}

/* The calling thread; NULL when it has met no region.  The first use of a
   variable of the thread's may allocate it, which a signal must not: so it is
   found by its number.  */
static trm_thread *
find_thread (void)
{
  int task = gettid ();
  trm_thread *t = trm_threads ();
  while (t && __atomic_load_n (&t->task, __ATOMIC_RELAXED) != task)
    t = t->next;
  return t;
}

/* The signal came.  */
static void
on_tick (int signal_number, siginfo_t *from, void *context)
{
  (void) signal_number;
  (void) from;
  if (!__atomic_load_n (&running, __ATOMIC_RELAXED))
    return;
  trm_thread *t = find_thread ();
  int n = t && t->epoch == trm_profile_epoch () ? t->n : 0;
  trm_frame *frame = n > 0 && t->frame[n - 1].counted ? &t->frame[n - 1] : NULL;
  if (frame)
    TRM_ADD (t->node[frame->node].samples, 1);
  count_address (trm_context_address (context),
                 frame ? frame->site : trm_share_under_way (), frame != NULL);
}

/* Take over SIGPROF; false when the program has it.  */
static bool
take_signal (void)
{
  struct sigaction old,
    ours = { .sa_sigaction = on_tick,
             .sa_flags = SA_RESTART | SA_SIGINFO | SA_ONSTACK };
  sigemptyset (&ours.sa_mask);
  if (sigaction (SIGPROF, NULL, &old))
    return false;
  if ((old.sa_flags & SA_SIGINFO) && old.sa_sigaction == on_tick)
    return true;
  return old.sa_handler == SIG_DFL && sigaction (SIGPROF, &ours, NULL) == 0;
}

void
trm_sample_run (bool on)
{
  struct itimerval every = { { 0, on ? MICROS : 0 }, { 0, on ? MICROS : 0 } };
  if (on == running)
    return;
  if (on && !take_signal ())
    {
      fputs ("tensor: no samples: the program uses SIGPROF itself\n", stderr);
      return;
    }
  if (on)
    cpu_begin = trm_cpu_now ();
  else
    cpu_before += (double) (trm_cpu_now () - cpu_begin);
  __atomic_store_n (&running, on, __ATOMIC_RELAXED);
  setitimer (ITIMER_PROF, &every, NULL);
}

/* Block SIGPROF in this thread, or give it back the signals of OLD.  */
static void
hold_signal (bool hold, sigset_t *old)
{
  sigset_t set;
  sigemptyset (&set);
  sigaddset (&set, SIGPROF);
  if (hold)
    pthread_sigmask (SIG_BLOCK, &set, old);
  else
    pthread_sigmask (SIG_SETMASK, old, NULL);
}

void
trm_sample_clear (void)
{
  sigset_t old;
  hold_signal (true, &old);
  if (lock_table ())
    {
      memset (table, 0, sizeof table);
      taken = 0;
      unlock_table ();
    }
  hold_signal (false, &old);
  cpu_begin = trm_cpu_now ();
  cpu_before = 0;
}

int
trm_sample_addresses (trm_address address[TRM_ADDRESSES])
{
  sigset_t old;
  int n = 0;
  hold_signal (true, &old);
  if (lock_table ())
    {
      for (int i = 0; i < TRM_ADDRESSES; i++)
        if (table[i].samples)
          address[n++] = table[i];
      unlock_table ();
    }
  hold_signal (false, &old);
  return n;
}

double
trm_sample_cpu (void)
{
  return cpu_before + (running ? (double) (trm_cpu_now () - cpu_begin) : 0);
}
