/* The samples of the timer (sample.c) by function: what ran outside regions,
   and beside regions in threads that had entered none.  */

#include "profile.h"

#include <stdlib.h>
#include <string.h>

/* P's function called NAME in OBJECT beside SITE, perhaps a
   new one.  */
static trm_sampled *
find_function (trm_profile *p, const char *name, const char *object,
               trm_site *site)
{
  for (int i = 0; i < p->n_functions; i++)
    if (p->function[i].site == site && strcmp (p->function[i].name, name) == 0
        && strncmp (p->function[i].object, object, 39) == 0)
      return &p->function[i];
  trm_sampled *f = &p->function[p->n_functions++];
  *f = (trm_sampled){ .site = site };
  snprintf (f->name, sizeof f->name, "%s", name);
  snprintf (f->object, sizeof f->object, "%.39s", object);
  return f;
}

/* Order of functions: most samples first.  */
static int
compare_functions (const void *a, const void *b)
{
  const trm_sampled *x = a, *y = b;
  if (x->samples != y->samples)
    return x->samples < y->samples ? 1 : -1;
  return strcmp (x->name, y->name);
}

/* Add the samples at ADDRESS[0..N) to P's functions.  */
static void
add_functions (trm_profile *p, const trm_address *address, int n)
{
  char name[96];
  const char *object;
  for (int i = 0; i < n; i++)
    {
      trm_symbol_name (address[i].at, name, sizeof name, &object);
      find_function (p, name, object, address[i].site)->samples
        += address[i].samples;
    }
  qsort (p->function, (size_t) p->n_functions, sizeof *p->function,
         compare_functions);
  trm_symbols_free ();
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
    {
      trm_row *row = address[i].site ? row_of (context, address[i].site) : NULL;
      *(row ? &row->workers : &p->outside_samples) += address[i].samples;
      p->samples += address[i].samples;
    }
  p->function = n > 0 ? calloc ((size_t) n, sizeof *p->function) : NULL;
  if (p->function)
    add_functions (p, address, n);
  if (p->samples)
    p->sample_ns = trm_sample_cpu () / (double) p->samples;
  free (address);
}
