/* The runtime driven as generated code drives it, by sites written by hand:
   modes, check mode naming a planted wrong store, the profile's sums, and
   scratch memory under threads.

   What depends on the environment runs in a child, this program again with
   the name of a part as its argument.  */

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "abi.h"
#include "tensorrt-mini.h"

#define N 40

static int failures;
static const char *self;

/* Tell whether CLAIM, called NAME, holds.  */
static void
expect (int claim, const char *name)
{
  printf ("%s: %s\n", claim ? "PASS" : "FAIL", name);
  failures += !claim;
}

/* The fused function and the loops as written of one region.  */
typedef struct region
{
  trm_site *site;
  int (*fused) (void);
  void (*original) (void);
  const trm_span *span;
  int n;
} region;

static int fused_runs, original_runs;

/* Call R as the dispatch in the user's function does.  */
static void
call (const region *r)
{
  int plan = TRM_RUN_FUSED, took = 0;
  if (r->site->state)
    plan = trm_enter (r->site, r->span, r->n);
  if (plan & TRM_RUN_FUSED)
    took = r->fused ();
  if (took && (plan & TRM_RUN_ORIGINAL))
    trm_between (r->site);
  if (!took || (plan & TRM_RUN_ORIGINAL))
    r->original ();
  if (r->site->state)
    trm_leave (r->site, took);
}

static float flat[N];
static int32_t whole[N];
static struct
{
  double *field;
} record;
static int broken, refuse;

/* flat[i] *= 2, in place; wrong at 7 when broken.  */
static void
flat_original (void)
{
  original_runs++;
  for (int i = 0; i < N; i++)
    flat[i] *= 2;
}

static int
flat_fused (void)
{
  if (refuse)
    return 0;
  fused_runs++;
  for (int i = 0; i < N; i++)
    flat[i] *= 2;
  if (broken)
    flat[7] = nextafterf (flat[7], 100) + (broken > 1);
  return 1;
}

/* record.field[i][j] = i + j over 8 x 5.  */
static void
field_original (void)
{
  for (int i = 0; i < N; i++)
    record.field[i] = i / 5 + i % 5;
}

static int
field_fused (void)
{
  field_original ();
  if (broken)
    record.field[13] += 0.5;
  return 1;
}

/* whole[i] = -i.  */
static void
whole_original (void)
{
  for (int i = 0; i < N; i++)
    whole[i] = -i;
}

static int
whole_fused (void)
{
  whole_original ();
  if (broken)
    whole[39]++;
  return 1;
}

static trm_site flat_site = { .version = TRM_ABI_VERSION,
                              .flags = TRM_SITE_CHECK,
                              .line = 10,
                              .name = "flat",
                              .file = "t.c",
                              .function = "f" };
static trm_site field_site = { .version = TRM_ABI_VERSION,
                               .flags = TRM_SITE_CHECK,
                               .line = 20,
                               .name = "field",
                               .file = "t.c",
                               .function = "f" };
static trm_site whole_site = { .version = TRM_ABI_VERSION,
                               .flags = TRM_SITE_CHECK,
                               .line = 30,
                               .name = "whole",
                               .file = "t.c",
                               .function = "f" };
static trm_site fixed_site = { .version = TRM_ABI_VERSION,
                               .line = 40,
                               .name = "fixed \"\\",
                               .file = "t.c",
                               .function = "f" };
static trm_site strange_site = { .version = TRM_ABI_VERSION + 1,
                                 .flags = TRM_SITE_CHECK,
                                 .name = "strange",
                                 .file = "t.c",
                                 .function = "f" };
static trm_span flat_span = { .name = "x",
                              .elem = "f32",
                              .base = flat,
                              .bytes = sizeof flat,
                              .rank = 1,
                              .line = 12 };
static trm_span field_span = { .name = "t->field",
                               .elem = "f64",
                               .first = 10,
                               .bytes = N * sizeof (double),
                               .rank = 2,
                               .extent = { 0, 5 },
                               .line = 22 };
static trm_span whole_span = {
  .name = "k", .elem = "i32", .base = whole, .bytes = sizeof whole, .rank = 1
};
static const region flat_region
  = { &flat_site, flat_fused, flat_original, &flat_span, 1 };
static const region field_region
  = { &field_site, field_fused, field_original, &field_span, 1 };
static const region whole_region
  = { &whole_site, whole_fused, whole_original, &whole_span, 1 };
static const region fixed_region
  = { &fixed_site, flat_fused, flat_original, NULL, 0 };

/* As the constructor of a generated object: before main.  */
__attribute__ ((constructor)) static void
register_sites (void)
{
  static double field[N];
  record.field = field;
  field_span.base = field;
  trm_register (&flat_site);
  trm_register (&field_site);
  trm_register (&whole_site);
  trm_register (&fixed_site);
  trm_register (&strange_site);
}

/* Set flat to 1, 2, 3, ...  */
static void
fill_flat (void)
{
  for (int i = 0; i < N; i++)
    flat[i] = (float) (i + 1);
}

/* Whether flat holds 2, 4, 6, ...  */
static int
flat_is_doubled (void)
{
  for (int i = 0; i < N; i++)
    if (flat[i] != (float) (2 * i + 2))
      return 0;
  return 1;
}

/* Call flat in MODE; whether FUSED and ORIGINAL versions ran as often, with
   the right result.  */
static int
runs_in_mode (trm_mode mode, int fused, int original)
{
  trm_mode_set (mode);
  fused_runs = original_runs = 0;
  fill_flat ();
  call (&flat_region);
  return fused_runs == fused && original_runs == original && flat_is_doubled ();
}

static void
test_modes (void)
{
  expect (flat_site.state == 0, "state is 0 when nothing is asked for");
  expect (runs_in_mode (TRM_MODE_FUSED, 1, 0), "fused runs fused");
  expect (runs_in_mode (TRM_MODE_ORIGINAL, 0, 1), "original runs original");
  expect (runs_in_mode (TRM_MODE_CHECK, 1, 1), "check runs both, one result");
  expect (trm_check_differences () == 0, "check found no difference");
  expect (fixed_site.state == 0, "no choice without TRM_SITE_CHECK");
  expect (strange_site.state == 0, "another ABI version is left alone");
  refuse = 1;
  expect (runs_in_mode (TRM_MODE_CHECK, 0, 1), "a guard that does not hold");
  expect (flat_site.fallbacks == 1, "it is counted");
  refuse = 0;
  expect (runs_in_mode (TRM_MODE_FUSED, 1, 0), "and back to fused");
  expect (flat_site.state == 0, "state is 0 again");
}

/* Run PART of this program under SETTING; its two streams to OUT.  */
static int
child (const char *setting, const char *part, char *out, size_t bytes)
{
  char command[4096];
  snprintf (command, sizeof command, "env %s '%s' %s 2>&1", setting, self,
            part);
  FILE *pipe = popen (command, "r");
  size_t n = pipe ? fread (out, 1, bytes - 1, pipe) : 0;
  out[n] = 0;
  return pipe ? pclose (pipe) : -1;
}

static void
test_check (void)
{
  static const struct
  {
    const char *setting, *part, *line;
  } rows[] = {
    { "TRM_MODE=check", "flat",
      "t.c:12: tensor: check of 'flat', call 2: x[7] is 17.0000019 fused, 16 "
      "as written, 524289 ulp apart; 1 of 40 elements differ\n" },
    { "TRM_MODE=check TRM_TOLERANCE=0", "flat-ulp",
      "t.c:12: tensor: check of 'flat', call 2: x[7] is 16.0000019 fused, 16 "
      "as written, 1 ulp apart; 1 of 40 elements differ\n" },
    { "TRM_MODE=check", "field",
      "t.c:22: tensor: check of 'field', call 2: t->field[4][3] is 5.5 fused, "
      "5 as written, 562949953421312 ulp apart; 1 of 40 elements differ\n" },
    { "TRM_MODE=check", "whole",
      "t.c:30: tensor: check of 'whole', call 2: k[39] is -38 fused, -39 as "
      "written; 1 of 40 elements differ\n" },
  };
  char out[4096];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    {
      child (rows[i].setting, rows[i].part, out, sizeof out);
      expect (strncmp (out, rows[i].line, strlen (rows[i].line)) == 0,
              rows[i].part);
      if (strncmp (out, rows[i].line, strlen (rows[i].line)))
        printf ("  got %s", out);
      expect (strstr (out, "2 calls of 1 regions compared, 1 differ") != NULL,
              "the summary counts it");
    }
  child ("TRM_MODE=check", "flat-ulp", out, sizeof out);
  expect (strstr (out, "all agree; 1 regions were compiled without check")
            != NULL,
          "one ulp passes by default");
  child ("TRM_MODE=check", "flat-8", out, sizeof out);
  expect (strstr (out, "all agree") != NULL,
          "a sixteenth passes where factors are rounded to 8 bits");
  child ("TRM_MODE=check", "flat-11", out, sizeof out);
  expect (strstr (out, "1 differ") != NULL,
          "it does not where they are rounded to 11");
  child ("TRM_MODE=original", "flat", out, sizeof out);
  expect (out[0] == 0, "original writes nothing");
  child ("TRM_MODE=chekc", "flat", out, sizeof out);
  expect (strstr (out, "TRM_MODE=chekc is not known") != NULL,
          "an unknown mode is told");
}

/* Keep the processor busy for about NS nanoseconds.  */
static void
spin (int64_t ns)
{
  struct timespec a, b;
  clock_gettime (CLOCK_MONOTONIC, &a);
  do
    clock_gettime (CLOCK_MONOTONIC, &b);
  while ((b.tv_sec - a.tv_sec) * 1000000000LL + b.tv_nsec - a.tv_nsec < ns);
}

/* field around whole around field, on two threads, and time outside.  */
static void
part_nested (void)
{
  spin (3000000);
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < 20; i++)
    {
      trm_enter (&field_site, NULL, 0);
      spin (100000);
      trm_enter (&whole_site, NULL, 0);
      trm_enter (&field_site, NULL, 0);
      spin (200000);
      trm_leave (&field_site, 1);
      trm_leave (&whole_site, 1);
      trm_leave (&field_site, 1);
    }
  trm_enter (&fixed_site, NULL, 0);
  fixed_site.flops += 1e6;
  spin (1000000);
  trm_leave (&fixed_site, 1);
}

/* The number after KEY in TEXT, from AFTER on; NAN when it is not there.  */
static double
number (const char *text, const char *after, const char *key)
{
  const char *at = strstr (text, after);
  at = at ? strstr (at, key) : NULL;
  return at ? strtod (at + strlen (key), NULL) : NAN;
}

static void
test_profile (void)
{
  char out[8192], file[] = "runtime-test.XXXXXX", setting[64];
  int fd = mkstemp (file);
  snprintf (setting, sizeof setting, "TRM_PROFILE=json:%s", file);
  child (setting, "nested", out, sizeof out);
  expect (out[0] == 0, "the JSON profile writes to its file only");
  FILE *json = fdopen (fd, "r");
  size_t n = json ? fread (out, 1, sizeof out - 1, json) : 0;
  out[n] = 0;
  unlink (file);
  double wall = number (out, "", "\"wall_ns\": ");
  double outside = number (out, "", "\"outside_ns\": ");
  double field = number (out, "\"field\"", "\"self_ns\": ");
  double whole_self = number (out, "\"whole\"", "\"self_ns\": ");
  double fixed = number (out, "\"fixed \\\"\\\\\"", "\"self_ns\": ");
  expect (fabs (outside + field + whole_self + fixed - wall) < 5,
          "self times and the time outside are the wall time");
  expect (number (out, "\"field\"", "\"calls\": ") == 40
            && number (out, "\"whole\"", "\"calls\": ") == 20,
          "calls are counted");
  double total = number (out, "\"field\"", "\"ns\": ");
  expect (total >= 20 * 300000 && total < 2 * wall,
          "the total of a nested region counts the outer call");
  expect (outside >= 3000000 && fixed >= 1000000, "times are what they were");
  expect (number (out, "\"fixed", "\"flops\": ") == 1e6, "operations");
  child ("TRM_PROFILE=table", "nested", out, sizeof out);
  expect (strncmp (out, "Region ", 7) == 0 && strstr (out, "\noutside regions")
            && strstr (out, "\nall "),
          "the table has its rows");
  child ("TRM_VERBOSE=1", "flat", out, sizeof out);
  expect (strstr (out, "'flat' was called 2 times, 0 fell back") != NULL,
          "verbose tells of fallbacks");
}

/* Whether one thread's blocks are its own: filled, then looked at.  */
static int
blocks_are_own (int thread)
{
  unsigned char *block[8];
  int own = 1;
  for (int round = 0; round < 50; round++)
    {
      for (int b = 0; b < 8; b++)
        {
          size_t bytes = (size_t) 100 << (2 * b % 12);
          block[b] = trm_scratch_get ((int64_t) bytes);
          if (!block[b] || (uintptr_t) block[b] % 64)
            return 0;
          memset (block[b], thread * 8 + b, bytes);
        }
      for (int b = 0; b < 8; b++)
        {
          size_t bytes = (size_t) 100 << (2 * b % 12);
          own &= block[b][0] == thread * 8 + b
                 && block[b][bytes - 1] == thread * 8 + b;
          trm_scratch_put (block[b]);
        }
    }
  return own;
}

static void
test_scratch (void)
{
  int own = 1;
#pragma omp parallel for num_threads(4) reduction(& : own)
  for (int t = 0; t < 4; t++)
    own &= blocks_are_own (t);
  expect (own, "blocks of four threads never meet");
  int fits = 1;
  for (int64_t bytes = 0; bytes < 5000; bytes++)
    {
      char *m = trm_scratch_get (bytes);
      char *m2 = trm_scratch_get (bytes);
      fits &= m && m2 && llabs (m - m2) >= bytes;
      trm_scratch_put (m);
      trm_scratch_put (m2);
    }
  expect (fits, "every size fits its class");
  char *big = trm_scratch_get (5000000);
  trm_scratch_put (big);
  char *again = trm_scratch_get (5000000);
  expect (big && again == big, "a block is used again");
  trm_scratch_put (again);
  expect (!trm_scratch_get (INT64_MAX) && !trm_scratch_get (-1),
          "what cannot be had is NULL");
  trm_scratch_put (NULL);
}

/* How often whole was called, as the table says.  */
static int64_t
calls_of_whole (void)
{
  char *text = NULL;
  size_t bytes = 0;
  long long calls = 0;
  FILE *file = open_memstream (&text, &bytes);
  if (!file)
    return -1;
  trm_profile_print (file);
  fclose (file);
  const char *at = strstr (text, "whole  ");
  if (at)
    sscanf (at, "whole t.c:30 %lld", &calls);
  free (text);
  return calls;
}

static void
test_reset (void)
{
  trm_profile_start ();
  call (&whole_region);
  int64_t calls = calls_of_whole ();
  trm_enter (&whole_site, NULL, 0);
  trm_profile_reset ();
  trm_leave (&whole_site, 1);
  expect (calls == 1 && calls_of_whole () == 0,
          "a call under way at a reset is forgotten");
  trm_profile_stop ();
  expect (whole_site.state == 0, "stopped: state is 0");
}

/* Nesting beyond the frames that are kept does no harm.  */
static void
test_deep (void)
{
  trm_profile_start ();
  for (int i = 0; i < 100; i++)
    trm_enter (&whole_site, NULL, 0);
  for (int i = 0; i < 100; i++)
    trm_leave (&whole_site, 1);
  int64_t calls = calls_of_whole ();
  expect (calls > 0 && calls <= 100, "deep nesting");
  trm_profile_stop ();
}

/* What the child called PART does.  */
static int
run_part (const char *part)
{
  const region *r = strncmp (part, "flat", 4) == 0 ? &flat_region
                    : strcmp (part, "field") == 0  ? &field_region
                    : strcmp (part, "whole") == 0  ? &whole_region
                                                   : NULL;
  bool rounds = strcmp (part, "flat-8") == 0 || strcmp (part, "flat-11") == 0;
  if (!r)
    part_nested ();
  if (rounds)
    flat_site.flags
      |= strcmp (part, "flat-8") ? TRM_SITE_ROUND11 : TRM_SITE_ROUND8;
  for (int i = 0; r && i < 2; i++)
    {
      fill_flat ();
      broken = i == 0 ? 0 : strcmp (part, "flat") == 0 || rounds ? 2 : 1;
      call (r);
    }
  return 0;
}

int
main (int argc, char **argv)
{
  if (argc > 1)
    return run_part (argv[1]);
  self = argv[0];
  fill_flat ();
  call (&fixed_region);
  test_modes ();
  test_check ();
  test_profile ();
  test_scratch ();
  test_reset ();
  test_deep ();
  return failures != 0;
}
