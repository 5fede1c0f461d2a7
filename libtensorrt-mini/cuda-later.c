/* Runs that end before their kernels have.

     #pragma tensor data a[0:n] b[0:n]
     {
       region 1: b from a          noted; a and b are still on the host as they
       region 2: a from b          were, though the device has newer contents
       host: s += a[0]             waits: from here on the host has no more what
     }                             region 1 read, and needs it no more

   A run may do so where data blocks keep all that it touches: the host is told
   of whoever reads or changes these arrays (cuda-block.c).  The kernels of all
   runs follow each other in one stream; so nothing waits between them.

   A failure is seen by who waits, when the device has nothing to be trusted.
   Then all noted runs are done again, in their order, on the host, whose memory
   is what it was before the first of them: nobody changes an array that they
   touch without a wait in front.  What is missing there was on the device alone
   when the first of them began, and is read before it is written: that is lost,
   and the process ends with a message.

   How many runs may be noted is bounded, as is what they were given: the next
   one then ends as all others do.  So does one on another device than those
   that are noted.  */

#include "cuda.h"

#include <string.h>

#define MOST_RUNS  256
#define MOST_WORDS 4096

/* Bits of an entry's later beside TRM_CUDA_WRITE: it is touched; the contents
   before the first noted run are needed.  */
#define TOUCHED 1024
#define NEEDED  2048

/* Its site, and what does it again with the words from FIRST on.  */
typedef struct noted
{
  const trm_site *site;
  trm_cuda_again *again;
  intptr_t first;
} noted;

static noted runs[MOST_RUNS];
static int64_t words[MOST_WORDS];
static intptr_t n_runs, n_words;
static trm_cuda_gpu *noted_on;

/* Whether data blocks keep all that the run under way touches on the host, and
   memory of the device alone goes in the order of streams.  */
static bool
is_kept (void)
{
  for (const trm_cuda_entry *e = trm_cuda_entries (); e; e = e->next)
    if (e->use && !e->scopes && (e->base || !trm_cuda_here->pool))
      return false;
  return true;
}

/* Note what the run under way does to E.  */
static void
note_entry (trm_cuda_entry *e)
{
  bool needs = trm_cuda_needs_contents (e);
  if (!e->later)
    {
      e->good = e->state;
      e->later = TOUCHED | (needs ? NEEDED : 0);
    }
  e->later |= e->use & TRM_CUDA_WRITE;
}

bool
trm_cuda_note (const trm_site *site, trm_cuda_again *again, const void *args,
               intptr_t bytes)
{
  intptr_t n = (bytes + 7) / 8;
  if (!again || n_runs == MOST_RUNS || n > MOST_WORDS - n_words
      || trm_mode_get () != TRM_MODE_FUSED || !is_kept ()
      || (n_runs > 0 && noted_on != trm_cuda_here))
    return false;
  noted_on = trm_cuda_here;
  for (trm_cuda_entry *e = trm_cuda_entries (); e; e = e->next)
    if (e->use && e->base)
      note_entry (e);
  runs[n_runs++] = (noted){ site, again, n_words };
  memcpy (words + n_words, args, (size_t) bytes);
  n_words += n;
  return true;
}

/* Forget all runs.  */
static void
forget_runs (void)
{
  n_runs = n_words = 0;
  for (trm_cuda_entry *e = trm_cuda_entries (); e; e = e->next)
    e->later = 0;
}

void
trm_cuda_all_ended (void)
{
  trm_cuda_read_marks ();
  if (n_runs == 0 || noted_on != trm_cuda_here)
    return;
  for (intptr_t i = 0; i < n_runs; i++)
    trm_cuda_ran (runs[i].site);
  forget_runs ();
}

/* Let the host have of E what was there when the first noted run began.  What
   the device alone had may still be there, unless somebody wrote since.  */
static void
recover (trm_cuda_entry *e)
{
  bool is_written = e->later & TRM_CUDA_WRITE;
  if ((e->later & NEEDED) && e->good == TRM_CUDA_ON_DEVICE)
    {
      if (is_written || (e->use & TRM_CUDA_WRITE) || trm_cuda.sticky
          || !trm_cuda_fetch (e))
        trm_cuda_lost (e->name, e->bytes);
    }
  if (is_written)
    {
      trm_cuda_now (e, TRM_CUDA_ON_HOST);
      e->was = TRM_CUDA_ON_HOST;
    }
}

/* Do on the host what R was to do, and count that.  */
static void
do_again (const noted *r, trm_cuda_why why, const char *said)
{
  if (!r->again (words + r->first))
    trm_cuda_stuck (r->site);
  trm_cuda_fell (r->site, why, said);
}

/* Do all runs again on the host, where they were noted.  */
static void
do_all_again (void *nothing)
{
  (void) nothing;
  trm_cuda_why why = trm_cuda.why;
  char said[sizeof trm_cuda.words];
  memcpy (said, trm_cuda.words, sizeof said);
  for (trm_cuda_entry *e = trm_cuda_entries (); e; e = e->next)
    if (e->later)
      recover (e);
  if (trm_cuda.sticky)
    trm_cuda_lose_devices ();
  for (intptr_t i = 0; i < n_runs; i++)
    do_again (&runs[i], why, said);
  forget_runs ();
}

void
trm_cuda_all_again (void)
{
  trm_cuda_drop_marks ();
  if (n_runs > 0 && (trm_cuda.sticky || noted_on == trm_cuda_here))
    trm_cuda_visit (noted_on, do_all_again, NULL);
}

/* Wait for all runs where they were noted; *FINE: they have ended well.  */
static void
wait_there (void *fine)
{
  trm_cu_result result = trm_cuda.cu.StreamSynchronize (trm_cuda_here->work);
  *(bool *) fine = result == 0;
  if (!result)
    {
      trm_cuda_all_ended ();
      return;
    }
  trm_cuda_forget_fault ();
  trm_cuda_ok (TRM_CUDA_NOT_RUN, "cuStreamSynchronize", result);
  trm_cuda_all_again ();
  if (trm_cuda.sticky)
    trm_cuda_end_use (TRM_CUDA_ENDED);
}

bool
trm_cuda_wait (void)
{
  bool fine = true;
  if (n_runs > 0)
    trm_cuda_visit (noted_on, wait_there, &fine);
  return fine;
}
