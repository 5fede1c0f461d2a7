/* Everything is run in rounds: one run of each way without any counting,
   for the whole program, and one run of each way with the profile on, for
   the regions.  So what disturbs the machine disturbs all ways alike.  The
   first round warms up, is compared (outputs, and whether each ends with
   status 0) and not measured.

   A region's time is given without what the clock around it costs, which
   the profile states; a region whose calls take less than BARE times that
   is marked.  */

#include "compare.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define FEWEST_RUNS 3
#define MOST_RUNS   25
#define BARE        2

/* The program whose profile tells of the regions of each way.  */
static const int region_build[COMPARE_WAYS] = {
  COMPARE_ORIGINAL,
  COMPARE_ORIGINAL_FAST,
  COMPARE_UNFUSED,
  COMPARE_FUSED,
};

/* The program called NAME, whose wait status is STATUS, told so on stderr; it
   is the plain one, or left nothing to compare: stop.  */
static void
refuse_end (const char *name, int status)
{
  fputs (compare_file_text (compare_path ("errors")), stderr);
  if (WIFSIGNALED (status))
    compare_fail ("%s was ended by signal %d", name, WTERMSIG (status));
  compare_fail ("%s ended with status %d", name, WEXITSTATUS (status));
}

/* Run the program of BUILD as WISH says; its nanoseconds.  *ENDED is its exit
   status: what others than the plain one leave is compared all the same.  */
static double
run_program (const compare_wish *wish, int build, int *ended)
{
  char **argv = calloc ((size_t) wish->n_program_arguments + 2, sizeof *argv);
  double ns = 0;
  if (!argv)
    compare_fail ("no memory");
  argv[0] = compare_program (build);
  for (int i = 0; i < wish->n_program_arguments; i++)
    argv[i + 1] = wish->program_argument[i];
  int status
    = compare_run (argv, compare_path ("output"), compare_path ("errors"), &ns);
  if (WIFSIGNALED (status) || (status && build == COMPARE_PLAIN))
    refuse_end (argv[0], status);
  *ended = WEXITSTATUS (status);
  free (argv);
  return ns;
}

/* Run the program of BUILD with nothing asked of the runtime but the loops as
   written, where that takes the plugin.  */
static double
run_bare (const compare_wish *wish, int build, int *ended)
{
  unsetenv ("TRM_PROFILE");
  unsetenv ("TRM_MODE");
  if (compare_is_stood_in (build))
    setenv ("TRM_MODE", "original", 1);
  return run_program (wish, build, ended);
}

/* The region of RESULT that OBJECT, of a profile, speaks of.  */
static compare_region *
find_region (compare_result *result, const compare_json *object)
{
  const char *name = compare_json_string (object, "name");
  const char *file = compare_json_string (object, "file");
  int line = (int) compare_json_number (object, "line");
  for (int i = 0; i < result->n_regions; i++)
    if (result->region[i].line == line
        && strcmp (result->region[i].name, name) == 0
        && strcmp (result->region[i].file, file) == 0)
      return &result->region[i];
  size_t n = (size_t) result->n_regions + 1;
  result->region = realloc (result->region, n * sizeof *result->region);
  if (!result->region)
    compare_fail ("no memory");
  compare_region *region = &result->region[result->n_regions++];
  *region = (compare_region){ .name = name, .file = file, .line = line };
  return region;
}

/* Set the sums of WAY of all regions to nothing.  */
static void
clear_sums (compare_result *result, int way)
{
  for (int i = 0; i < result->n_regions; i++)
    {
      compare_region *r = &result->region[i];
      r->run_ns = r->run_self = 0;
      r->calls[way] = r->flops[way] = r->bytes[way] = 0;
    }
}

/* Add OBJECT, a region of a profile whose calls cost OVERHEAD each, to the
   sums of WAY.  */
static void
add_sums (compare_result *result, int way, const compare_json *object,
          double overhead)
{
  compare_region *r = find_region (result, object);
  double calls = compare_json_number (object, "calls");
  double ns = compare_json_number (object, "ns");
  double self = compare_json_number (object, "self_ns");
  if (ns < (1 + BARE) * overhead * calls)
    r->bare = true;
  r->run_ns += ns - overhead * calls;
  r->run_self += self - overhead * calls;
  r->calls[way] += calls;
  r->flops[way] += compare_json_number (object, "flops");
  r->bytes[way] += compare_json_number (object, "bytes");
}

/* Read the profile that the last run of WAY left; into the samples too when
   KEEP.  */
static void
read_profile (compare_result *result, int way, bool keep)
{
  const char *text = compare_file_text (compare_path ("profile"));
  compare_json *profile = compare_json_read (&text);
  const compare_json *regions = compare_json_get (profile, "regions");
  double wall = compare_json_number (profile, "wall_ns");
  double overhead = compare_json_number (profile, "overhead_ns");
  clear_sums (result, way);
  for (int i = 0; regions && i < regions->n; i++)
    add_sums (result, way, regions->item[i], overhead);
  for (int i = 0; keep && i < result->n_regions; i++)
    {
      compare_region *r = &result->region[i];
      if (!(r->calls[way] > 0))
        continue;
      compare_sample_add (&r->ns[way], r->run_ns > 0 ? r->run_ns : 0);
      compare_sample_add (&r->share[way], wall > 0 ? r->run_self / wall : 0);
    }
}

/* Run the program that tells of the regions of WAY, and read it.  */
static void
run_profiled (compare_result *result, int way, bool keep, int *ended)
{
  char *path = compare_path ("profile");
  char *value = malloc (strlen (path) + 6);
  if (!value)
    compare_fail ("no memory");
  sprintf (value, "json:%s", path);
  unlink (path);
  setenv ("TRM_PROFILE", value, 1);
  setenv ("TRM_MODE", region_build[way] >= COMPARE_WAYS ? "original" : "fused",
          1);
  run_program (result->wish, region_build[way], ended);
  read_profile (result, way, keep);
  free (value);
}

/* Compare the output that the program of BUILD, which ENDED with that status,
   just left with EXPECTED.  */
static void
compare_output (compare_result *result, int build, const char *expected,
                int ended)
{
  static const char words[] = "it ended with status %d";
  char *output = compare_file_text (compare_path ("output"));
  char *difference
    = compare_outputs (expected, output, result->wish->tolerance);
  if (!difference && ended && (difference = malloc (sizeof words + 8)))
    sprintf (difference, words, ended);
  result->difference[build] = difference;
  result->agrees[build] = !result->difference[build];
}

/* The first round: outputs, and how long it took in nanoseconds.  */
static double
warm_up (compare_result *result)
{
  char *expected = NULL;
  double ns = 0;
  int ended = 0;
  for (int way = 0; way < COMPARE_WAYS; way++)
    {
      compare_progress ("first run of %s", compare_way_name[way]);
      ns += 2 * run_bare (result->wish, way, &ended);
      if (way == COMPARE_PLAIN)
        expected = compare_file_text (compare_path ("output"));
      compare_output (result, way, expected, ended);
      run_profiled (result, way, false, &ended);
      compare_output (result, region_build[way], expected, ended);
    }
  return ns;
}

/* How many rounds, when one takes NS nanoseconds.  */
static int
choose_runs (const compare_wish *wish, double ns)
{
  if (wish->runs > 0)
    return wish->runs;
  double n = 1e9 * wish->seconds / (ns > 1 ? ns : 1);
  return n < FEWEST_RUNS ? FEWEST_RUNS : n > MOST_RUNS ? MOST_RUNS : (int) n;
}

/* One round, which begins with another way each time.  */
static void
run_round (compare_result *result, int round)
{
  int ended;
  for (int i = 0; i < COMPARE_WAYS; i++)
    {
      int way = (i + round) % COMPARE_WAYS;
      compare_progress ("round %d of %d: %s", round + 1, result->runs,
                        compare_way_name[way]);
      double ns = run_bare (result->wish, way, &ended);
      compare_sample_add (&result->whole[way], ns);
      run_profiled (result, way, true, &ended);
    }
}

/* Order of regions: the longest as written first.  */
static int
longer_first (const void *a, const void *b)
{
  const compare_region *x = a, *y = b;
  double d = y->ns[COMPARE_PLAIN].median - x->ns[COMPARE_PLAIN].median;
  return d != 0 ? (d > 0 ? 1 : -1) : x->line - y->line;
}

/* Medians and quartiles of REGION; none of its times when it is bare.  */
static void
sum_up_region (compare_region *region)
{
  for (int way = 0; way < COMPARE_WAYS; way++)
    {
      if (region->bare)
        region->ns[way].n = region->share[way].n = 0;
      compare_sample_sum_up (&region->ns[way]);
      compare_sample_sum_up (&region->share[way]);
    }
}

/* Medians and quartiles of everything.  */
static void
sum_up (compare_result *result)
{
  for (int way = 0; way < COMPARE_WAYS; way++)
    compare_sample_sum_up (&result->whole[way]);
  for (int i = 0; i < result->n_regions; i++)
    sum_up_region (&result->region[i]);
  if (result->n_regions)
    qsort (result->region, (size_t) result->n_regions, sizeof *result->region,
           longer_first);
}

/* The lines that the plugin wrote, in RESULT.  */
static void
read_reports (compare_result *result)
{
  const char *text = compare_file_text (compare_path ("report"));
  compare_json *value;
  while ((value = compare_json_read (&text)) != NULL)
    {
      if (!*compare_verdict (value))
        continue;
      size_t n = (size_t) result->n_reports + 1;
      result->reports = realloc (result->reports, n * sizeof value);
      if (!result->reports)
        compare_fail ("no memory");
      result->reports[result->n_reports++] = value;
    }
}

/* Whether paths A and B end in the same name.  */
static bool
same_name (const char *a, const char *b)
{
  const char *x = strrchr (a, '/'), *y = strrchr (b, '/');
  return strcmp (x ? x + 1 : a, y ? y + 1 : b) == 0;
}

/* Give each region what the plugin said of it.  */
static void
match_reports (compare_result *result)
{
  for (int i = 0; i < result->n_regions; i++)
    for (int k = 0; k < result->n_reports; k++)
      {
        compare_region *r = &result->region[i];
        const compare_json *report = result->reports[k];
        if ((int) compare_json_number (report, "line") == r->line
            && same_name (compare_json_string (report, "file"), r->file))
          r->report = result->reports[k];
      }
}

void
compare_measure (compare_result *result)
{
  double ns = warm_up (result);
  result->runs = choose_runs (result->wish, ns);
  for (int round = 0; round < result->runs; round++)
    run_round (result, round);
  sum_up (result);
  read_reports (result);
  match_reports (result);
  compare_progress ("%s", "");
}
