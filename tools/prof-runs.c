/* Several runs of a program: of each region the median, the least and the
   spread (the distance of the quartiles) of its calls and times.

   The JSON file has the medians under the keys of a single profile, and beside
   each the least and the spread:

     {"runs": 7, "wall_ns": ..., "wall_min_ns": ..., "wall_spread_ns": ...,
      "regions": [{"name": ..., "self_ns": ..., "self_min_ns": ...,
                   "self_spread_ns": ..., ...}]}  */

#include "prof.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

const char *
prof_place (char *text, size_t bytes, const char *file, int line)
{
  const char *slash = strrchr (file, '/');
  text[0] = 0;
  if (*file)
    snprintf (text, bytes, "%s:%d", slash ? slash + 1 : file, line);
  return text;
}

/* The region of RESULT that OBJECT, of a profile, speaks of.  */
static prof_region *
find_region (prof_result *result, const compare_json *object)
{
  const char *name = compare_json_string (object, "name");
  const char *file = compare_json_string (object, "file");
  int line = (int) compare_json_number (object, "line");
  for (int i = 0; i < result->n; i++)
    if (result->region[i].line == line
        && strcmp (result->region[i].name, name) == 0
        && strcmp (result->region[i].file, file) == 0)
      return &result->region[i];
  size_t n = (size_t) result->n + 1;
  result->region = realloc (result->region, n * sizeof *result->region);
  if (!result->region)
    compare_fail ("no memory");
  prof_region *region = &result->region[result->n++];
  *region = (prof_region){ .name = name, .file = file, .line = line };
  return region;
}

/* Add the profile in the file PATH to RESULT.  */
static void
add_run (prof_result *result, const char *path)
{
  const char *text = compare_file_text (path);
  compare_json *profile = compare_json_read (&text);
  const compare_json *regions = compare_json_get (profile, "regions");
  if (!regions)
    compare_fail ("the program wrote no profile: is it linked with "
                  "libtensorrt-mini, and did it end by exit?");
  compare_sample_add (&result->wall, compare_json_number (profile, "wall_ns"));
  compare_sample_add (&result->outside,
                      compare_json_number (profile, "outside_ns"));
  for (int i = 0; i < regions->n; i++)
    {
      const compare_json *object = regions->item[i];
      prof_region *r = find_region (result, object);
      compare_sample_add (&r->calls, compare_json_number (object, "calls"));
      compare_sample_add (&r->ns, compare_json_number (object, "ns"));
      compare_sample_add (&r->self, compare_json_number (object, "self_ns"));
    }
}

/* Order of regions: most self time first.  */
static int
compare_regions (const void *a, const void *b)
{
  const prof_region *x = a, *y = b;
  double d = y->self.median - x->self.median;
  return d != 0 ? (d > 0 ? 1 : -1) : x->line - y->line;
}

/* Medians of everything.  */
static void
sum_up (prof_result *result)
{
  compare_sample_sum_up (&result->wall);
  compare_sample_sum_up (&result->outside);
  for (int i = 0; i < result->n; i++)
    {
      compare_sample_sum_up (&result->region[i].calls);
      compare_sample_sum_up (&result->region[i].ns);
      compare_sample_sum_up (&result->region[i].self);
    }
  if (result->n)
    qsort (result->region, (size_t) result->n, sizeof *result->region,
           compare_regions);
}

/* A line: NAME at PLACE, its own and its total time.  */
static void
print_line (const char *name, const char *place, const prof_region *r,
            double wall)
{
  char calls[16], self[16], least[16], total[16];
  fprintf (stderr, "%-24s %-22s %9s %9s +-%3.0f%% %9s %6.1f %9s\n", name, place,
           r->calls.n ? compare_count_text (calls, r->calls.median) : "",
           compare_time_text (self, r->self.median),
           compare_sample_spread (&r->self),
           compare_time_text (least, r->self.n ? r->self.value[0] : 0),
           wall > 0 ? 100 * r->self.median / wall : 0,
           r->ns.n ? compare_time_text (total, r->ns.median) : "");
}

/* The table.  */
static void
print_table (const prof_result *result)
{
  char place[64];
  double wall = result->wall.median;
  prof_region outside = { .self = result->outside };
  prof_region all = { .self = result->wall };
  fprintf (stderr, "medians of %d runs\n", result->runs);
  fprintf (stderr, "%-24s %-22s %9s %9s %6s %9s %6s %9s\n", "Region", "Where",
           "Calls", "Self", "Spread", "Least", "Self %", "Total");
  for (int i = 0; i < result->n; i++)
    {
      const prof_region *r = &result->region[i];
      print_line (r->name, prof_place (place, sizeof place, r->file, r->line),
                  r, wall);
    }
  print_line ("outside regions", "", &outside, wall);
  print_line ("all", "", &all, wall);
}

/* SAMPLE under KEY.  */
static void
print_sample (FILE *file, const char *key, const compare_sample *sample)
{
  fprintf (file, "\"%s_ns\": %.0f, \"%s_min_ns\": %.0f, \"%s_spread_ns\": %.0f",
           key, sample->median, key, sample->n ? sample->value[0] : 0, key,
           sample->high - sample->low);
}

/* REGION as a JSON object.  */
static void
print_region (FILE *file, const prof_region *region)
{
  fputs ("{\"name\": ", file);
  compare_json_print_string (file, region->name);
  fputs (", \"file\": ", file);
  compare_json_print_string (file, region->file);
  fprintf (file, ", \"line\": %d, \"calls\": %.0f, \"ns\": %.0f, ",
           region->line, region->calls.median, region->ns.median);
  print_sample (file, "total", &region->ns);
  fputs (", ", file);
  print_sample (file, "self", &region->self);
  fputs ("}", file);
}

/* RESULT as JSON to the file called NAME.  */
static void
write_json (const prof_result *result, const char *name)
{
  FILE *file = fopen (name, "w");
  if (!file)
    compare_fail ("cannot write %s", name);
  fprintf (file, "{\"runs\": %d, ", result->runs);
  print_sample (file, "wall", &result->wall);
  fputs (", ", file);
  print_sample (file, "outside", &result->outside);
  fputs (",\n \"regions\": [", file);
  for (int i = 0; i < result->n; i++)
    {
      fputs (i ? ",\n  " : "\n  ", file);
      print_region (file, &result->region[i]);
    }
  fputs ("]}\n", file);
  if (fclose (file))
    compare_fail ("cannot write %s", name);
}

int
prof_several (const prof_wish *wish)
{
  prof_result result = { .runs = wish->runs };
  const char *path = compare_path ("profile");
  char words[4200];
  snprintf (words, sizeof words, "json:%s", path);
  for (int i = 0; i < wish->runs; i++)
    {
      unlink (path);
      int status = prof_run (wish, words);
      if (status)
        compare_fail ("run %d of %s ended with status %d", i + 1,
                      wish->argument[0],
                      WIFEXITED (status) ? WEXITSTATUS (status) : 128);
      add_run (&result, path);
    }
  sum_up (&result);
  print_table (&result);
  if (wish->json)
    write_json (&result, wish->json);
  return 0;
}
