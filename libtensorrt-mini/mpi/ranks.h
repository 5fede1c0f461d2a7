/* What the files of parallel training share.  Not installed.

     parallel.c            processes, waiting, errors, weights to all
     parallel-bucket.c     buckets of numbers, averaged in the background
     parallel-gradients.c  gradients in buckets

   They see the library as a program does, but for trm_fail.  */

#ifndef TRM_RANKS_H
#define TRM_RANKS_H

#include "tensor.h"

#include "trm-parallel.h"

#include <mpi.h>

/* The processes.

   spread, gather  two orders of calls that do not wait for each other
   ours            MPI was started here
   broken          a call failed: no other can go well
   limit           seconds that a call waits  */
typedef struct trm_ranks
{
  MPI_Comm spread;
  MPI_Comm gather;
  int rank;
  int size;
  bool begun;
  bool ours;
  bool broken;
  double limit;
} trm_ranks;
extern trm_ranks trm_ranks_here;

/* parallel.c: TRM_OK, or why nothing can be sent; what MPI's CODE says; whether
   REQUEST has ended, in *DONE; wait for its end.  The others fail with a
   message that NAME begins, and the ranks are broken then.  TRM_BAD_SHAPE
   unless all ranks have weights of the same names, types and shapes.  */
extern trm_status trm_ranks_check (void);
extern trm_status trm_ranks_code (int code, const char *name);
extern trm_status trm_ranks_test (MPI_Request *request, bool *done,
                                  const char *name);
extern trm_status trm_ranks_finish (MPI_Request *request, const char *name);
extern trm_status trm_ranks_agree (const trm_names *names, const char *name);

typedef enum trm_bucket_stage
{
  TRM_BUCKET_FILL,
  TRM_BUCKET_SPREAD,
  TRM_BUCKET_GATHER,
  TRM_BUCKET_DONE
} trm_bucket_stage;

/* N elements of TYPE, f32 or f64, of this rank in SENT and averaged in WHOLE.

   parts    that are put into it; MISSING of them are not in SENT yet
   share    elements that each rank averages; SIZE times that is N or more  */
typedef struct trm_bucket
{
  trm_type type;
  int64_t n;
  int parts;
  int missing;
  int64_t share;
  trm_bucket_stage stage;
  char *sent;
  char *whole;
  MPI_Request request;
} trm_bucket;

/* Buckets in the order in which they set out; how many have been spread and
   gathered.  */
typedef struct trm_buckets
{
  int n;
  trm_bucket *bucket;
  int spread;
  int gathered;
} trm_buckets;

/* parallel-bucket.c: make the buffers of B, zeros; free all, but for memory
   that MPI may still write; nothing has come to them; let those set out that
   are full and whose turn it is, without waiting; let all set out as they are,
   and wait for them.  */
extern trm_status trm_bucket_make (trm_bucket *b);
extern void trm_buckets_free (trm_buckets *all);
extern void trm_buckets_begin (trm_buckets *all);
extern trm_status trm_buckets_move (trm_buckets *all);
extern trm_status trm_buckets_finish (trm_buckets *all);

#endif
