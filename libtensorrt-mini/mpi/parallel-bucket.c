/* Buckets: numbers of the copies of one stage, of all ranks where there is
   one, averaged in the background.

   A bucket goes in two steps, so that the order of the sum is ours and not
   MPI's: share c of every copy's comes to copy c, which adds them up, copy 0's
   first, and divides; then all get all shares.

     spread   whole[c] := sent[COPY] of copy c     MPI_Ialltoall
     average  whole[COPY] := (whole[0] + whole[1] + ...) / COPIES
     gather   whole[c] := whole[c] of copy c       MPI_Iallgather

   All copies have to begin these in one order, although they may end in any:
   buckets are spread in their order, and gathered in their order, by two
   communicators.

   MPI moves on only in its calls: trm_buckets_move is one.  */

#include "mpi/ranks.h"

#include <limits.h>
#include <stdlib.h>

static const char name[] = "parallel_wait";

trm_status
trm_bucket_make (trm_bucket *b)
{
  int size = trm_ranks_here.copies;
  b->share = (b->n + size - 1) / size;
  if (b->share > INT_MAX)
    return trm_fail (TRM_BAD_SHAPE, "%s: a weight of %lld elements", name,
                     (long long) b->n);
  size_t elements = (size_t) b->share * (size_t) size;
  b->sent = calloc (elements, trm_type_bytes (b->type));
  b->whole = calloc (elements, trm_type_bytes (b->type));
  return b->sent && b->whole ? TRM_OK
                             : trm_fail (TRM_NO_MEMORY, "%s: no memory", name);
}

/* Whether MPI may still write to a bucket.  */
static bool
are_under_way (const trm_buckets *all)
{
  bool found = trm_ranks_here.broken;
  for (int i = 0; i < all->n && !found; i++)
    found = all->bucket[i].stage == TRM_BUCKET_SPREAD
            || all->bucket[i].stage == TRM_BUCKET_GATHER;
  return found;
}

void
trm_buckets_free (trm_buckets *all)
{
  if (!are_under_way (all))
    {
      for (int i = 0; i < all->n; i++)
        {
          free (all->bucket[i].sent);
          free (all->bucket[i].whole);
        }
      free (all->bucket);
    }
  *all = (trm_buckets){ 0 };
}

void
trm_buckets_begin (trm_buckets *all)
{
  all->spread = all->gathered = 0;
  for (int i = 0; i < all->n; i++)
    {
      all->bucket[i].stage = TRM_BUCKET_FILL;
      all->bucket[i].missing = all->bucket[i].parts;
    }
}

/* Element I of my share := the average of those of all ranks.  */
#define AVERAGE(TYPE)                                                          \
  for (int64_t i = 0; i < share; i++)                                          \
    {                                                                          \
      TYPE *at = (TYPE *) b->whole + i;                                        \
      TYPE sum = at[0];                                                        \
      for (int r = 1; r < size; r++)                                           \
        sum += at[r * share];                                                  \
      at[mine] = sum / (TYPE) size;                                            \
    }

/* Average what came to B.  */
static void
average_share (const trm_bucket *b)
{
  int size = trm_ranks_here.copies;
  int64_t share = b->share, mine = trm_ranks_here.copy * share;
  if (b->type == TRM_F64)
    AVERAGE (double)
  else
    AVERAGE (float)
}

/* What MPI calls B's type.  */
static MPI_Datatype
mpi_type (const trm_bucket *b)
{
  return b->type == TRM_F64 ? MPI_DOUBLE : MPI_FLOAT;
}

/* The next bucket sets out.  */
static trm_status
spread_next (trm_buckets *all)
{
  trm_bucket *b = &all->bucket[all->spread++];
  int share = (int) b->share;
  b->stage = TRM_BUCKET_SPREAD;
  return trm_ranks_code (MPI_Ialltoall (b->sent, share, mpi_type (b), b->whole,
                                        share, mpi_type (b),
                                        trm_ranks_here.spread, &b->request),
                         name);
}

/* The next bucket, which has been spread: its average goes to all.  */
static trm_status
gather_next (trm_buckets *all)
{
  trm_bucket *b = &all->bucket[all->gathered++];
  average_share (b);
  b->stage = TRM_BUCKET_GATHER;
  return trm_ranks_code (MPI_Iallgather (MPI_IN_PLACE, 0, MPI_DATATYPE_NULL,
                                         b->whole, (int) b->share, mpi_type (b),
                                         trm_ranks_here.gather, &b->request),
                         name);
}

/* B, where it is under way to all: whether it has come, or, when FINISH, wait
   for it.  */
static trm_status
end_bucket (trm_bucket *b, bool finish)
{
  bool done = true;
  trm_status status = TRM_OK;
  if (b->stage != TRM_BUCKET_GATHER)
    return TRM_OK;
  if (finish)
    status = trm_ranks_finish (&b->request, name);
  else
    status = trm_ranks_test (&b->request, &done, name);
  if (!status && done)
    b->stage = TRM_BUCKET_DONE;
  return status;
}

trm_status
trm_buckets_move (trm_buckets *all)
{
  trm_status status = trm_ranks_check ();
  bool done = true;
  while (all->spread < all->n && !all->bucket[all->spread].missing && !status)
    status = spread_next (all);
  while (all->gathered < all->spread && !status && done)
    {
      status
        = trm_ranks_test (&all->bucket[all->gathered].request, &done, name);
      if (!status && done)
        status = gather_next (all);
    }
  for (int i = 0; i < all->gathered && !status; i++)
    status = end_bucket (&all->bucket[i], false);
  return status;
}

trm_status
trm_buckets_finish (trm_buckets *all)
{
  trm_status status = trm_ranks_check ();
  while (all->spread < all->n && !status)
    status = spread_next (all);
  while (all->gathered < all->n && !status)
    {
      status = trm_ranks_finish (&all->bucket[all->gathered].request, name);
      if (!status)
        status = gather_next (all);
    }
  for (int i = 0; i < all->n && !status; i++)
    status = end_bucket (&all->bucket[i], true);
  return status;
}
