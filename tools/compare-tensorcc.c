/* Which tensorcc is run: what the environment says, or the one beside this
   program, or the one on the path.  */

#include "compare.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *
compare_tensorcc (void)
{
  static char path[PATH_MAX + 16];
  char *told = getenv ("TENSORCC");
  if (told && *told)
    return told;
  ssize_t n = readlink ("/proc/self/exe", path, PATH_MAX);
  while (n > 0 && path[n - 1] != '/')
    n--;
  strcpy (path + (n > 0 ? n : 0), "tensorcc");
  return access (path, X_OK) == 0 ? path : "tensorcc";
}
