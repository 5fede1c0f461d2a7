/* The ledger of copies: a row for each region, array, direction and cause, with
   how often, how much and how long.  Times are the host's: a copy to the device
   may still be under way when the next one begins.  */

#include "cuda.h"

#include <stdlib.h>
#include <string.h>

typedef struct row
{
  const trm_site *site;
  const char *name;
  const char *why;
  bool out;
  int64_t times;
  int64_t bytes;
  int64_t ns;
  struct row *next;
} row;

const trm_site *trm_cuda_site;

static row *first, **last = &first;

/* Whether X and Y, which may be NULL, are one text.  */
static bool
same (const char *x, const char *y)
{
  return x == y || (x && y && strcmp (x, y) == 0);
}

/* The row of the site under way and the rest, which may be new; NULL without
   memory.  */
static row *
row_of (bool out, const char *name, const char *why)
{
  row *r = first;
  while (r
         && (r->site != trm_cuda_site || r->out != out || !same (r->name, name)
             || !same (r->why, why)))
    r = r->next;
  if (r || !(r = calloc (1, sizeof *r)))
    return r;
  r->site = trm_cuda_site;
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
  fputc ('\n', file);
}

void
trm_cuda_ledger (FILE *file)
{
  int64_t n[2], bytes[2];
  for (int out = 0; out < 2; out++)
    trm_cuda_copies (out, &n[out], &bytes[out]);
  fprintf (file, "%-6s %10s %14s %12s %8s  %-16s %-28s %s\n", "copies", "times",
           "bytes", "ms", "GB/s", "array", "because", "region");
  for (const row *r = first; r; r = r->next)
    print_row (file, r);
  fprintf (file, "in: %lld copies, %lld bytes; out: %lld copies, %lld bytes\n",
           (long long) n[0], (long long) bytes[0], (long long) n[1],
           (long long) bytes[1]);
}
