/* Tensors: made, counted, kept in scopes.

   A scope is a mark in the thread's list of tensors whose first reference it
   holds:

     list    | a b | c d e |           two scopes; closing drops e, d, c
             ^ 0   ^ 2

   Without an open scope the list is empty and tensors are the caller's.

   The blocks that hold tensors are kept, by thread, when they go: a tensor of
   a few elements costs two short lists.  At the end of the thread they are
   freed.  */

#include "tensor.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define KEPT_BLOCKS 64

typedef struct trm_whole
{
  trm_tensor tensor;
  trm_own_tensor own;
} trm_whole;

/* The scopes of a thread: marks of the open ones, tensors of all.  kept: blocks
   for tensors, linked by their first word; watched: they will be freed at the
   thread's end.  */
static _Thread_local struct
{
  int n_marks, room_marks;
  int64_t *mark;
  int64_t n, room;
  trm_tensor **tensor;
  int n_kept;
  bool watched;
  void *kept;
} scopes;

static pthread_key_t thread_end;
static bool has_thread_end;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Room for one more element of BYTES bytes in *ARRAY, which has room for
   *ROOM and holds N; false when there is no memory.  */
static bool
make_room (void *array, int64_t n, int64_t *room, size_t bytes)
{
  if (n < *room)
    return true;
  int64_t more = *room ? *room * 2 : 64;
  void *grown = realloc (*(void **) array, (size_t) more * bytes);
  if (!grown)
    return false;
  *(void **) array = grown;
  *room = more;
  return true;
}

trm_status
trm_scope_open (void)
{
  int64_t room = scopes.room_marks;
  if (!make_room (&scopes.mark, scopes.n_marks, &room, sizeof *scopes.mark))
    return trm_fail (TRM_NO_MEMORY, "scope: no memory");
  scopes.room_marks = (int) room;
  scopes.mark[scopes.n_marks++] = scopes.n;
  return TRM_OK;
}

/* Free the thread's lists and blocks when no scope needs them.  */
static void
free_lists (void)
{
  free (scopes.mark);
  free (scopes.tensor);
  scopes.mark = NULL;
  scopes.tensor = NULL;
  scopes.room_marks = 0;
  scopes.room = 0;
}

void
trm_scope_close (void)
{
  if (!scopes.n_marks)
    return;
  int64_t mark = scopes.mark[--scopes.n_marks];
  while (scopes.n > mark)
    trm_drop (scopes.tensor[--scopes.n]);
  if (!scopes.n_marks)
    free_lists ();
}

int
trm_scope_depth (void)
{
  return scopes.n_marks;
}

void
trm_scope_close_to (int depth)
{
  while (scopes.n_marks > depth)
    trm_scope_close ();
}

trm_tensor *
trm_scope_give (trm_tensor *t)
{
  if (!t || !scopes.n_marks)
    return t;
  int64_t mark = scopes.mark[scopes.n_marks - 1];
  int64_t i = scopes.n - 1;
  while (i >= mark && scopes.tensor[i] != t)
    i--;
  if (i < mark)
    return t;
  memmove (scopes.tensor + mark + 1, scopes.tensor + mark,
           (size_t) (i - mark) * sizeof *scopes.tensor);
  scopes.tensor[mark] = t;
  if (scopes.n_marks > 1)
    scopes.mark[scopes.n_marks - 1]++;
  else
    {
      memmove (scopes.tensor, scopes.tensor + 1,
               (size_t) (scopes.n - 1) * sizeof *scopes.tensor);
      scopes.n--;
    }
  return t;
}

/* T's first reference becomes the innermost scope's; false without memory.  */
static bool
enter_scope (trm_tensor *t)
{
  if (!scopes.n_marks)
    return true;
  if (!make_room (&scopes.tensor, scopes.n, &scopes.room,
                  sizeof *scopes.tensor))
    return false;
  scopes.tensor[scopes.n++] = t;
  return true;
}

/* Free the thread's kept blocks.  */
static void
free_blocks (void *unused)
{
  (void) unused;
  scopes.watched = false;
  scopes.n_kept = 0;
  while (scopes.kept)
    {
      void *block = scopes.kept;
      scopes.kept = *(void **) block;
      free (block);
    }
}

/* Ask for free_blocks at the end of threads.  */
static void
make_thread_end (void)
{
  has_thread_end = pthread_key_create (&thread_end, free_blocks) == 0;
}

/* Ask for it at the end of this one; false when that cannot be.  */
static bool
watch_thread (void)
{
  if (!scopes.watched)
    {
      pthread_once (&once, make_thread_end);
      scopes.watched = __atomic_load_n (&has_thread_end, __ATOMIC_RELAXED)
                       && pthread_setspecific (thread_end, &scopes) == 0;
    }
  return scopes.watched;
}

/* The thread that ends the process, or unloads the library, has no end of its
   own before.  Behind other destructors, which may end threads.  */
__attribute__ ((destructor (101))) static void
end_process (void)
{
  free_blocks (NULL);
  if (__atomic_exchange_n (&has_thread_end, false, __ATOMIC_RELAXED))
    pthread_key_delete (thread_end);
}

/* A block for a tensor, NULL when there is none.  */
static trm_whole *
take_block (void)
{
  void *block = scopes.kept;
  if (!block)
    return malloc (sizeof (trm_whole));
  scopes.kept = *(void **) block;
  scopes.n_kept--;
  return block;
}

/* BLOCK holds no tensor any more.  */
static void
give_block (trm_whole *block)
{
  if (scopes.n_kept == KEPT_BLOCKS || !watch_thread ())
    {
      free (block);
      return;
    }
  *(void **) block = scopes.kept;
  scopes.kept = block;
  scopes.n_kept++;
}

trm_tensor *
trm_tensor_new (trm_type type, int rank, const int64_t *extent,
                const int64_t *stride, trm_storage *storage, void *at)
{
  trm_whole *w = storage ? take_block () : NULL;
  if (!w)
    {
      trm_storage_drop (storage);
      return storage ? trm_fail_null (TRM_NO_MEMORY, "no memory for a tensor")
                     : NULL;
    }
  w->own = (trm_own_tensor){ .references = 1, .shells = 1, .storage = storage };
  trm_tensor *t = &w->tensor;
  t->at = at;
  t->type = type;
  t->rank = rank;
  t->own = &w->own;
  for (int i = 0; i < rank; i++)
    t->extent[i] = extent[i];
  if (stride)
    for (int i = 0; i < rank; i++)
      t->stride[i] = stride[i];
  else
    trm_shape_strides (rank, extent, t->stride);
  if (enter_scope (t))
    return t;
  trm_drop (t);
  return trm_fail_null (TRM_NO_MEMORY, "no memory for a scope");
}

trm_tensor *
trm_view_new (const trm_tensor *t, int rank, const int64_t *extent,
              const int64_t *stride, void *at)
{
  return trm_tensor_new (t->type, rank, extent, stride,
                         trm_storage_keep (t->own->storage), at);
}

trm_tensor *
trm_keep (trm_tensor *t)
{
  if (t)
    __atomic_add_fetch (&t->own->references, 1, __ATOMIC_RELAXED);
  return t;
}

trm_tensor *
trm_share (trm_tensor *t)
{
  if (!t || enter_scope (trm_keep (t)))
    return t;
  trm_drop (t);
  return trm_fail_null (TRM_NO_MEMORY, "no memory for a scope");
}

trm_tensor *
trm_drop (trm_tensor *t)
{
  if (!t || __atomic_sub_fetch (&t->own->references, 1, __ATOMIC_ACQ_REL) > 0)
    return NULL;
  trm_storage_drop (t->own->storage);
  trm_forget_gradient (t);
  trm_drop (t->own->room);
  t->own->storage = NULL;
  t->own->room = NULL;
  t->at = NULL;
  trm_shell_drop (t);
  return NULL;
}

trm_tensor *
trm_shell_keep (trm_tensor *t)
{
  if (t)
    __atomic_add_fetch (&t->own->shells, 1, __ATOMIC_RELAXED);
  return t;
}

void
trm_shell_drop (trm_tensor *t)
{
  if (!t
      || (__atomic_load_n (&t->own->shells, __ATOMIC_ACQUIRE) != 1
          && __atomic_sub_fetch (&t->own->shells, 1, __ATOMIC_ACQ_REL) > 0))
    return;
  trm_hooks_free (t->own->hooks);
  give_block ((trm_whole *) t);
}

void
trm_changed (trm_tensor *t)
{
  int64_t *version = &t->own->storage->version;
  int64_t next = __atomic_load_n (version, __ATOMIC_RELAXED) + 1;
  __atomic_store_n (version, next, __ATOMIC_RELAXED);
}
