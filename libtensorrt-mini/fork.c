/* Calls that run beside their caller.

     trm_fork   waiting
                   |  whoever comes first: a task, a thread of the pool, or
                   v  trm_wait itself
                running --> done      trm_wait takes status and result

   Since trm_wait runs what nobody has begun, it never waits for a call that
   does not move, whatever became of the pool; and forked calls may fork and
   wait in turn.  Who forks and who runs hold one reference each.

   In a thread of the pool regions run on one thread: the calls themselves are
   what runs in parallel.  */

#include "trm-load.h"

#include "tape.h"

#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_THREADS  16
#define MESSAGE_BYTES 512

typedef enum future_state
{
  WAITING,
  RUNNING,
  DONE
} future_state;

struct trm_future
{
  trm_status (*function) (void *argument, trm_tensor **result);
  void *argument;
  int references;
  future_state state;
  trm_status status;
  char message[MESSAGE_BYTES];
  trm_tensor *result;
  pthread_mutex_t lock;
  pthread_cond_t done;
  trm_future *next;
};

/* Threads that take calls from a list.  idle: how many wait for one; busy: of
   each thread.  */
static struct
{
  pthread_mutex_t lock;
  pthread_cond_t more;
  trm_future *first, *last;
  int n_waiting, n_idle, n_threads;
  bool ends;
  bool busy[MOST_THREADS];
  pthread_t thread[MOST_THREADS];
} pool
  = { .lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER };

/* One reference less.  */
static void
drop_future (trm_future *f)
{
  if (__atomic_sub_fetch (&f->references, 1, __ATOMIC_ACQ_REL) > 0)
    return;
  pthread_cond_destroy (&f->done);
  pthread_mutex_destroy (&f->lock);
  free (f);
}

/* Whether F was waiting, and is now the caller's to run.  */
static bool
claim (trm_future *f)
{
  pthread_mutex_lock (&f->lock);
  bool mine = f->state == WAITING;
  if (mine)
    f->state = RUNNING;
  pthread_mutex_unlock (&f->lock);
  return mine;
}

/* Run F's function, with tape, scope and messages of its own, in a thread that
   may be in the middle of others.  */
static void
run_apart (trm_future *f)
{
  char message[MESSAGE_BYTES];
  trm_status error = trm_error ();
  trm_tape_state tapes = trm_tapes;
  int depth = trm_scope_depth ();
  snprintf (message, sizeof message, "%s", trm_message ());
  trm_forget_error ();
  trm_tapes = (trm_tape_state){ 0 };
  trm_tensor *result = NULL;
  f->status = trm_scope_open ();
  if (!f->status)
    f->status = f->function (f->argument, &result);
  f->result = f->status ? NULL : trm_keep (result);
  snprintf (f->message, sizeof f->message, "%s", trm_message ());
  trm_tape_close_to (NULL);
  trm_scope_close_to (depth);
  trm_tapes = tapes;
  if (error)
    trm_fail (error, "%s", message);
  else
    trm_forget_error ();
}

/* Run F, and tell who waits for it.  */
static void
run_future (trm_future *f)
{
  run_apart (f);
  pthread_mutex_lock (&f->lock);
  f->state = DONE;
  pthread_cond_broadcast (&f->done);
  pthread_mutex_unlock (&f->lock);
}

/* What a task, or a thread of the pool, does with F.  */
static void
work_on (trm_future *f)
{
  if (claim (f))
    run_future (f);
  drop_future (f);
}

/* The next call of the pool, NULL at the end; POOL.LOCK is held.  */
static trm_future *
next_future (void)
{
  pool.n_idle++;
  while (!pool.first && !pool.ends)
    pthread_cond_wait (&pool.more, &pool.lock);
  pool.n_idle--;
  trm_future *f = pool.ends ? NULL : pool.first;
  if (f)
    {
      pool.first = f->next;
      pool.n_waiting--;
    }
  return f;
}

/* The life of a thread of the pool, whose busy flag is BUSY.  */
static void *
serve (void *busy)
{
  trm_future *f;
  omp_set_num_threads (1);
  pthread_mutex_lock (&pool.lock);
  while ((f = next_future ()))
    {
      *(bool *) busy = true;
      pthread_mutex_unlock (&pool.lock);
      work_on (f);
      pthread_mutex_lock (&pool.lock);
      *(bool *) busy = false;
    }
  pthread_mutex_unlock (&pool.lock);
  return NULL;
}

/* In the child of fork (2), which has no thread but the caller's.  */
static void
forget_threads (void)
{
  pthread_mutex_init (&pool.lock, NULL);
  pthread_cond_init (&pool.more, NULL);
  pool.n_idle = pool.n_threads = 0;
}

/* A thread more where calls outnumber those that are idle; POOL.LOCK is
   held.  */
static void
add_thread (void)
{
  static bool watched;
  long most = sysconf (_SC_NPROCESSORS_ONLN);
  int i = pool.n_threads;
  if (pool.ends || pool.n_waiting <= pool.n_idle || i >= MOST_THREADS
      || i >= most)
    return;
  if (!watched)
    watched = pthread_atfork (NULL, NULL, forget_threads) == 0;
  pool.busy[i] = false;
  if (watched
      && pthread_create (&pool.thread[i], NULL, serve, &pool.busy[i]) == 0)
    pool.n_threads++;
}

/* Give F to the pool.  */
static void
add_to_pool (trm_future *f)
{
  pthread_mutex_lock (&pool.lock);
  if (pool.first)
    pool.last->next = f;
  else
    pool.first = f;
  pool.last = f;
  pool.n_waiting++;
  add_thread ();
  pthread_cond_signal (&pool.more);
  pthread_mutex_unlock (&pool.lock);
}

/* At the end of the process, end the threads that have nothing to do.  */
__attribute__ ((destructor)) static void
end_pool (void)
{
  pthread_mutex_lock (&pool.lock);
  pool.ends = true;
  pthread_cond_broadcast (&pool.more);
  for (int i = 0; i < pool.n_threads; i++)
    if (!pool.busy[i])
      {
        pthread_mutex_unlock (&pool.lock);
        pthread_join (pool.thread[i], NULL);
        pthread_mutex_lock (&pool.lock);
      }
  pthread_mutex_unlock (&pool.lock);
}

trm_future *
trm_fork (trm_status (*function) (void *argument, trm_tensor **result),
          void *argument)
{
  trm_future *f = function ? malloc (sizeof *f) : NULL;
  if (!f)
    return trm_fail_null (function ? TRM_NO_MEMORY : TRM_BAD_ARGUMENT,
                          function ? "fork: no memory" : "fork: no function");
  *f = (trm_future){ .function = function,
                     .argument = argument,
                     .references = 2,
                     .lock = PTHREAD_MUTEX_INITIALIZER,
                     .done = PTHREAD_COND_INITIALIZER };
#ifdef _OPENMP
  if (omp_in_parallel ())
    {
#  pragma omp task firstprivate(f)
      work_on (f);
      return f;
    }
#endif
  add_to_pool (f);
  return f;
}

trm_status
trm_wait (trm_future *f, trm_tensor **result)
{
  if (result)
    *result = NULL;
  if (!f)
    return TRM_BAD_ARGUMENT;
  if (claim (f))
    run_future (f);
  pthread_mutex_lock (&f->lock);
  while (f->state != DONE)
    pthread_cond_wait (&f->done, &f->lock);
  pthread_mutex_unlock (&f->lock);
  trm_status status = f->status;
  if (status)
    trm_fail (status, "%s", f->message);
  else if (result && f->result)
    {
      *result = trm_share (f->result);
      status = *result ? TRM_OK : trm_error ();
    }
  trm_drop (f->result);
  drop_future (f);
  return status;
}
