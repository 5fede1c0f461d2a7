/* The devices of the process: which one a thread's regions run on, its start,
   the end of all.

     not started --> on --> ended      a failure that nothing can follow
          |           \---> forked     in a child; the parent goes on
          \--> ended                   no driver, no device

   A device is started when it is first wanted.  Its primary context is used,
   which other users of CUDA in the process share;
   it is pushed when a function of ours begins, and popped when it ends.  It is
   never released: at exit the driver may be gone already.  */

#include "cuda.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

trm_cuda_process trm_cuda;
trm_cuda_gpu trm_cuda_gpus[TRM_CUDA_MOST];
trm_cuda_gpu *trm_cuda_here = trm_cuda_gpus;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread bool is_locked;
static __thread int chosen;
static bool is_open;
static int off;
static char off_words[sizeof trm_cuda.words];

/* The number of the device that the thread's regions run on: what it has chosen
   or TRM_DEVICE gives, 0 unless it does.  */
static int
wanted_number (void)
{
  const char *asked = trm_env ()->device;
  const char *number = asked ? strchr (asked, ':') : NULL;
  return chosen ? chosen - 1 : number ? atoi (number + 1) : 0;
}

void
trm_cuda_choose (int number)
{
  chosen = number + 1;
}

void
trm_cuda_lock (void)
{
  int n = wanted_number ();
  pthread_mutex_lock (&lock);
  is_locked = true;
  trm_cuda_here = &trm_cuda_gpus[n > 0 && n < TRM_CUDA_MOST ? n : 0];
}

void
trm_cuda_unlock (void)
{
  is_locked = false;
  pthread_mutex_unlock (&lock);
}

bool
trm_cuda_is_locked (void)
{
  return is_locked;
}

bool
trm_cuda_is_on (void)
{
  return trm_cuda_here->is_on;
}

trm_cuda_wish
trm_cuda_wished (void)
{
  const char *asked = trm_env ()->device;
  if (!asked)
    return TRM_CUDA_AUTO;
  return strcmp (asked, "cpu") == 0 ? TRM_CUDA_CPU : TRM_CUDA_ALWAYS;
}

trm_cuda_why
trm_cuda_off (void)
{
  if (trm_cuda_wished () == TRM_CUDA_CPU)
    return TRM_CUDA_OF_CPU;
  return (trm_cuda_why) __atomic_load_n (&off, __ATOMIC_ACQUIRE);
}

const char *
trm_cuda_off_words (void)
{
  return trm_cuda_wished () == TRM_CUDA_CPU ? "" : off_words;
}

void
trm_cuda_end_use (trm_cuda_why why)
{
  memcpy (off_words, trm_cuda.words, sizeof off_words);
  __atomic_store_n (&off, (int) why, __ATOMIC_RELEASE);
}

bool
trm_cuda_refuse (trm_cuda_why why)
{
  trm_cuda.why = why;
  trm_cuda.words[0] = 0;
  return false;
}

bool
trm_cuda_fault (trm_cuda_why why, const char *format, ...)
{
  va_list arguments;
  if (trm_cuda.why)
    return false;
  trm_cuda.why = why;
  va_start (arguments, format);
  vsnprintf (trm_cuda.words, sizeof trm_cuda.words, format, arguments);
  va_end (arguments);
  return false;
}

void
trm_cuda_forget_fault (void)
{
  trm_cuda.why = TRM_CUDA_FINE;
  trm_cuda.words[0] = 0;
}

bool
trm_cuda_ok (trm_cuda_why why, const char *name, trm_cu_result result)
{
  if (!result)
    return true;
  if (trm_cu_is_sticky (result))
    trm_cuda.sticky = true;
  if (result == TRM_CU_OUT_OF_MEMORY)
    why = TRM_CUDA_NO_MEMORY;
  return trm_cuda_fault (why, "%s: %s (%u)", name,
                         trm_cu_error_name (&trm_cuda.cu, result), result);
}

bool
trm_cuda_push (void)
{
  return trm_cuda_here->is_on
         && TRM_CALL (NO_START, CtxPushCurrent, trm_cuda_here->context);
}

void
trm_cuda_pop (void)
{
  trm_cu_context context;
  if (trm_cuda_here->is_on)
    trm_cuda.cu.CtxPopCurrent (&context);
}

/* Before a fork: the child gets no device, so the host is to have all.  */
static void
before_fork (void)
{
  trm_cuda_lock ();
  trm_cuda_forget_fault ();
  trm_cuda_all_to_host ();
}

/* After it, in the child.  */
static void
forget_device (void)
{
  pthread_mutex_init (&lock, NULL);
  is_locked = false;
  for (int i = 0; i < TRM_CUDA_MOST; i++)
    {
      trm_cuda_here = &trm_cuda_gpus[i];
      trm_cuda_here->is_on = false;
      trm_cuda_remove_all ();
    }
  trm_cuda_end_use (TRM_CUDA_FORKED);
}

/* Open the driver, which tells how many devices there are.  */
static bool
open_driver (void)
{
  const char *missing = trm_cu_open (&trm_cuda.cu);
  if (missing)
    return trm_cuda_fault (TRM_CUDA_NO_DRIVER, "%s is not there", missing);
  trm_cu_result result = trm_cuda.cu.Init (0);
  if (result == TRM_CU_NO_DEVICE)
    return trm_cuda_ok (TRM_CUDA_NO_DEVICE, "cuInit", result);
  if (!trm_cuda_ok (TRM_CUDA_NO_DRIVER, "cuInit", result)
      || !TRM_CALL (NO_DRIVER, DriverGetVersion, &trm_cuda.version)
      || !TRM_CALL (NO_DEVICE, DeviceGetCount, &trm_cuda.n))
    return false;
  if (pthread_atfork (before_fork, trm_cuda_unlock, forget_device))
    return trm_cuda_fault (TRM_CUDA_NO_HOST_MEMORY, "pthread_atfork");
  return true;
}

/* Find the device that the thread wants.  */
static bool
find_device (void)
{
  int wanted = wanted_number ();
  if (wanted >= trm_cuda.n || wanted >= TRM_CUDA_MOST)
    return trm_cuda_fault (TRM_CUDA_NO_DEVICE, "there are %d", trm_cuda.n);
  return TRM_CALL (NO_DEVICE, DeviceGet, &trm_cuda_here->device, wanted);
}

/* Ask the device what it is.  */
static bool
ask_device (void)
{
  trm_cu_device d = trm_cuda_here->device;
  int major = 0, minor = 0;
  if (!TRM_CALL (NO_START, DeviceGetName, trm_cuda_here->name,
                 (int) sizeof trm_cuda_here->name, d)
      || !TRM_CALL (NO_START, DeviceGetAttribute, &trm_cuda_here->processors,
                    TRM_CU_PROCESSORS, d)
      || !TRM_CALL (NO_START, DeviceGetAttribute, &major, TRM_CU_MAJOR, d)
      || !TRM_CALL (NO_START, DeviceGetAttribute, &minor, TRM_CU_MINOR, d))
    return false;
  trm_cuda_here->arch = 10 * major + minor;
  return true;
}

/* Take memory in the order of streams where that is possible; memory that went
   is kept for the next that comes.  */
static void
find_pool (void)
{
  trm_cu *cu = &trm_cuda.cu;
  unsigned long long keeps = UINT64_MAX;
  int has = 0;
  trm_cuda_here->pool = NULL;
  if (!cu->MemAllocAsync || !cu->MemFreeAsync || !cu->DeviceGetDefaultMemPool
      || !cu->MemPoolSetAttribute || !cu->MemPoolTrimTo
      || cu->DeviceGetAttribute (&has, TRM_CU_HAS_POOLS, trm_cuda_here->device)
      || !has
      || cu->DeviceGetDefaultMemPool (&trm_cuda_here->pool,
                                      trm_cuda_here->device)
      || cu->MemPoolSetAttribute (trm_cuda_here->pool, TRM_CU_POOL_KEEPS,
                                  &keeps))
    trm_cuda_here->pool = NULL;
}

/* Whether a device was started.  */
static bool
is_any_on (void)
{
  bool is = false;
  for (int i = 0; i < TRM_CUDA_MOST; i++)
    is |= trm_cuda_gpus[i].is_on;
  return is;
}

/* Make streams and events in the device's context.  */
static bool
make_streams (void)
{
  trm_cu_context context;
  if (!TRM_CALL (NO_START, DevicePrimaryCtxRetain, &trm_cuda_here->context,
                 trm_cuda_here->device)
      || !TRM_CALL (NO_START, CtxPushCurrent, trm_cuda_here->context))
    return false;
  trm_cuda_here->timed = trm_profile_on () && !is_any_on ();
  bool made
    = TRM_CALL (NO_START, StreamCreate, &trm_cuda_here->in, TRM_CU_NON_BLOCKING)
      && TRM_CALL (NO_START, StreamCreate, &trm_cuda_here->work,
                   TRM_CU_NON_BLOCKING)
      && TRM_CALL (NO_START, StreamCreate, &trm_cuda_here->out,
                   TRM_CU_NON_BLOCKING)
      && TRM_CALL (NO_START, EventCreate, &trm_cuda_here->filled,
                   TRM_CU_NO_TIMING);
  trm_cuda.cu.CtxPopCurrent (&context);
  return made;
}

/* Whether the driver is open.  */
static bool
has_driver (void)
{
  is_open = is_open || open_driver ();
  return is_open;
}

int
trm_cuda_count (void)
{
  if (!has_driver ())
    trm_cuda_end_use (trm_cuda.why);
  return trm_cuda.n < TRM_CUDA_MOST ? trm_cuda.n : TRM_CUDA_MOST;
}

bool
trm_cuda_start (void)
{
  trm_cuda_gpu *gpu = trm_cuda_here;
  if (gpu->is_on)
    return true;
  if (has_driver () && find_device () && ask_device () && make_streams ())
    {
      find_pool ();
      gpu->is_on = true;
    }
  else
    trm_cuda_end_use (trm_cuda.why);
  return gpu->is_on;
}
