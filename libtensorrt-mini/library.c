/* Shared libraries that are used where they are there, and not linked.  */

#include "file.h"

#include <dlfcn.h>

bool
trm_library_open (const char *library, int n, const char *const *name,
                  void **address)
{
  void *handle = dlopen (library, RTLD_NOW | RTLD_LOCAL);
  bool complete = handle;
  for (int i = 0; i < n && complete; i++)
    {
      address[i] = dlsym (handle, name[i]);
      complete = address[i];
    }
  if (handle && !complete)
    dlclose (handle);
  return complete;
}
