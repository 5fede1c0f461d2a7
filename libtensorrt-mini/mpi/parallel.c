/* Processes: begin, end, waiting for the others, weights to all.

   Nothing waits without a limit.  Each call of MPI that could is a nonblocking
   one, whose end is asked for again and again:

     MPI_Bcast (...)    ->    MPI_Ibcast (..., &request)
                              until done: MPI_Test (&request), rest a little

   When the limit is over the request stays as it is: the others' parts may
   still come, so that its memory is never freed.  No other call can go well
   then, and each gives the first one's message.  */

#include "mpi/ranks.h"

#include <sched.h>
#include <string.h>
#include <time.h>

#define LIMIT       300
#define WHY_BYTES   512
#define PIECE_BYTES (1 << 30)

trm_ranks trm_ranks_here = { .size = 1, .limit = LIMIT };

static char why[WHY_BYTES];

/* The call that failed was the last one.  */
static trm_status
break_ranks (void)
{
  snprintf (why, sizeof why, "%s", trm_message ());
  trm_ranks_here.broken = true;
  return trm_error ();
}

trm_status
trm_ranks_check (void)
{
  return trm_ranks_here.broken ? trm_fail (TRM_NOT_HERE, "%s", why) : TRM_OK;
}

trm_status
trm_ranks_code (int code, const char *name)
{
  char text[MPI_MAX_ERROR_STRING] = "";
  int length;
  if (code == MPI_SUCCESS)
    return TRM_OK;
  MPI_Error_string (code, text, &length);
  trm_fail (TRM_NOT_HERE, "%s: rank %d of %d: %s", name, trm_ranks_here.rank,
            trm_ranks_here.size, text);
  return break_ranks ();
}

trm_status
trm_ranks_test (MPI_Request *request, bool *done, const char *name)
{
  int flag = 0;
  int code = MPI_Test (request, &flag, MPI_STATUS_IGNORE);
  *done = flag;
  return trm_ranks_code (code, name);
}

/* Let others run, after TRIES in vain.  */
static void
rest (int tries)
{
  struct timespec nap = { 0, 50000 };
  if (tries < 1000)
    sched_yield ();
  else
    nanosleep (&nap, NULL);
}

trm_status
trm_ranks_finish (MPI_Request *request, const char *name)
{
  const trm_ranks *here = &trm_ranks_here;
  double end = MPI_Wtime () + here->limit;
  bool done = false;
  for (int tries = 0; !done; tries++)
    {
      trm_status status = trm_ranks_test (request, &done, name);
      if (status || done)
        return status;
      if (MPI_Wtime () > end)
        {
          trm_fail (TRM_NOT_HERE,
                    "%s: rank %d of %d waited %g s for the others in vain",
                    name, here->rank, here->size, here->limit);
          return break_ranks ();
        }
      rest (tries);
    }
  return TRM_OK;
}

int
trm_parallel_rank (void)
{
  return trm_ranks_here.rank;
}

int
trm_parallel_size (void)
{
  return trm_ranks_here.size;
}

void
trm_parallel_limit (double seconds)
{
  trm_ranks_here.limit = seconds > 0 ? seconds : LIMIT;
}

/* Start MPI where the program did not.  */
static trm_status
start_mpi (int *argc, char ***argv)
{
  int is_started = 0, is_ended = 0, given;
  MPI_Initialized (&is_started);
  MPI_Finalized (&is_ended);
  if (is_ended)
    return trm_fail (TRM_BAD_ARGUMENT,
                     "parallel_begin: MPI has ended in this process");
  if (is_started)
    return TRM_OK;
  trm_status status
    = trm_ranks_code (MPI_Init_thread (argc, argv, MPI_THREAD_FUNNELED, &given),
                      "parallel_begin");
  trm_ranks_here.ours = !status;
  return status ? status
                : trm_ranks_code (
                  MPI_Comm_set_errhandler (MPI_COMM_WORLD, MPI_ERRORS_RETURN),
                  "parallel_begin");
}

/* A communicator of all, in COMM.  */
static trm_status
make_comm (MPI_Comm *comm)
{
  MPI_Request request;
  trm_status status = trm_ranks_code (
    MPI_Comm_idup (MPI_COMM_WORLD, comm, &request), "parallel_begin");
  if (!status)
    status = trm_ranks_finish (&request, "parallel_begin");
  if (!status)
    status = trm_ranks_code (MPI_Comm_set_errhandler (*comm, MPI_ERRORS_RETURN),
                             "parallel_begin");
  return status;
}

trm_status
trm_parallel_begin (int *argc, char ***argv)
{
  trm_ranks *here = &trm_ranks_here;
  trm_status status = trm_ranks_check ();
  if (status || here->begun)
    return status;
  status = start_mpi (argc, argv);
  if (status)
    return status;
  MPI_Comm_rank (MPI_COMM_WORLD, &here->rank);
  MPI_Comm_size (MPI_COMM_WORLD, &here->size);
  status = make_comm (&here->spread);
  if (!status)
    status = make_comm (&here->gather);
  here->begun = !status;
  return status;
}

trm_status
trm_parallel_end (void)
{
  trm_ranks *here = &trm_ranks_here;
  MPI_Request request;
  trm_status status = trm_ranks_check ();
  if (status || !here->begun)
    return status;
  status
    = trm_ranks_code (MPI_Ibarrier (here->spread, &request), "parallel_end");
  if (!status)
    status = trm_ranks_finish (&request, "parallel_end");
  if (status)
    return status;
  MPI_Comm_free (&here->spread);
  MPI_Comm_free (&here->gather);
  if (here->ours)
    MPI_Finalize ();
  *here = (trm_ranks){ .size = 1, .limit = here->limit };
  return TRM_OK;
}

/* HASH (FNV-1a) of BYTES more.  */
static uint64_t
hash_bytes (uint64_t hash, const void *at, size_t bytes)
{
  for (size_t i = 0; i < bytes; i++)
    hash = (hash ^ ((const unsigned char *) at)[i]) * 0x100000001b3;
  return hash;
}

/* A number that tells NAMES with other names, types or shapes apart.  */
static uint64_t
hash_names (const trm_names *names)
{
  uint64_t hash = 0xcbf29ce484222325;
  for (int i = 0; i < trm_names_count (names); i++)
    {
      const trm_tensor *t = trm_names_at (names, i);
      const char *name = trm_names_name (names, i);
      int32_t form[] = { (int32_t) t->type, t->rank };
      hash = hash_bytes (hash, name, strlen (name) + 1);
      hash = hash_bytes (hash, form, sizeof form);
      hash = hash_bytes (hash, t->extent, (size_t) t->rank * 8);
    }
  return hash;
}

trm_status
trm_ranks_agree (const trm_names *names, const char *name)
{
  uint64_t hash = hash_names (names);
  static uint64_t most[2];
  MPI_Request request;
  most[0] = hash;
  most[1] = ~hash;
  trm_status status
    = trm_ranks_code (MPI_Iallreduce (MPI_IN_PLACE, most, 2, MPI_UINT64_T,
                                      MPI_MAX, trm_ranks_here.spread, &request),
                      name);
  if (!status)
    status = trm_ranks_finish (&request, name);
  if (status || most[0] == ~most[1])
    return status;
  return trm_fail (TRM_BAD_SHAPE,
                   "%s: the ranks' models differ in names, types or shapes;"
                   " rank %d has %d weights",
                   name, trm_ranks_here.rank, trm_names_count (names));
}

/* BYTES of rank 0 AT to all.  */
static trm_status
send_bytes (char *at, int64_t bytes)
{
  trm_status status = TRM_OK;
  for (int64_t i = 0; i < bytes && !status; i += PIECE_BYTES)
    {
      MPI_Request request;
      int piece = (int) (bytes - i < PIECE_BYTES ? bytes - i : PIECE_BYTES);
      status = trm_ranks_code (MPI_Ibcast (at + i, piece, MPI_BYTE, 0,
                                           trm_ranks_here.spread, &request),
                               "parallel_model");
      if (!status)
        status = trm_ranks_finish (&request, "parallel_model");
    }
  return status;
}

/* Rank 0's elements of T to all.  Memory that MPI may still write is kept.  */
static trm_status
send_tensor (trm_tensor *t)
{
  trm_status status = trm_scope_open ();
  if (status)
    return status;
  trm_tensor *sent = trm_copy (trm_detach (t));
  status = sent ? send_bytes (sent->at, trm_count (t)
                                          * (int64_t) trm_type_bytes (t->type))
                : trm_error ();
  if (!status && trm_ranks_here.rank > 0)
    status = trm_copy_to (t, sent);
  if (sent && trm_ranks_here.broken)
    trm_keep (sent);
  trm_scope_close ();
  return status;
}

/* Whether the weights of NAMES have no masters; if not, why.  */
static trm_status
check_types (const trm_names *names)
{
  for (int i = 0; i < trm_names_count (names); i++)
    {
      const trm_tensor *t = trm_names_at (names, i);
      if (t->type == TRM_BF16 && trm_wants_gradient (t))
        return trm_fail (TRM_BAD_TYPE,
                         "parallel_model: %s is bf16; call it before"
                         " trm_model_narrow",
                         trm_names_name (names, i));
    }
  return TRM_OK;
}

trm_status
trm_parallel_model (trm_model *model)
{
  if (!model)
    return TRM_BAD_ARGUMENT;
  const trm_names *names = trm_model_names (model);
  trm_status status = trm_ranks_check ();
  if (status || trm_ranks_here.size == 1)
    return status;
  status = trm_ranks_agree (names, "parallel_model");
  if (!status)
    status = check_types (names);
  trm_tape_pause ();
  for (int i = 0; i < trm_names_count (names) && !status; i++)
    status = send_tensor (trm_names_at (names, i));
  trm_tape_resume ();
  return status;
}
