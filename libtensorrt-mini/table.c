/* The profile as text: a table for people, a JSON object for programs.

   Region   Where       Calls  Self     Self %  Total    Mean   GFLOP/s  GB/s
   blur     image.c:42     10  1.234 s   45.1   1.234 s  123 ms   12.30  8.10
   outside regions             1.500 s   54.9
   all                         2.734 s  100.0

   A region compiled with profile has a second line, with the times of its
   first, fastest and slowest call, and of those that fell back.

   Self times add up to the wall clock (profile.c).  GFLOP/s and GB/s are the
   operations and bytes that the compiler counted for the fused loops, over
   the total time; they are empty where nothing was counted (the loops as
   written ran).  Mean includes the measurement itself, which the JSON form
   states as overhead_ns.  */

#include "runtime.h"

#include <stdlib.h>
#include <string.h>

#define NAME_COLUMNS   24
#define PLACE_COLUMNS  22
#define OVERHEAD_CALLS 2000

/* NS nanoseconds with a unit, four digits.  */
static const char *
time_text (char text[16], double ns)
{
  static const char *const unit[] = { "ns", "us", "ms", "s" };
  int u = 0;
  while (u < 3 && ns >= 999.95)
    {
      ns /= 1000;
      u++;
    }
  int digits = ns < 9.9995 ? 3 : ns < 99.995 ? 2 : 1;
  snprintf (text, 16, "%.*f %s", u || ns < 99 ? digits : 0, ns, unit[u]);
  return text;
}

/* AMOUNT per nanosecond, empty when there is none.  */
static const char *
rate_text (char text[16], double amount, double ns)
{
  text[0] = 0;
  if (amount > 0 && ns > 0)
    snprintf (text, 16, "%.2f", amount / ns);
  return text;
}

/* The file's last name and the line of SITE.  */
static void
place_text (char *text, size_t bytes, const trm_site *site)
{
  const char *slash = strrchr (site->file, '/');
  snprintf (text, bytes, "%s:%d", slash ? slash + 1 : site->file,
            (int) site->line);
}

/* The row of SITE.  */
static void
print_site (FILE *file, const trm_site *site, double wall)
{
  char place[64], self[16], total[16], mean[16], flops[16], bytes[16];
  double ns = (double) site->ns;
  double own = trm_site_self (site);
  place_text (place, sizeof place, site);
  fprintf (file, "%-*s %-*s %9lld %9s %6.1f %9s %9s %8s %7s %9lld\n",
           NAME_COLUMNS, site->name, PLACE_COLUMNS, place,
           (long long) site->calls, time_text (self, own),
           wall > 0 ? 100 * own / wall : 0, time_text (total, ns),
           time_text (mean, ns / (double) site->calls),
           rate_text (flops, site->flops, ns),
           rate_text (bytes, site->bytes, ns), (long long) site->fallbacks);
}

/* The finer times of SITE, if it has them.  */
static void
print_finer (FILE *file, const trm_site *site)
{
  char first[16], least[16], most[16], back[16];
  const trm_own *own = trm_site_own (site);
  if (!own || !(site->flags & TRM_SITE_PROFILE))
    return;
  fprintf (file, "  first call %s, fastest %s, slowest %s",
           time_text (first, (double) own->first),
           time_text (least, (double) own->least),
           time_text (most, (double) own->most));
  if (site->fallbacks > 0)
    fprintf (file, ", %s in fallbacks",
             time_text (back, (double) own->fallback));
  fputs ("\n", file);
}

/* A row with a name and a time only.  */
static void
print_rest (FILE *file, const char *name, double ns, double wall)
{
  char self[16];
  fprintf (file, "%-*s %9s %9s %6.1f\n", NAME_COLUMNS + PLACE_COLUMNS + 1, name,
           "", time_text (self, ns), wall > 0 ? 100 * ns / wall : 0);
}

void
trm_profile_table (FILE *file, const trm_profile *profile)
{
  fprintf (file, "%-*s %-*s %9s %9s %6s %9s %9s %8s %7s %9s\n", NAME_COLUMNS,
           "Region", PLACE_COLUMNS, "Where", "Calls", "Self", "Self %", "Total",
           "Mean", "GFLOP/s", "GB/s", "Fallbacks");
  for (int i = 0; i < profile->n; i++)
    {
      print_site (file, profile->row[i], profile->wall);
      print_finer (file, profile->row[i]);
    }
  if (profile->under_way > 0.0005 * profile->wall)
    print_rest (file, "calls not finished", profile->under_way, profile->wall);
  print_rest (file, "outside regions", profile->outside, profile->wall);
  print_rest (file, "all", profile->wall, profile->wall);
}

/* TEXT as a JSON string.  */
static void
print_string (FILE *file, const char *text)
{
  fputc ('"', file);
  for (const unsigned char *c = (const unsigned char *) text; *c; c++)
    if (*c == '"' || *c == '\\')
      fprintf (file, "\\%c", *c);
    else if (*c < 0x20)
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
  print_string (file, text);
  fputs (", ", file);
}

/* What one empty call records of itself, in nanoseconds.  */
static double
measure_overhead (void)
{
  static trm_site empty
    = { .state = TRM_STATE_COUNT, .name = "", .file = "", .function = "" };
  for (int i = 0; i < OVERHEAD_CALLS; i++)
    {
      trm_enter (&empty, NULL, 0);
      trm_leave (&empty, 1);
    }
  return (double) empty.ns / (double) empty.calls;
}

/* The finer times of SITE as fields, if it has them.  */
static void
print_finer_json (FILE *file, const trm_site *site)
{
  const trm_own *own = trm_site_own (site);
  if (own && (site->flags & TRM_SITE_PROFILE))
    fprintf (file,
             ", \"first_ns\": %lld, \"least_ns\": %lld, \"most_ns\": %lld, "
             "\"fallback_ns\": %lld",
             (long long) own->first, (long long) own->least,
             (long long) own->most, (long long) own->fallback);
}

/* SITE as a JSON object.  */
static void
print_site_json (FILE *file, const trm_site *site)
{
  fputs ("{", file);
  print_field (file, "name", site->name);
  print_field (file, "file", site->file);
  print_field (file, "function", site->function);
  fprintf (file,
           "\"line\": %d, \"calls\": %lld, \"ns\": %lld, \"self_ns\": %.0f, "
           "\"flops\": %.17g, \"bytes\": %.17g, \"fallbacks\": %lld",
           (int) site->line, (long long) site->calls, (long long) site->ns,
           trm_site_self (site), site->flops, site->bytes,
           (long long) site->fallbacks);
  print_finer_json (file, site);
  fputs ("}", file);
}

void
trm_profile_json (FILE *file, const trm_profile *profile)
{
  static const char *const modes[] = { "fused", "original", "check" };
  fprintf (file,
           "{\"mode\": \"%s\", \"wall_ns\": %.0f, \"outside_ns\": %.0f,"
           " \"under_way_ns\": %.0f, \"overhead_ns\": %.1f,\n"
           " \"regions\": [",
           modes[trm_mode_get ()], profile->wall, profile->outside,
           profile->under_way, measure_overhead ());
  for (int i = 0; i < profile->n; i++)
    {
      fputs (i ? ",\n  " : "\n  ", file);
      print_site_json (file, profile->row[i]);
    }
  fputs ("]}\n", file);
}
