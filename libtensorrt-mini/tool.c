/* Regions as ranges of other profilers: NVIDIA's (NVTX), Intel's (ITT).

     region begins   NVTX: push NAME   ITT: task begins in domain "tensor"
     region ends           pop              task ends

   They are told where TRM_PROFILE has the word ranges, and where the profiler
   has put its variable into the environment.  A static program tells none: it
   cannot load them, and the linker would warn of a dlopen in it, which is
   therefore asked for by its name.  */

#define _GNU_SOURCE

#include "tool.h"

#include "profile.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

static const struct
{
  const char *variable;
  bool (*open) (void);
  bool (*begin) (const trm_site *site);
  void (*end) (void);
} tools[] = {
  { TRM_NVTX_VARIABLE, trm_nvtx_open, trm_nvtx_begin, trm_nvtx_end },
  { TRM_ITT_VARIABLE, trm_itt_open, trm_itt_begin, trm_itt_end },
};

#define TOOLS (int) (sizeof tools / sizeof *tools)

static bool is_open[TOOLS];
static pthread_once_t once = PTHREAD_ONCE_INIT;

void *
trm_tool_library (const char *path)
{
  void *(*load) (const char *, int)
    = (void *(*) (const char *, int) ) dlsym (RTLD_DEFAULT, "dlopen");
  return load ? load (path, RTLD_NOW | RTLD_LOCAL) : NULL;
}

void
trm_tool_complain (const char *path)
{
  fprintf (stderr, "tensor: no ranges: %s cannot be used\n", path);
}

bool
trm_tools_named (void)
{
  for (int i = 0; i < TOOLS; i++)
    {
      const char *value = getenv (tools[i].variable);
      if (value && *value)
        return true;
    }
  return false;
}

/* Open all that there are.  */
static void
open_all (void)
{
  for (int i = 0; i < TOOLS; i++)
    is_open[i] = tools[i].open ();
}

bool
trm_tools_open (void)
{
  bool any = false;
  pthread_once (&once, open_all);
  for (int i = 0; i < TOOLS; i++)
    any |= is_open[i];
  return any;
}

int
trm_tools_begin (const trm_site *site)
{
  int told = 0;
  if (!trm_site_own (site))
    return 0;
  for (int i = 0; i < TOOLS; i++)
    if (is_open[i] && tools[i].begin (site))
      told |= 1 << i;
  return told;
}

void
trm_tools_end (int told)
{
  for (int i = TOOLS; i-- > 0;)
    if (told >> i & 1)
      tools[i].end ();
}
