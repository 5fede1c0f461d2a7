/* Calls of a region are counted by the sizes that it is given: rows by shape
   are apart and add up to the region's, whatever the numbers that are no sizes
   are, in any number of threads; of many sets the first are kept, and the rest
   is one row; without the wish nobody asks for sizes.  */

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "expect.h"
#include "profile-text.h"

#define THREADS 4
#define CALLS   5000
#define KEPT    16

static trm_site site[] = {
  { .version = TRM_ABI_VERSION, .name = "mul", .file = "m.c", .function = "f" },
  { .version = TRM_ABI_VERSION, .name = "one", .file = "m.c", .function = "f" },
};

/* As the constructor of a generated object: before main.  */
__attribute__ ((constructor)) static void
register_sites (void)
{
  trm_register (&site[0]);
  trm_register (&site[1]);
}

/* A call of mul with N, M and SHIFT, as generated code does it; TOOK as in
   trm_leave.  */
static void
call_mul (int64_t n, int64_t m, int64_t shift, int took)
{
  const int64_t given[] = { n, m, shift };
  double flops = (double) (n * m), bytes = 4 * flops;
  if (site[0].state & TRM_STATE_GIVEN)
    trm_given (&site[0], "n,m;shift", given, flops, bytes);
  trm_enter (&site[0], NULL, 0);
  if (took)
    {
      site[0].flops += flops;
      site[0].bytes += bytes;
    }
  trm_leave (&site[0], took);
}

/* What WHAT writes to a file.  */
static const char *
written (const char *what)
{
  static char *text;
  free (text);
  text = profile_text (what);
  expect (*text, "is written");
  return text;
}

/* Whether TEXT has both WORDS in one line, in that order.  */
static bool
has_line (const char *text, const char *a, const char *b)
{
  for (const char *at = text; (at = strstr (at, a)); at++)
    {
      const char *end = strchr (at, '\n');
      const char *found = strstr (at, b);
      if (found && (!end || found < end))
        return true;
    }
  return false;
}

/* Begin to count with the wish WORDS, from nothing.  */
static void
begin (const char *words)
{
  expect (trm_profile_ask (words) == TRM_OK, "a wish");
  trm_profile_start ();
}

static void
test_rows (void)
{
  begin ("by=shape,json:/dev/null");
  for (int i = 0; i < 3; i++)
    call_mul (20, 30, i, 1);
  call_mul (5, 7, 9, 1);
  call_mul (5, 7, 9, 0);
  trm_enter (&site[1], NULL, 0);
  trm_leave (&site[1], 1);
  const char *text = written ("by=shape,json");
  expect (has_line (text, "\"name\": \"mul n=20 m=30\"", "\"calls\": 3"),
          "a row of the first sizes");
  expect (has_line (text, "\"name\": \"mul n=20 m=30\"",
                    "\"flops\": 1800, \"bytes\": 7200, \"fallbacks\": 0"),
          "with what the compiler counts");
  expect (has_line (text, "\"name\": \"mul n=20 m=30\"",
                    "\"sizes\": {\"n\": 20, \"m\": 30}, "
                    "\"others\": {\"shift\": 2}"),
          "the last of the other numbers");
  expect (has_line (text, "\"name\": \"mul n=5 m=7\"", "\"calls\": 2"),
          "a row of the others");
  expect (has_line (text, "\"name\": \"mul n=5 m=7\"",
                    "\"flops\": 35, \"bytes\": 140, \"fallbacks\": 1"),
          "a call that fell back counts no operations");
  expect (has_line (text, "\"name\": \"one\"", "\"calls\": 1"),
          "a region that tells nothing");
  text = written ("json");
  expect (has_line (text, "\"name\": \"mul\"", "\"calls\": 5"),
          "rows by region add them up");
  expect (
    has_line (text, "\"name\": \"mul\"", "\"shapes\": [{\"sizes\": {\"n\": "),
    "and have the shapes");
  text = written ("by=shape,table");
  expect (has_line (text, "mul n=20 m=30", " 3 "), "the table");
}

static void
test_many (void)
{
  begin ("shapes,json:/dev/null");
  for (int n = 100; n < 100 + 2 * KEPT; n++)
    call_mul (n, 1, 0, 1);
  const char *text = written ("by=shape,json");
  expect (has_line (text, "\"name\": \"mul n=100 m=1\"", "\"calls\": 1"),
          "the first are kept");
  expect (!has_line (text, "\"name\": \"mul n=131 m=1\"", ""),
          "the last is not");
  expect (has_line (text, "\"name\": \"mul, other sizes\"", "\"calls\": 18"),
          "but counted with the rest");
  text = written ("json");
  expect (has_line (text, "\"name\": \"mul\"", "\"calls\": 32"),
          "all are calls of the region");
  expect (has_line (text, "\"name\": \"mul\"",
                    "\"sizes\": {}, \"others\": {}, \"rest\": true"),
          "the rest is told");
}

/* Calls of two sizes in turns.  */
static void *
work (void *argument)
{
  for (int i = 0; i < CALLS; i++)
    call_mul (100 + i % 2, 1, i, 1);
  return argument;
}

static void
test_threads (void)
{
  pthread_t thread[THREADS];
  begin ("shapes,json:/dev/null");
  for (int i = 0; i < THREADS; i++)
    pthread_create (&thread[i], NULL, work, NULL);
  for (int i = 0; i < THREADS; i++)
    pthread_join (thread[i], NULL);
  const char *text = written ("by=shape,json");
  expect (has_line (text, "\"name\": \"mul n=100 m=1\"", "\"calls\": 10000, "),
          "threads add up");
  expect (has_line (text, "\"name\": \"mul n=101 m=1\"", "\"calls\": 10000, "),
          "in each");
}

static void
test_without (void)
{
  begin ("json:/dev/null");
  expect (!(site[0].state & TRM_STATE_GIVEN), "nobody asks");
  call_mul (3, 4, 5, 1);
  expect (!strstr (written ("json"), "shapes"), "no shapes");
  expect (trm_profile_ask ("by=shape,json:/dev/null") == TRM_OK
            && (site[0].state & TRM_STATE_GIVEN),
          "asked for later");
  trm_profile_stop ();
  expect (!(site[0].state & TRM_STATE_GIVEN), "not once it stops");
}

int
main (void)
{
  test_without ();
  test_rows ();
  test_many ();
  test_threads ();
  trm_profile_ask ("table:/dev/null");
  return expect_status ();
}
