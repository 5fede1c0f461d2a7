/* Processes: begin, end, waiting for the others, failures.

   Nothing waits without a limit.  Each call of MPI that could is a nonblocking
   one, whose end is asked for again and again:

     MPI_Bcast (...)    ->    MPI_Ibcast (..., &request)
                              until done: MPI_Test (&request), rest a little

   When the limit is over the request stays as it is: the others' parts may
   still come, so that its memory is never freed.  No other call can go well
   then, and each gives the first one's message.

   Who fails so tells all others, a message that each waits for in the
   background, and looks for while it waits for anything else: they fail at
   once, and not when their own limits are over, one after the other.  */

#include "mpi/ranks.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LIMIT      300
#define WHY_BYTES  512
#define TELL_TRIES 1000

trm_ranks trm_ranks_here = {
  .size = 1, .stages = 1, .copies = 1, .limit = LIMIT, .told = MPI_REQUEST_NULL
};

static char why[WHY_BYTES];
static char heard[WHY_BYTES];

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

/* Send why these ranks are broken to all others.  One that is lost is not
   waited for; what could not be sent by then may still go.  */
static void
tell_others (void)
{
  const trm_ranks *here = &trm_ranks_here;
  for (int r = 0; r < here->size && here->told != MPI_REQUEST_NULL; r++)
    {
      MPI_Request request;
      int sent = r == here->rank
                 || MPI_Isend (why, sizeof why, MPI_BYTE, r, TRM_TAG_FAILED,
                               here->all, &request);
      for (int tries = 0; !sent && tries < TELL_TRIES; tries++)
        {
          if (MPI_Test (&request, &sent, MPI_STATUS_IGNORE))
            break;
          rest (tries);
        }
    }
}

/* Nothing can go well any more, because of what the thread's last failure
   says, which the others are told.  */
static trm_status
break_ranks (void)
{
  snprintf (why, sizeof why, "%s", trm_message ());
  trm_ranks_here.broken = true;
  tell_others ();
  return trm_error ();
}

trm_status
trm_ranks_give_up (const char *name, trm_status status)
{
  char words[WHY_BYTES];
  const trm_ranks *here = &trm_ranks_here;
  snprintf (words, sizeof words, "%s", trm_message ());
  if (here->broken || here->size == 1)
    return status;
  trm_fail (status, "%s: rank %d of %d failed: %.400s", name, here->rank,
            here->size, words);
  return break_ranks ();
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

trm_status
trm_ranks_listen (void)
{
  int has_failed = 0;
  trm_status status = trm_ranks_check ();
  if (status || trm_ranks_here.told == MPI_REQUEST_NULL
      || MPI_Test (&trm_ranks_here.told, &has_failed, MPI_STATUS_IGNORE)
      || !has_failed)
    return status;
  heard[sizeof heard - 1] = 0;
  memcpy (why, heard, sizeof why);
  trm_ranks_here.broken = true;
  return trm_ranks_check ();
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
      if (!status && !done)
        status = trm_ranks_listen ();
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

trm_status
trm_ranks_gather (double number, const char *name)
{
  trm_ranks *here = &trm_ranks_here;
  MPI_Request request;
  trm_status status = trm_ranks_check ();
  if (status || here->size == 1)
    return status;
  here->number[here->rank] = number;
  status = trm_ranks_code (MPI_Iallgather (MPI_IN_PLACE, 0, MPI_DATATYPE_NULL,
                                           here->number, 1, MPI_DOUBLE,
                                           here->all, &request),
                           name);
  return status ? status : trm_ranks_finish (&request, name);
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

trm_status
trm_ranks_make_peers (int color, const char *name)
{
  trm_ranks *here = &trm_ranks_here;
  MPI_Comm *made[] = { &here->spread, &here->gather };
  trm_status status = TRM_OK;
  for (int i = 0; i < 2 && !status; i++)
    {
      status = trm_ranks_code (
        MPI_Comm_split (here->all, color, here->rank, made[i]), name);
      if (!status)
        status = trm_ranks_code (
          MPI_Comm_set_errhandler (*made[i], MPI_ERRORS_RETURN), name);
    }
  return status;
}

/* A communicator of all, and those of one stage.  */
static trm_status
make_comms (void)
{
  trm_ranks *here = &trm_ranks_here;
  MPI_Request request;
  trm_status status = trm_ranks_code (
    MPI_Comm_idup (MPI_COMM_WORLD, &here->all, &request), "parallel_begin");
  if (!status)
    status = trm_ranks_finish (&request, "parallel_begin");
  if (!status)
    status = trm_ranks_code (
      MPI_Comm_set_errhandler (here->all, MPI_ERRORS_RETURN), "parallel_begin");
  if (!status)
    status = trm_ranks_make_peers (0, "parallel_begin");
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
  here->number = calloc ((size_t) here->size, sizeof *here->number);
  if (!here->number)
    return trm_fail (TRM_NO_MEMORY, "parallel_begin: no memory");
  status = make_comms ();
  if (!status)
    status = trm_ranks_code (MPI_Irecv (heard, sizeof heard, MPI_BYTE,
                                        MPI_ANY_SOURCE, TRM_TAG_FAILED,
                                        here->all, &here->told),
                             "parallel_begin");
  here->copy = here->rank;
  here->copies = here->size;
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
  status = trm_ranks_code (MPI_Ibarrier (here->all, &request), "parallel_end");
  if (!status)
    status = trm_ranks_finish (&request, "parallel_end");
  if (status)
    return status;
  MPI_Cancel (&here->told);
  MPI_Wait (&here->told, MPI_STATUS_IGNORE);
  free (here->number);
  MPI_Comm_free (&here->all);
  MPI_Comm_free (&here->spread);
  MPI_Comm_free (&here->gather);
  if (here->ours)
    MPI_Finalize ();
  *here = (trm_ranks){ .size = 1,
                       .users = here->users,
                       .stages = 1,
                       .copies = 1,
                       .limit = here->limit,
                       .told = MPI_REQUEST_NULL };
  return TRM_OK;
}
