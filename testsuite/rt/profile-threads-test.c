/* The profiler under threads: calls and times add up exactly however many run
   regions at once, threads that end leave what they counted and give their
   room to others, and counts may be read, forgotten and stopped meanwhile.  */

#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "abi.h"
#include "expect.h"
#include "profile-text.h"

#define THREADS 4
#define CALLS   20000

static trm_site site[] = {
  { .version = TRM_ABI_VERSION, .name = "a", .file = "t.c", .function = "f" },
  { .version = TRM_ABI_VERSION, .name = "b", .file = "t.c", .function = "f" },
  { .version = TRM_ABI_VERSION, .name = "c", .file = "t.c", .function = "f" },
};
static int stop;

/* As the constructor of a generated object: before main.  */
__attribute__ ((constructor)) static void
register_sites (void)
{
  for (int i = 0; i < 3; i++)
    {
      site[i].line = i;
      trm_register (&site[i]);
    }
}

/* A call of a that calls b, and one of c.  */
static void
call_three (void)
{
  trm_enter (&site[0], NULL, 0);
  trm_enter (&site[1], NULL, 0);
  trm_leave (&site[1], 1);
  trm_leave (&site[0], 1);
  trm_enter (&site[2], NULL, 0);
  trm_leave (&site[2], 1);
}

/* What a thread does.  */
static void *
work (void *argument)
{
  int n = *(int *) argument;
  for (int i = 0; i < n; i++)
    call_three ();
  return NULL;
}

/* The same until stopped.  */
static void *
work_on (void *argument)
{
  while (!__atomic_load_n (&stop, __ATOMIC_RELAXED))
    call_three ();
  return argument;
}

/* End inside a region.  */
static void *
leave_none (void *argument)
{
  trm_enter (&site[0], NULL, 0);
  return argument;
}

/* Run N threads that do WHAT, one after the other or at once.  */
static void
run_threads (int n, void *(*what) (void *), bool at_once)
{
  pthread_t thread[THREADS];
  int calls = CALLS / (at_once ? 1 : 20);
  for (int i = 0; i < n; i++)
    {
      pthread_create (&thread[i % THREADS], NULL, what, &calls);
      if (!at_once)
        pthread_join (thread[i % THREADS], NULL);
    }
  for (int i = 0; at_once && i < n; i++)
    pthread_join (thread[i], NULL);
}

/* The profile as JSON; free () is the caller's.  */
static char *
profile (void)
{
  static char *text;
  free (text);
  return text = profile_text ("json");
}

/* Whether TEXT counts N calls of each region, and its times add up to the wall
   clock.  */
static bool
adds_up (const char *text, double n)
{
  double sum = profile_number (text, "", "\"outside_ns\": ");
  bool right = true;
  for (int i = 0; i < 3; i++)
    {
      char name[16];
      snprintf (name, sizeof name, "\"name\": \"%c\"", 'a' + i);
      right &= profile_number (text, name, "\"calls\": ") == n;
      sum += profile_number (text, name, "\"self_ns\": ");
    }
  return right && fabs (sum - profile_number (text, "", "\"wall_ns\": ")) < 5;
}

static void
test_sums (void)
{
  trm_profile_start ();
  run_threads (THREADS, work, true);
  expect (adds_up (profile (), THREADS * CALLS),
          "calls and times of threads at once add up");
  trm_profile_start ();
  run_threads (400, work, false);
  char *text = profile ();
  expect (adds_up (text, 400 * (CALLS / 20)), "of 400 threads in turn, too");
  expect (profile_number (text, "", "\"calls_refused\": ") == 0,
          "all had room");
  trm_profile_stop ();
}

/* Nobody is inside a region when a thread has ended there.  */
static void
test_ends (void)
{
  struct timespec pause = { .tv_nsec = 20000000 };
  trm_profile_start ();
  run_threads (3, leave_none, false);
  nanosleep (&pause, NULL);
  call_three ();
  const char *text = profile ();
  expect (profile_number (text, "", "\"outside_ns\": ") >= 20000000
            && profile_number (text, "\"name\": \"a\"", "\"calls\": ") == 1,
          "threads that end inside a region");
  trm_profile_stop ();
}

static void
test_meanwhile (void)
{
  pthread_t thread[THREADS];
  bool right = true;
  trm_profile_ask ("trace:/dev/null");
  for (int i = 0; i < THREADS; i++)
    pthread_create (&thread[i], NULL, work_on, NULL);
  for (int i = 0; i < 30; i++)
    {
      trm_profile_start ();
      for (int k = 0; k < 100; k++)
        call_three ();
      const char *text = profile ();
      double wall = profile_number (text, "", "\"wall_ns\": ");
      double left = profile_number (text, "", "\"under_way_ns\": ");
      right &= wall > 0 && fabs (left) < wall;
      right &= profile_number (text, "\"name\": \"c\"", "\"calls\": ") >= 100;
      trm_profile_write ("trace:/dev/null,dot:/dev/null");
      if (i % 3 == 0)
        trm_profile_stop ();
      else
        trm_profile_reset ();
    }
  __atomic_store_n (&stop, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < THREADS; i++)
    pthread_join (thread[i], NULL);
  expect (right, "counts are read and forgotten while threads count");
  trm_profile_start ();
  call_three ();
  expect (adds_up (profile (), 1), "and begin anew from nothing");
}

int
main (void)
{
  trm_profile_ask ("table:/dev/null");
  test_sums ();
  test_ends ();
  test_meanwhile ();
  return expect_status ();
}
