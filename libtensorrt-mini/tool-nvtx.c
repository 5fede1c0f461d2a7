/* NVTX: ranges for NVIDIA's profilers.

   Version 3 has no library.  A profiler names an injection in
   NVTX_INJECTION64_PATH; whoever has ranges loads it and calls its

     int InitializeInjectionNvtx2 (get_export_table)

   It asks get_export_table for a table of callbacks, that for the functions of
   each module, and writes its own where it wants to be called:

     table[RANGE_PUSH] --> slot <-- int push (const char *name)

   Version 2 is the library libnvToolsExt.so.1, whose functions do nothing
   without a profiler.  */

#include "tool.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#define LIBRARY      "libnvToolsExt.so.1"
#define NVTX_VERSION 3

/* What an injection may ask for.  */
enum
{
  TABLE_CALLBACKS = 1,
  TABLE_VERSION = 3
};

/* Functions of the core.  */
enum
{
  RANGE_PUSH = 9,
  RANGE_POP = 11
};

/* Modules, and the most functions that one of them has.  */
enum
{
  CORE = 1,
  MODULES = 7,
  MOST = 16
};

typedef void (*any_function) (void);
typedef int push_function (const char *name);
typedef int pop_function (void);
typedef int initialize_function (const void *(*export_table) (uint32_t number));

static push_function *push;
static pop_function *pop;

/* How many functions the modules have: core, CUDA, OpenCL, CUDA's runtime, core
   of version 2, synchronisation; number 0 of each is none.  */
static const unsigned functions[MODULES] = { 0, 16, 9, 15, 7, 16, 7 };
static any_function slot[MODULES][MOST];
static any_function *table[MODULES][MOST + 1];

/* The table of MODULE, and how many functions it has; 0 when there is no such
   module.  */
static int
module_table (int module, any_function ***out, unsigned *n)
{
  if (module < CORE || module >= MODULES)
    return 0;
  for (unsigned i = 1; i < functions[module]; i++)
    table[module][i] = &slot[module][i];
  if (out)
    *out = table[module];
  if (n)
    *n = functions[module];
  return 1;
}

/* The injection tells its own version.  */
static void
take_version (uint32_t version)
{
  (void) version;
}

/* The table NUMBER of what an injection may use, or NULL.  */
static const void *
export_table (uint32_t number)
{
  static const struct
  {
    size_t bytes;
    int (*module_table) (int module, any_function ***out, unsigned *n);
  } callbacks = { sizeof callbacks, module_table };
  static const struct
  {
    size_t bytes;
    uint32_t version;
    uint32_t reserved;
    void (*take_version) (uint32_t version);
  } version = { sizeof version, NVTX_VERSION, 0, take_version };
  if (number == TABLE_CALLBACKS)
    return &callbacks;
  return number == TABLE_VERSION ? &version : NULL;
}

/* Let the injection at PATH give its functions.  */
static void
open_injection (const char *path)
{
  void *library = trm_tool_library (path);
  initialize_function *initialize
    = library
        ? (initialize_function *) dlsym (library, "InitializeInjectionNvtx2")
        : NULL;
  if (!initialize || !initialize (export_table))
    trm_tool_complain (path);
  push = (push_function *) slot[CORE][RANGE_PUSH];
  pop = (pop_function *) slot[CORE][RANGE_POP];
}

/* Look for the library of version 2.  */
static void
open_library (void)
{
  void *library = trm_tool_library (LIBRARY);
  if (!library)
    return;
  push = (push_function *) dlsym (library, "nvtxRangePushA");
  pop = (pop_function *) dlsym (library, "nvtxRangePop");
}

bool
trm_nvtx_open (void)
{
  const char *path = getenv (TRM_NVTX_VARIABLE);
  if (path && *path)
    open_injection (path);
  else
    open_library ();
  return push && pop;
}

bool
trm_nvtx_begin (const trm_site *site)
{
  push (site->name);
  return true;
}

void
trm_nvtx_end (void)
{
  pop ();
}
