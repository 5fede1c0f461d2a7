/* The result for a terminal.

   Times are of one run of the program; +- is half the distance of the
   quartiles.  A ratio is how many times as fast the fused program is.  */

#include "compare.h"

#include <string.h>

/* A ratio, or a dash when it is not known.  */
static const char *
ratio_text (char text[16], double ratio)
{
  if (ratio > 0)
    snprintf (text, 16, "%.2fx", ratio);
  else
    strcpy (text, "-");
  return text;
}

/* A sample as "1.23 ms +-4%".  */
static const char *
sample_text (char text[32], const compare_sample *sample)
{
  char time[16];
  if (sample->n)
    snprintf (text, 32, "%s +-%.0f%%", compare_time_text (time, sample->median),
              compare_sample_spread (sample));
  else
    strcpy (text, "-");
  return text;
}

/* The four times of SAMPLE and the three ratios under NAME.  */
static void
print_times (FILE *file, const char *name, const compare_sample *sample)
{
  char time[32], ratio[16];
  fprintf (file, "%-28.28s", name);
  for (int way = 0; way < COMPARE_WAYS; way++)
    fprintf (file, " %15s", sample_text (time, &sample[way]));
  for (int way = 0; way < COMPARE_FUSED; way++)
    fprintf (
      file, " %8s",
      ratio_text (ratio, compare_ratio (&sample[way], &sample[COMPARE_FUSED])));
  fputc ('\n', file);
}

/* The name and line of REGION.  */
static void
name_text (char *text, size_t bytes, const compare_region *region)
{
  snprintf (text, bytes, "%s, line %d%s", region->name, region->line,
            region->bare ? " *" : "");
}

/* What was counted, predicted and could be gained of REGION.  */
static void
print_counts (FILE *file, const compare_region *r,
              const compare_machine *machine)
{
  char name[128], verdict[128], text[5][16];
  name_text (name, sizeof name, r);
  compare_verdict_text (verdict, sizeof verdict, r->report);
  fprintf (file, "%-28.28s %9.0f", name, r->calls[COMPARE_FUSED]);
  fprintf (file, " %8s -> %-8s",
           compare_count_text (text[0], r->flops[COMPARE_UNFUSED]),
           compare_count_text (text[1], r->flops[COMPARE_FUSED]));
  fprintf (file, " %8s -> %-8s",
           compare_count_text (text[0], r->bytes[COMPARE_UNFUSED]),
           compare_count_text (text[1], r->bytes[COMPARE_FUSED]));
  fprintf (file, " %9s %9s %9s  %s\n",
           ratio_text (text[0], compare_predicted (r, machine)),
           ratio_text (text[1], compare_measured (r)),
           ratio_text (text[2], compare_limit (r, COMPARE_FUSED)), verdict);
}

/* The regions, if any.  */
static void
print_regions (FILE *file, const compare_result *result)
{
  char name[128];
  bool bare = false;
  for (int i = 0; i < result->n_regions; i++)
    {
      name_text (name, sizeof name, &result->region[i]);
      bare |= result->region[i].bare;
      print_times (file, name, result->region[i].ns);
    }
  if (bare)
    fputs ("* calls too short to time: use a bench of many calls\n", file);
  if (!result->n_regions)
    return;
  fprintf (file, "\n%-28s %9s %20s %20s %9s %9s %9s  %s\n", "region", "calls",
           "operations", "bytes", "predicted", "measured", "if free",
           "the plugin");
  for (int i = 0; i < result->n_regions; i++)
    print_counts (file, &result->region[i], &result->machine);
}

/* Regions of which the plugin spoke but which have no times.  */
static void
print_others (FILE *file, const compare_result *result)
{
  char verdict[160];
  for (int i = 0; i < result->n_reports; i++)
    {
      const compare_json *report = result->reports[i];
      if (compare_did_run (result, report))
        continue;
      compare_verdict_text (verdict, sizeof verdict, report);
      fprintf (file, "%s, line %.0f: %s (no times)\n",
               compare_json_string (report, "name"),
               compare_json_number (report, "line"), verdict);
    }
}

/* Which outputs agree with that of plain gcc.  */
static void
print_outputs (FILE *file, const compare_result *result)
{
  static const char *const original[] = { "original", "original, -ffast-math" };
  bool all = true;
  for (int b = 0; b < COMPARE_BUILDS; b++)
    if (!result->agrees[b])
      {
        all = false;
        fprintf (file, "the output of %s differs: %s\n",
                 b < COMPARE_WAYS ? compare_way_name[b]
                                  : original[b - COMPARE_WAYS],
                 result->difference[b]);
      }
  if (all)
    fprintf (file, "all outputs agree (numbers within %g)\n",
             result->wish->tolerance);
}

void
compare_print_text (FILE *file, const compare_result *result)
{
  fprintf (file,
           "%s with %s, %d threads, %d runs of each; medians; the last three "
           "columns: how many times as fast fused is\n\n",
           result->wish->source, result->gcc, result->threads, result->runs);
  if (compare_is_stood_in (COMPARE_PLAIN))
    fputs ("it does not link without the plugin: -O3 and -O3 -ffast-math are "
           "the loops as written, gradients included\n\n",
           file);
  fprintf (file, "%-28s", "");
  for (int way = 0; way < COMPARE_WAYS; way++)
    fprintf (file, " %15s", compare_way_name[way]);
  fprintf (file, " %8s %8s %8s\n", "/-O3", "/fast", "/unfused");
  print_times (file, "whole program", result->whole);
  print_regions (file, result);
  print_others (file, result);
  fputc ('\n', file);
  print_outputs (file, result);
}
