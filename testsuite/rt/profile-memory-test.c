/* Who holds memory: what each line of a program has now, had at most, and had
   when all memory was at its most; temporaries of regions; blocks from before;
   more places than there is room for; threads at once; a long time.  */

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "profile.h"

#include "expect.h"
#include "object.h"
#include "profile-text.h"

#define THREADS 4
#define TIMES   2000
#define DEEP    10

static trm_site site = { .version = TRM_ABI_VERSION,
                         .line = 77,
                         .name = "with temporaries",
                         .file = "a/one.c",
                         .function = "f" };

/* As the constructor of a generated object: before main.  */
__attribute__ ((constructor)) static void
register_site (void)
{
  trm_register (&site);
}

/* A tensor of BYTES bytes.  Not a call at the end, so that the caller is
   there to be seen.  */
static __attribute__ ((noinline)) trm_tensor *
make (int64_t bytes)
{
  trm_tensor *t = trm_empty (TRM_U8, 1, &bytes);
  __asm__ volatile("");
  return t;
}

/* One at a place of its own, and one at another.  */
static __attribute__ ((noinline)) trm_tensor *
make_first (int64_t bytes)
{
  trm_tensor *t = make (bytes);
  __asm__ volatile("" ::"i"(1));
  return t;
}

static __attribute__ ((noinline)) trm_tensor *
make_second (int64_t bytes)
{
  trm_tensor *t = trm_empty (TRM_U8, 1, &bytes);
  __asm__ volatile("" ::"i"(2));
  return t;
}

/* What JSON tells by FIELD of the function called NAME.  */
static double
of (const char *json, const char *name, const char *field)
{
  char after[64], key[64];
  const char *lines = strstr (json, "\"memory\"");
  snprintf (after, sizeof after, "{\"name\": \"%s\"", name);
  snprintf (key, sizeof key, "\"%s\": ", field);
  return lines ? profile_number (lines, after, key) : -1;
}

/* The sum of FIELD over all places of JSON.  */
static double
sum_of (const char *json, const char *field)
{
  char key[64];
  double sum = 0;
  const char *at = strstr (json, "\"memory\"");
  const char *end = at ? strstr (at, "\"regions\"") : NULL;
  snprintf (key, sizeof key, "\"%s\": ", field);
  while (end && (at = strstr (at, key)) && at < end)
    sum += strtod (at += strlen (key), NULL);
  return sum;
}

/* Begin to count.  */
static void
start (void)
{
  trm_profile_ask ("memory:/dev/null");
  trm_profile_start ();
}

static void
test_lines (void)
{
  start ();
  trm_tensor *a = make (4000);
  trm_tensor *b = make_second (1000);
  trm_drop (a);
  trm_tensor *c = make_second (8000);
  trm_drop (b);
  a = make (500);
  char *json = profile_text ("json");
  expect (of (json, "make", "allocated") == 4500
            && of (json, "make", "allocations") == 2
            && of (json, "make", "held") == 500
            && of (json, "make", "most") >= 4000
            && of (json, "make", "most") <= 4500,
          "what a line allocated, has, and had");
  expect (of (json, "make", "at_peak") == 0
            && of (json, "make_second", "at_peak") == 9000
            && of (json, "make_second", "held") == 8000,
          "and what of it when all was at its most");
  expect (profile_number (json, "\"memory\"", "\"most\": ") == 9000, "that");
  free (json);
  trm_drop (a);
  trm_drop (c);
  json = profile_text ("json");
  expect (sum_of (json, "held") == 0, "nothing is held in the end");
  free (json);
}

/* The line of the call in this function, and what it makes.  */
static __attribute__ ((noinline)) int
make_here (trm_tensor **t)
{
  int64_t bytes = 700;
  *t = trm_empty (TRM_U8, 1, &bytes);
  return __LINE__ - 1;
}

static void
test_place (void)
{
  trm_tensor *t;
  char expected[64];
  bool has_lines
    = trm_object_section (trm_object_at (test_place), ".debug_line").at;
  start ();
  int line = make_here (&t);
  char *table = profile_text ("memory");
  snprintf (expected, sizeof expected, "profile-memory-test.c:%d in make_here",
            line);
  expect (strstr (table, has_lines ? expected : "in make_here") != NULL,
          "its line");
  expect (strstr (table, "memory at its most 700 B; who had it then\n")
            && strstr (table, "     700 B      700 B      700 B      700 B"
                              "        1  "),
          "in a table");
  free (table);
  trm_drop (t);
}

static void
test_temporaries (void)
{
  start ();
  void *outside = trm_scratch_get (300);
  trm_enter (&site, NULL, 0);
  void *one = trm_scratch_get (5000), *two = trm_scratch_get (2000);
  trm_scratch_put (one);
  trm_leave (&site, 1);
  trm_scratch_put (outside);
  char *json = profile_text ("json"), *table = profile_text ("memory");
  expect (of (json, "with temporaries", "allocated") == 7000
            && of (json, "with temporaries", "held") == 2000
            && of (json, "with temporaries", "most") == 7000,
          "temporaries of a region");
  expect (profile_number (json, "\"memory\"", "\"most\": ") == 7300,
          "are memory in use");
  expect (strstr (table, "one.c:77 temporaries of with temporaries\n") != NULL,
          "at the region's line");
  free (json);
  free (table);
  trm_scratch_put (two);
}

static void
test_before (void)
{
  trm_profile_stop ();
  trm_tensor *old = make (100);
  void *old_block = trm_scratch_get (100);
  start ();
  trm_tensor *t = make (10);
  trm_profile_reset ();
  trm_tensor *new = make (30);
  trm_drop (t);
  trm_drop (old);
  trm_scratch_put (old_block);
  char *json = profile_text ("json");
  expect (of (json, "make", "allocated") == 30 && sum_of (json, "held") == 30,
          "what was there before counting began is nobody's");
  free (json);
  trm_drop (new);
  trm_profile_ask ("table:/dev/null");
  trm_profile_start ();
  t = make (30);
  json = profile_text ("json");
  expect (strstr (json, "\"lines\": [],\n") != NULL,
          "nothing is kept unless it is asked for");
  free (json);
  trm_drop (t);
}

/* Make tensors in 2^DEPTH places: as many ways to come here.  */
static __attribute__ ((noinline)) void
spread (int depth)
{
  if (depth == 0)
    {
      trm_drop (make_first (10));
      return;
    }
  spread (depth - 1);
  __asm__ volatile("" ::"i"(3));
  spread (depth - 1);
  __asm__ volatile("" ::"i"(4));
}

static void
test_room (void)
{
  start ();
  spread (DEEP);
  char *json = profile_text ("json");
  expect (sum_of (json, "allocated") == 10 * (1 << DEEP)
            && sum_of (json, "held") == 0,
          "all is counted of %d places", 1 << DEEP);
  expect (of (json, "further places", "allocated") > 0,
          "those for which there is no room together");
  free (json);
}

/* What a thread does.  */
static void *
work (void *argument)
{
  for (int i = 0; i < TIMES; i++)
    {
      trm_drop (make (100));
      trm_drop (make_second (50));
    }
  return argument;
}

static void
test_threads (void)
{
  pthread_t thread[THREADS];
  start ();
  for (int i = 0; i < THREADS; i++)
    pthread_create (&thread[i], NULL, work, NULL);
  for (int i = 0; i < 10; i++)
    free (profile_text ("memory"));
  for (int i = 0; i < THREADS; i++)
    pthread_join (thread[i], NULL);
  char *json = profile_text ("json");
  expect (of (json, "make", "allocated") == 100. * THREADS * TIMES
            && of (json, "make_second", "allocated") == 50. * THREADS * TIMES
            && sum_of (json, "held") == 0,
          "threads at once");
  free (json);
}

/* Wait for MS milliseconds.  */
static void
wait_for (int ms)
{
  struct timespec pause = { .tv_nsec = ms * 1000000L };
  nanosleep (&pause, NULL);
}

static void
test_time (void)
{
  start ();
  wait_for (10);
  trm_tensor *t = make (1000);
  wait_for (200);
  trm_drop (t);
  trm_tensor *u = make_second (200);
  wait_for (100);
  int n;
  trm_holder *holder = malloc (TRM_HOLDERS * sizeof *holder);
  trm_moments m = trm_memory_over_time (holder, &n);
  int with = 0, after = 0, by_line = 0;
  for (int i = 0; i < m.n; i++)
    {
      with += m.bytes[i] >= 1000;
      after += m.bytes[i] == 200;
    }
  for (int i = 0; n && i <= holder[0].last; i++)
    by_line += holder[0].bytes[i] == 1000;
  expect (m.n <= TRM_MOMENTS && m.bytes[0] == 0 && m.bytes[m.n - 1] == 200,
          "memory from the beginning to the end");
  expect (with > after && after > 0 && m.most == 1000,
          "in stretches of equal length");
  expect (n == 2 && by_line > holder[0].last / 2
            && holder[0].bytes[holder[0].last] == 0,
          "of a line, too");
  free (holder);
  trm_drop (u);
  trm_profile_stop ();
}

int
main (void)
{
  trm_drop (make_first (1));
  test_lines ();
  test_place ();
  test_temporaries ();
  test_before ();
  test_room ();
  test_threads ();
  test_time ();
  trm_profile_ask ("table:/dev/null");
  return expect_status ();
}
