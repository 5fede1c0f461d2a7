/* The profiler's clock.

   Where Linux itself takes the time from the processor's time stamp counter,
   that counter runs evenly and alike on all processors, and reading it costs a
   third of a call of clock_gettime.  So ticks of it are counted, and made
   nanoseconds at the end by

     (now - begin of clock_gettime) / (now - begin of the counter)

   Elsewhere a tick is a nanosecond of clock_gettime.  */

#include "profile.h"

#include <string.h>
#include <time.h>

#define CLOCK_SOURCE                                                           \
  "/sys/devices/system/clocksource/clocksource0/current_clocksource"
#define TRIES 5

bool trm_clock_is_counter;

/* One moment on both clocks.  */
typedef struct moment
{
  int64_t ticks;
  int64_t ns;
} moment;

static moment start;

int64_t
trm_now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (int64_t) t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Whether the processor's counter is the time.  */
static bool
counter_is_time (void)
{
#if defined __aarch64__
  return true;
#elif defined __x86_64__
  char name[16] = "";
  FILE *file = fopen (CLOCK_SOURCE, "r");
  bool is_tsc
    = file && fgets (name, sizeof name, file) && strncmp (name, "tsc", 3) == 0;
  if (file)
    fclose (file);
  return is_tsc;
#else
  return false;
#endif
}

/* This moment: of some readings the one that took least.  */
static moment
read_both (void)
{
  moment best = { 0 };
  int64_t least = INT64_MAX;
  for (int i = 0; i < TRIES; i++)
    {
      int64_t before = trm_ticks ();
      int64_t ns = trm_now ();
      int64_t after = trm_ticks ();
      if (after - before < least)
        {
          least = after - before;
          best = (moment){ before + least / 2, ns };
        }
    }
  return best;
}

void
trm_clock_start (void)
{
  if (start.ns)
    return;
  trm_clock_is_counter = counter_is_time ();
  start = read_both ();
}

double
trm_clock_tick (void)
{
  if (!trm_clock_is_counter)
    return 1;
  moment now = read_both ();
  while (now.ns - start.ns < 50000)
    now = read_both ();
  return (double) (now.ns - start.ns) / (double) (now.ticks - start.ticks);
}
