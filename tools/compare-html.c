/* The result as one page that needs nothing else: bars for the whole program
   and for each region, and a table that sorts by a click on its head.  */

#include "compare.h"

#include <string.h>

static const char head[]
  = "<!DOCTYPE html>\n"
    "<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n"
    "<style>\n"
    "body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto;\n"
    "  max-width: 96em; padding: 0 1em; color: #1c2024; background: #fff }\n"
    "h1 { font-size: 1.4em } h2 { font-size: 1.1em; margin-top: 2em }\n"
    ".row { display: grid; grid-template-columns: 9em 1fr 8em 4em; gap: .6em;\n"
    "  align-items: center; margin: .15em 0 }\n"
    ".bar { height: 1.1em; border-radius: 2px; min-width: 2px }\n"
    ".w0 { background: #9aa5b1 } .w1 { background: #6b7c93 }\n"
    ".w2 { background: #e0a458 } .w3 { background: #2a7f62 }\n"
    ".row span:first-child { text-align: right; color: #555 }\n"
    ".wide { overflow-x: auto }\n"
    "table { border-collapse: collapse; font-variant-numeric: tabular-nums;\n"
    "  font-size: .92em }\n"
    "th, td { padding: .3em .5em; text-align: right;\n"
    "  border-bottom: 1px solid #ddd; white-space: nowrap }\n"
    "th { vertical-align: bottom; cursor: pointer; "
    "user-select: none; background: #f4f5f7 }\n"
    "th:first-child, td:first-child { text-align: left }\n"
    ".bad { color: #b00020; font-weight: 600 } .note { color: #555 }\n"
    "</style>\n";

static const char tail[]
  = "<script>\n"
    "document.querySelectorAll('th').forEach((th, column) => {\n"
    "  let down = true;\n"
    "  th.onclick = () => {\n"
    "    const body = th.closest('table').tBodies[0];\n"
    "    const key = row => {\n"
    "      const cell = row.cells[column];\n"
    "      return cell.dataset.v === undefined ? cell.textContent\n"
    "        : Number(cell.dataset.v); };\n"
    "    const sign = down ? -1 : 1;\n"
    "    down = !down;\n"
    "    [...body.rows].sort((a, b) => {\n"
    "      const x = key(a), y = key(b);\n"
    "      return sign * (x < y ? -1 : x > y ? 1 : 0); })\n"
    "      .forEach(row => body.append(row));\n"
    "  };\n"
    "});\n"
    "</script>\n"
    "</body></html>\n";

/* STRING with the characters that HTML knows escaped.  */
static void
print_escaped (FILE *file, const char *string)
{
  for (; *string; string++)
    if (*string == '<')
      fputs ("&lt;", file);
    else if (*string == '&')
      fputs ("&amp;", file);
    else if (*string == '"')
      fputs ("&quot;", file);
    else
      fputc (*string, file);
}

/* What stands behind the bar of WAY: how many times as fast fused is.  */
static const char *
gain_text (char text[16], const compare_sample *sample, int way)
{
  double gain = compare_ratio (&sample[way], &sample[COMPARE_FUSED]);
  text[0] = 0;
  if (way != COMPARE_FUSED && gain > 0)
    snprintf (text, 16, "%.2fx", gain);
  return text;
}

/* A bar for each way, the longest over the whole width.  */
static void
print_bars (FILE *file, const compare_sample *sample)
{
  char time[16], gain[16];
  double longest = 0;
  for (int way = 0; way < COMPARE_WAYS; way++)
    if (sample[way].median > longest)
      longest = sample[way].median;
  for (int way = 0; way < COMPARE_WAYS; way++)
    if (sample[way].n)
      fprintf (file,
               "<div class=\"row\"><span>%s</span><div class=\"bar w%d\" "
               "style=\"width:%.2f%%\"></div><span>%s &plusmn;%.0f%%</span>"
               "<span>%s</span></div>\n",
               compare_way_name[way], way,
               longest > 0 ? 100 * sample[way].median / longest : 0,
               compare_time_text (time, sample[way].median),
               compare_sample_spread (&sample[way]),
               gain_text (gain, sample, way));
}

/* A cell that sorts by VALUE and shows TEXT.  */
static void
print_cell (FILE *file, double value, const char *text)
{
  fprintf (file, "<td data-v=\"%.9g\">", value);
  print_escaped (file, text);
  fputs ("</td>", file);
}

/* A cell with a ratio.  */
static void
print_ratio (FILE *file, double ratio)
{
  char text[16] = "-";
  if (ratio > 0)
    snprintf (text, sizeof text, "%.2fx", ratio);
  print_cell (file, ratio, text);
}

/* A cell with a count.  */
static void
print_count (FILE *file, double count)
{
  char text[16];
  print_cell (file, count, compare_count_text (text, count));
}

/* The name of REGION with its line.  */
static void
print_name (FILE *file, const compare_region *r)
{
  print_escaped (file, r->name);
  fprintf (file, " <span class=\"note\">line %d%s</span>", r->line,
           r->bare ? ", calls too short to time" : "");
}

/* The table's row of REGION.  */
static void
print_row (FILE *file, const compare_region *r, const compare_machine *machine)
{
  char text[16];
  const compare_sample *fused = &r->ns[COMPARE_FUSED];
  fputs ("<tr><td>", file);
  print_name (file, r);
  fputs ("</td>", file);
  print_count (file, r->calls[COMPARE_FUSED]);
  for (int way = 0; way < COMPARE_WAYS; way++)
    print_cell (file, r->ns[way].median,
                compare_time_text (text, r->ns[way].median));
  for (int way = 0; way < COMPARE_FUSED; way++)
    print_ratio (file, compare_ratio (&r->ns[way], fused));
  print_ratio (file, compare_predicted (r, machine));
  print_ratio (file, compare_measured (r));
  print_ratio (file, compare_limit (r, COMPARE_FUSED));
  print_count (file, r->flops[COMPARE_UNFUSED]);
  print_count (file, r->flops[COMPARE_FUSED]);
  print_count (file, r->bytes[COMPARE_UNFUSED]);
  print_count (file, r->bytes[COMPARE_FUSED]);
  fputs ("</tr>\n", file);
}

/* The table of all regions.  */
static void
print_table (FILE *file, const compare_result *result)
{
  static const char *const columns[] = {
    "region",
    "calls",
    "-O3",
    "-O3<br>-ffast-math",
    "unfused",
    "fused",
    "-O3<br>/ fused",
    "-ffast-math<br>/ fused",
    "unfused<br>/ fused",
    "predicted",
    "measured",
    "program<br>if free",
    "operations<br>before",
    "<br>after",
    "bytes<br>before",
    "<br>after",
  };
  fputs ("<h2>Regions</h2><p class=\"note\">Times of one run of the program. "
         "Predicted, and what was measured of that: the planner's word, "
         "-O3 -ffast-math / fused on one thread; where it has none, unfused / "
         "fused by the operations and bytes that the compiler counted. Program "
         "if free: how "
         "many times as fast the fused "
         "program would be if the region cost nothing. A click on a head "
         "sorts.</p>\n<div class=\"wide\"><table><thead><tr>",
         file);
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
    fprintf (file, "<th>%s</th>", columns[i]);
  fputs ("</tr></thead><tbody>\n", file);
  for (int i = 0; i < result->n_regions; i++)
    print_row (file, &result->region[i], &result->machine);
  fputs ("</tbody></table></div>\n", file);
}

/* REGION in words and bars.  */
static void
print_region (FILE *file, const compare_region *r)
{
  char text[160], before[16], after[16];
  if (r->bare)
    return;
  fputs ("<h2>", file);
  print_name (file, r);
  fputs ("</h2>\n<p class=\"note\">", file);
  print_escaped (file, compare_verdict_text (text, sizeof text, r->report));
  if (r->bytes[COMPARE_UNFUSED] > 0)
    fprintf (file, "; bytes %s &rarr; %s",
             compare_count_text (before, r->bytes[COMPARE_UNFUSED]),
             compare_count_text (after, r->bytes[COMPARE_FUSED]));
  if (r->flops[COMPARE_UNFUSED] > 0)
    fprintf (file, "; operations %s &rarr; %s",
             compare_count_text (before, r->flops[COMPARE_UNFUSED]),
             compare_count_text (after, r->flops[COMPARE_FUSED]));
  fputs ("</p>\n", file);
  print_bars (file, r->ns);
}

/* The regions that have no times, and why.  */
static void
print_others (FILE *file, const compare_result *result)
{
  char text[160];
  for (int i = 0; i < result->n_reports; i++)
    {
      const compare_json *report = result->reports[i];
      if (compare_did_run (result, report))
        continue;
      fputs ("<p>", file);
      print_escaped (file, compare_json_string (report, "name"));
      fprintf (file, " <span class=\"note\">line %.0f, no times: ",
               compare_json_number (report, "line"));
      print_escaped (file, compare_verdict_text (text, sizeof text, report));
      fputs ("</span></p>\n", file);
    }
}

/* What was run, and whether the outputs agree.  */
static void
print_facts (FILE *file, const compare_result *result)
{
  fputs ("<title>tensor-compare ", file);
  print_escaped (file, result->wish->source);
  fputs ("</title></head>\n<body><h1>", file);
  print_escaped (file, result->wish->source);
  fprintf (file,
           "</h1>\n<p class=\"note\">%s, %d threads, %d runs of each, medians "
           "and half the distance of the quartiles; behind them how many times "
           "as fast fused is. One thread reaches %.1f "
           "GFLOP/s, %.1f GB/s in cache, %.1f GB/s in memory.</p>\n",
           result->gcc, result->threads, result->runs, result->machine.flops,
           result->machine.cache_bytes, result->machine.memory_bytes);
  bool all = true;
  for (int way = 0; way < COMPARE_WAYS; way++)
    if (!result->agrees[way])
      {
        all = false;
        fprintf (file, "<p class=\"bad\">The output of %s differs: ",
                 compare_way_name[way]);
        print_escaped (file, result->difference[way]);
        fputs ("</p>\n", file);
      }
  if (all)
    fprintf (file, "<p>All outputs agree (numbers within %g).</p>\n",
             result->wish->tolerance);
}

void
compare_print_html (FILE *file, const compare_result *result)
{
  fputs (head, file);
  print_facts (file, result);
  fputs ("<h2>Whole program</h2>\n", file);
  print_bars (file, result->whole);
  if (result->n_regions)
    print_table (file, result);
  for (int i = 0; i < result->n_regions; i++)
    print_region (file, &result->region[i]);
  print_others (file, result);
  fputs (tail, file);
}
