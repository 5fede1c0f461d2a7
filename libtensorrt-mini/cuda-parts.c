/* A run in parts, on several devices: the iterations of its outermost loop are
   shared among them.

     for b in 0 .. n                device 0: b in 0 .. n / 2     x[0 .. h]
       y[b] from x[b], w            device 1: b in n / 2 .. n     x[h .. m]
                                    w is on both

   Each part has arrays of its own, the stretches that its iterations touch.  No
   iteration reads or writes what another one writes: the compiler has seen to
   that.  So parts may be on devices where the stretches that they write are
   apart, too, and none of these is kept: contents that devices share in turn
   would be copied more than is gained.  Else the run has one part, all of it.

   All parts begin before the first kernel is launched, and none copies anything
   out before all have ended well; so a failure leaves the host's memory as that
   of any run does.  Each element is computed as it would be on one device: how
   many there are does not change a bit.  */

#include "cuda-unit.h"

#include <string.h>

/* The parts under way; each one's device, and what it is as a run.  whole: what
   all touch together; now: the part that launches, NULL: none does yet.  */
typedef struct part
{
  trm_cuda_gpu *gpu;
  trm_cuda_run run;
  bool fine;
} part;

static struct
{
  intptr_t n;
  part part[TRM_CUDA_MOST];
  part *now;
  trm_cuda_array *whole;
} parts;

/* Whether X and Y share bytes.  */
static bool
meet (const trm_cuda_array *x, const trm_cuda_array *y)
{
  const char *a = x->base, *b = y->base;
  return a && b && a < b + y->bytes && b < a + x->bytes;
}

/* Whether A, which a part writes, is apart from ARRAY[0..N), of others.  */
static bool
is_apart (const trm_cuda_array *a, const trm_cuda_array *array, intptr_t n)
{
  for (intptr_t k = 0; k < n; k++)
    if (meet (a, &array[k]))
      return false;
  return true;
}

/* Whether row I of N, which is written, of each of DEVICES parts is apart from
   all rows of the others.  */
static bool
are_apart (const trm_cuda_array *array, intptr_t n, intptr_t i,
           intptr_t devices)
{
  bool apart = true;
  for (intptr_t p = 0; p < devices && apart; p++)
    apart = is_apart (&array[p * n + i], array, p * n)
            && is_apart (&array[p * n + i], &array[(p + 1) * n],
                         (devices - p - 1) * n);
  return apart;
}

/* Whether a device keeps A.  */
static bool
is_kept (const trm_cuda_array *a)
{
  for (int i = 0; i < TRM_CUDA_MOST; i++)
    {
      const trm_cuda_entry *e = trm_cuda_gpus[i].newest;
      while ((e = trm_cuda_overlap ((trm_cuda_entry *) e, a->base, a->bytes)))
        {
          if (e->scopes)
            return true;
          e = e->next;
        }
    }
  return false;
}

/* Whether the run of ARRAY[0..N) for each of DEVICES parts, and for all behind
   them, may be in parts.  */
static bool
may_share (const trm_cuda_array *array, intptr_t n, intptr_t devices)
{
  for (intptr_t i = 0; i < n; i++)
    {
      const trm_cuda_array *whole = &array[devices * n + i];
      if (!whole->base || !(whole->use & TRM_CUDA_WRITE))
        continue;
      if (is_kept (whole) || !are_apart (array, n, i, devices))
        return false;
    }
  return devices > 1;
}

/* A part's load, or copies to the device: P is the run under way meanwhile.  */
static void
as_run (part *p, void (*what) (void *given), void *given)
{
  trm_cuda_running = p->run;
  trm_cuda_visit (p->gpu, what, given);
  p->run = trm_cuda_running;
}

/* Load UNIT for the part.  */
static void
load (void *unit)
{
  trm_cuda_running.code = trm_cuda_load (unit);
  if (trm_cuda_running.code)
    trm_cuda_take_over (trm_cuda_running.array, trm_cuda_running.n);
}

/* Hold the arrays of PART, if all are there.  */
static void
hold (void *of)
{
  part *p = of;
  p->fine = trm_cuda_all_there ()
            && trm_cuda_hold (trm_cuda_running.array, trm_cuda_running.n);
}

/* Begin part P; false with a fault.  */
static bool
start_part (part *p, trm_cuda_unit *unit)
{
  trm_cuda_here = p->gpu;
  if (!trm_cuda_start ())
    return false;
  as_run (p, load, unit);
  return p->run.code != NULL;
}

/* Begin all parts of a run with UNIT; false with a fault.  */
static bool
start_parts (trm_cuda_unit *unit)
{
  bool fine = trm_cuda_wait ();
  for (intptr_t i = 0; i < parts.n && fine; i++)
    fine = start_part (&parts.part[i], unit);
  for (intptr_t i = 0; i < parts.n && fine; i++)
    {
      as_run (&parts.part[i], hold, &parts.part[i]);
      fine = parts.part[i].fine;
    }
  return fine;
}

/* Leave the device of the part that launched last.  */
static void
leave_part (void)
{
  if (!parts.now)
    return;
  trm_cuda_launch_rest ();
  parts.now->run = trm_cuda_running;
  trm_cuda_pop ();
  parts.now = NULL;
}

/* The part fails: nothing of it is under way any more.  */
static void
drop_part (void *of)
{
  part *p = of;
  trm_cuda_unstage (false);
  if (p->run.code && !trm_cuda.sticky)
    trm_cuda_calm_down ();
  trm_cuda_settle (false, p->run.launched);
}

/* All parts fail, and the CPU's version is next.  */
static void
give_up (void)
{
  trm_cuda_why why = trm_cuda.why;
  char words[sizeof trm_cuda.words];
  memcpy (words, trm_cuda.words, sizeof words);
  for (intptr_t i = 0; i < parts.n; i++)
    as_run (&parts.part[i], drop_part, &parts.part[i]);
  if (trm_cuda.sticky)
    {
      trm_cuda_lose_devices ();
      trm_cuda_end_use (TRM_CUDA_ENDED);
    }
  trm_cuda_forget_fault ();
  for (intptr_t i = 0; i < trm_cuda_running.n; i++)
    if (parts.whole[i].base && parts.whole[i].bytes > 0)
      trm_cuda_to_host_all (parts.whole[i].base, parts.whole[i].bytes,
                            parts.whole[i].use, "the region runs on the CPU");
  trm_cuda_fell (trm_cuda_running.site, why, words);
}

/* End the run under way.  */
static void
leave (void)
{
  parts.n = 0;
  trm_cuda_site = NULL;
  trm_cuda_unlock ();
}

/* Begin the run in parts, as trm_cuda_begin_parts says; how many there are.  */
static intptr_t
begin_shared (trm_cuda_unit *unit, trm_site *site, trm_cuda_array *array,
              intptr_t n, intptr_t devices, const trm_cuda_cost *cost)
{
  parts.n = devices;
  parts.now = NULL;
  parts.whole = &array[devices * n];
  trm_cuda_site = site;
  trm_cuda_forget_fault ();
  trm_cuda_running
    = (trm_cuda_run){ .site = site, .array = parts.whole, .n = n };
  for (intptr_t i = 0; i < devices; i++)
    {
      parts.part[i].gpu = &trm_cuda_gpus[i];
      parts.part[i].run = trm_cuda_running;
      parts.part[i].run.array = &array[i * n];
    }
  if (trm_cuda_is_wanted (unit, cost) && start_parts (unit))
    return devices;
  give_up ();
  leave ();
  return 0;
}

intptr_t
trm_cuda_begin_parts (trm_cuda_unit *unit, trm_site *site,
                      trm_cuda_array *array, intptr_t n, intptr_t devices,
                      const trm_cuda_cost *cost)
{
  if (!trm_cuda_off ())
    {
      trm_cuda_lock ();
      if (may_share (array, n, devices))
        return begin_shared (unit, site, array, n, devices, cost);
      trm_cuda_unlock ();
    }
  return trm_cuda_begin (unit, site, &array[devices * n], n, cost) ? 1 : 0;
}

void
trm_cuda_part (intptr_t number)
{
  if (parts.n == 0)
    return;
  leave_part ();
  parts.now = &parts.part[number];
  trm_cuda_here = parts.now->gpu;
  trm_cuda_push ();
  trm_cuda_running = parts.now->run;
}

/* Wait for the part's kernels.  */
static void
await (void *of)
{
  part *p = of;
  p->fine = TRM_CALL (NOT_RUN, StreamSynchronize, trm_cuda_here->work);
}

/* Copy out of the part what is staged.  */
static void
stage (void *of)
{
  part *p = of;
  p->fine = trm_cuda_copy_out (true);
}

/* Copy out the rest of it.  */
static void
copy_out (void *of)
{
  part *p = of;
  p->fine = trm_cuda_copy_out (false);
}

/* All parts have ended well.  */
static void
finish (void *of)
{
  part *p = of;
  trm_cuda_unstage (true);
  trm_cuda_all_ended ();
  trm_cuda_settle (true, true);
  p->fine = true;
}

/* Do WHAT with each part, until one fails.  */
static bool
each_part (void (*what) (void *of))
{
  bool fine = !trm_cuda.why;
  for (intptr_t i = 0; i < parts.n && fine; i++)
    {
      as_run (&parts.part[i], what, &parts.part[i]);
      fine = parts.part[i].fine;
    }
  return fine;
}

int
trm_cuda_end_parts (void)
{
  if (parts.n == 0)
    return trm_cuda_end (&trm_cuda_running);
  leave_part ();
  bool fine = each_part (await) && each_part (stage) && each_part (copy_out)
              && each_part (finish);
  if (fine)
    trm_cuda_ran (trm_cuda_running.site);
  else
    give_up ();
  leave ();
  return fine;
}

intptr_t
trm_cuda_devices (void)
{
  bool some = trm_cuda_wished () == TRM_CUDA_ALWAYS;
  for (int i = 0; i < TRM_CUDA_MOST; i++)
    some |= trm_cuda_gpus[i].is_on;
  int n = some && trm_mode_get () == TRM_MODE_FUSED ? trm_devices () : 1;
  return n ? n : 1;
}
