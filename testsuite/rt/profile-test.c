/* The profiler: what each output of TRM_PROFILE holds, nested calls, ranges of
   the user's, groups and orders, drops, memory, samples, forks, and what fails
   politely.  What the environment asks for runs in a child, this program again
   with the name of a part as its argument.  */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "abi.h"
#include "expect.h"
#include "profile-text.h"

static trm_site outer_site = { .version = TRM_ABI_VERSION,
                               .line = 10,
                               .name = "outer <b>",
                               .file = "a/one.c",
                               .function = "f" };
static trm_site inner_site = { .version = TRM_ABI_VERSION,
                               .flags = TRM_SITE_PROFILE,
                               .line = 20,
                               .name = "inner",
                               .file = "a/one.c",
                               .function = "f" };
static trm_site other_site = { .version = TRM_ABI_VERSION,
                               .line = 30,
                               .name = "inner",
                               .file = "b/two.c",
                               .function = "g" };

/* As the constructor of a generated object: before main.  */
__attribute__ ((constructor)) static void
register_sites (void)
{
  trm_register (&outer_site);
  trm_register (&inner_site);
  trm_register (&other_site);
}

/* Nanoseconds.  */
static double
now (clockid_t clock)
{
  struct timespec t;
  clock_gettime (clock, &t);
  return 1e9 * (double) t.tv_sec + (double) t.tv_nsec;
}

/* Keep the processor busy for about NS nanoseconds.  */
static void
spin (double ns)
{
  double end = now (CLOCK_MONOTONIC) + ns;
  while (now (CLOCK_MONOTONIC) < end)
    ;
}

/* A call of SITE that takes NS nanoseconds besides those of INNER, which may be
   NULL.  */
static void
call (trm_site *site, double ns, trm_site *inner)
{
  if (site->state)
    trm_enter (site, NULL, 0);
  spin (ns);
  if (inner)
    call (inner, ns, NULL);
  if (site->state)
    trm_leave (site, 1);
}

/* Step over blanks.  */
static const char *
skip (const char *at)
{
  return at + strspn (at, " \t\n");
}

/* Behind the JSON value at AT, NULL when there is none.  */
static const char *
behind_value (const char *at)
{
  at = skip (at);
  if (*at == '"')
    {
      for (at++; *at && *at != '"'; at++)
        at += *at == '\\' && at[1];
      return *at ? at + 1 : NULL;
    }
  if (*at != '{' && *at != '[')
    {
      size_t n = strspn (at, "+-.0123456789eEtrufalsn");
      return n ? at + n : NULL;
    }
  char close = *at == '{' ? '}' : ']';
  bool is_object = *at == '{';
  at = skip (at + 1);
  while (*at && *at != close)
    {
      if (is_object && (*at != '"' || !(at = behind_value (at))))
        return NULL;
      if (is_object && *(at = skip (at)) != ':')
        return NULL;
      at = behind_value (is_object ? at + 1 : at);
      if (!at)
        return NULL;
      at = skip (at);
      if (*at == ',' && *(at = skip (at + 1)) == close)
        return NULL;
    }
  return *at ? at + 1 : NULL;
}

/* Whether TEXT is one JSON value.  */
static bool
is_json (const char *text)
{
  const char *end = behind_value (text);
  return end && !*skip (end);
}

/* The number after KEY in TEXT, from AFTER on; NAN when it is not there.  */
static double
number (const char *text, const char *after, const char *key)
{
  const char *at = strstr (text, after);
  at = at ? strstr (at, key) : NULL;
  return at ? strtod (at + strlen (key), NULL) : NAN;
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

/* What is written of WHAT now.  */
static char *
written (const char *what)
{
  char asked[256];
  snprintf (asked, sizeof asked, "%s:profile-test.out", what);
  trm_profile_write (asked);
  return profile_take_file ("profile-test.out");
}

/* A few nested calls, with a range around.  */
static void
do_calls (void)
{
  trm_profile_range_begin ("my \"range\"");
  for (int i = 0; i < 5; i++)
    call (&outer_site, 200e3, &inner_site);
  trm_profile_range_end ("my \"range\"");
  call (&other_site, 500e3, NULL);
}

static void
test_json (void)
{
  trm_profile_start ();
  do_calls ();
  char *json = written ("json");
  double wall = number (json, "", "\"wall_ns\": ");
  double sum = number (json, "", "\"outside_ns\": ")
               + number (json, "my \\\"range", "\"self_ns\": ")
               + number (json, "outer", "\"self_ns\": ")
               + number (json, "\"a/one.c\", \"function\": \"f\", \"line\": 20",
                         "\"self_ns\": ")
               + number (json, "\"b/two.c\"", "\"self_ns\": ");
  expect (is_json (json), "the JSON output is JSON");
  expect (fabs (sum - wall) < 5, "self times and outside are the wall clock");
  double total = number (json, "outer", "\"ns\": ");
  double self = number (json, "outer", "\"self_ns\": ");
  double called = number (json, "\"line\": 20", "\"ns\": ");
  expect (called >= 5 * 200e3 && fabs (total - self - called) < 3,
          "a total has what was called, self has not");
  expect (number (json, "\"line\": 20", "\"least_ns\": ") >= 200e3,
          "a region with profile has its fastest call");
  expect (count (json, "\"line\": 10, \"calls\": 5,") == 1, "calls");
  expect (strstr (json, "\\u003cb>") && !strstr (json, "<b>"),
          "names cannot end a page's script");
  expect (number (json, "", "\"overhead_ns\": ") < 1000,
          "the measurement tells what it costs");
  free (json);
}

static void
test_texts (void)
{
  char *dot = written ("dot");
  expect (strncmp (dot, "digraph ", 8) == 0 && count (dot, " -> ") == 4
            && strstr (dot, "my \\\"range\\\""),
          "dot has an arrow for each place");
  free (dot);
  char *html = written ("html");
  expect (strncmp (html, "<!DOCTYPE html>", 15) == 0
            && strstr (html, "</html>\n") && !strstr (html, "@PROFILE@")
            && strstr (html, "\"wall_ns\""),
          "the page holds the profile");
  expect (!strstr (html, "src=") && !strstr (html, "href=")
            && count (html, "http") == 1,
          "and needs nothing else");
  free (html);
  char *table = written ("by=name,sort=calls,table");
  expect (count (table, "\ninner ") == 1
            && strstr (table, "\ninner ") < strstr (table, "\nouter "),
          "by name, most calls first");
  free (table);
  table = written ("by=file,table");
  expect (strstr (table, "one.c ") && strstr (table, "two.c ")
            && count (table, "all of a file") == 3,
          "by file");
  free (table);
}

static void
test_trace (void)
{
  trm_profile_ask ("trace:profile-test.unused");
  trm_profile_start ();
  do_calls ();
  for (int i = 0; i < 70000; i++)
    call (&other_site, 0, NULL);
  char *trace = written ("trace");
  char *table = written ("table");
  expect (is_json (trace), "a trace is JSON");
  expect (count (trace, "\"ph\": \"X\"") == 65536, "with the newest events");
  expect (number (trace, "", "\"dropped\": ") == 70000 + 12 - 65536,
          "and how many were dropped");
  expect (strstr (table, "of 70012 events the oldest 4476 were dropped")
            != NULL,
          "which the table tells, too");
  free (trace);
  free (table);
  trm_profile_start ();
  call (&outer_site, 200e3, &inner_site);
  trace = written ("trace");
  double begin = number (trace, "outer", "\"ts\": ");
  double length = number (trace, "outer", "\"dur\": ");
  double inner = number (trace, "inner", "\"ts\": ");
  expect (inner >= begin + 200 && length >= 400
            && inner + number (trace, "inner", "\"dur\": ")
                 <= begin + length + 0.002,
          "a call inside another lies inside it");
  free (trace);
  trm_profile_stop ();
}

/* Nanoseconds that N calls of a region cost each.  */
static double
cost (int n)
{
  double begin = now (CLOCK_THREAD_CPUTIME_ID);
  for (int i = 0; i < n; i++)
    {
      if (__atomic_load_n (&other_site.state, __ATOMIC_RELAXED))
        trm_enter (&other_site, NULL, 0);
      if (__atomic_load_n (&other_site.state, __ATOMIC_RELAXED))
        trm_leave (&other_site, 1);
    }
  return (now (CLOCK_THREAD_CPUTIME_ID) - begin) / n;
}

/* Tell what calls cost: no claim, machines are busy.  */
static void
tell_cost (void)
{
  double off = cost (1000000);
  trm_profile_ask ("table:profile-test.unused");
  trm_profile_start ();
  double counted = cost (200000);
  trm_profile_ask ("trace:profile-test.unused");
  trm_profile_start ();
  double traced = cost (200000);
  trm_profile_stop ();
  printf ("# off %.1f, counted %.0f, traced %.0f ns a call\n", off, counted,
          traced);
}

/* Whether a stretch of JSON's memory has BYTES; a new one may have begun when
   they went.  */
static bool
has_stretch (const char *json, int64_t bytes)
{
  char last[32], inner[32];
  const char *memory = strstr (json, "\"memory\"");
  snprintf (last, sizeof last, "%lld]}", (long long) bytes);
  snprintf (inner, sizeof inner, "%lld,", (long long) bytes);
  return memory && (strstr (memory, last) || strstr (memory, inner));
}

static void
test_memory (void)
{
  int64_t extent[] = { 1000 };
  trm_profile_ask ("trace:profile-test.unused");
  trm_profile_start ();
  trm_enter (&outer_site, NULL, 0);
  trm_tensor *t = trm_empty (TRM_F32, 1, extent);
  trm_leave (&outer_site, 1);
  int64_t bytes = trm_memory_now ().bytes;
  trm_drop (t);
  char *json = written ("json");
  char *trace = written ("trace");
  expect (number (json, "outer", "\"allocated\": ") >= 4000,
          "a region's tensors are counted");
  expect (has_stretch (json, bytes),
          "memory over time has the most of a stretch");
  expect (count (trace, "\"ph\": \"C\"") == 2
            && strstr (trace, "{\"bytes\": 0}"),
          "a trace has each change");
  free (json);
  free (trace);
  trm_profile_stop ();
}

static void
test_failures (void)
{
  expect (trm_profile_write ("chart:x") == TRM_BAD_ARGUMENT
            && expect_failed (TRM_BAD_ARGUMENT, "'chart:x' is not known"),
          "an output that is not known");
  expect (trm_profile_write ("json") == TRM_BAD_ARGUMENT, "one without a file");
  expect (trm_profile_write ("json:/nowhere/at/all") == TRM_NO_FILE
            && expect_failed (TRM_NO_FILE, "cannot write /nowhere/at/all"),
          "a file that cannot be written");
  expect (trm_profile_ask (NULL) == TRM_BAD_ARGUMENT
            && trm_profile_range_begin (NULL) == TRM_BAD_ARGUMENT,
          "nothing");
  trm_profile_range_end ("never begun");
  trm_forget_error ();
}

/* A forked child goes on, and writes nothing at its end.  */
static void
test_fork (void)
{
  trm_profile_start ();
  trm_enter (&outer_site, NULL, 0);
  fflush (stdout);
  pid_t child = fork ();
  if (child == 0)
    {
      trm_leave (&outer_site, 1);
      call (&inner_site, 1000, NULL);
      char *json = written ("json");
      _exit (number (json, "\"line\": 20", "\"calls\": ") == 1
                 && !strstr (json, "outer")
               ? 0
               : 1);
    }
  int status = 1;
  waitpid (child, &status, 0);
  trm_leave (&outer_site, 1);
  char *json = written ("json");
  expect (status == 0, "a child forgets calls under way and counts its own");
  expect (number (json, "outer", "\"calls\": ") == 1
            && !strstr (json, "\"line\": 20"),
          "the parent goes on");
  free (json);
  trm_profile_stop ();
}

/* A loop without a pragma, for samples.  */
static __attribute__ ((noinline)) void
loop_without_pragma (void)
{
  spin (400e6);
}

/* Run PART of this program under SETTING; its two streams.  free () is the
   caller's.  */
static char *
child (const char *setting, const char *self, const char *part)
{
  char command[4096];
  snprintf (command, sizeof command,
            "env TRM_PROFILE=%s '%s' %s >profile-test.child 2>&1", setting,
            self, part);
  return system (command) == 0 ? profile_take_file ("profile-test.child")
                               : strdup ("");
}

static void
test_environment (const char *self)
{
  char *out = child ("sample", self, "hot");
  expect (strstr (out, "Samples %") && strstr (out, " samples, one in "),
          "samples are told");
  expect (strstr (out, "in the program") || strstr (out, "vdso")
            || strstr (out, "clock_gettime"),
          "outside of regions by function");
  free (out);
  out = child ("table,json:p-%p.json,dot:profile-test.dot", self, "calls");
  char *dot = profile_take_file ("profile-test.dot");
  expect (strncmp (out, "Region ", 7) == 0 && strncmp (dot, "digraph", 7) == 0,
          "several outputs at once");
  expect (system ("ls p-[0-9]*.json >/dev/null && rm p-[0-9]*.json") == 0,
          "%%p is the number of the process");
  free (out);
  free (dot);
  out = child ("table,counters", self, "calls");
  expect (strstr (out, " CPI ") || strstr (out, "no counters of the processor"),
          "counters, or one line why there are none");
  free (out);
  out = child ("tabel,json:x", self, "calls");
  expect (strstr (out, "TRM_PROFILE=tabel is not known")
            && !strstr (out, "all "),
          "a wrong word is told");
  free (out);
}

int
main (int argc, char **argv)
{
  if (argc > 1)
    {
      do_calls ();
      if (strcmp (argv[1], "hot") == 0)
        loop_without_pragma ();
      return 0;
    }
  test_json ();
  test_texts ();
  test_trace ();
  tell_cost ();
  test_memory ();
  test_failures ();
  test_fork ();
  test_environment (argv[0]);
  trm_profile_ask ("table:/dev/null");
  unlink ("profile-test.unused");
  return expect_status ();
}
