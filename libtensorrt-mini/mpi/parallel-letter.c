/* Tensors from one rank to another: what comes, then its elements.

     send     MPI_Isend (head), MPI_Isend (elements)      go on at once
     receive  MPI_Irecv (head), wait; a tensor of its shape; MPI_Irecv, wait

   Shapes may differ from one to the next.  Messages between two ranks come in
   the order in which they were sent, so that neither needs a number.  Memory
   that MPI may still read or write is never freed.  */

#include "mpi/ranks.h"

#include <limits.h>

/* What MPI calls an element of BYTES.  */
static MPI_Datatype
mpi_element (size_t bytes)
{
  switch (bytes)
    {
    case 1:
      return MPI_UINT8_T;
    case 2:
      return MPI_UINT16_T;
    case 4:
      return MPI_UINT32_T;
    default:
      return MPI_UINT64_T;
    }
}

/* Whether T's elements go as one message; if not, why.  */
static trm_status
check_count (const trm_tensor *t, const char *name)
{
  long long n = trm_count (t);
  return n <= INT_MAX ? TRM_OK
                      : trm_fail (TRM_BAD_SHAPE,
                                  "%s: %lld elements are more than a message"
                                  " holds",
                                  name, n);
}

/* The head of L tells of T, or that there is none.  */
static void
write_head (trm_letter *l, const trm_tensor *t)
{
  l->head.absent = !t;
  if (!t)
    return;
  l->head.type = (int32_t) t->type;
  l->head.rank = t->rank;
  l->head.wants = trm_wants_gradient (t);
  for (int i = 0; i < t->rank; i++)
    l->head.extent[i] = t->extent[i];
}

/* T's elements as they are sent, kept.  */
static trm_tensor *
keep_elements (trm_tensor *t)
{
  if (trm_scope_open ())
    return NULL;
  trm_tensor *kept = trm_keep (trm_contiguous (trm_detach (t)));
  trm_scope_close ();
  return kept;
}

/* BYTES AT, or N elements of them, set out to rank TO.  */
static trm_status
set_out (trm_letter *l, const void *at, int n, size_t bytes, int to)
{
  return trm_ranks_code (MPI_Isend (at, n, mpi_element (bytes), to,
                                    TRM_TAG_LETTER, trm_ranks_here.all,
                                    &l->request[l->n_requests++]),
                         l->name);
}

trm_status
trm_letter_send (trm_letter *l, int to, trm_tensor *t)
{
  trm_status status = t ? check_count (t, l->name) : TRM_OK;
  if (!status && t && !(l->tensor = keep_elements (t)))
    status = trm_error ();
  if (status)
    return status;
  write_head (l, t);
  trm_to_host (l->tensor, false);
  status = set_out (l, &l->head, (int) sizeof l->head, 1, to);
  if (!status && t && trm_count (t) > 0)
    status = set_out (l, l->tensor->at, (int) trm_count (t),
                      trm_type_bytes (t->type), to);
  return status;
}

trm_status
trm_letter_end (trm_letter *l, bool finish)
{
  bool done = true;
  trm_status status = trm_ranks_check ();
  for (int i = 0; i < l->n_requests && done && !status; i++)
    if (finish)
      status = trm_ranks_finish (&l->request[i], l->name);
    else
      status = trm_ranks_test (&l->request[i], &done, l->name);
  if (status || !done)
    return status;
  l->n_requests = 0;
  l->tensor = trm_drop (l->tensor);
  return TRM_OK;
}

/* Wait for N elements of BYTES from rank FROM, for what is called NAME.  */
static trm_status
take_in (void *at, int n, size_t bytes, int from, const char *name)
{
  MPI_Request request;
  trm_status status
    = trm_ranks_code (MPI_Irecv (at, n, mpi_element (bytes), from,
                                 TRM_TAG_LETTER, trm_ranks_here.all, &request),
                      name);
  return status ? status : trm_ranks_finish (&request, name);
}

/* A tensor as HEAD says, of the caller.  */
static trm_tensor *
make_tensor (const trm_letter_head *head)
{
  if (trm_scope_open ())
    return NULL;
  trm_tensor *t
    = trm_keep (trm_empty ((trm_type) head->type, head->rank, head->extent));
  trm_scope_close ();
  return t && head->wants ? trm_want_gradient (t) : t;
}

trm_status
trm_letter_receive (const trm_letter *like, int from, trm_tensor **t)
{
  static trm_letter_head head;
  *t = NULL;
  trm_status status = take_in (&head, (int) sizeof head, 1, from, like->name);
  if (status)
    return status;
  if (head.part != like->head.part || head.parts != like->head.parts)
    return trm_fail (TRM_BAD_ARGUMENT,
                     "%s: part %d of %d came from rank %d in place of part %d"
                     " of %d",
                     like->name, head.part, head.parts, from, like->head.part,
                     like->head.parts);
  if (head.absent)
    return TRM_OK;
  trm_tensor *made = make_tensor (&head);
  if (!made)
    return trm_error ();
  if (trm_count (made) > 0)
    status = take_in (made->at, (int) trm_count (made),
                      trm_type_bytes (made->type), from, like->name);
  if (!status)
    *t = made;
  return status;
}
