/* Claims about several processes (claim.h).  */

#include "claim.h"

#include <time.h>

void
claim (bool holds, const char *name)
{
  int all = holds;
  if (!holds)
    printf ("# rank %d: %s\n", trm_parallel_rank (), trm_message ());
  MPI_Allreduce (MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (trm_parallel_rank () == 0)
    expect (all, "%d ranks: %s", trm_parallel_size (), name);
}

bool
is_same (trm_model *m, MPI_Comm comm)
{
  uint64_t hash = 1, most[2];
  const trm_names *names = trm_model_names (m);
  for (int i = 0; i < trm_names_count (names); i++)
    {
      const trm_tensor *t = trm_names_at (names, i);
      int64_t bytes = trm_count (t) * (int64_t) trm_type_bytes (t->type);
      for (int64_t k = 0; k < bytes; k++)
        hash = (hash ^ ((unsigned char *) t->at)[k]) * 0x100000001b3;
    }
  most[0] = hash;
  most[1] = ~hash;
  MPI_Allreduce (MPI_IN_PLACE, most, 2, MPI_UINT64_T, MPI_MAX, comm);
  return most[0] == ~most[1];
}

double
seconds (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}
