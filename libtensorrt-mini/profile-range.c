/* Ranges of the user's: parts of a program that are counted as regions are.

   Each name becomes a site when it is first met, and stays.  */

#include "tensor.h"

#include "profile.h"

#include <stdlib.h>
#include <string.h>

#define RANGES 1024

/* A range; slot[h] begins the list of those whose names hash to h.  */
typedef struct range
{
  trm_site site;
  struct range *next;
} range;

static range *slot[256];
static int n;

/* The list that NAME is in.  */
static range **
list_of (const char *name)
{
  unsigned hash = 5381;
  for (; *name; name++)
    hash = hash * 33 + (unsigned char) *name;
  return &slot[(hash ^ hash >> 8) & 255];
}

/* The range called NAME, or NULL.  */
static range *
find_range (const char *name)
{
  range *r = __atomic_load_n (list_of (name), __ATOMIC_ACQUIRE);
  while (r && strcmp (r->site.name, name))
    r = r->next;
  return r;
}

/* A new range called NAME; NULL without memory, or when there are too many.  */
static range *
make_range (const char *name)
{
  range *r = n < RANGES ? calloc (1, sizeof *r) : NULL;
  char *copy = r ? strdup (name) : NULL;
  if (!copy)
    {
      free (r);
      return NULL;
    }
  r->site = (trm_site){ .version = TRM_ABI_VERSION,
                        .flags = TRM_SITE_RANGE,
                        .name = copy,
                        .file = "",
                        .function = "" };
  r->next = *list_of (name);
  __atomic_store_n (list_of (name), r, __ATOMIC_RELEASE);
  n++;
  trm_site_add (&r->site);
  return r;
}

trm_status
trm_profile_range_begin (const char *name)
{
  if (!name)
    return trm_fail (TRM_BAD_ARGUMENT, "profile_range_begin: no name");
  if (!trm_profile_on ())
    return TRM_OK;
  range *r = find_range (name);
  if (!r)
    {
      trm_threads_lock ();
      r = find_range (name);
      if (!r)
        r = make_range (name);
      trm_threads_unlock ();
    }
  if (!r)
    return trm_fail (TRM_NO_MEMORY, "profile_range_begin: no room for '%s'",
                     name);
  if (r->site.state)
    trm_enter (&r->site, NULL, 0);
  return TRM_OK;
}

void
trm_profile_range_end (const char *name)
{
  range *r = name && trm_profile_on () ? find_range (name) : NULL;
  if (r)
    trm_leave (&r->site, 1);
}
