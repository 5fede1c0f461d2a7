/* What limits a region, told from its counts and from what the machine reaches
   (profile-peaks.c).

     overhead    a call takes less than OVERHEAD_NS
     memory      it moves bytes at more than half the rate of a copy
     arithmetic  it computes at more than half the rate of the processors
     latency     none of these: divisions, calls, waiting

   The kernel tells of threads on other processors at its ticks only: what they
   used is known after some of these (SPANNED_NS).

   The roof over a region is what memory and arithmetic together allow:
   min (peak of operations, operations / bytes * peak of bytes).  */

#include "profile.h"

#define OVERHEAD_NS 5000.0
#define NEAR        0.5
#define SPANNED_NS  2e7

/* Operations, or bytes, of ROW a nanosecond.  */
static double
rate (double amount, const trm_row *row)
{
  return row->total > 0 ? amount / row->total : 0;
}

double
trm_row_roof (const trm_row *row, const trm_profile *p)
{
  double flops = rate (row->flops, row), bytes = rate (row->bytes, row);
  if (!(p->peaks.flops_f32 > 0 && p->peaks.bytes > 0))
    return 0;
  double share = flops / p->peaks.flops_f32;
  double moved = bytes / p->peaks.bytes;
  return share > moved ? share : moved;
}

const char *
trm_row_bound (const trm_row *row, const trm_profile *p)
{
  double flops = rate (row->flops, row), bytes = rate (row->bytes, row);
  if (row->total / (double) row->calls < OVERHEAD_NS)
    return "overhead";
  if (!(p->peaks.flops_f32 > 0) || !(flops > 0 || bytes > 0))
    return "";
  double share = flops / p->peaks.flops_f32;
  double moved = bytes / p->peaks.bytes;
  if (share < NEAR && moved < NEAR)
    return "latency";
  return share > moved ? "arithmetic" : "memory";
}

double
trm_row_threads (const trm_row *row)
{
  return row->spanned > SPANNED_NS ? row->cpu / row->spanned : 0;
}

double
trm_row_cpi (const trm_row *row)
{
  return row->count[1] > 0 ? row->count[0] / row->count[1] : 0;
}

const char *
trm_row_suspect (const trm_row *row, const trm_profile *p)
{
  if (!(trm_row_cpi (row) > 1))
    return NULL;
  if (p->peaks.bytes > 0 && rate (row->bytes, row) > NEAR * p->peaks.bytes)
    return "memory: bytes move about as fast as a copy moves them";
  if (row->counted > 0 && p->peaks.bytes > 0
      && 64 * row->count[2] / row->counted > NEAR * p->peaks.bytes)
    return "memory: cache lines come about as fast as a copy brings them";
  return "divisions, calls of functions, or latency of single operations";
}
