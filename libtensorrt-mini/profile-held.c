/* Who holds memory (profile-holders.c), told by line:

     origin: return addresses  ->  the first line that is not this library's
             region            ->  its own line, for temporaries

   Origins that have the same line become one.  What a line had at most is the
   most of the sums of its origins in one stretch of time: exact when it has
   one, never less than what it had.  */

#include "profile.h"

#include <stdlib.h>
#include <string.h>

/* Which of the N places of an origin is the program's.  Where there are no
   lines, static functions of this library look like the program's: then it is
   the one behind the last that surely is the library's.  */
static int
find_caller (const trm_place *place, int n)
{
  int i = 0, last = -1;
  while (i < n - 1 && place[i].own)
    i++;
  for (int k = i; !place[i].line && k < n; k++)
    if (place[k].own)
      last = k;
  return last >= 0 && last < n - 1 ? last + 1 : i;
}

/* How many callers ORIGIN has.  */
static int
count_callers (const trm_origin *origin)
{
  int n = 0;
  while (n < TRM_CALLERS && origin->caller[n])
    n++;
  return n;
}

/* A region's name and line in HELD.  */
static void
name_region (trm_held *held, trm_site *site)
{
  const char *slash = strrchr (site->file, '/');
  held->site = site;
  held->line = site->line;
  snprintf (held->name, sizeof held->name, "%s", site->name);
  snprintf (held->file, sizeof held->file, "%.63s",
            slash ? slash + 1 : site->file);
}

/* The place of HOLDER in HELD, from the N PLACEs of its callers.  */
static void
name_holder (trm_held *held, const trm_holder *holder, const trm_place *place,
             int n)
{
  if (holder->origin.site)
    name_region (held, holder->origin.site);
  else if (n)
    {
      const trm_place *p = &place[find_caller (place, n)];
      held->line = p->line;
      snprintf (held->name, sizeof held->name, "%s", p->function);
      snprintf (held->object, sizeof held->object, "%.39s", p->object);
      snprintf (held->file, sizeof held->file, "%.63s", p->file);
    }
  else
    snprintf (held->name, sizeof held->name, "further places");
}

/* The entry of P that is at the place of HELD, perhaps a new one.  */
static trm_held *
find_held (trm_profile *p, const trm_held *held)
{
  for (int i = 0; i < p->n_held; i++)
    if (p->held[i].site == held->site && p->held[i].line == held->line
        && strcmp (p->held[i].name, held->name) == 0
        && strcmp (p->held[i].file, held->file) == 0
        && strcmp (p->held[i].object, held->object) == 0)
      return &p->held[i];
  p->held[p->n_held] = *held;
  return &p->held[p->n_held++];
}

/* Add what HOLDER has to HELD.  */
static void
add_holder (trm_held *held, const trm_holder *holder)
{
  held->allocations += holder->allocations;
  held->allocated += holder->allocated;
  held->held += holder->held;
  held->at_peak += holder->at_peak;
  for (int i = 0; i <= holder->last; i++)
    held->bytes[i] += holder->bytes[i];
}

/* Order: what had most at the peak first, then what allocated most.  */
static int
compare_held (const void *a, const void *b)
{
  const trm_held *x = a, *y = b;
  if (x->at_peak != y->at_peak)
    return x->at_peak < y->at_peak ? 1 : -1;
  if (x->allocated != y->allocated)
    return x->allocated < y->allocated ? 1 : -1;
  int by_name = strcmp (x->name, y->name);
  return by_name ? by_name : x->line - y->line;
}

/* The places of the callers of HOLDER[0..N), one after the other; NULL without
   memory.  */
static trm_place *
find_places (const trm_holder *holder, int n)
{
  int all = 0;
  trm_place *place = calloc ((size_t) n * TRM_CALLERS, sizeof *place);
  for (int i = 0; place && i < n; i++)
    for (int k = 0; k < count_callers (&holder[i].origin); k++)
      place[all++].at = holder[i].origin.caller[k];
  if (place)
    trm_places_find (place, all);
  return place;
}

/* Tell HOLDER[0..N) in P.  */
static void
add_holders (trm_profile *p, const trm_holder *holder, int n)
{
  trm_place *place = find_places (holder, n), *at = place;
  p->held = calloc ((size_t) n, sizeof *p->held);
  for (int i = 0; place && p->held && i < n; i++)
    {
      trm_held held = { .line = 0 };
      int callers = count_callers (&holder[i].origin);
      name_holder (&held, &holder[i], at, callers);
      add_holder (find_held (p, &held), &holder[i]);
      at += callers;
    }
  for (int i = 0; i < p->n_held; i++)
    for (int k = 0; k < TRM_STRETCHES; k++)
      if (p->held[i].bytes[k] > p->held[i].most)
        p->held[i].most = p->held[i].bytes[k];
  if (p->n_held)
    qsort (p->held, (size_t) p->n_held, sizeof *p->held, compare_held);
  trm_places_free ();
  free (place);
}

void
trm_held_add (trm_profile *p)
{
  int n;
  trm_holder *holder = malloc (TRM_HOLDERS * sizeof *holder);
  p->memory = trm_memory_over_time (holder, &n);
  if (n)
    add_holders (p, holder, n);
  free (holder);
}
