/* The ledger of copies: a row for each region, or place in the program where
   the host touches what is copied, array, direction and cause, with how often,
   how much and how long.  Times are the host's: a copy to the device may still
   be under way when the next one begins.  */

#include "cuda.h"

#include "profile.h"

#include <stdlib.h>
#include <string.h>

typedef struct row
{
  const trm_site *site;
  const void *place;
  const char *name;
  const char *why;
  bool out;
  int64_t times;
  int64_t bytes;
  int64_t ns;
  struct row *next;
} row;

const trm_site *trm_cuda_site;
const void *trm_cuda_place;

static row *first, **last = &first;

/* Whether X and Y, which may be NULL, are one text.  */
static bool
same (const char *x, const char *y)
{
  return x == y || (x && y && strcmp (x, y) == 0);
}

/* Whether R is of the site under way, or of the place, and of the rest.  */
static bool
is_row (const row *r, bool out, const char *name, const char *why)
{
  return r->site == trm_cuda_site && r->place == trm_cuda_place && r->out == out
         && same (r->name, name) && same (r->why, why);
}

/* That row, which may be new; NULL without memory.  */
static row *
row_of (bool out, const char *name, const char *why)
{
  row *r = first;
  while (r && !is_row (r, out, name, why))
    r = r->next;
  if (r || !(r = calloc (1, sizeof *r)))
    return r;
  r->site = trm_cuda_site;
  r->place = trm_cuda_place;
  r->name = name;
  r->why = why;
  r->out = out;
  *last = r;
  last = &r->next;
  return r;
}

void
trm_cuda_copied (bool out, const char *name, intptr_t bytes, int64_t ns,
                 const char *why)
{
  trm_cuda_time_copy (out, name, bytes, ns);
  row *r = row_of (out, name, why);
  if (!r)
    return;
  r->times++;
  r->bytes += bytes;
  r->ns += ns;
}

void
trm_cuda_copies (bool out, int64_t *n, int64_t *bytes)
{
  *n = *bytes = 0;
  for (const row *r = first; r; r = r->next)
    if (r->out == out)
      {
        *n += r->times;
        *bytes += r->bytes;
      }
}

/* Where the host touched what R is of.  */
static void
print_place (FILE *file, const row *r)
{
  trm_place p = { .at = r->place };
  trm_places_find (&p, 1);
  fprintf (file, " %s", p.function);
  if (p.line)
    fprintf (file, " (%s:%d)", p.file, p.line);
  trm_places_free ();
}

/* R's line.  */
static void
print_row (FILE *file, const row *r)
{
  fprintf (file, "%-6s %10lld %14lld %12.3f %8.2f  %-16s %-28s",
           r->out ? "out" : "in", (long long) r->times, (long long) r->bytes,
           (double) r->ns / 1e6,
           r->ns ? (double) r->bytes / (double) r->ns : 0.0,
           r->name ? r->name : "?", r->why);
  if (r->site)
    fprintf (file, " %s (%s:%d)", r->site->name, r->site->file,
             (int) r->site->line);
  else if (r->place)
    print_place (file, r);
  fputc ('\n', file);
}

void
trm_cuda_ledger (FILE *file)
{
  int64_t n[2], bytes[2];
  for (int out = 0; out < 2; out++)
    trm_cuda_copies (out, &n[out], &bytes[out]);
  fprintf (file, "%-6s %10s %14s %12s %8s  %-16s %-28s %s\n", "copies", "times",
           "bytes", "ms", "GB/s", "array", "because", "region, or where");
  for (const row *r = first; r; r = r->next)
    print_row (file, r);
  fprintf (file, "in: %lld copies, %lld bytes; out: %lld copies, %lld bytes\n",
           (long long) n[0], (long long) bytes[0], (long long) n[1],
           (long long) bytes[1]);
}
