/* Parts of a batch through the stages of a model.

   Stage s runs its layers on each part as it comes from the stage before, and
   back over it when its gradient comes from the stage behind.  In the middle of
   a pass each stage goes forward with one part, then back with the oldest one:

     stage 0   F0 F1 F2 B0 F3 B1 F4 B2 B3 B4
     stage 1      F0 F1 B0 F2 B1 F3 B2 F4 B3 B4
     stage 2         F0 B0 F1 B1 F2 B2 F3 B3 F4 B4

   (PipeDream's order, Narayanan et al., SOSP 2019, with all of a batch before
   one step), so that stage s of S holds S - s parts at most, however many there
   are.  Parts go back in their order in each stage: gradients are added up in
   one order, whatever comes when, and are those of one process that goes
   forward and back with one part after the other.

   All calls of a pass are on one tape.  A part's tensors are the tape's where
   its calls save them, and go with these when it has been walked over.

   Sending never waits, and each part is received in the order in which it was
   sent: no two stages can wait for each other.  */

#include "mpi/ranks.h"

#include <stdlib.h>

static const char name[] = "parallel_pass";

/* A part of the batch in this stage.

   x, y    what came and what became of it, while it is on the tape
   wanted  a gradient of Y is waited for
   on      Y on its way to the next stage
   back    X's gradient on its way to the one before  */
typedef struct part
{
  trm_tensor *x;
  trm_tensor *y;
  bool wanted;
  trm_letter on;
  trm_letter back;
} part;

/* A pass.  loss: the mean over the parts that were here, in the last stage.  */
typedef struct pass
{
  trm_parallel *gradients;
  int parts;
  trm_stage *stage;
  void *context;
  part *part;
  double loss;
} pass;

/* The rank with this copy of the stage STEP behind this one.  */
static int
neighbour (int step)
{
  return trm_ranks_here.rank + step * trm_ranks_here.copies;
}

/* Whether this is the first stage.  */
static bool
is_first (void)
{
  return trm_ranks_here.stage == 0;
}

/* Whether this is the last one.  */
static bool
is_last (void)
{
  return trm_ranks_here.stage == trm_ranks_here.stages - 1;
}

/* Y of part K, the loss, adds to the mean.  */
static trm_status
add_loss (pass *p, int k)
{
  trm_forget_error ();
  double loss = trm_get (p->part[k].y, TRM_SCALAR);
  p->loss += loss / p->parts;
  return trm_error ();
}

/* Run the stage on part K, whose X has come.  */
static trm_status
run_stage (pass *p, int k)
{
  part *at = &p->part[k];
  trm_status status = trm_scope_open ();
  if (status)
    return status;
  trm_forget_error ();
  at->y = trm_keep (p->stage (p->context, k, at->x));
  status = at->y ? TRM_OK : trm_error ();
  trm_scope_close ();
  at->wanted = trm_wants_gradient (at->y);
  if (at->y || status)
    return status;
  return trm_fail (TRM_BAD_ARGUMENT, "%s: stage %d gives nothing for part %d",
                   name, trm_ranks_here.stage, k);
}

/* Go forward with part K.  */
static trm_status
go_forward (pass *p, int k)
{
  part *at = &p->part[k];
  trm_status status = TRM_OK;
  if (!is_first ())
    status = trm_letter_receive (&at->on, neighbour (-1), &at->x);
  if (!status)
    status = run_stage (p, k);
  if (!status)
    status = is_last () ? add_loss (p, k)
                        : trm_letter_send (&at->on, neighbour (1), at->y);
  return status;
}

/* The gradient of Y of part K, in *G: NULL where it has none.  */
static trm_status
find_seed (const pass *p, int k, trm_tensor **g)
{
  const trm_tensor *y = p->part[k].y;
  *g = NULL;
  if (!p->part[k].wanted)
    return TRM_OK;
  if (!is_last ())
    return trm_letter_receive (&p->part[k].back, neighbour (1), g);
  if (trm_scope_open ())
    return trm_error ();
  *g = trm_keep (trm_full (y->type, y->rank, y->extent, 1.0 / p->parts));
  trm_scope_close ();
  return *g ? TRM_OK : trm_error ();
}

/* Free what has gone of the parts before K; wait for it when FINISH.  */
static trm_status
free_sent (pass *p, int k, bool finish)
{
  trm_status status = TRM_OK;
  for (int i = 0; i < k && !status; i++)
    {
      status = trm_letter_end (&p->part[i].on, finish);
      if (!status)
        status = trm_letter_end (&p->part[i].back, finish);
    }
  return status;
}

/* Go back over part K.  */
static trm_status
go_back (pass *p, int k)
{
  part *at = &p->part[k];
  trm_tensor *g;
  trm_status status = find_seed (p, k, &g);
  trm_parallel_hold (p->gradients, k < p->parts - 1);
  if (!status && g)
    status = trm_backward (at->y, g);
  if (!status && trm_wants_gradient (at->x))
    status
      = trm_letter_send (&at->back, neighbour (-1), trm_gradient_of (at->x));
  trm_drop (g);
  at->x = trm_drop (at->x);
  at->y = trm_drop (at->y);
  return status ? status : free_sent (p, k, false);
}

/* All parts, forward and back.  */
static trm_status
go_through (pass *p)
{
  int behind = trm_ranks_here.stages - 1 - trm_ranks_here.stage;
  int ahead = behind < p->parts ? behind : p->parts;
  trm_status status = trm_tape_open ();
  if (status)
    return status;
  for (int k = 0; k < ahead && !status; k++)
    status = go_forward (p, k);
  for (int k = 0; k < p->parts && !status; k++)
    {
      if (k + ahead < p->parts)
        status = go_forward (p, k + ahead);
      if (!status)
        status = go_back (p, k);
    }
  trm_tape_close ();
  return status ? status : free_sent (p, p->parts, true);
}

/* The mean over the copies of the last stage, in their order, to all; they
   know by it that all ranks have come to here.  */
static trm_status
share_loss (pass *p)
{
  const trm_ranks *here = &trm_ranks_here;
  trm_status status = trm_ranks_gather (p->loss, name);
  if (status || here->size == 1)
    return status;
  p->loss = 0;
  for (int r = here->size - here->copies; r < here->size; r++)
    p->loss += here->number[r];
  p->loss /= here->copies;
  return TRM_OK;
}

/* Make the parts of P.  */
static trm_status
make_parts (pass *p)
{
  p->part = calloc ((size_t) p->parts, sizeof *p->part);
  if (!p->part)
    return trm_fail (TRM_NO_MEMORY, "%s: no memory", name);
  for (int k = 0; k < p->parts; k++)
    {
      trm_letter empty
        = { .name = name, .head = { .part = k, .parts = p->parts } };
      p->part[k].on = p->part[k].back = empty;
    }
  return TRM_OK;
}

/* The whole pass, with the average of the copies' gradients.  */
static trm_status
run_pass (pass *p)
{
  if (p->parts < 1 || !p->stage)
    return trm_fail (TRM_BAD_ARGUMENT, "%s: %s", name,
                     p->stage ? "there are no parts" : "there is no stage");
  trm_status status = make_parts (p);
  if (!status)
    status = go_through (p);
  if (!status && p->gradients)
    status = trm_parallel_wait (p->gradients);
  return status ? status : share_loss (p);
}

/* Free P, but for memory that MPI may still use.  */
static void
free_pass (pass *p)
{
  for (int k = 0; p->part && k < p->parts; k++)
    {
      trm_drop (p->part[k].x);
      trm_drop (p->part[k].y);
    }
  if (!trm_ranks_here.broken)
    free (p->part);
}

trm_status
trm_parallel_pass (trm_parallel *gradients, int parts, trm_stage *stage,
                   void *context, double *loss)
{
  pass p = {
    .gradients = gradients, .parts = parts, .stage = stage, .context = context
  };
  trm_status status = trm_ranks_check ();
  if (status)
    return status;
  status = run_pass (&p);
  if (status)
    status = trm_ranks_give_up (name, status);
  free_pass (&p);
  trm_parallel_hold (gradients, false);
  if (!status && loss)
    *loss = p.loss;
  return status;
}
