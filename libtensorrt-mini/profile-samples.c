/* The samples of the timer (sample.c) by function: what ran outside regions,
   and beside regions in threads that had entered none; and by line: all.  */

#include "profile.h"

#include "object.h"

#include <stdlib.h>
#include <string.h>

/* Samples that stand together: all of F's but how many.  */
static trm_sampled *
find_sampled (trm_sampled *list, int *n, const trm_sampled *f)
{
  for (int i = 0; i < *n; i++)
    if (list[i].site == f->site && list[i].inside == f->inside
        && list[i].line == f->line && strcmp (list[i].file, f->file) == 0
        && strcmp (list[i].name, f->name) == 0
        && strcmp (list[i].object, f->object) == 0)
      return &list[i];
  list[*n] = *f;
  list[*n].samples = 0;
  return &list[(*n)++];
}

/* Order: most samples first.  */
static int
compare_sampled (const void *a, const void *b)
{
  const trm_sampled *x = a, *y = b;
  if (x->samples != y->samples)
    return x->samples < y->samples ? 1 : -1;
  int by_name = strcmp (x->name, y->name);
  return by_name ? by_name : x->line - y->line;
}

/* The samples of ADDRESS, which is at PLACE.  Where a region has no lines in
   its object, its own stands for all.  */
static trm_sampled
sampled_at (const trm_address *address, const trm_place *place)
{
  trm_sampled s = { .site = address->site,
                    .inside = address->inside,
                    .line = place->line,
                    .samples = address->samples };
  snprintf (s.name, sizeof s.name, "%s", place->function);
  snprintf (s.object, sizeof s.object, "%.39s", place->object);
  snprintf (s.file, sizeof s.file, "%.63s", place->file);
  if (!s.line && s.inside && *s.site->file
      && trm_object_at (s.site) == trm_object_at (address->at))
    {
      const char *slash = strrchr (s.site->file, '/');
      snprintf (s.file, sizeof s.file, "%.63s",
                slash ? slash + 1 : s.site->file);
      s.line = s.site->line;
    }
  return s;
}

/* Tell of F, a function, the line that has most of its samples among P's.  */
static void
tell_line (trm_sampled *f, const trm_profile *p)
{
  for (int i = 0; i < p->n_lines && !f->line; i++)
    if (!p->line[i].inside && p->line[i].site == f->site
        && strcmp (p->line[i].name, f->name) == 0
        && strcmp (p->line[i].object, f->object) == 0)
      {
        f->line = p->line[i].line;
        memcpy (f->file, p->line[i].file, sizeof f->file);
      }
}

/* Add the samples at ADDRESS[0..N), which are at PLACE[0..N), to P's functions
   and lines.  */
static void
add_samples (trm_profile *p, const trm_address *address, const trm_place *place,
             int n)
{
  for (int i = 0; i < n; i++)
    {
      trm_sampled s = sampled_at (&address[i], &place[i]);
      find_sampled (p->line, &p->n_lines, &s)->samples += s.samples;
      s.line = 0;
      s.file[0] = 0;
      if (!s.inside)
        find_sampled (p->function, &p->n_functions, &s)->samples += s.samples;
    }
  qsort (p->function, (size_t) p->n_functions, sizeof *p->function,
         compare_sampled);
  qsort (p->line, (size_t) p->n_lines, sizeof *p->line, compare_sampled);
  for (int i = 0; i < p->n_functions; i++)
    tell_line (&p->function[i], p);
}

/* The functions and lines of P, from ADDRESS[0..N).  */
static void
add_places (trm_profile *p, const trm_address *address, int n)
{
  trm_place *place = calloc ((size_t) n, sizeof *place);
  p->function = calloc ((size_t) n, sizeof *p->function);
  p->line = calloc ((size_t) n, sizeof *p->line);
  if (place && p->function && p->line)
    {
      for (int i = 0; i < n; i++)
        place[i].at = address[i].at;
      trm_places_find (place, n);
      add_samples (p, address, place, n);
    }
  trm_places_free ();
  free (place);
}

void
trm_samples_add (trm_profile *p,
                 trm_row *(*row_of) (void *context, trm_site *site),
                 void *context)
{
  trm_address *address = malloc (TRM_ADDRESSES * sizeof *address);
  int n = address ? trm_sample_addresses (address) : 0;
  for (int i = 0; i < p->n; i++)
    p->samples += p->row[i].samples;
  for (int i = 0; i < n; i++)
    if (!address[i].inside)
      {
        trm_site *site = address[i].site;
        trm_row *row = site ? row_of (context, site) : NULL;
        *(row ? &row->workers : &p->outside_samples) += address[i].samples;
        p->samples += address[i].samples;
      }
  if (n > 0)
    add_places (p, address, n);
  if (p->samples)
    p->sample_ns = trm_sample_cpu () / (double) p->samples;
  free (address);
}
