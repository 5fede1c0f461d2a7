/* The grid: which stage and which copy of it a rank is.

     ranks  | 0  1 | 2  3 | 4  5 |     6 ranks, 3 stages
     stage  |  0   |  1   |  2   |
     copy   | 0  1 | 0  1 | 0  1 |

   The copies of a stage stand side by side, on one machine where they can: what
   they send each other, all gradients, is more than what goes from stage to
   stage.  */

#include "mpi/ranks.h"

int
trm_parallel_stage (void)
{
  return trm_ranks_here.stage;
}

int
trm_parallel_stages (void)
{
  return trm_ranks_here.stages;
}

int
trm_parallel_copy (void)
{
  return trm_ranks_here.copy;
}

int
trm_parallel_copies (void)
{
  return trm_ranks_here.copies;
}

void
trm_parallel_layers (int n, int *begin, int *end)
{
  int64_t stage = trm_ranks_here.stage, stages = trm_ranks_here.stages;
  *begin = (int) (n * stage / stages);
  *end = (int) (n * (stage + 1) / stages);
}

/* The greatest of each of the N numbers AT of all ranks.  */
static trm_status
find_most (int *at, int n)
{
  MPI_Request request;
  if (!trm_ranks_here.begun)
    return TRM_OK;
  trm_status status
    = trm_ranks_code (MPI_Iallreduce (MPI_IN_PLACE, at, n, MPI_INT, MPI_MAX,
                                      trm_ranks_here.all, &request),
                      "parallel_grid");
  return status ? status : trm_ranks_finish (&request, "parallel_grid");
}

/* Whether all ranks ask for as many STAGES, and none averages gradients; if
   not, why, in all of them.  */
static trm_status
check_grid (int stages)
{
  static int most[3];
  most[0] = stages;
  most[1] = -stages;
  most[2] = trm_ranks_here.users;
  trm_status status = find_most (most, 3);
  if (status)
    return status;
  if (most[0] != -most[1])
    return trm_fail (TRM_BAD_ARGUMENT,
                     "parallel_grid: %d stages in one rank, %d in another",
                     most[0], -most[1]);
  if (most[2] > 0)
    return trm_fail (TRM_BAD_ARGUMENT,
                     "parallel_grid: there are trm_parallel_gradients");
  return TRM_OK;
}

trm_status
trm_parallel_grid (int stages)
{
  trm_ranks *here = &trm_ranks_here;
  trm_status status = trm_ranks_check ();
  if (!status)
    status = check_grid (stages);
  if (status)
    return status;
  if (stages < 1 || here->size % stages)
    return trm_fail (TRM_BAD_ARGUMENT, "parallel_grid: %d stages of %d ranks",
                     stages, here->size);
  here->stages = stages;
  here->copies = here->size / stages;
  here->stage = here->rank / here->copies;
  here->copy = here->rank % here->copies;
  if (!here->begun)
    return TRM_OK;
  MPI_Comm_free (&here->spread);
  MPI_Comm_free (&here->gather);
  return trm_ranks_make_peers (here->stage, "parallel_grid");
}
