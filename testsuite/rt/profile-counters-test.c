/* The processor's counters: a kernel that has them, an older one, and those
   that refuse all, or one of them, and what the table says of regions that
   wait.  The kernel is one of the test's: this program's own syscall.  */

#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "abi.h"
#include "expect.h"
#include "profile-text.h"

#define CALLS        5
#define CYCLES       4000000
#define INSTRUCTIONS 1600000

/* What the kernel does: it is old, and does not know inherit_thread; it refuses
   counters of the number REFUSES and above with ERROR; there are MISSES of the
   cache in a call.  */
static struct
{
  bool is_old;
  uint64_t refuses;
  int error;
  int64_t misses;
} kernel;
static int opened;
static int wrong;

static trm_site site = { .version = TRM_ABI_VERSION,
                         .line = 5,
                         .name = "counted",
                         .file = "c.c",
                         .function = "f" };

/* As the constructor of a generated object: before main.  */
__attribute__ ((constructor)) static void
register_site (void)
{
  trm_register (&site);
}

/* A counter that has EACH more at the end of each call than at its
   beginning.  */
static int
make_counter (int64_t each)
{
  int fd = memfd_create ("counter", MFD_CLOEXEC);
  int64_t value = 1000;
  for (int i = 0; i < 2 * CALLS; i++)
    {
      value += i % 2 ? each : 10;
      if (write (fd, &value, sizeof value) != sizeof value)
        exit (2);
    }
  lseek (fd, 0, SEEK_SET);
  return fd;
}

/* Open the counter that ATTR describes.  */
static long
open_event (const struct perf_event_attr *attr, int process, int processor)
{
  static const uint64_t known[]
    = { PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_HW_INSTRUCTIONS,
        PERF_COUNT_HW_CACHE_MISSES };
  const int64_t each[] = { CYCLES, INSTRUCTIONS, kernel.misses };
  uint64_t i = 0;
  while (i < 2 && known[i] != attr->config)
    i++;
  wrong += process != 0 || processor != -1 || !attr->inherit
           || !attr->exclude_kernel || attr->type != PERF_TYPE_HARDWARE
           || attr->config != known[i];
  errno = attr->inherit_thread && kernel.is_old ? EINVAL
          : i >= kernel.refuses                 ? kernel.error
                                                : 0;
  if (errno)
    return -1;
  opened++;
  return make_counter (each[i]);
}

/* In place of the C library's.  */
long
syscall (long number, ...)
{
  va_list a;
  long argument[6];
  va_start (a, number);
  for (int i = 0; i < 6; i++)
    argument[i] = va_arg (a, long);
  va_end (a);
  if (number == SYS_perf_event_open)
    return open_event ((const struct perf_event_attr *) argument[0],
                       (int) argument[1], (int) argument[2]);
  long (*next) (long, ...)
    = (long (*) (long, ...)) dlsym (RTLD_NEXT, "syscall");
  return next (number, argument[0], argument[1], argument[2], argument[3],
               argument[4], argument[5]);
}

/* Calls that take 3 ms each.  */
static void
do_calls (void)
{
  struct timespec pause = { .tv_nsec = 3000000 };
  trm_profile_ask ("table:/dev/null,counters,peaks");
  trm_profile_start ();
  for (int i = 0; i < CALLS; i++)
    {
      trm_enter (&site, NULL, 0);
      nanosleep (&pause, NULL);
      trm_leave (&site, 1);
    }
}

/* Whether the profile has counts, and SUSPECT, a text, of the region.  */
static void
see_counts (const char *what, const char *suspect)
{
  char *json = profile_text ("peaks,json"), *table;
  table = profile_text ("counters,peaks,table");
  expect (opened == 3 && wrong == 0, "%s", what);
  expect (profile_number (json, "counted", "\"cycles\": ") == CALLS * CYCLES
            && profile_number (json, "counted", "\"instructions\": ")
                 == CALLS * INSTRUCTIONS
            && profile_number (json, "counted", "\"cache_misses\": ")
                 == (double) (CALLS * kernel.misses),
          "counts are those between a call's beginning and end");
  expect (profile_number (json, "counted", "\"counted_ns\": ") >= 3e6 * CALLS,
          "and how long they were counted");
  expect (strstr (table, " CPI ") && strstr (table, " 2.50 "),
          "cycles an instruction in the table");
  expect (strstr (table, "note: counted takes 2.50 cycles an instruction; "
                         "perhaps ")
            && strstr (table, suspect) && strstr (json, suspect),
          "which are suspected of: %s", suspect);
  free (json);
  free (table);
}

/* Whether the profile says that there are no counts, for the reason WHY.  */
static void
see_none (const char *why)
{
  char *json = profile_text ("json"), *table, expected[128];
  table = profile_text ("counters,table");
  snprintf (expected, sizeof expected,
            "note: no counters of the processor: %s\n", why);
  expect (strstr (table, expected) && !strstr (table, " CPI "), "refused: %s",
          why);
  expect (strstr (json, why) && !strstr (json, "\"cycles\""), "in JSON, too");
  free (json);
  free (table);
}

static void
test_new (void)
{
  kernel.refuses = 3;
  kernel.misses = 1000;
  do_calls ();
  see_counts ("a kernel with counters", "divisions, calls of functions");
}

static void
test_old (void)
{
  kernel.refuses = 3;
  kernel.is_old = true;
  kernel.misses = 1000000000;
  do_calls ();
  see_counts ("an older one", "memory: cache lines come about as fast");
}

static void
test_denied (void)
{
  kernel.error = EACCES;
  do_calls ();
  see_none ("the kernel does not allow them (perf_event_paranoid)");
}

static void
test_absent (void)
{
  kernel.error = ENOENT;
  do_calls ();
  see_none ("this machine shows none");
}

static void
test_partial (void)
{
  kernel.refuses = 2;
  kernel.error = EMFILE;
  do_calls ();
  see_none ("perf_event_open: Too many open files");
}

int
main (void)
{
  void (*const test[]) (void)
    = { test_new, test_old, test_denied, test_absent, test_partial };
  bool right = true;
  for (int i = 0; i < 5; i++)
    {
      fflush (stdout);
      pid_t child = fork ();
      int status = 1;
      if (child == 0)
        {
          test[i]();
          fflush (stdout);
          _exit (expect_status ());
        }
      waitpid (child, &status, 0);
      right &= status == 0;
    }
  expect (right, "all of these kernels");
  return expect_status ();
}
