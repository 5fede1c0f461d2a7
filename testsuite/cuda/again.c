/* In front of the runtime (LD_PRELOAD): a device that fails whatever it is to
   do, which is seen as late as can be, so that all regions are done by what
   does them again on the CPU; the others run there anyway.  Tells of how
   many.  */

#include "abi-cuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long n_again, n_others;

void *
trm_cuda_begin (trm_cuda_unit *unit, trm_site *site, trm_cuda_array *array,
                intptr_t n, const trm_cuda_cost *cost)
{
  (void) unit;
  (void) site;
  (void) array;
  (void) n;
  (void) cost;
  return &n_again;
}

void
trm_cuda_launch (void *run, intptr_t kernel, intptr_t work, intptr_t block,
                 intptr_t blocks, intptr_t shared, const void *args,
                 intptr_t bytes)
{
  (void) run;
  (void) kernel;
  (void) work;
  (void) block;
  (void) blocks;
  (void) shared;
  (void) args;
  (void) bytes;
}

int
trm_cuda_end (void *run)
{
  (void) run;
  n_others++;
  return 0;
}

int
trm_cuda_end_later (void *run, trm_cuda_again *again, const void *args,
                    intptr_t bytes)
{
  void *copy = malloc ((size_t) bytes);
  (void) run;
  memcpy (copy, args, (size_t) bytes);
  n_again++;
  int done = again (copy);
  free (copy);
  if (!done)
    fprintf (stderr, "a region cannot be done again\n");
  return done;
}

/* Tell how many there were.  */
__attribute__ ((destructor)) static void
tell (void)
{
  fprintf (stderr, "%ld runs were done again, %ld were not\n", n_again,
           n_others);
}
