/* What the files of parallel training share.  Not installed.

     parallel.c            processes, waiting, errors
     parallel-grid.c       stages and copies
     parallel-model.c      weights to all copies
     parallel-collect.c    weights of all stages
     parallel-bucket.c     buckets of numbers, averaged in the background
     parallel-gradients.c  gradients in buckets
     parallel-letter.c     tensors from one rank to another
     parallel-pass.c       parts of a batch through the stages
     parallel-clip.c       the norm of all stages' gradients

   They see the library as a program does, but for trm_fail.  */

#ifndef TRM_RANKS_H
#define TRM_RANKS_H

#include "tensor.h"

#include "trm-parallel.h"

#include <mpi.h>

/* What a message between two ranks is: a tensor, in two messages, or why a rank
   failed.  */
enum
{
  TRM_TAG_LETTER,
  TRM_TAG_FAILED
};

/* The processes: rank r is copy r % COPIES of stage r / COPIES.

   all             of all ranks
   spread, gather  of the copies of this stage, in their order: two orders of
                   calls that do not wait for each other
   told            what comes when another rank fails
   number          SIZE, what trm_ranks_gather brought from each
   users           trm_parallel that are there
   ours            MPI was started here
   broken          a call failed: no other can go well
   limit           seconds that a call waits  */
typedef struct trm_ranks
{
  MPI_Comm all;
  MPI_Comm spread;
  MPI_Comm gather;
  MPI_Request told;
  double *number;
  int rank, size;
  int stage, stages;
  int copy, copies;
  int users;
  bool begun;
  bool ours;
  bool broken;
  double limit;
} trm_ranks;
extern trm_ranks trm_ranks_here;

/* parallel.c: TRM_OK, or why nothing can be sent; what MPI's CODE says; whether
   REQUEST has ended, in *DONE; wait for its end; the NUMBER of each rank to
   all; let MPI move on, and hear whether another rank failed.  What fails does
   with a message that NAME begins, and the ranks are broken then, all of them.
   The same for STATUS, other than TRM_OK, of this rank, whose message the
   others get.

   trm_ranks_make_peers makes SPREAD and GATHER, of those whose COLOR is the
   same, in the order of their ranks.  MPI has no such call that does not wait:
   all ranks are known to come to it.  */
extern trm_status trm_ranks_check (void);
extern trm_status trm_ranks_code (int code, const char *name);
extern trm_status trm_ranks_test (MPI_Request *request, bool *done,
                                  const char *name);
extern trm_status trm_ranks_finish (MPI_Request *request, const char *name);
extern trm_status trm_ranks_make_peers (int color, const char *name);
extern trm_status trm_ranks_gather (double number, const char *name);
extern trm_status trm_ranks_listen (void);
extern trm_status trm_ranks_give_up (const char *name, trm_status status);

/* parallel-model.c: TRM_BAD_SHAPE unless all copies have weights of the same
   names, types and shapes.  */
extern trm_status trm_ranks_agree (const trm_names *names, const char *name);

/* What goes before a tensor.

   part, parts  which part of the batch it is of, of how many
   type, rank, extent  its own
   wants        it wants a gradient
   absent       there is none, and no elements follow  */
typedef struct trm_letter_head
{
  int32_t part, parts;
  int32_t type, rank;
  int32_t wants, absent;
  int64_t extent[TRM_RANK];
} trm_letter_head;

/* A tensor on its way to another rank.  MPI reads what stands here until it has
   gone; 0 is one that has.

   name    of the user's function, for messages
   tensor  contiguous, kept until then  */
typedef struct trm_letter
{
  const char *name;
  trm_letter_head head;
  trm_tensor *tensor;
  int n_requests;
  MPI_Request request[2];
} trm_letter;

/* parallel-letter.c: send T, or that there is none where it is NULL, to rank
   TO; name, head.part and head.parts are the caller's to set.  Free it when it
   has gone, which is waited for when FINISH.  Wait for one with the part and
   parts of LIKE from rank FROM: *T, a new tensor that the caller drops, or
   NULL; TRM_BAD_ARGUMENT when another one comes.  */
extern trm_status trm_letter_send (trm_letter *l, int to, trm_tensor *t);
extern trm_status trm_letter_end (trm_letter *l, bool finish);
extern trm_status trm_letter_receive (const trm_letter *like, int from,
                                      trm_tensor **t);

typedef enum trm_bucket_stage
{
  TRM_BUCKET_FILL,
  TRM_BUCKET_SPREAD,
  TRM_BUCKET_GATHER,
  TRM_BUCKET_DONE
} trm_bucket_stage;

/* N elements of TYPE, f32 or f64, of this copy in SENT and averaged in WHOLE.

   parts    that are put into it; MISSING of them are not in SENT yet
   share    elements that each copy averages; COPIES times that is N or more  */
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
