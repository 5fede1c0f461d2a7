/* Counting, from start to stop, and what is written of it.

   What happens at a call is in profile-call.c, where the counts stand in
   profile-thread.c, how they are put together in profile-gather.c.  */

#include "tensor.h"

#include "profile.h"

#include <stdlib.h>
#include <string.h>

/* What is asked for: of the environment, or of trm_profile_ask.  */
static trm_wish wish;

bool
trm_profile_on (void)
{
  return trm_share_is_on ();
}

bool
trm_profile_shapes (void)
{
  return wish.shapes;
}

/* Record from here on what is asked for besides times, when ON.  */
static void
record (bool on)
{
  int what = 0;
  if (on && (wish.asked[TRM_TRACE] || wish.asked[TRM_HTML]))
    what |= TRM_RECORD_EVENTS;
  if (on && wish.sample)
    what |= TRM_RECORD_SAMPLES;
  if (on && wish.memory)
    {
      trm_holders_prepare ();
      what |= TRM_RECORD_HOLDERS;
    }
  if (on && wish.ranges && trm_tools_open ())
    what |= TRM_RECORD_RANGES;
  if (on && wish.counters)
    trm_counters_open ();
  if (on && wish.counters && !trm_counters_refused ())
    what |= TRM_RECORD_COUNTERS;
  __atomic_store_n (&trm_recording, what, __ATOMIC_RELAXED);
  __atomic_store_n (&trm_memory_watched, on ? wish.memory ? 2 : 1 : 0,
                    __ATOMIC_RELAXED);
  trm_sample_run (on && wish.sample);
}

/* Begin to count, from nothing.  */
static void
begin (void)
{
  trm_clock_start ();
  trm_call_prepare (trm_clock_tick ());
  trm_memory_clear ();
  trm_sample_clear ();
  trm_share_run (true, true);
  record (true);
}

void
trm_profile_begin (void)
{
  wish = trm_env ()->profile;
  wish.ranges |= trm_tools_named ();
  if (trm_wish_writes (&wish) || wish.ranges)
    begin ();
}

/* Set what the compiler counted of every site to nothing.  */
static void
clear_sites (void)
{
  for (trm_site *s = trm_sites (); s; s = s->next)
    {
      s->calls = s->ns = s->fallbacks = 0;
      s->flops = s->bytes = 0;
    }
  trm_sizes_clear ();
}

void
trm_profile_reset (void)
{
  trm_mode_get ();
  trm_memory_clear ();
  trm_sample_clear ();
  clear_sites ();
  trm_share_run (trm_share_is_on (), true);
}

void
trm_profile_start (void)
{
  trm_mode_get ();
  clear_sites ();
  begin ();
  trm_sites_update ();
}

void
trm_profile_stop (void)
{
  trm_mode_get ();
  record (false);
  trm_share_run (false, false);
  trm_sites_update ();
}

/* Give each site its sums of P.  */
static void
publish (const trm_profile *p)
{
  for (trm_site *s = trm_sites (); s; s = s->next)
    s->calls = s->ns = 0;
  for (int i = 0; i < p->n; i++)
    {
      p->row[i].site->calls = p->row[i].calls;
      p->row[i].site->ns = (int64_t) p->row[i].total;
    }
}

void
trm_profile_sum_calls (void)
{
  trm_wish plain = { .by = TRM_BY_REGION };
  trm_profile p = trm_profile_take (&plain);
  publish (&p);
  trm_profile_free (&p);
}

void
trm_profile_print (FILE *file)
{
  trm_wish table = wish;
  trm_clock_start ();
  table.peaks = false;
  trm_profile p = trm_profile_take (&table);
  trm_profile_table (file, &p, &table);
  trm_profile_free (&p);
}

/* Write OUTPUT of P to FILE.  */
static void
write_output (trm_output output, FILE *file, const trm_profile *p,
              const trm_wish *asked)
{
  switch (output)
    {
    case TRM_TABLE:
      trm_profile_table (file, p, asked);
      break;
    case TRM_JSON:
      trm_profile_json (file, p, false);
      break;
    case TRM_TRACE:
      trm_profile_trace (file, p);
      break;
    case TRM_HTML:
      trm_profile_html (file, p);
      break;
    case TRM_DOT:
      trm_profile_dot (file, p);
      break;
    case TRM_MEMORY:
      trm_profile_held (file, p);
      break;
    case TRM_TRANSFERS:
      trm_cuda_ledger (file);
      break;
    default:
      trm_profile_samples (file, p);
    }
}

/* Write all that ASKED asks for; the name of the first file that could not be
   written, or NULL.  */
static const char *
write_all (const trm_wish *asked)
{
  const char *failed = NULL;
  trm_profile p = trm_profile_take (asked);
  for (int i = 0; i < TRM_OUTPUTS; i++)
    {
      const char *name = asked->file[i];
      FILE *file = asked->asked[i] ? name ? fopen (name, "w") : stderr : NULL;
      if (file)
        write_output ((trm_output) i, file, &p, asked);
      bool written = file && !ferror (file);
      if (file && file != stderr)
        written = fclose (file) == 0 && written;
      if (asked->asked[i] && !written && name)
        failed = failed ? failed : name;
    }
  trm_profile_free (&p);
  return failed;
}

/* Read WHAT into *ASKED for FUNCTION.  */
static trm_status
read_asked (const char *what, trm_wish *asked, const char *function)
{
  if (!what)
    return trm_fail (TRM_BAD_ARGUMENT, "%s: nothing is asked for", function);
  if (trm_wish_read (what, asked))
    return TRM_OK;
  trm_wish_free (asked);
  return trm_fail (TRM_BAD_ARGUMENT, "%s: '%s' is not known", function,
                   asked->unknown);
}

trm_status
trm_profile_ask (const char *what)
{
  static bool is_ours;
  trm_wish next;
  trm_status status = read_asked (what, &next, "profile_ask");
  if (status != TRM_OK)
    return status;
  trm_mode_get ();
  bool had_shapes = wish.shapes;
  if (is_ours)
    trm_wish_free (&wish);
  is_ours = true;
  wish = next;
  trm_finish_at_exit ();
  if (trm_profile_on ())
    record (true);
  if (trm_profile_on () && wish.shapes != had_shapes)
    trm_sites_update ();
  return TRM_OK;
}

trm_status
trm_profile_write (const char *what)
{
  trm_wish asked;
  trm_status status = read_asked (what, &asked, "profile_write");
  if (status != TRM_OK)
    return status;
  trm_mode_get ();
  trm_clock_start ();
  const char *failed = write_all (&asked);
  if (failed)
    status = trm_fail (TRM_NO_FILE, "profile_write: cannot write %s", failed);
  trm_wish_free (&asked);
  return status;
}

void
trm_profile_finish (void)
{
  if (!trm_wish_writes (&wish))
    return;
  record (false);
  const char *failed = write_all (&wish);
  if (failed)
    fprintf (stderr, "tensor: cannot write %s\n", failed);
}
