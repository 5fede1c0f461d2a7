/* Whether memory is there at all.

     for (i = 0; i < n; i++)
       if (wanted[i])
         y[i] = x[far + i];

   The region touches x[far .. far + n) as far as the compiler knows; where the
   condition keeps it from that, nobody promised that x is so long.  What is to
   be copied as a whole is looked at first: a byte of each page, read through
   the kernel, which says no where the process would be stopped.  */

#define _GNU_SOURCE
#include "cuda.h"

#include <stdint.h>
#include <sys/uio.h>
#include <unistd.h>

enum
{
  MOST_PAGES = 512
};

/* Whether the N bytes that PLACE names can be read.  */
static bool
can_read (const struct iovec *place, int n)
{
  char byte[MOST_PAGES];
  struct iovec to = { byte, (size_t) n };
  return process_vm_readv (getpid (), &to, 1, place, (unsigned long) n, 0) == n;
}

bool
trm_cuda_is_there (const void *base, intptr_t bytes)
{
  struct iovec place[MOST_PAGES];
  uintptr_t page = (uintptr_t) sysconf (_SC_PAGESIZE);
  uintptr_t at = (uintptr_t) base;
  uintptr_t end = at + (uintptr_t) (bytes > 0 ? bytes : 0);
  int n = 0;
  if (end < at)
    return false;
  for (; at < end; at = (at / page + 1) * page)
    {
      place[n++] = (struct iovec){ (void *) at, 1 };
      if (n == MOST_PAGES && !can_read (place, n))
        return false;
      n %= MOST_PAGES;
    }
  return n == 0 || can_read (place, n);
}
