/* Memory in pages of its own, whose protection is nobody else's business.  */

#include "runtime.h"

#include <sys/mman.h>
#include <unistd.h>

int64_t
trm_pages_bytes (int64_t bytes)
{
  int64_t page = sysconf (_SC_PAGESIZE);
  return (bytes + page - 1) / page * page;
}

void *
trm_pages_get (int64_t bytes)
{
  void *at = mmap (NULL, (size_t) trm_pages_bytes (bytes),
                   PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return at == MAP_FAILED ? NULL : at;
}

void
trm_pages_put (void *at, int64_t bytes)
{
  munmap (at, (size_t) trm_pages_bytes (bytes));
}
