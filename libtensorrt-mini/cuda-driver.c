/* The driver's functions, found when they are first needed.

   cuda.h gives a function that changed a new symbol, as cuMemAlloc_v2, and
   lets the old name stand for it.  A driver of CUDA 12 or later is asked by
   cuGetProcAddress_v2 for what a program of version 12.0 means by the name;
   an older one for the symbol itself.  The library is that of the installed
   driver, libcuda.so.1: libcuda.so may be the stub that programs are linked
   with.  */

#include "cuda-driver.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

#define LIBRARY      "libcuda.so.1"
#define CUDA_VERSION 12000

typedef trm_cu_result asker (const char *name, void **function, int version,
                             uint64_t flags, unsigned *status);

/* A function: its name, its symbol, whether a driver may lack it.  */
typedef struct row
{
  const char *name;
  const char *symbol;
  bool newer;
} row;

static const row rows[] = {
#define TRM_CU(NAME, SUFFIX, ARGUMENTS)                                        \
  { "cu" #NAME, "cu" #NAME #SUFFIX, false },
#define TRM_CU_NEWER(NAME, SUFFIX, ARGUMENTS)                                  \
  { "cu" #NAME, "cu" #NAME #SUFFIX, true },
#include "cuda-calls.def"
#undef TRM_CU
#undef TRM_CU_NEWER
};

#define N_ROWS (sizeof rows / sizeof *rows)

_Static_assert(sizeof (trm_cu) == N_ROWS * sizeof (void *),
               "a pointer for each row");

/* The function of R in LIBRARY, whose asker is ASK unless that is NULL; NULL
   when it is not there.  */
static void *
find_function (void *library, asker *ask, const row *r)
{
  void *function = NULL;
  unsigned status = 0;
  if (!ask)
    return dlsym (library, r->symbol);
  if (ask (r->name, &function, CUDA_VERSION, 0, &status))
    return NULL;
  return function;
}

const char *
trm_cu_open (trm_cu *cu)
{
  void *found[N_ROWS];
  asker *ask = NULL;
  void *library = dlopen (LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return LIBRARY;
  void *address = dlsym (library, "cuGetProcAddress_v2");
  memcpy (&ask, &address, sizeof ask);
  for (size_t i = 0; i < N_ROWS; i++)
    {
      found[i] = find_function (library, ask, &rows[i]);
      if (!found[i] && !rows[i].newer)
        return rows[i].symbol;
    }
  memcpy (cu, found, sizeof *cu);
  return NULL;
}

const char *
trm_cu_error_name (const trm_cu *cu, trm_cu_result error)
{
  const char *name = NULL;
  if (cu->GetErrorName (error, &name) || !name)
    return "?";
  return name;
}

bool
trm_cu_is_sticky (trm_cu_result error)
{
  static const trm_cu_result sticky[] = { 214, 700, 702, 709, 710 };
  for (size_t i = 0; i < sizeof sticky / sizeof *sticky; i++)
    if (error == sticky[i])
      return true;
  return error >= 714 && error <= 719;
}
