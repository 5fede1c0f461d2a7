/* Memory that dies together: a chain of blocks, the newest first.

   A request is cut from the head block; when it does not fit, a new block
   of at least BLOCK_BYTES is put in front.  */

#include "base/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES 65536
#define ALIGNMENT   16

typedef struct block
{
  struct block *next;
  size_t used;
  size_t bytes;
} block;

#define BLOCK_HEAD ((sizeof (block) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT)

struct tns_arena
{
  tns_allocator allocator;
  tns_no_memory no_memory;
  void *no_memory_self;
  block *head;
};

/* The get of tns_allocator_malloc.  */
static void *
malloc_get (void *self, size_t bytes)
{
  (void) self;
  return malloc (bytes);
}

/* The put of tns_allocator_malloc.  */
static void
malloc_put (void *self, void *memory)
{
  (void) self;
  free (memory);
}

tns_allocator
tns_allocator_malloc (void)
{
  return (tns_allocator){ malloc_get, malloc_put, NULL };
}

tns_arena *
tns_arena_new (tns_allocator allocator)
{
  tns_arena *arena = allocator.get (allocator.self, sizeof *arena);
  if (!arena)
    return NULL;
  memset (arena, 0, sizeof *arena);
  arena->allocator = allocator;
  return arena;
}

void
tns_arena_free (tns_arena *arena)
{
  if (!arena)
    return;
  tns_allocator allocator = arena->allocator;
  for (block *b = arena->head; b;)
    {
      block *next = b->next;
      allocator.put (allocator.self, b);
      b = next;
    }
  allocator.put (allocator.self, arena);
}

void
tns_arena_on_no_memory (tns_arena *arena, tns_no_memory handler, void *self)
{
  arena->no_memory = handler;
  arena->no_memory_self = self;
}

/* Put a block with room for BYTES in front; false when there is none.  */
static int
add_block (tns_arena *arena, size_t bytes)
{
  size_t room = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
  block *b = arena->allocator.get (arena->allocator.self, BLOCK_HEAD + room);
  if (!b)
    return 0;
  *b = (block){ arena->head, 0, room };
  arena->head = b;
  return 1;
}

void *
tns_arena_get (tns_arena *arena, size_t bytes)
{
  bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  block *b = arena->head;
  if ((!b || b->bytes - b->used < bytes) && !add_block (arena, bytes))
    {
      if (arena->no_memory)
        arena->no_memory (arena->no_memory_self);
      return NULL;
    }
  b = arena->head;
  void *memory = (char *) b + BLOCK_HEAD + b->used;
  b->used += bytes;
  return memset (memory, 0, bytes);
}

void *
tns_arena_grow (tns_arena *arena, const void *old, size_t old_bytes,
                size_t new_bytes)
{
  void *memory = tns_arena_get (arena, new_bytes);
  if (memory && old_bytes)
    memcpy (memory, old, old_bytes);
  return memory;
}

char *
tns_arena_string (tns_arena *arena, const char *string)
{
  size_t bytes = strlen (string) + 1;
  char *copy = tns_arena_get (arena, bytes);
  return copy ? memcpy (copy, string, bytes) : NULL;
}

char *
tns_arena_vformat (tns_arena *arena, const char *format, va_list args)
{
  char short_text[128];
  va_list again;
  va_copy (again, args);
  int length = vsnprintf (short_text, sizeof short_text, format, again);
  va_end (again);
  size_t bytes = (size_t) length + 1;
  char *text = tns_arena_get (arena, bytes);
  if (text && bytes <= sizeof short_text)
    memcpy (text, short_text, bytes);
  else if (text)
    vsnprintf (text, bytes, format, args);
  return text;
}

char *
tns_arena_format (tns_arena *arena, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  char *text = tns_arena_vformat (arena, format, args);
  va_end (args);
  return text;
}
