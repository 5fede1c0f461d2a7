/* malloc and its kin for a test whose allocations fail: the one after COUNTDOWN
   more, or none while that is 0; LIVE blocks were not freed.  A test program
   that includes this has them instead of the C library's; where they cannot be
   replaced CAN_FAIL is 0.  */

#ifndef TRM_FAILING_H
#define TRM_FAILING_H

#include <stdbool.h>
#include <stdlib.h>

static long countdown, live;

#if defined __GLIBC__ && !defined __SANITIZE_ADDRESS__                         \
  && !defined __SANITIZE_THREAD__
#  define CAN_FAIL 1

extern void *__libc_malloc (size_t bytes);
extern void *__libc_calloc (size_t n, size_t bytes);
extern void *__libc_realloc (void *block, size_t bytes);
extern void *__libc_memalign (size_t border, size_t bytes);
extern void __libc_free (void *block);

/* Whether this allocation is the one to fail.  */
static bool
fails (void)
{
  return __atomic_load_n (&countdown, __ATOMIC_RELAXED) > 0
         && __atomic_sub_fetch (&countdown, 1, __ATOMIC_RELAXED) == 0;
}

/* BLOCK, counted.  */
static void *
counted (void *block)
{
  __atomic_add_fetch (&live, block != NULL, __ATOMIC_RELAXED);
  return block;
}

void *
malloc (size_t bytes)
{
  return fails () ? NULL : counted (__libc_malloc (bytes));
}

void *
calloc (size_t n, size_t bytes)
{
  return fails () ? NULL : counted (__libc_calloc (n, bytes));
}

void *
realloc (void *block, size_t bytes)
{
  if (fails ())
    return NULL;
  void *moved = __libc_realloc (block, bytes);
  __atomic_add_fetch (&live, !block && moved, __ATOMIC_RELAXED);
  return moved;
}

void *
aligned_alloc (size_t border, size_t bytes)
{
  return fails () ? NULL : __libc_memalign (border, bytes);
}

void
free (void *block)
{
  __atomic_sub_fetch (&live, block != NULL, __ATOMIC_RELAXED);
  __libc_free (block);
}

#else
#  define CAN_FAIL 0
#endif

#endif
