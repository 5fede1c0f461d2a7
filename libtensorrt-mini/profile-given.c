/* The sizes of calls: what a region was given (TRM_STATE_GIVEN).

     matmul (60, 70, 50)   100 calls        matmul   matmul n=60 m=70 k=50
     matmul (10, 20, 30)    50 calls   ->            matmul n=10 m=20 k=30

   A call whose sizes were met before is counted for the same trm_sizes, which
   stands for the region in the trees of threads; rows by shape have one each,
   other rows add them up again.  Of a region TRM_SIZES sets are kept; calls
   with more are counted together in one of their own.

   The set that was met last is looked at first: most regions have few.  */

#include "profile.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* X becomes Y where it is not: what other threads read stays theirs.  */
#define KEEP(x, y)                                                             \
  do                                                                           \
    if (__atomic_load_n (&(x), __ATOMIC_RELAXED) != (y))                       \
      TRM_SET (x, y);                                                          \
  while (0)

/* How many names there are in TEXT up to one of END.  */
static int
count_names (const char *text, const char *end)
{
  size_t length = strcspn (text, end);
  int n = length > 0;
  for (size_t i = 0; i < length; i++)
    n += text[i] == ',' || (text[i] == ';' && i > 0);
  return n;
}

/* Name number I of TEXT, *LENGTH letters.  */
static const char *
find_name (const char *text, int i, size_t *length)
{
  text += *text == ';';
  for (; i > 0; i--)
    text += strcspn (text, ",;") + 1;
  *length = strcspn (text, ",;");
  return text;
}

/* Give S its name.  */
static void
name_sizes (trm_sizes *s)
{
  int n = snprintf (s->name, sizeof s->name, "%s%s", s->region->name,
                    s->rest ? ", other sizes" : "");
  for (int i = 0; i < s->n_sizes && !s->rest && n < (int) sizeof s->name; i++)
    {
      size_t length;
      const char *name = find_name (s->names, i, &length);
      n += snprintf (s->name + n, sizeof s->name - (size_t) n, " %.*s=%lld",
                     (int) length, name, (long long) s->value[i]);
    }
  s->site.name = s->name;
}

/* A new set of SITE, for GIVEN with NAMES; NULL without memory.  */
static trm_sizes *
new_sizes (trm_site *site, const char *names, const int64_t *given, bool rest)
{
  trm_sizes *s = calloc (1, sizeof *s);
  if (!s)
    return NULL;
  int n = count_names (names, "");
  int n_sizes = count_names (names, ";");
  s->site = (trm_site){ .flags = site->flags | TRM_SITE_SIZES,
                        .line = site->line,
                        .file = site->file,
                        .function = site->function };
  s->region = site;
  s->names = names;
  s->n = n < TRM_GIVEN ? n : TRM_GIVEN;
  s->n_sizes = n_sizes < s->n ? n_sizes : s->n;
  s->rest = rest;
  memcpy (s->value, given, (size_t) s->n * sizeof *given);
  name_sizes (s);
  return s;
}

/* S is for GIVEN.  */
static bool
is_for (const trm_sizes *s, const int64_t *given)
{
  for (int i = 0; i < s->n_sizes; i++)
    if (s->value[i] != given[i])
      return false;
  return true;
}

/* The set of OWN for GIVEN, or the one for all the rest; NULL when there is
   none.  */
static trm_sizes *
find_sizes (const trm_own *own, const int64_t *given)
{
  trm_sizes *s = __atomic_load_n (&own->sizes, __ATOMIC_ACQUIRE);
  trm_sizes *rest = NULL;
  for (; s && (s->rest || !is_for (s, given)); s = s->next)
    rest = s->rest ? s : rest;
  return s ? s : rest;
}

/* The same, a new one where there is none, or NULL.  */
static trm_sizes *
make_sizes (trm_site *site, trm_own *own, const char *names,
            const int64_t *given)
{
  pthread_mutex_lock (&lock);
  trm_sizes *s = find_sizes (own, given);
  int n = 0;
  for (trm_sizes *other = own->sizes; other; other = other->next)
    n++;
  if (!s && (s = new_sizes (site, names, given, n == TRM_SIZES)))
    {
      s->next = own->sizes;
      __atomic_store_n (&own->sizes, s, __ATOMIC_RELEASE);
    }
  pthread_mutex_unlock (&lock);
  return s;
}

/* Note in S what no other number tells of this call.  */
static void
note_call (trm_sizes *s, const int64_t *given, double flops, double bytes)
{
  for (int i = s->rest ? 0 : s->n_sizes; i < s->n; i++)
    KEEP (s->value[i], given[i]);
  if (s->site.flops != flops)
    __atomic_store (&s->site.flops, &flops, __ATOMIC_RELAXED);
  if (s->site.bytes != bytes)
    __atomic_store (&s->site.bytes, &bytes, __ATOMIC_RELAXED);
}

trm_sizes *
trm_sizes_of (const trm_site *region)
{
  const trm_own *own = trm_site_own (region);
  return own ? __atomic_load_n (&own->sizes, __ATOMIC_ACQUIRE) : NULL;
}

void
trm_sizes_clear (void)
{
  for (const trm_site *site = trm_sites (); site; site = site->next)
    for (trm_sizes *s = trm_sizes_of (site); s; s = s->next)
      TRM_SET (s->site.fallbacks, 0);
}

void
trm_sizes_json (FILE *file, const trm_sizes *sizes, int first, int end)
{
  fputs ("{", file);
  for (int i = first; i < end; i++)
    {
      size_t length;
      const char *name = find_name (sizes->names, i, &length);
      fprintf (file, "%s\"%.*s\": %lld", i > first ? ", " : "", (int) length,
               name, (long long) sizes->value[i]);
    }
  fputs ("}", file);
}

void
trm_given (trm_site *site, const char *names, const int64_t *given,
           double flops, double bytes)
{
  trm_own *own = trm_site_own (site);
  trm_thread *t = trm_mine;
  if (!own || (!t && !(t = trm_thread_new ())))
    return;
  trm_sizes *s = __atomic_load_n (&own->recent, __ATOMIC_ACQUIRE);
  if (!s || s->rest || !is_for (s, given))
    {
      s = find_sizes (own, given);
      if (!s)
        s = make_sizes (site, own, names, given);
      if (s)
        __atomic_store_n (&own->recent, s, __ATOMIC_RELEASE);
    }
  if (s)
    note_call (s, given, flops, bytes);
  t->given = s;
}
