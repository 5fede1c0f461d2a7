/* ITT: tasks for Intel's profilers.

   A profiler names its collector in INTEL_LIBITTNOTIFY64; whoever has tasks
   loads it and calls its

     void __itt_api_init (global, groups)

   with a list of functions by name, of which it writes its own over those that
   it has.  Older ones have no such function: theirs are looked up by name.

   Names are given as handles, which the collector makes, or we do where it
   does not care to; a site keeps its own.  */

#include "tool.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#define DOMAIN "tensor"
#define GROUP  (1 << 12)
#define MAJOR  3
#define BUILD  20180723

/* What is exchanged with the collector: a domain, the handle of a name, the
   number of a task.  */
typedef struct itt_domain
{
  volatile int flags;
  const char *name;
  void *wide_name;
  int reserved;
  void *reserved_too;
  struct itt_domain *next;
} itt_domain;

typedef struct itt_string
{
  const char *text;
  void *wide_text;
  int reserved;
  void *reserved_too;
  struct itt_string *next;
} itt_string;

typedef struct itt_id
{
  unsigned long long part[3];
} itt_id;

/* A function by name: where the collector writes it; ours.  */
typedef struct itt_function
{
  const char *name;
  void **place;
  void *first;
  void *none;
  int group;
} itt_function;

/* All that it is given.  */
typedef struct itt_global
{
  unsigned char magic[8];
  unsigned long major;
  unsigned long minor;
  unsigned long build;
  volatile long is_ready;
  volatile long has_mutex;
  volatile long counter;
  pthread_mutex_t mutex;
  void *library;
  void *on_error;
  const char **path;
  itt_function *function;
  struct itt_global *next;
  void *threads;
  itt_domain *domains;
  itt_string *strings;
  int state;
  void *counters;
  unsigned events;
  void *histograms;
} itt_global;

/* Ours, where the collector makes no domain.  */
static itt_domain *
own_domain (const char *name)
{
  static itt_domain domain = { .flags = 1 };
  domain.name = name;
  return &domain;
}

/* Ours, where it makes no handle; NULL without memory.  */
static itt_string *
own_string (const char *text)
{
  itt_string *s = calloc (1, sizeof *s);
  if (s)
    s->text = text;
  return s;
}

/* The functions that are asked for.  */
enum
{
  CREATE_DOMAIN,
  CREATE_STRING,
  BEGIN,
  END,
  FUNCTIONS
};

static void *place[FUNCTIONS];
static const itt_domain *domain;

static itt_function function[FUNCTIONS + 1] = {
  { "__itt_domain_create", &place[CREATE_DOMAIN], NULL, NULL, GROUP },
  { "__itt_string_handle_create", &place[CREATE_STRING], NULL, NULL, GROUP },
  { "__itt_task_begin", &place[BEGIN], NULL, NULL, GROUP },
  { "__itt_task_end", &place[END], NULL, NULL, GROUP },
};

static itt_global global = {
  .magic = { 0xed, 0xab, 0xab, 0xec, 0x0d, 0xee, 0xda, 0x30 },
  .major = MAJOR,
  .build = BUILD,
  .has_mutex = 1,
  .mutex = PTHREAD_MUTEX_INITIALIZER,
  .function = function,
};

/* Our functions stand for those that the collector does not have.  */
static void
set_own (void)
{
  function[CREATE_DOMAIN].none = (void *) own_domain;
  function[CREATE_STRING].none = (void *) own_string;
  for (int i = 0; i < FUNCTIONS; i++)
    place[i] = function[i].none;
}

/* Look functions up in LIBRARY, a collector that does not do it itself.  */
static void
look_up (void *library)
{
  for (int i = 0; i < FUNCTIONS; i++)
    {
      void *found = dlsym (library, function[i].name);
      if (found)
        place[i] = found;
    }
}

/* Let the collector at PATH give its functions; whether it has those for
   tasks.  */
static bool
open_collector (const char *path)
{
  void *library = trm_tool_library (path);
  void *init = library ? dlsym (library, "__itt_api_init") : NULL;
  global.library = library;
  if (init)
    ((void (*) (itt_global *, int)) init) (&global, GROUP);
  else if (library)
    look_up (library);
  global.is_ready = 1;
  return place[CREATE_DOMAIN] && place[CREATE_STRING] && place[BEGIN]
         && place[END];
}

bool
trm_itt_open (void)
{
  const char *path = getenv (TRM_ITT_VARIABLE);
  if (!path || !*path)
    return false;
  set_own ();
  if (!open_collector (path))
    {
      trm_tool_complain (path);
      return false;
    }
  domain = ((itt_domain * (*) (const char *) ) place[CREATE_DOMAIN]) (DOMAIN);
  return domain != NULL;
}

/* The handle of SITE's name, perhaps a new one; NULL without memory.  Two
   threads may make one each: the first stays.  */
static itt_string *
string_of (const trm_site *site)
{
  trm_own *own = trm_site_own (site);
  if (!own)
    return NULL;
  void *s = __atomic_load_n (&own->handle, __ATOMIC_ACQUIRE), *none = NULL;
  if (s)
    return s;
  s = ((itt_string * (*) (const char *) ) place[CREATE_STRING]) (site->name);
  if (s
      && !__atomic_compare_exchange_n (&own->handle, &none, s, false,
                                       __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    s = none;
  return s;
}

bool
trm_itt_begin (const trm_site *site)
{
  const itt_id none = { { 0, 0, 0 } };
  itt_string *name = domain->flags ? string_of (site) : NULL;
  if (!name)
    return false;
  ((void (*) (const itt_domain *, itt_id, itt_id, itt_string *)) place[BEGIN]) (
    domain, none, none, name);
  return true;
}

void
trm_itt_end (void)
{
  ((void (*) (const itt_domain *)) place[END]) (domain);
}
