/* The weights of all stages in one model, of rank 0.

     stage s, copy 0   name, weight, name, weight, ..., none    to rank 0
     rank 0            its own; those of stage 1, of stage 2, ...

   All have come, and no name twice, before the model is changed.  */

#include "mpi/ranks.h"

#include <string.h>

static const char name[] = "parallel_collect";

/* Send T, or none, as letter number I to rank 0.  */
static trm_status
send_piece (int i, trm_tensor *t)
{
  static trm_letter letter;
  letter = (trm_letter){ .name = name, .head = { .part = i } };
  trm_status status = trm_letter_send (&letter, 0, t);
  return status ? status : trm_letter_end (&letter, true);
}

/* TEXT as letters and a 0.  */
static trm_tensor *
text_tensor (const char *text)
{
  return trm_from (TRM_U8, TRM_SHAPE ((int64_t) strlen (text) + 1), text);
}

/* Send all of NAMES.  */
static trm_status
send_weights (const trm_names *names)
{
  int n = trm_names_count (names);
  trm_status status = trm_scope_open ();
  if (status)
    return status;
  for (int i = 0; i < n && !status; i++)
    {
      trm_tensor *text = text_tensor (trm_names_name (names, i));
      status = text ? send_piece (2 * i, text) : trm_error ();
      if (!status)
        status = send_piece (2 * i + 1, trm_names_at (names, i));
    }
  trm_scope_close ();
  return status ? status : send_piece (2 * n, NULL);
}

/* Put the weight number I of rank FROM into CAME; *DONE: there is none.  */
static trm_status
receive_weight (trm_names *came, int from, int i, bool *done)
{
  trm_letter like = { .name = name, .head = { .part = 2 * i } };
  trm_tensor *text, *t = NULL;
  trm_status status = trm_letter_receive (&like, from, &text);
  *done = !text;
  if (status || *done)
    return status;
  like.head.part++;
  status = trm_letter_receive (&like, from, &t);
  if (!status)
    status = trm_names_put (came, text->at, t);
  trm_drop (text);
  trm_drop (t);
  return status;
}

/* Put what rank FROM sends into CAME.  */
static trm_status
receive_weights (trm_names *came, int from)
{
  trm_status status = TRM_OK;
  bool done = false;
  for (int i = 0; !done && !status; i++)
    status = receive_weight (came, from, i, &done);
  return status;
}

/* T becomes the weight called KEY of WHOLE.  */
static trm_status
put_weight (trm_names *whole, const char *key, trm_tensor *t)
{
  trm_status status = trm_scope_open ();
  if (status)
    return status;
  trm_tensor *old = trm_names_get (whole, key);
  trm_tensor *copy = old ? NULL : trm_copy (trm_detach (t));
  if (old)
    status = trm_copy_to (old, t);
  else if (!copy)
    status = trm_error ();
  else
    status = trm_names_put (whole, key, copy);
  if (!status && copy && trm_wants_gradient (t))
    trm_want_gradient (copy);
  trm_scope_close ();
  return status;
}

/* Whether those of CAME that WHOLE has have the same shape there.  */
static trm_status
check_shapes (const trm_names *came, const trm_names *whole)
{
  for (int i = 0; i < trm_names_count (came); i++)
    {
      const char *key = trm_names_name (came, i);
      const trm_tensor *old = trm_names_get (whole, key);
      if (old && !trm_same_shape (old, trm_names_at (came, i)))
        return trm_fail (TRM_BAD_SHAPE, "%s: %s has another shape", name, key);
    }
  return TRM_OK;
}

/* Rank 0: the weights OWN and those of the other stages become WHOLE's.  */
static trm_status
take_all (const trm_names *own, trm_names *whole)
{
  const trm_ranks *here = &trm_ranks_here;
  trm_names *came = trm_names_new ();
  trm_status status = came ? TRM_OK : trm_error ();
  for (int i = 0; i < trm_names_count (own) && !status; i++)
    status
      = trm_names_put (came, trm_names_name (own, i), trm_names_at (own, i));
  for (int s = 1; s < here->stages && !status; s++)
    status = receive_weights (came, s * here->copies);
  if (!status)
    status = check_shapes (came, whole);
  for (int i = 0; i < trm_names_count (came) && !status; i++)
    status
      = put_weight (whole, trm_names_name (came, i), trm_names_at (came, i));
  trm_names_free (came);
  return status;
}

trm_status
trm_parallel_collect (trm_model *model, trm_model *whole)
{
  const trm_ranks *here = &trm_ranks_here;
  bool bad = !model || (here->rank == 0 && (!whole || whole == model));
  trm_status status = trm_ranks_check ();
  if (status)
    return status;
  const trm_names *own = trm_model_names (model);
  trm_tape_pause ();
  if (bad)
    status = trm_fail (TRM_BAD_ARGUMENT, "%s: no model, or the same", name);
  else if (here->rank == 0)
    status = take_all (own, trm_model_names (whole));
  else if (here->copy == 0)
    status = send_weights (own);
  trm_tape_resume ();
  if (!status)
    status = trm_ranks_gather (0, name);
  return status ? trm_ranks_give_up (name, status) : TRM_OK;
}
