/* The threads that run regions, and the memory in which each counts.

   A thread gets a trm_thread when it first meets a region that is counted or
   checked.  When it ends, another may have it, and goes on counting in it: so
   there are as many as ran at once, and what was counted stays.

   Counts are forgotten with an epoch: a thread that meets a new one drops its
   frames, and clears its tree if counts began anew since; readers pass over
   those that have not yet.

   After a fork the child has one thread, whatever the parent had; calls under
   way are forgotten there.  */

#define _GNU_SOURCE

#include "profile.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define SLOTS (2 * TRM_NODES)

_Thread_local trm_thread *trm_mine;

trm_site trm_site_of_the_rest
  = { .name = "further places", .file = "", .function = "" };

static trm_thread *newest;
static int lanes;
static int64_t refused;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool has_key;

trm_thread *
trm_threads (void)
{
  return __atomic_load_n (&newest, __ATOMIC_ACQUIRE);
}

int64_t
trm_threads_refused (void)
{
  return __atomic_load_n (&refused, __ATOMIC_RELAXED);
}

void
trm_threads_lock (void)
{
  pthread_mutex_lock (&lock);
}

void
trm_threads_unlock (void)
{
  pthread_mutex_unlock (&lock);
}

/* The thread that had T ends: its calls under way are given up.  */
static void
give_back (void *argument)
{
  trm_thread *t = argument;
  trm_frames_drop (t, 0);
  trm_mine = NULL;
  pthread_mutex_lock (&lock);
  t->live = false;
  TRM_SET (t->task, 0);
  pthread_mutex_unlock (&lock);
}

/* Before fork: nothing shared is half done.  */
static void
before_fork (void)
{
  pthread_mutex_lock (&lock);
  trm_share_lock ();
}

/* After it, in the parent.  */
static void
after_fork (void)
{
  trm_share_unlock ();
  pthread_mutex_unlock (&lock);
}

/* And in the child.  */
static void
after_fork_in_child (void)
{
  trm_share_unlock ();
  for (trm_thread *t = newest; t; t = t->next)
    t->live = t == trm_mine;
  pthread_mutex_unlock (&lock);
  trm_profile_forget ();
}

/* Make ready for threads that end, and for forks.  */
static void
prepare (void)
{
  has_key = pthread_key_create (&key, give_back) == 0;
  pthread_atfork (before_fork, after_fork, after_fork_in_child);
}

/* A trm_thread that nobody has, or a new one.  */
static trm_thread *
find_thread (void)
{
  trm_thread *t = newest;
  while (t && t->live)
    t = t->next;
  if (t || lanes == TRM_THREADS)
    return t;
  t = calloc (1, sizeof *t);
  if (!t)
    return NULL;
  t->lane = ++lanes;
  t->epoch = t->generation = -1;
  t->next = newest;
  __atomic_store_n (&newest, t, __ATOMIC_RELEASE);
  return t;
}

trm_thread *
trm_thread_new (void)
{
  pthread_once (&once, prepare);
  pthread_mutex_lock (&lock);
  trm_thread *t = find_thread ();
  if (t)
    {
      t->live = true;
      t->n = t->too_deep = 0;
      TRM_SET (t->task, gettid ());
    }
  pthread_mutex_unlock (&lock);
  if (!t)
    __atomic_add_fetch (&refused, 1, __ATOMIC_RELAXED);
  else if (has_key)
    pthread_setspecific (key, t);
  trm_mine = t;
  return t;
}

/* BYTES bytes of zeros that cost nothing until they are touched, or NULL.  */
static void *
reserve (size_t bytes)
{
  void *at = mmap (NULL, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return at == MAP_FAILED ? NULL : at;
}

/* Give T a tree of two nodes.  */
static bool
plant_tree (trm_thread *t)
{
  if (!t->node)
    t->node = reserve (TRM_NODES * sizeof *t->node);
  if (!t->slot)
    t->slot = reserve (SLOTS * sizeof *t->slot);
  if (!t->node || !t->slot)
    return false;
  for (int i = 0; i < SLOTS; i++)
    if (t->slot[i])
      t->slot[i] = 0;
  t->node[0] = (trm_node){ .parent = -1 };
  t->node[1] = (trm_node){ .site = &trm_site_of_the_rest };
  __atomic_store_n (&t->nodes, 2, __ATOMIC_RELEASE);
  return true;
}

/* Begin T's counts anew, in the epoch that counts began in.  */
static void
clear_thread (trm_thread *t, long epoch)
{
  trm_threads_lock ();
  bool planted = plant_tree (t);
  t->origin = t->written;
  if (planted)
    t->generation = epoch;
  trm_threads_unlock ();
}

void
trm_thread_renew (trm_thread *t)
{
  long epoch = trm_profile_epoch ();
  long first = trm_share_first_epoch ();
  trm_frames_drop (t, 0);
  t->too_deep = 0;
  t->epoch = epoch;
  if (t->generation != first && first <= epoch)
    clear_thread (t, first);
  if (trm_records (TRM_RECORD_EVENTS) && !t->ring)
    __atomic_store_n (&t->ring, reserve (TRM_EVENTS * sizeof *t->ring),
                      __ATOMIC_RELEASE);
}

bool
trm_thread_is_fresh (const trm_thread *t)
{
  return t->node && t->generation == trm_share_first_epoch ();
}
