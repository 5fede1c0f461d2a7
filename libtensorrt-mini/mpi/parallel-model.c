/* Weights of several processes: whether the copies of a stage have the same
   ones, and one copy's to all of them.  */

#include "mpi/ranks.h"

#include <string.h>

#define PIECE_BYTES (1 << 30)

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

/* BYTES of copy 0 AT to all.  */
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

/* Copy 0's elements of T to all.  Memory that MPI may still write is kept.  */
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
  if (!status && trm_ranks_here.copy > 0)
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
  if (status || trm_ranks_here.copies == 1)
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
