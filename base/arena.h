/* Memory that dies together.

   Everything made while one region is compiled lives in one arena: nobody
   frees a node, and tns_arena_free ends it all.  The caller gives the
   allocator, so that a test can count, limit and fail it.  */

#ifndef TNS_BASE_ARENA_H
#define TNS_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

typedef struct tns_arena tns_arena;

/* Where an arena gets its blocks.

   get    returns BYTES bytes aligned for any type, or NULL
   put    gives back what get returned
   self   handed to both  */
typedef struct tns_allocator
{
  void *(*get) (void *self, size_t bytes);
  void (*put) (void *self, void *block);
  void *self;
} tns_allocator;

/* An allocator over malloc and free.  */
extern tns_allocator tns_allocator_malloc (void);

/* Called when memory is gone; must not return (longjmp).  Without one the
   arena returns NULL from tns_arena_get.  */
typedef void (*tns_no_memory) (void *self);

/* Make an empty arena.  NULL when the allocator gives no memory.  */
extern tns_arena *tns_arena_new (tns_allocator allocator);

/* Free ARENA and all that came from it.  NULL is allowed.  */
extern void tns_arena_free (tns_arena *arena);

/* Call HANDLER (SELF) instead of returning NULL when memory is gone.  */
extern void tns_arena_on_no_memory (tns_arena *arena, tns_no_memory handler,
                                    void *self);

/* BYTES zeroed bytes, aligned to 16.  */
extern void *tns_arena_get (tns_arena *arena, size_t bytes);

/* A copy of OLD[0..OLD_BYTES) at the head of NEW_BYTES zeroed bytes.  */
extern void *tns_arena_grow (tns_arena *arena, const void *old,
                             size_t old_bytes, size_t new_bytes);

/* Copies of strings, owned by ARENA.  */
extern char *tns_arena_string (tns_arena *arena, const char *string);
extern char *tns_arena_format (tns_arena *arena, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));
extern char *tns_arena_vformat (tns_arena *arena, const char *format,
                                va_list args);

/* One zeroed TYPE, or an array of N of them.  */
#define TNS_NEW(arena, type) ((type *) tns_arena_get (arena, sizeof (type)))
#define TNS_NEW_ARRAY(arena, type, n)                                          \
  ((type *) tns_arena_get (arena, sizeof (type) * (size_t) (n)))

#endif
