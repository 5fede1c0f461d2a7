/* Who holds the memory: each place of the program that allocates tensors, and
   each region with temporaries.

     origin -- found by a hash of its addresses --> holder
     block of memory -- remembers its holder, until it is given back

   What a holder had when all memory was at its most is not copied for all at
   each new peak, but kept for one when it changes for the first time behind
   one.

   TRM_HOLDERS of them; later ones share the last.  A block remembers also when
   counts began: one from before is not taken away.  All but trm_origin_find and
   trm_holders_prepare is called under trm_threads_lock.  */

#define _GNU_SOURCE

#include "profile.h"

#include <execinfo.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS  (2 * TRM_HOLDERS)
#define DEEP   32
#define OURS   2
#define INDEX  10
#define SHARED (TRM_MOMENTS / TRM_STRETCHES)

_Static_assert(TRM_HOLDERS <= 1 << INDEX, "a block's word has an index");

static trm_holder *holder;
static int n;
static int16_t slot[SLOTS];
static int32_t generation;
static int64_t peaks;

/* Where this library lies when it is a shared object: addresses in it are left
   out.  */
static uintptr_t library;
static uintptr_t library_bytes;

/* Whether INFO is of this library: then its extent is kept.  */
static int
is_library (struct dl_phdr_info *info, size_t bytes, void *argument)
{
  uintptr_t here = (uintptr_t) &trm_recording, end = 0;
  bool is = false;
  (void) bytes;
  (void) argument;
  for (int i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *segment = &info->dlpi_phdr[i];
      if (segment->p_type != PT_LOAD)
        continue;
      uintptr_t at = segment->p_vaddr, size = segment->p_memsz;
      is |= here - info->dlpi_addr - at < size;
      end = at + size > end ? at + size : end;
    }
  if (is && *info->dlpi_name)
    {
      library = info->dlpi_addr;
      library_bytes = end;
    }
  return is;
}

void
trm_holders_prepare (void)
{
  void *first[1];
  backtrace (first, 1);
  trm_threads_lock ();
  if (!holder)
    holder = calloc (TRM_HOLDERS, sizeof *holder);
  dl_iterate_phdr (is_library, NULL);
  trm_threads_unlock ();
}

void
trm_holders_clear (void)
{
  n = 0;
  peaks = 0;
  generation = (generation + 1) & (INT32_MAX >> INDEX);
  memset (slot, 0, sizeof slot);
}

void
trm_origin_find (trm_origin *origin, trm_site *site)
{
  void *at[DEEP];
  *origin = (trm_origin){ .site = NULL };
  if (site && !(site->flags & (TRM_SITE_RANGE | TRM_SITE_OWN)))
    {
      origin->site = site;
      return;
    }
  int deep = backtrace (at, DEEP), k = 0;
  int most = library_bytes ? 1 : TRM_CALLERS;
  for (int i = OURS; i < deep && k < most; i++)
    if ((uintptr_t) at[i] - library >= library_bytes)
      origin->caller[k++] = (char *) at[i] - 1;
}

/* The slot of ORIGIN: its holder's, or an empty one.  */
static int16_t *
find_slot (const trm_origin *origin)
{
  uint64_t hash = (uintptr_t) origin->site >> 4;
  for (int i = 0; i < TRM_CALLERS; i++)
    hash = (hash + (uintptr_t) origin->caller[i]) * 0x9e3779b97f4a7c15u;
  for (unsigned i = (unsigned) (hash >> 40);; i++)
    {
      int16_t *s = &slot[i % SLOTS];
      if (!*s || !memcmp (&holder[*s - 1].origin, origin, sizeof *origin))
        return s;
    }
}

/* The index of ORIGIN's holder, perhaps a new one.  */
static int
find_holder (const trm_origin *origin)
{
  int16_t *s = find_slot (origin);
  if (*s)
    return *s - 1;
  if (n == TRM_HOLDERS - 1)
    {
      holder[n++] = (trm_holder){ .peak = peaks };
      return TRM_HOLDERS - 1;
    }
  if (n == TRM_HOLDERS)
    return TRM_HOLDERS - 1;
  holder[n++] = (trm_holder){ .origin = *origin, .peak = peaks };
  *s = (int16_t) n;
  return n - 1;
}

/* H's stretches up to number LAST have what it holds.  */
static void
fill (trm_holder *h, int last)
{
  while (h->last < last && h->last < TRM_STRETCHES - 1)
    h->bytes[++h->last] = h->held;
}

/* H holds BYTES more in moment I.  */
static void
change (trm_holder *h, int64_t bytes, int i)
{
  if (h->peak != peaks)
    {
      h->at_peak = h->held;
      h->peak = peaks;
    }
  fill (h, i / SHARED);
  h->held += bytes;
  if (h->held > h->bytes[h->last])
    h->bytes[h->last] = h->held;
}

int32_t
trm_holder_add (const trm_origin *origin, int64_t bytes, int i)
{
  if (!holder)
    return 0;
  int k = find_holder (origin);
  change (&holder[k], bytes, i);
  holder[k].allocated += bytes;
  holder[k].allocations++;
  return generation << INDEX | k;
}

bool
trm_holder_take_away (int32_t word, int64_t bytes, int i)
{
  int k = word & ((1 << INDEX) - 1);
  if (!word || word >> INDEX != generation || k >= n)
    return false;
  change (&holder[k], -bytes, i);
  return true;
}

void
trm_holders_peak (void)
{
  peaks++;
}

void
trm_holders_halve (void)
{
  for (int k = 0; k < n; k++)
    {
      trm_holder *h = &holder[k];
      for (int i = 0; i <= h->last / 2; i++)
        {
          int64_t a = h->bytes[2 * i];
          int64_t b = 2 * i < h->last ? h->bytes[2 * i + 1] : 0;
          h->bytes[i] = a > b ? a : b;
        }
      h->last /= 2;
    }
}

int
trm_holders_copy (trm_holder *copy, int last)
{
  for (int k = 0; copy && k < n; k++)
    {
      fill (&holder[k], last / SHARED);
      copy[k] = holder[k];
      if (copy[k].peak != peaks)
        copy[k].at_peak = copy[k].held;
    }
  return copy ? n : 0;
}
