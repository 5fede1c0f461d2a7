/* Figures from measured values, and their text.  */

#include "compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CACHE_BYTES 1e6

void
compare_sample_add (compare_sample *sample, double value)
{
  size_t bytes = ((size_t) sample->n + 1) * sizeof value;
  sample->value = realloc (sample->value, bytes);
  if (!sample->value)
    compare_fail ("no memory");
  sample->value[sample->n++] = value;
}

/* Order of numbers.  */
static int
compare_numbers (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

/* The value a part Q of the way through the sorted VALUE[0..n).  */
static double
quantile (const double *value, int n, double q)
{
  double at = q * (n - 1);
  int i = (int) at;
  int j = i + 1 < n ? i + 1 : i;
  return value[i] + (at - i) * (value[j] - value[i]);
}

void
compare_sample_sum_up (compare_sample *sample)
{
  if (!sample->n)
    return;
  qsort (sample->value, (size_t) sample->n, sizeof (double), compare_numbers);
  sample->low = quantile (sample->value, sample->n, 0.25);
  sample->median = quantile (sample->value, sample->n, 0.5);
  sample->high = quantile (sample->value, sample->n, 0.75);
}

double
compare_sample_spread (const compare_sample *sample)
{
  if (!(sample->median > 0))
    return 0;
  return 50 * (sample->high - sample->low) / sample->median;
}

double
compare_ratio (const compare_sample *a, const compare_sample *b)
{
  return a->median > 0 && b->median > 0 ? a->median / b->median : 0;
}

/* Nanoseconds that one run of REGION needs at least in WAY.  */
static double
least_time (const compare_region *region, int way,
            const compare_machine *machine)
{
  double calls = region->calls[way];
  double rate = region->bytes[COMPARE_UNFUSED] > CACHE_BYTES * calls
                  ? machine->memory_bytes
                  : machine->cache_bytes;
  return fmax (region->flops[way] / machine->flops, region->bytes[way] / rate);
}

/* By how many times the traffic and the operations of REGION say that fused is
   faster than unfused on MACHINE; 0 when not known.  */
static double
predicted_by_counts (const compare_region *region,
                     const compare_machine *machine)
{
  if (!(machine->flops > 0 && machine->cache_bytes > 0
        && machine->memory_bytes > 0))
    return 0;
  double before = least_time (region, COMPARE_UNFUSED, machine);
  double after = least_time (region, COMPARE_FUSED, machine);
  return before > 0 && after > 0 ? before / after : 0;
}

double
compare_limit (const compare_region *region, int way)
{
  double share = region->share[way].median;
  return region->share[way].n && share < 1 ? 1 / (1 - share) : 0;
}

bool
compare_did_run (const compare_result *result, const compare_json *report)
{
  for (int i = 0; i < result->n_regions; i++)
    if (result->region[i].report == report)
      return true;
  return false;
}

/* What the planner predicted for REGION; 0 when nothing.  */
static double
predicted_by_planner (const compare_region *region)
{
  return compare_json_number (region->report, "predicted");
}

double
compare_predicted (const compare_region *region, const compare_machine *machine)
{
  double planner = predicted_by_planner (region);
  return planner > 0 ? planner : predicted_by_counts (region, machine);
}

double
compare_measured (const compare_region *region)
{
  int way = predicted_by_planner (region) > 0 ? COMPARE_FAST : COMPARE_UNFUSED;
  return compare_ratio (&region->ns[way], &region->ns[COMPARE_FUSED]);
}

const char *
compare_time_text (char text[16], double ns)
{
  static const char *const unit[] = { "ns", "us", "ms", "s" };
  int u = 0;
  while (u < 3 && ns >= 999.5)
    {
      ns /= 1000;
      u++;
    }
  if (ns > 0)
    snprintf (text, 16, "%.*f %s",
              ns < 9.995   ? 2
              : ns < 99.95 ? 1
                           : 0,
              ns, unit[u]);
  else
    strcpy (text, "-");
  return text;
}

const char *
compare_count_text (char text[16], double count)
{
  static const char *const unit[] = { "", " k", " M", " G", " T" };
  int u = 0;
  while (u < 4 && count >= 999.5)
    {
      count /= 1000;
      u++;
    }
  if (count > 0)
    snprintf (text, 16, "%.*f%s", !u || count >= 99.95 ? 0 : 1, count, unit[u]);
  else
    strcpy (text, "-");
  return text;
}

const char *
compare_verdict (const compare_json *report)
{
  const char *own = compare_json_string (report, "verdict");
  return *own ? own : compare_json_string (report, "taken");
}

const char *
compare_verdict_text (char *text, size_t bytes, const compare_json *report)
{
  const char *verdict = compare_verdict (report);
  const char *plan = compare_json_string (report, "plan");
  const char *reason
    = compare_json_string (compare_json_get (report, "reason"), "words");
  if (!report)
    snprintf (text, bytes, "not reported");
  else if (strcmp (verdict, "done") || strcmp (plan, "kept") == 0)
    snprintf (text, bytes, "%s%s%s",
              strcmp (verdict, "done") ? verdict : "kept as written",
              *reason ? ": " : "", reason);
  else
    snprintf (text, bytes, "%.0f loops became %.0f",
              compare_json_number (report, "loops_before"),
              compare_json_number (report, "loops_after"));
  return text;
}
