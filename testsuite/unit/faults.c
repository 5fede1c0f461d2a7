/* The faults of base/fault.def.  */

#include "faults.h"

#include <stddef.h>
#include <string.h>

typedef struct fault
{
  const char *name;
  const char *finders;
} fault;

static const fault faults[] = {
#define TNS_FAULT(name, finders, words) { name, finders },
#include "base/fault.def"
#undef TNS_FAULT
};

const char *
faults_untried (const char *finder, bool (*tries) (const char *name))
{
  for (size_t k = 0; k < sizeof faults / sizeof *faults; k++)
    if (strstr (faults[k].finders, finder) && !tries (faults[k].name))
      return faults[k].name;
  return NULL;
}
