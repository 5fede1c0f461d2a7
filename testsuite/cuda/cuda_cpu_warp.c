/* Functions of a warp: its lanes wait for each other, and the one that
   completes them does it for all.  __syncwarp orders the lanes,
   and so do shuffles and votes unless the text was compiled with
   -DTNS_CPU_SHUFFLES_ORDER=0; loads and products of tiles do not.  */

#include "cuda_cpu_block.h"

#include <string.h>

/* Lane LANE of WARP, NULL where the block ends before.  */
static struct tns_cpu_thread *
lane_of (unsigned warp, unsigned lane)
{
  unsigned number = 32 * warp + lane;
  return number < tns_cpu_here.n_threads ? &tns_cpu_here.thread[number] : NULL;
}

/* The lanes of WARP that have not returned.  */
static unsigned
living (unsigned warp)
{
  unsigned lanes = 0;
  for (unsigned i = 0; i < 32; i++)
    if (lane_of (warp, i) && lane_of (warp, i)->state != TNS_CPU_RETURNED)
      lanes |= 1u << i;
  return lanes;
}

/* Whether A and B wait for each other in one function.  */
static bool
is_one_place (const struct tns_cpu_thread *a, const struct tns_cpu_thread *b)
{
  return b->state == TNS_CPU_AT_WARP && a->mask == b->mask
         && a->at.line == b->at.line && !strcmp (a->at.file, b->at.file)
         && !strcmp (a->at.name, b->at.name);
}

/* The lanes that wait where FIRST does.  */
static unsigned
waiting_with (const struct tns_cpu_thread *first)
{
  unsigned lanes = 0, warp = first->number / 32;
  for (unsigned i = 0; i < 32; i++)
    if (lane_of (warp, i) && is_one_place (first, lane_of (warp, i)))
      lanes |= 1u << i;
  return lanes;
}

/* What the LANES of WARP did is behind them for all of these.  */
static void
order_lanes (unsigned warp, unsigned lanes)
{
  tns_cpu_now++;
  if (lanes == living (warp))
    tns_cpu_here.warp[warp] = tns_cpu_now;
  else
    for (unsigned i = 0; i < 32; i++)
      for (unsigned k = 0; k < 32; k++)
        if (lanes >> i & lanes >> k & 1)
          tns_cpu_here.met[warp][i][k] = tns_cpu_now;
}

/* The LANES, of which FIRST is one, are all that have to come: they go on.  */
static void
complete (const struct tns_cpu_thread *first, unsigned lanes)
{
  unsigned warp = first->number / 32;
  void *operand[32] = { NULL };
  for (unsigned i = 0; i < 32; i++)
    if (lanes >> i & 1)
      operand[i] = lane_of (warp, i)->operand;
  if (first->all)
    first->all (first->at, operand, lanes);
  for (unsigned i = 0; i < 32; i++)
    if (lanes >> i & 1)
      lane_of (warp, i)->state = TNS_CPU_READY;
  if (first->orders)
    order_lanes (warp, lanes);
}

bool
tns_cpu_warp_settle (unsigned warp)
{
  bool settled = false;
  for (unsigned i = 0; i < 32; i++)
    {
      const struct tns_cpu_thread *first = lane_of (warp, i);
      if (!first || first->state != TNS_CPU_AT_WARP)
        continue;
      unsigned lanes = waiting_with (first);
      if ((first->mask & living (warp) & ~lanes) == 0)
        {
          complete (first, lanes);
          settled = true;
        }
    }
  return settled;
}

void
tns_cpu_warp_tell (unsigned warp)
{
  const struct tns_cpu_thread *first = NULL;
  for (unsigned i = 0; i < 32 && !first; i++)
    if (lane_of (warp, i) && lane_of (warp, i)->state == TNS_CPU_AT_WARP)
      first = lane_of (warp, i);
  unsigned missing = first->mask & living (warp) & ~waiting_with (first);
  unsigned lane = (unsigned) __builtin_ctz (missing);
  const struct tns_cpu_thread *other = lane_of (warp, lane);
  tns_cpu_stop (CUDA_CPU_DIVERGED,
                "%s:%d: thread %u of block %u waits in %s with mask %#x for "
                "thread %u, which waits in %s with mask %#x at %s:%d",
                first->at.file, first->at.line, first->number,
                tns_cpu_here.place, first->at.name, first->mask, other->number,
                other->at.name, other->mask, other->at.file, other->at.line);
}

void
tns_cpu_meet (struct tns_cpu_site at, unsigned mask, void *operand,
              tns_cpu_all *all, int orders)
{
  struct tns_cpu_thread *self = tns_cpu_here.current;
  if (!(mask >> self->number % 32 & 1))
    tns_cpu_stop (CUDA_CPU_DIVERGED,
                  "%s:%d: thread %u of block %u calls %s with mask %#x, which "
                  "it is not in",
                  at.file, at.line, self->number, tns_cpu_here.place, at.name,
                  mask);
  self->at = at;
  self->mask = mask;
  self->operand = operand;
  self->all = all;
  self->orders = orders;
  self->state = TNS_CPU_AT_WARP;
  tns_cpu_yield ();
}

void
tns_cpu_shuffle_all (struct tns_cpu_site at, void *const operand[32],
                     unsigned lanes)
{
  for (int i = 0; i < 32; i++)
    {
      struct tns_cpu_shuffled *to = operand[i];
      if (!to)
        continue;
      const struct tns_cpu_shuffled *from = operand[to->source & 31];
      if (from)
        to->result = from->value;
      else
        tns_cpu_stop (
          CUDA_CPU_DIVERGED,
          "%s:%d: lane %d of block %u asks in %s for lane %d, which "
          "is not among the lanes %#x",
          at.file, at.line, i, tns_cpu_here.place, at.name, to->source, lanes);
    }
}

void
tns_cpu_vote_all (struct tns_cpu_site at, void *const operand[32],
                  unsigned lanes)
{
  (void) at;
  unsigned result = 0;
  for (int i = 0; i < 32; i++)
    if (lanes >> i & 1 && ((struct tns_cpu_vote *) operand[i])->predicate)
      result |= 1u << i;
  for (int i = 0; i < 32; i++)
    if (lanes >> i & 1)
      ((struct tns_cpu_vote *) operand[i])->result = result;
}
