/* What the profiler concludes: what bounds a region, which share of the roof it
   reaches, what its cycles are suspected of, more threads than processors; and
   rows of one line.  */

#define _GNU_SOURCE

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "profile.h"

#include "expect.h"
#include "profile-text.h"

#define THREADS 3

/* A machine of 100 operations and 10 bytes a nanosecond.  */
static const trm_profile machine
  = { .peaks = { .flops_f32 = 100, .flops_f64 = 50, .bytes = 10 } };
static const trm_profile unknown;

/* Ten calls in TOTAL ns: operations and bytes; what bounds them, the roof.  */
static const struct
{
  double total;
  double flops;
  double bytes;
  const char *bound;
  double roof;
} judged[] = {
  { 1e4, 0, 0, "overhead", 0 },
  { 4e4, 4e6, 0, "overhead", 1 },
  { 1e6, 6e7, 1e6, "arithmetic", 0.6 },
  { 1e6, 6e7, 7e6, "memory", 0.7 },
  { 1e6, 4e7, 4e6, "latency", 0.4 },
  { 1e6, 0, 6e6, "memory", 0.6 },
  { 1e6, 0, 0, "", 0 },
};

/* Cycles for each instruction, bytes that were counted a nanosecond, cache
   misses a nanosecond; what is suspected.  */
static const struct
{
  double cycles;
  double bytes;
  double misses;
  const char *suspect;
} suspected[] = {
  { 0.9, 9, 1, NULL },
  { 1.1, 6, 0, "memory: bytes move" },
  { 1.1, 1, 0.1, "memory: cache lines" },
  { 1.1, 1, 0.05, "divisions" },
};

static trm_site site[] = {
  { .line = 10, .name = "one", .file = "a.c" },
  { .line = 10, .name = "another", .file = "a.c" },
  { .line = 10, .name = "elsewhere", .file = "b.c" },
  { .line = 11, .name = "below", .file = "a.c" },
};

/* As the constructor of a generated object: before main.  */
__attribute__ ((constructor)) static void
register_sites (void)
{
  for (int i = 0; i < 4; i++)
    {
      site[i].version = TRM_ABI_VERSION;
      site[i].function = "f";
      trm_register (&site[i]);
    }
}

static void
test_bounds (void)
{
  for (size_t i = 0; i < sizeof judged / sizeof *judged; i++)
    {
      trm_row row = { .calls = 10,
                      .total = judged[i].total,
                      .flops = judged[i].flops,
                      .bytes = judged[i].bytes };
      expect (strcmp (trm_row_bound (&row, &machine), judged[i].bound) == 0
                && fabs (trm_row_roof (&row, &machine) - judged[i].roof) < 1e-9,
              "%g operations and %g bytes in %g ns: %s", row.flops, row.bytes,
              row.total, judged[i].bound);
    }
  trm_row row = { .calls = 10, .total = 1e6, .flops = 9e7 };
  expect (strcmp (trm_row_bound (&row, &unknown), "") == 0
            && trm_row_roof (&row, &unknown) == 0,
          "a machine that was not measured");
}

static void
test_suspects (void)
{
  for (size_t i = 0; i < sizeof suspected / sizeof *suspected; i++)
    {
      trm_row row = { .calls = 10,
                      .total = 1e6,
                      .counted = 1e6,
                      .bytes = 1e6 * suspected[i].bytes,
                      .count = { (int64_t) (1e6 * suspected[i].cycles), 1000000,
                                 (int64_t) (1e6 * suspected[i].misses) } };
      const char *found = trm_row_suspect (&row, &machine);
      expect (suspected[i].suspect
                ? found && strstr (found, suspected[i].suspect) == found
                : !found,
              "%.1f cycles an instruction: %s", suspected[i].cycles,
              found ? found : "nothing");
    }
}

/* Call a region while THREADS others do.  */
static void *
meet (void *argument)
{
  trm_enter (&site[0], NULL, 0);
  pthread_barrier_wait (argument);
  trm_leave (&site[0], 1);
  return NULL;
}

static void
test_crowd (void)
{
  cpu_set_t all, one;
  pthread_t thread[THREADS];
  pthread_barrier_t barrier;
  sched_getaffinity (0, sizeof all, &all);
  CPU_ZERO (&one);
  for (int i = 0; !CPU_COUNT (&one); i++)
    if (CPU_ISSET (i, &all))
      CPU_SET (i, &one);
  sched_setaffinity (0, sizeof one, &one);
  pthread_barrier_init (&barrier, NULL, THREADS);
  trm_profile_start ();
  for (int i = 0; i < THREADS; i++)
    pthread_create (&thread[i], NULL, meet, &barrier);
  for (int i = 0; i < THREADS; i++)
    pthread_join (thread[i], NULL);
  char *table = profile_text ("table");
  expect (strstr (table, "note: 3 threads on 1 processors\n") != NULL,
          "more threads than processors, which have ended");
  free (table);
  sched_setaffinity (0, sizeof all, &all);
  pthread_barrier_destroy (&barrier);
}

/* How often WORD stands in TEXT.  */
static int
count (const char *text, const char *word)
{
  int n = 0;
  for (; (text = strstr (text, word)); text += strlen (word))
    n++;
  return n;
}

static void
test_lines (void)
{
  trm_profile_start ();
  for (int i = 0; i < 4; i++)
    {
      trm_enter (&site[i], NULL, 0);
      trm_leave (&site[i], 1);
    }
  char *table = profile_text ("by=line,table"), *json;
  json = profile_text ("by=line,json");
  expect (count (table, " a.c:10 ") == 1 && count (table, " b.c:10 ") == 1
            && count (table, " a.c:11 ") == 1,
          "a row for each line");
  expect (count (json, "\"line\": 10, \"calls\": 2,") == 1
            && count (json, "\"line\": 10, \"calls\": 1,") == 1,
          "regions of one line together");
  free (table);
  free (json);
}

int
main (void)
{
  trm_profile_ask ("table:/dev/null");
  test_bounds ();
  test_suspects ();
  test_crowd ();
  test_lines ();
  return expect_status ();
}
