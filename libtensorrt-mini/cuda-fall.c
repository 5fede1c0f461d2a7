/* Which regions ran on the device; which ran on the CPU though they have a
   version for the device, and why: a record for each region and reason, counted
   without a lock, since a region that is too small may be called from any
   thread at any rate.  */

#include "cuda.h"

#include <stdlib.h>
#include <string.h>

#define BUCKETS 256

typedef struct record
{
  const trm_site *site;
  trm_cuda_why why;
  int64_t times;
  int64_t ns;
  char words[160];
  struct record *next;
} record;

static record *bucket[BUCKETS];

static const char *const reason[] = {
  "",
#define TRM_CUDA_WHY(NAME, WORDS) WORDS,
#include "cuda-why.def"
#undef TRM_CUDA_WHY
};

/* Where the records of SITE begin.  */
static record **
bucket_of (const trm_site *site)
{
  return &bucket[(uintptr_t) site / 32 % BUCKETS];
}

/* The record of SITE and WHY from R on, before END.  */
static record *
find_record (record *r, const record *end, const trm_site *site,
             trm_cuda_why why)
{
  while (r != end && (r->site != site || r->why != why))
    r = r->next;
  return r != end ? r : NULL;
}

/* Put a record of SITE and WHY, with WORDS, before FIRST in its bucket, unless
   another thread was faster.  Gives the one that is there; NULL without
   memory.  */
static record *
add_record (record *first, const trm_site *site, trm_cuda_why why,
            const char *words)
{
  record **head = bucket_of (site), *other, *seen = first;
  record *r = calloc (1, sizeof *r);
  if (!r)
    return NULL;
  r->site = site;
  r->why = why;
  snprintf (r->words, sizeof r->words, "%s", words);
  r->next = first;
  while (!__atomic_compare_exchange_n (head, &r->next, r, false,
                                       __ATOMIC_RELEASE, __ATOMIC_ACQUIRE))
    {
      other = find_record (r->next, seen, site, why);
      if (other)
        {
          free (r);
          return other;
        }
      seen = r->next;
    }
  return r;
}

/* The record of SITE and WHY, with WORDS, which may be new; NULL without
   memory.  */
static record *
record_of (const trm_site *site, trm_cuda_why why, const char *words)
{
  record *first = __atomic_load_n (bucket_of (site), __ATOMIC_ACQUIRE);
  record *r = find_record (first, NULL, site, why);
  return r ? r : add_record (first, site, why, words);
}

/* Count a run of SITE; WHY and WORDS as above.  */
static void
count_run (const trm_site *site, trm_cuda_why why, const char *words)
{
  record *r = record_of (site, why, words);
  if (r)
    __atomic_fetch_add (&r->times, 1, __ATOMIC_RELAXED);
}

void *
trm_cuda_fell (const trm_site *site, trm_cuda_why why, const char *words)
{
  count_run (site, why, words);
  return NULL;
}

void
trm_cuda_ran (const trm_site *site)
{
  count_run (site, TRM_CUDA_FINE, "");
}

void
trm_cuda_took (const trm_site *site, int64_t ns)
{
  record *r = record_of (site, TRM_CUDA_FINE, "");
  if (r)
    __atomic_fetch_add (&r->ns, ns, __ATOMIC_RELAXED);
}

int64_t
trm_cuda_falls (const trm_site *site, trm_cuda_why why)
{
  record *first = __atomic_load_n (bucket_of (site), __ATOMIC_ACQUIRE);
  record *r = find_record (first, NULL, site, why);
  return r ? __atomic_load_n (&r->times, __ATOMIC_RELAXED) : 0;
}

/* Where and why the runs of R were.  */
static void
print_record (FILE *file, const record *r)
{
  int64_t ns = __atomic_load_n (&r->ns, __ATOMIC_RELAXED);
  if (r->site)
    fprintf (file, "%s:%d: ", r->site->file, (int) r->site->line);
  fprintf (file, "tensor: '%s' ran on the %s %lld times",
           r->site ? r->site->name : "?", r->why ? "CPU" : "device",
           (long long) __atomic_load_n (&r->times, __ATOMIC_RELAXED));
  if (r->why)
    fprintf (file, ": %s%s%s", reason[r->why], *r->words ? ": " : "", r->words);
  if (ns)
    fprintf (file, ", kernels %.3f ms", (double) ns / 1e6);
  if (ns && r->site && r->site->bytes > 0)
    fprintf (file, ", %.1f GB/s, %.0f %% of what its memory gives",
             r->site->bytes / (double) ns,
             100 * r->site->bytes / (double) ns
               / trm_cuda_machine_of (trm_cuda_here->name).bytes);
  fputc ('\n', file);
}

void
trm_cuda_falls_print (FILE *file)
{
  for (int i = 0; i < BUCKETS; i++)
    for (const record *r = __atomic_load_n (&bucket[i], __ATOMIC_ACQUIRE); r;
         r = r->next)
      print_record (file, r);
}

void
trm_cuda_lost (const char *name, intptr_t bytes)
{
  fprintf (stderr,
           "tensor: '%s' (%lld bytes) was on a CUDA device alone, which "
           "failed: %s\n",
           name ? name : "?", (long long) bytes, trm_cuda.words);
  abort ();
}

void
trm_cuda_stuck (const trm_site *site)
{
  fprintf (stderr,
           "tensor: '%s' failed on a CUDA device and cannot be done again: "
           "%s\n",
           site ? site->name : "?", trm_cuda.words);
  abort ();
}
