/* The streams of the fake driver.  Nothing runs before somebody waits for it;
   then whatever may run next is drawn by lot, from FAKE_CUDA_SEED, so that an
   order that no event asks for is not there.  */

#include "fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

trm_cu_result fake_lost;

static trm_cu_stream streams;
static uint64_t lot;

/* A number below N, by lot.  */
static unsigned
draw (unsigned n)
{
  const char *seed = getenv ("FAKE_CUDA_SEED");
  if (!lot)
    lot = 88172645463325252u + (seed ? (uint64_t) atoll (seed) << 20 : 0);
  lot ^= lot << 13;
  lot ^= lot >> 7;
  lot ^= lot << 17;
  return (unsigned) (lot >> 33) % n;
}

trm_cu_stream
fake_stream (void)
{
  trm_cu_stream s = calloc (1, sizeof *s);
  s->device = fake_device ();
  s->last = &s->first;
  s->next = streams;
  streams = s;
  return s;
}

void
fake_put (trm_cu_stream s, const fake_op *op)
{
  fake_op *copy = malloc (sizeof *copy);
  *copy = *op;
  copy->next = NULL;
  *s->last = copy;
  s->last = &copy->next;
}

/* Copy BYTES bytes of which those THERE are the device's.  */
static trm_cu_result
copy (int device, char *to, const char *from, const char *there, size_t bytes)
{
  trm_cu_result told = fake_enter ("copy");
  if (told || !fake_memory_holds (device, there, bytes))
    return told ? told : 700;
  fake_memory_open (device, true);
  memcpy (to, from, bytes);
  fake_memory_open (device, false);
  return 0;
}

/* Run the kernel of OP.  */
static trm_cu_result
launch (int device, const fake_op *op)
{
  trm_cu_result told = fake_enter ("run");
  void *arguments = op->arguments;
  if (told)
    return told;
  fake_memory_open (device, true);
  int failed = op->function->launch (op->function->kernel, op->grid, op->block,
                                     op->shared, &arguments, op->bytes);
  fake_memory_open (device, false);
  return failed ? 719 : 0;
}

/* Do OP on the device; its error.  */
static trm_cu_result
perform (int device, const fake_op *op)
{
  const char *from = op->owned ? op->owned : op->host;
  switch (op->kind)
    {
    case FAKE_COPY_IN:
      return copy (device, op->at, from, op->at, op->bytes);
    case FAKE_COPY_OUT:
      return copy (device, op->host, op->at, op->at, op->bytes);
    case FAKE_ALLOCATE:
      fake_memory_live (op->at);
      return 0;
    case FAKE_FREE:
      return fake_memory_go (op->at) ? 0 : 1;
    case FAKE_LAUNCH:
      return launch (device, op);
    case FAKE_RECORD:
      op->event->reached = op->turn;
      return 0;
    default:
      return 0;
    }
}

/* Whether the first of S may run.  */
static bool
is_ready (trm_cu_stream s)
{
  return s->first
         && (s->first->kind != FAKE_WAIT
             || s->first->event->reached >= s->first->turn);
}

/* Take the first of S away, and do it.  */
static void
step (trm_cu_stream s)
{
  fake_op *op = s->first;
  trm_cu_result error = fake_lost ? 0 : perform (s->device, op);
  if (error)
    fake_lost = error;
  s->first = op->next;
  if (!s->first)
    s->last = &s->first;
  free (op->owned);
  free (op->arguments);
  free (op);
}

/* Run one op of any stream; false when none may run.  */
static bool
run_one (void)
{
  unsigned n = 0;
  for (trm_cu_stream s = streams; s; s = s->next)
    n += fake_lost ? s->first != NULL : is_ready (s);
  if (n == 0)
    return false;
  unsigned which = draw (n);
  for (trm_cu_stream s = streams; s; s = s->next)
    if ((fake_lost ? s->first != NULL : is_ready (s)) && which-- == 0)
      {
        step (s);
        break;
      }
  return true;
}

trm_cu_result
fake_run_stream (trm_cu_stream s)
{
  while (s->first && run_one ())
    ;
  return fake_lost ? fake_lost : s->first ? 999 : 0;
}

trm_cu_result
fake_run_event (trm_cu_event e, long turn)
{
  while (e->reached < turn && !fake_lost && run_one ())
    ;
  return fake_lost ? fake_lost : e->reached < turn ? 999 : 0;
}
