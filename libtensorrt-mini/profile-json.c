/* The profile as one JSON object, for programs and for the page (html.c).

     { "mode", "wall_ns", "outside_ns", "under_way_ns", "overhead_ns",
       "processors", "threads", "peaks", "samples",
       "memory":    {"begin_us", "step_us", "most", "line_step_us",
                     "lines": [{"name", "object", "file", "line",
                                "temporaries", "allocations", "allocated",
                                "held", "at_peak", "most", "bytes"}, ...],
                     "bytes"},
       "regions":   [{"name", "file", "function", "line", "calls", ...}, ...],
       "paths":     [[region, parent, calls, ns, self_ns], ...],
       "functions": [{"name", "object", "file", "line", "region", "inside",
                      "samples"}, ...],
       "lines":     the same,
       "events":    [[thread, region, begin_us, length_us], ...] }

   Regions are numbered in the order in which they stand; -1 is none.  */

#include "profile.h"

#include <string.h>

#define OVERHEAD_CALLS 200
#define OVERHEAD_TRIES 10
#define PAGE_EVENTS    8000

void
trm_print_json_string (FILE *file, const char *text)
{
  fputc ('"', file);
  for (const unsigned char *c = (const unsigned char *) text; *c; c++)
    if (*c == '"' || *c == '\\')
      fprintf (file, "\\%c", *c);
    else if (*c < 0x20 || *c == '<')
      fprintf (file, "\\u%04x", *c);
    else
      fputc (*c, file);
  fputc ('"', file);
}

/* The key KEY and the string TEXT.  */
static void
print_field (FILE *file, const char *key, const char *text)
{
  fprintf (file, "\"%s\": ", key);
  trm_print_json_string (file, text);
  fputs (", ", file);
}

/* What one empty call records of itself, in nanoseconds: the least of some
   means.  It is no call of the program's: this thread counts elsewhere
   meanwhile.  */
static double
measure_overhead (double tick)
{
  static trm_site empty
    = { .state = TRM_STATE_COUNT, .name = "", .file = "", .function = "" };
  static trm_node node[8];
  static trm_thread apart;
  trm_thread *mine = trm_mine;
  int64_t least = INT64_MAX;
  node[0] = (trm_node){ .parent = -1, .newest = 2 };
  apart = (trm_thread){ .epoch = trm_profile_epoch (), .node = node };
  trm_mine = &apart;
  for (int k = 0; k < OVERHEAD_TRIES; k++)
    {
      node[2] = (trm_node){ .site = &empty, .calls = 1 };
      for (int i = 0; i < OVERHEAD_CALLS; i++)
        {
          trm_enter (&empty, NULL, 0);
          trm_leave (&empty, 1);
        }
      least = node[2].ticks < least ? node[2].ticks : least;
    }
  trm_mine = mine;
  return tick * (double) least / OVERHEAD_CALLS;
}

/* The finer times of ROW as fields, if it has them.  */
static void
print_finer (FILE *file, const trm_row *row)
{
  if (row->first_at)
    fprintf (file,
             ", \"first_ns\": %.0f, \"least_ns\": %.0f, \"most_ns\": %.0f, "
             "\"fallback_ns\": %.0f",
             row->first, row->least, row->most, row->fallback);
}

/* What was measured of ROW besides its time, as fields.  */
static void
print_measured (FILE *file, const trm_row *row, const trm_profile *p)
{
  const char *suspect = trm_row_suspect (row, p);
  fprintf (file,
           ", \"allocated\": %lld, \"threads\": %.3f, \"samples\": %lld, "
           "\"worker_samples\": %lld",
           (long long) row->allocated, trm_row_threads (row),
           (long long) row->samples, (long long) row->workers);
  if (row->counted > 0)
    fprintf (file,
             ", \"counted_ns\": %.0f, \"cycles\": %.0f, \"instructions\": "
             "%.0f, \"cache_misses\": %.0f",
             row->counted, row->count[0], row->count[1], row->count[2]);
  fprintf (file, ", \"roof\": %.4f, \"bound\": \"%s\"", trm_row_roof (row, p),
           trm_row_bound (row, p));
  if (suspect)
    fprintf (file, ", \"suspect\": \"%s\"", suspect);
}

/* What calls with SIZES were given, as fields.  */
static void
print_given (FILE *file, const trm_sizes *sizes)
{
  fputs ("\"sizes\": ", file);
  trm_sizes_json (file, sizes, 0, sizes->rest ? 0 : sizes->n_sizes);
  fputs (", \"others\": ", file);
  trm_sizes_json (file, sizes, sizes->n_sizes, sizes->rest ? 0 : sizes->n);
}

/* The calls S as a JSON object.  */
static void
print_sized (FILE *file, const trm_sized *s)
{
  const trm_site *site = &s->sizes->site;
  fputs ("{", file);
  print_given (file, s->sizes);
  fprintf (file,
           ", \"rest\": %s, \"calls\": %lld, \"ns\": %.0f, "
           "\"self_ns\": %.0f, \"call_flops\": %.17g, "
           "\"call_bytes\": %.17g, \"fallbacks\": %lld, "
           "\"allocated\": %lld, \"samples\": %lld}",
           s->sizes->rest ? "true" : "false", (long long) s->calls, s->total,
           s->self, site->flops, site->bytes, (long long) site->fallbacks,
           (long long) s->allocated, (long long) s->samples);
}

/* The calls of ROW by their sizes, if they are known.  */
static void
print_shapes (FILE *file, const trm_row *row, const trm_profile *p)
{
  int n = 0;
  for (int i = 0; i < p->n_sized && p->by == TRM_BY_REGION; i++)
    if (p->sized[i].sizes->region == row->site && p->sized[i].calls)
      {
        fputs (n++ ? ", " : ", \"shapes\": [", file);
        print_sized (file, &p->sized[i]);
      }
  fputs (n ? "]" : "", file);
}

/* ROW as a JSON object.  */
static void
print_row (FILE *file, const trm_row *row, const trm_profile *p)
{
  const trm_site *site = row->site;
  fputs ("{", file);
  print_field (file, "name", site->name);
  print_field (file, "file", site->file);
  print_field (file, "function", site->function);
  fprintf (file,
           "\"line\": %d, \"calls\": %lld, \"ns\": %.0f, \"self_ns\": %.0f, "
           "\"flops\": %.17g, \"bytes\": %.17g, \"fallbacks\": %lld",
           (int) site->line, (long long) row->calls, row->total, row->self,
           row->flops, row->bytes, (long long) row->fallbacks);
  print_finer (file, row);
  print_measured (file, row, p);
  if (site->flags & TRM_SITE_SIZES)
    {
      fputs (", ", file);
      print_field (file, "region", trm_site_region (site)->name);
      print_given (file, (const trm_sizes *) site);
    }
  print_shapes (file, row, p);
  fputs ("}", file);
}

/* What separates number I of a list from the one before it.  */
static const char *
comma (int i)
{
  return i ? ",\n  " : "\n  ";
}

/* The number of SITE's row, or -1.  */
static int
row_of (const trm_site *site, const trm_profile *p)
{
  for (int i = 0; i < p->n; i++)
    if (p->row[i].site == trm_site_shown (site, p->by))
      return i;
  return -1;
}

/* The tree.  */
static void
print_paths (FILE *file, const trm_profile *p)
{
  fputs ("],\n \"paths\": [", file);
  for (int i = 0; i < p->n_paths; i++)
    {
      const trm_path *path = &p->path[i];
      fprintf (file, "%s[%d, %d, %lld, %.0f, %.0f]", comma (i),
               row_of (path->site, p), path->parent, (long long) path->calls,
               path->total, path->self);
    }
}

/* The functions, or lines, of LIST[0..n), which were sampled.  */
static void
print_sampled (FILE *file, const trm_sampled *list, int n, const trm_profile *p)
{
  for (int i = 0; i < n; i++)
    {
      fprintf (file, "%s{", comma (i));
      print_field (file, "name", list[i].name);
      print_field (file, "object", list[i].object);
      print_field (file, "file", list[i].file);
      fprintf (file,
               "\"line\": %d, \"region\": %d, \"inside\": %s, \"samples\": "
               "%lld}",
               list[i].line, row_of (list[i].site, p),
               list[i].inside ? "true" : "false", (long long) list[i].samples);
    }
}

/* BYTES[0..n) as a list.  */
static void
print_bytes (FILE *file, const int64_t *bytes, int n)
{
  fputs ("\"bytes\": [", file);
  for (int i = 0; i < n; i++)
    fprintf (file, "%s%lld", i ? ", " : "", (long long) bytes[i]);
  fputs ("]", file);
}

/* One line that holds memory, in the first N stretches.  */
static void
print_held (FILE *file, const trm_held *h, int n)
{
  fputs ("{", file);
  print_field (file, "name", h->name);
  print_field (file, "object", h->object);
  print_field (file, "file", h->file);
  fprintf (file,
           "\"line\": %d, \"temporaries\": %s, \"allocations\": %lld, "
           "\"allocated\": %lld, \"held\": %lld, \"at_peak\": %lld, \"most\": "
           "%lld, ",
           h->line, h->site ? "true" : "false", (long long) h->allocations,
           (long long) h->allocated, (long long) h->held,
           (long long) h->at_peak, (long long) h->most);
  print_bytes (file, h->bytes, n);
  fputs ("}", file);
}

/* The memory of tensors over time, and who held it.  */
static void
print_memory (FILE *file, const trm_profile *p)
{
  const trm_moments *m = &p->memory;
  const int shared = TRM_MOMENTS / TRM_STRETCHES;
  fprintf (file,
           " \"memory\": {\"begin_us\": %.3f, \"step_us\": %.3f, \"most\": "
           "%lld,\n  \"line_step_us\": %.3f, \"lines\": [",
           (double) (m->begin - p->begin) * p->tick / 1000,
           (double) m->step * p->tick / 1000, (long long) m->most,
           shared * (double) m->step * p->tick / 1000);
  for (int i = 0; i < p->n_held; i++)
    {
      fputs (comma (i), file);
      print_held (file, &p->held[i], (m->n + shared - 1) / shared);
    }
  fputs ("],\n  ", file);
  print_bytes (file, m->bytes, m->n);
  fputs ("},\n", file);
}

/* The head.  */
static void
print_head (FILE *file, const trm_profile *p)
{
  static const char *const modes[] = { "fused", "original", "check" };
  fprintf (file,
           "{\"mode\": \"%s\", \"wall_ns\": %.0f, \"outside_ns\": %.0f,"
           " \"under_way_ns\": %.0f, \"overhead_ns\": %.1f,\n",
           modes[trm_mode_get ()], p->wall, p->outside, p->under_way,
           measure_overhead (p->tick));
  fprintf (file,
           " \"processors\": %d, \"threads\": %d, \"events_dropped\": %lld, "
           "\"calls_refused\": %lld,\n \"peaks\": {\"flops_f32\": %.3f, "
           "\"flops_f64\": %.3f, \"bytes\": %.3f},\n \"samples\": {\"all\": "
           "%lld, \"outside\": %lld, \"ns\": %.0f},\n",
           p->processors, p->tasks, (long long) p->dropped,
           (long long) p->refused, p->peaks.flops_f32, p->peaks.flops_f64,
           p->peaks.bytes, (long long) p->samples,
           (long long) p->outside_samples, p->sample_ns);
  if (trm_counters_refused ())
    {
      fputs (" ", file);
      print_field (file, "counters_refused", trm_counters_refused ());
      fputs ("\n", file);
    }
}

void
trm_profile_json (FILE *file, const trm_profile *p, bool with_events)
{
  print_head (file, p);
  print_memory (file, p);
  fputs (" \"regions\": [", file);
  for (int i = 0; i < p->n; i++)
    {
      fputs (comma (i), file);
      print_row (file, &p->row[i], p);
    }
  print_paths (file, p);
  fputs ("],\n \"functions\": [", file);
  print_sampled (file, p->function, p->n_functions, p);
  fputs ("],\n \"lines\": [", file);
  print_sampled (file, p->line, p->n_lines, p);
  fputs ("]", file);
  if (with_events)
    {
      fputs (",\n \"events\": ", file);
      trm_events_json (file, p, PAGE_EVENTS);
    }
  fputs ("}\n", file);
}
