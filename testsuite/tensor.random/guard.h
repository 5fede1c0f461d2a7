/* Memory between pages that nobody may touch, for random programs.

   A program is built twice.  One, with -DGUARD=0, is plain but for the calls of
   -fsanitize=thread at its accesses, which are below; it writes into GUARD_FILE
   for each call of a kernel and each kind of memory

     LEAST PAST WRITTEN      the bytes from LEAST to below PAST were accessed

   The other, with -DGUARD=1 and the plugin, copies these bytes, and no others,
   to where the page behind the last one cannot be accessed (with GUARD=before
   in the environment, the page before the first one), has the kernel work
   there, and copies them back.  What is only read is in pages that cannot be
   written.  A kernel that touches what the plain one does not touch dies of
   that or changes the bytes beside.  */

#ifndef TNS_TESTSUITE_GUARD_H
#define TNS_TESTSUITE_GUARD_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum
{
  GUARD_PAGE = 4096,
  GUARD_FILLED = 0x5a
};

/* Memory of one kind: BYTES of elements of SIZE; kernels find it where the
   pointer that AT points to says.
   area, room  what stands for it between guards, a whole number of pages
   least, past, is_written  what the call at hand accesses  */
struct guarded
{
  char *memory;
  size_t bytes;
  size_t size;
  void *at;
  char *area;
  size_t room;
  size_t least;
  size_t past;
  bool is_written;
};

static struct guarded *guarded;
static int n_guarded;
static FILE *guard_file;

#if GUARD == 0

#  define UNSEEN __attribute__ ((no_sanitize_thread))

static bool is_guarded;

/* N bytes at P are accessed.  */
static UNSEEN void
guard_touch (const void *p, size_t n, bool is_written)
{
  for (int k = 0; is_guarded && k < n_guarded; k++)
    {
      struct guarded *g = &guarded[k];
      size_t first = (const char *) p - g->memory;
      if (first >= g->bytes)
        continue;
      g->least = first < g->least ? first : g->least;
      g->past = first + n > g->past ? first + n : g->past;
      g->is_written |= is_written;
    }
}

#  define SEEN(name, n, is_written)                                            \
    UNSEEN void __tsan_##name (void *p);                                       \
    UNSEEN void __tsan_##name (void *p)                                        \
    {                                                                          \
      guard_touch (p, n, is_written);                                          \
    }
#  define READ(name, n)  SEEN (name, n, false)
#  define WRITE(name, n) SEEN (name, n, true)
#  define SEEN_OF(n)                                                           \
    READ (read##n, n)                                                          \
    READ (unaligned_read##n, n)                                                \
    WRITE (write##n, n)                                                        \
    WRITE (unaligned_write##n, n)
SEEN_OF (1)
SEEN_OF (2)
SEEN_OF (4)
SEEN_OF (8)
SEEN_OF (16)

UNSEEN void
__tsan_read_range (void *p, unsigned long n)
{
  guard_touch (p, n, false);
}

UNSEEN void
__tsan_write_range (void *p, unsigned long n)
{
  guard_touch (p, n, true);
}

UNSEEN void
__tsan_func_entry (void *caller)
{
  (void) caller;
}

UNSEEN void
__tsan_func_exit (void)
{
}

UNSEEN void
__tsan_init (void)
{
}

static UNSEEN void
guard_begin (void)
{
  for (int k = 0; k < n_guarded; k++)
    {
      guarded[k].least = guarded[k].bytes;
      guarded[k].past = 0;
      guarded[k].is_written = false;
    }
  is_guarded = true;
}

static UNSEEN void
guard_end (void)
{
  is_guarded = false;
  for (int k = 0; k < n_guarded; k++)
    {
      struct guarded *g = &guarded[k];
      if (!guard_file)
        guard_file = fopen (GUARD_FILE, "w");
      fprintf (guard_file, "%zu %zu %d\n", g->least / g->size * g->size,
               (g->past + g->size - 1) / g->size * g->size, g->is_written);
    }
  fflush (guard_file);
}

#else

/* Pages for G between two that cannot be accessed.  */
static void
guard_map (struct guarded *g)
{
  g->room = (g->bytes + GUARD_PAGE - 1) / GUARD_PAGE * GUARD_PAGE;
  g->area = mmap (NULL, g->room + 2 * GUARD_PAGE, PROT_NONE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (g->area == MAP_FAILED)
    exit (3);
  g->area += GUARD_PAGE;
}

/* Where the bytes of G that are accessed begin in its area.  */
static char *
guard_place (const struct guarded *g)
{
  const char *side = getenv ("GUARD");
  bool is_before = side && !strcmp (side, "before");
  return is_before ? g->area : g->area + g->room - (g->past - g->least);
}

static void
guard_begin (void)
{
  if (!guard_file)
    guard_file = fopen (GUARD_FILE, "r");
  for (int k = 0; k < n_guarded; k++)
    {
      struct guarded *g = &guarded[k];
      if (!g->area)
        guard_map (g);
      int is_written;
      if (fscanf (guard_file, "%zu %zu %d", &g->least, &g->past, &is_written)
          != 3)
        exit (4);
      g->is_written = is_written;
      if (g->past < g->least)
        g->past = g->least;
      char *place = guard_place (g);
      char *at = place - g->least;
      memcpy (g->at, &at, sizeof at);
      if (g->past == g->least)
        continue;
      mprotect (g->area, g->room, PROT_READ | PROT_WRITE);
      memset (g->area, GUARD_FILLED, g->room);
      memcpy (place, g->memory + g->least, g->past - g->least);
      if (!g->is_written)
        mprotect (g->area, g->room, PROT_READ);
    }
}

/* The bytes of G's area that are not accessed are as they were.  */
static bool
guard_holds (const struct guarded *g)
{
  const char *from = guard_place (g), *to = from + (g->past - g->least);
  for (const char *p = g->area; p < g->area + g->room; p++)
    if ((p < from || p >= to) && *p != GUARD_FILLED)
      return false;
  return true;
}

static void
guard_end (void)
{
  for (int k = 0; k < n_guarded; k++)
    {
      struct guarded *g = &guarded[k];
      if (g->past == g->least)
        continue;
      if (!guard_holds (g))
        printf ("memory %d beside what is accessed changed\n", k);
      memcpy (g->memory + g->least, guard_place (g), g->past - g->least);
      mprotect (g->area, g->room, PROT_NONE);
    }
}

#endif
#endif
