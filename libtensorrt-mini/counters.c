/* The processor's counters, as far as the kernel lets this process have them:
   cycles, instructions and cache misses in user mode, of all its threads that
   begin later.  One file descriptor each: a group cannot be inherited.  */

#include "profile.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const uint64_t event[TRM_COUNTERS]
  = { PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_HW_INSTRUCTIONS,
      PERF_COUNT_HW_CACHE_MISSES };
static int descriptor[TRM_COUNTERS] = { -1, -1, -1 };
static char reason[96];

/* Open a counter of CONFIG.  Kernels before 5.13 cannot keep it from child
   processes.  */
static int
open_counter (uint64_t config)
{
  struct perf_event_attr attr = { .size = sizeof attr,
                                  .type = PERF_TYPE_HARDWARE,
                                  .config = config,
                                  .exclude_kernel = 1,
                                  .exclude_hv = 1,
                                  .inherit = 1,
                                  .inherit_thread = 1 };
  unsigned long flags = PERF_FLAG_FD_CLOEXEC;
  long fd = syscall (SYS_perf_event_open, &attr, 0, -1, -1, flags);
  attr.inherit_thread = 0;
  if (fd < 0 && errno == EINVAL)
    fd = syscall (SYS_perf_event_open, &attr, 0, -1, -1, flags);
  return (int) fd;
}

/* Remember why a counter could not be opened.  */
static void
explain (int error)
{
  if (error == EACCES || error == EPERM)
    strcpy (reason, "the kernel does not allow them (perf_event_paranoid)");
  else if (error == ENOENT || error == EOPNOTSUPP || error == ENODEV)
    strcpy (reason, "this machine shows none");
  else
    snprintf (reason, sizeof reason, "perf_event_open: %s", strerror (error));
}

void
trm_counters_open (void)
{
  if (descriptor[0] >= 0 || reason[0])
    return;
  for (int i = 0; i < TRM_COUNTERS && !reason[0]; i++)
    {
      descriptor[i] = open_counter (event[i]);
      if (descriptor[i] < 0)
        explain (errno);
    }
  for (int i = 0; i < TRM_COUNTERS && reason[0]; i++)
    if (descriptor[i] >= 0)
      {
        close (descriptor[i]);
        descriptor[i] = -1;
      }
}

const char *
trm_counters_refused (void)
{
  return reason[0] ? reason : NULL;
}

void
trm_counters_read (int64_t count[TRM_COUNTERS])
{
  for (int i = 0; i < TRM_COUNTERS; i++)
    if (descriptor[i] < 0
        || read (descriptor[i], &count[i], sizeof *count) != sizeof *count)
      count[i] = 0;
}

int64_t
trm_cpu_now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
  return (int64_t) t.tv_sec * 1000000000 + t.tv_nsec;
}
