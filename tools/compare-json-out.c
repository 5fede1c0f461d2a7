/* The result as one JSON object.  */

#include "compare.h"

static const char *const key[COMPARE_WAYS]
  = { "plain", "fast", "unfused", "fused" };

/* SAMPLES of the ways, as nanoseconds.  */
static void
print_samples (FILE *file, const compare_sample *sample)
{
  fputs ("{", file);
  for (int way = 0; way < COMPARE_WAYS; way++)
    fprintf (file,
             "%s\"%s\": {\"median_ns\": %.0f, \"low_ns\": %.0f, "
             "\"high_ns\": %.0f, \"runs\": %d}",
             way ? ", " : "", key[way], sample[way].median, sample[way].low,
             sample[way].high, sample[way].n);
  fputs ("}", file);
}

/* The field NAME with a ratio, null when it is not known.  */
static void
print_ratio (FILE *file, const char *name, double ratio)
{
  if (ratio > 0)
    fprintf (file, ", \"%s\": %.4f", name, ratio);
  else
    fprintf (file, ", \"%s\": null", name);
}

/* The ratios of SAMPLES to the fused one.  */
static void
print_ratios (FILE *file, const compare_sample *sample)
{
  const compare_sample *fused = &sample[COMPARE_FUSED];
  print_ratio (file, "plain_over_fused",
               compare_ratio (&sample[COMPARE_PLAIN], fused));
  print_ratio (file, "fast_over_fused",
               compare_ratio (&sample[COMPARE_FAST], fused));
  print_ratio (file, "unfused_over_fused",
               compare_ratio (&sample[COMPARE_UNFUSED], fused));
}

/* One region.  */
static void
print_region (FILE *file, const compare_region *r,
              const compare_machine *machine)
{
  fputs ("{\"name\": ", file);
  compare_json_print_string (file, r->name);
  fputs (", \"file\": ", file);
  compare_json_print_string (file, r->file);
  fprintf (file, ", \"line\": %d, \"calls\": %.0f, \"too_short\": %s", r->line,
           r->calls[COMPARE_FUSED], r->bare ? "true" : "false");
  fputs (", \"times\": ", file);
  print_samples (file, r->ns);
  print_ratios (file, r->ns);
  print_ratio (file, "predicted", compare_predicted (r, machine));
  print_ratio (file, "measured", compare_measured (r));
  print_ratio (file, "limit", compare_limit (r, COMPARE_FUSED));
  fprintf (file,
           ", \"flops_before\": %.17g, \"flops_after\": %.17g, "
           "\"bytes_before\": %.17g, \"bytes_after\": %.17g, \"report\": ",
           r->flops[COMPARE_UNFUSED], r->flops[COMPARE_FUSED],
           r->bytes[COMPARE_UNFUSED], r->bytes[COMPARE_FUSED]);
  compare_json_print (file, r->report);
  fputs ("}", file);
}

/* Which outputs agree.  */
static void
print_agreement (FILE *file, const compare_result *result)
{
  static const char *const name[COMPARE_BUILDS]
    = { "plain", "fast", "unfused", "fused", "original", "original_fast" };
  fputs ("\"outputs_agree\": {", file);
  for (int b = 0; b < COMPARE_BUILDS; b++)
    fprintf (file, "%s\"%s\": %s", b ? ", " : "", name[b],
             result->agrees[b] ? "true" : "false");
  fputs ("}", file);
}

void
compare_print_json (FILE *file, const compare_result *result)
{
  fputs ("{\"source\": ", file);
  compare_json_print_string (file, result->wish->source);
  fputs (", \"gcc\": ", file);
  compare_json_print_string (file, result->gcc);
  fprintf (file,
           ", \"threads\": %d, \"runs\": %d, \"machine\": {\"gflops\": %.2f, "
           "\"cache_gbytes\": %.2f, \"memory_gbytes\": %.2f},\n ",
           result->threads, result->runs, result->machine.flops,
           result->machine.cache_bytes, result->machine.memory_bytes);
  print_agreement (file, result);
  fputs (",\n \"whole\": {\"times\": ", file);
  print_samples (file, result->whole);
  print_ratios (file, result->whole);
  fputs ("},\n \"regions\": [", file);
  for (int i = 0; i < result->n_regions; i++)
    {
      fputs (i ? ",\n  " : "\n  ", file);
      print_region (file, &result->region[i], &result->machine);
    }
  fputs ("]}\n", file);
}
