/* The device of the process: which one, its start, its end.

     not started --> on --> ended      a failure that nothing can follow
          |           \---> forked     in a child; the parent goes on
          \--> ended                   no driver, no device

   The primary context is used, which other users of CUDA in the process share;
   it is pushed when a function of ours begins, and popped when it ends.  It is
   never released: at exit the driver may be gone already.  */

#include "cuda.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

trm_cuda_gpu trm_cuda;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread bool is_locked;
static bool is_on;
static int off;
static char off_words[sizeof trm_cuda.words];

void
trm_cuda_lock (void)
{
  pthread_mutex_lock (&lock);
  is_locked = true;
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
  return is_on;
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
  return is_on && TRM_CALL (NO_START, CtxPushCurrent, trm_cuda.context);
}

void
trm_cuda_pop (void)
{
  trm_cu_context context;
  if (is_on)
    trm_cuda.cu.CtxPopCurrent (&context);
}

/* Before a fork: the child gets no device, so the host is to have all.  */
static void
before_fork (void)
{
  trm_cuda_lock ();
  trm_cuda_forget_fault ();
  bool pushed = trm_cuda_push ();
  trm_cuda_all_to_host ();
  if (pushed)
    trm_cuda_pop ();
}

/* After it, in the child.  */
static void
forget_device (void)
{
  pthread_mutex_init (&lock, NULL);
  is_locked = false;
  is_on = false;
  trm_cuda_remove_all ();
  trm_cuda_end_use (TRM_CUDA_FORKED);
}

/* Find the device whose number TRM_DEVICE gives, 0 unless it does.  */
static bool
find_device (void)
{
  const char *asked = trm_env ()->device;
  const char *number = asked ? strchr (asked, ':') : NULL;
  int wanted = number ? atoi (number + 1) : 0, n = 0;
  trm_cu_result result = trm_cuda.cu.Init (0);
  if (result == TRM_CU_NO_DEVICE)
    return trm_cuda_ok (TRM_CUDA_NO_DEVICE, "cuInit", result);
  if (!trm_cuda_ok (TRM_CUDA_NO_DRIVER, "cuInit", result)
      || !TRM_CALL (NO_DRIVER, DriverGetVersion, &trm_cuda.version)
      || !TRM_CALL (NO_DEVICE, DeviceGetCount, &n))
    return false;
  if (wanted >= n)
    return trm_cuda_fault (TRM_CUDA_NO_DEVICE, "there are %d", n);
  return TRM_CALL (NO_DEVICE, DeviceGet, &trm_cuda.device, wanted);
}

/* Ask the device what it is.  */
static bool
ask_device (void)
{
  trm_cu_device d = trm_cuda.device;
  int major = 0, minor = 0;
  if (!TRM_CALL (NO_START, DeviceGetName, trm_cuda.name,
                 (int) sizeof trm_cuda.name, d)
      || !TRM_CALL (NO_START, DeviceGetAttribute, &trm_cuda.processors,
                    TRM_CU_PROCESSORS, d)
      || !TRM_CALL (NO_START, DeviceGetAttribute, &major, TRM_CU_MAJOR, d)
      || !TRM_CALL (NO_START, DeviceGetAttribute, &minor, TRM_CU_MINOR, d))
    return false;
  trm_cuda.arch = 10 * major + minor;
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
  trm_cuda.pool = NULL;
  if (!cu->MemAllocAsync || !cu->MemFreeAsync || !cu->DeviceGetDefaultMemPool
      || !cu->MemPoolSetAttribute || !cu->MemPoolTrimTo
      || cu->DeviceGetAttribute (&has, TRM_CU_HAS_POOLS, trm_cuda.device)
      || !has || cu->DeviceGetDefaultMemPool (&trm_cuda.pool, trm_cuda.device)
      || cu->MemPoolSetAttribute (trm_cuda.pool, TRM_CU_POOL_KEEPS, &keeps))
    trm_cuda.pool = NULL;
}

/* Make streams and events in the device's context.  */
static bool
make_streams (void)
{
  trm_cu_context context;
  if (!TRM_CALL (NO_START, DevicePrimaryCtxRetain, &trm_cuda.context,
                 trm_cuda.device)
      || !TRM_CALL (NO_START, CtxPushCurrent, trm_cuda.context))
    return false;
  trm_cuda.timed = trm_profile_on ();
  bool made
    = TRM_CALL (NO_START, StreamCreate, &trm_cuda.in, TRM_CU_NON_BLOCKING)
      && TRM_CALL (NO_START, StreamCreate, &trm_cuda.work, TRM_CU_NON_BLOCKING)
      && TRM_CALL (NO_START, StreamCreate, &trm_cuda.out, TRM_CU_NON_BLOCKING)
      && TRM_CALL (NO_START, EventCreate, &trm_cuda.filled, TRM_CU_NO_TIMING);
  trm_cuda.cu.CtxPopCurrent (&context);
  return made;
}

/* All steps of the start.  */
static bool
start (void)
{
  const char *missing = trm_cu_open (&trm_cuda.cu);
  if (missing)
    return trm_cuda_fault (TRM_CUDA_NO_DRIVER, "%s is not there", missing);
  if (!find_device () || !ask_device () || !make_streams ())
    return false;
  find_pool ();
  if (pthread_atfork (before_fork, trm_cuda_unlock, forget_device))
    return trm_cuda_fault (TRM_CUDA_NO_HOST_MEMORY, "pthread_atfork");
  return true;
}

bool
trm_cuda_start (void)
{
  if (!is_on)
    {
      is_on = start ();
      if (!is_on)
        trm_cuda_end_use (trm_cuda.why);
    }
  return is_on;
}
