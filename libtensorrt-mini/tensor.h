/* What the files of the tensor library share.  Not installed.

   A tensor and what is the library's of it are one block, trm_whole; tensors
   point to storages, which are counted, too:

     trm_whole { trm_tensor; trm_own_tensor } --> trm_storage --> memory  */

#ifndef TRM_TENSOR_OWN_H
#define TRM_TENSOR_OWN_H

#include "tensorrt-mini.h"

/* Memory that tensors share.

   version  grows with each change in place; an operation that saves a tensor
            remembers it
   bytes    as asked for; 0 of wrapped memory
   memory   the first byte; of our own storages it follows in the same block
   holder   who allocated it, while that is recorded (trm_memory_more)
   freed    called with ARGUMENT when the last reference goes; NULL: memory is
            ours, or needs nothing  */
typedef struct trm_storage
{
  int64_t references;
  int64_t version;
  int64_t bytes;
  int32_t holder;
  void *memory;
  void (*freed) (void *argument);
  void *argument;
} trm_storage;

/* What is the library's of a tensor.

   shells    who needs no more of it than shape, type and what stands here;
             all references count as one.  When the references are gone a
             tensor has no elements, storage and gradient any more
   wants     it, or what it was made of, wants a gradient
   leaf      the user asked for it (trm_want_gradient)
   gradient  what has been added to it so far; NULL: nothing
   room      a tensor of its shape and type that its gradient is copied to while
             nobody else has it, or NULL; where it is the gradient, too, that is
             one reference
   hooks     hook.c's list, or NULL  */
typedef struct trm_own_tensor
{
  int64_t references;
  int64_t shells;
  trm_storage *storage;
  bool wants;
  bool leaf;
  trm_tensor *gradient;
  trm_tensor *room;
  struct trm_hook_list *hooks;
} trm_own_tensor;

/* error.c: remember STATUS and the text of FORMAT for the thread; give STATUS,
   and NULL.  The text begins with the name of the function that the user
   called: "add: shapes [2, 3] and [4] cannot be broadcast".  trm_shape_text
   writes "[2, 3]" into TEXT.  */
extern trm_status trm_fail (trm_status status, const char *format, ...)
  __attribute__ ((visibility ("default"), format (printf, 2, 3)));
extern void *trm_fail_null (trm_status status, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));
#define TRM_SHAPE_TEXT 256
extern const char *trm_shape_text (char text[TRM_SHAPE_TEXT], int rank,
                                   const int64_t *extent);

/* storage.c: BYTES of memory aligned to 64, of one reference; NULL with a
   message when there is none.  The same in pages of its own (trm_pages_get),
   which FREED (STORAGE) gives back.  Memory of others.  One reference more, and
   less.  */
extern trm_storage *trm_storage_new (int64_t bytes);
extern trm_storage *trm_storage_pages (int64_t bytes,
                                       void (*freed) (void *storage));
extern trm_storage *
trm_storage_wrap (void *memory, void (*freed) (void *argument), void *argument);
extern trm_storage *trm_storage_keep (trm_storage *storage);
extern void trm_storage_drop (trm_storage *storage);

/* tensor.c: a tensor of these extents and strides (NULL: contiguous) at AT in
   STORAGE, whose reference is taken, also on failure.  It belongs to the
   innermost scope.  NULL with a message when there is no memory.  */
extern trm_tensor *trm_tensor_new (trm_type type, int rank,
                                   const int64_t *extent, const int64_t *stride,
                                   trm_storage *storage, void *at);

/* A view of T's storage; T's references stay as they are.  */
extern trm_tensor *trm_view_new (const trm_tensor *t, int rank,
                                 const int64_t *extent, const int64_t *stride,
                                 void *at);

/* T with one more reference, which is the innermost scope's, or the caller's.

   What an operation needs only for itself it makes in a scope of its own, out
   of which it gives the result:

     if (trm_scope_open ())
       return NULL;
     ...
     trm_scope_give (out);
     trm_scope_close ();
     return out;  */
extern trm_tensor *trm_share (trm_tensor *t);

/* An empty tensor of T's shape.  */
extern trm_tensor *trm_empty_like (const trm_tensor *t, trm_type type);

/* T is about to be changed in place.  */
extern void trm_changed (trm_tensor *t);

/* One more that needs T as a shell, which is given back; one less.  */
extern trm_tensor *trm_shell_keep (trm_tensor *t);
extern void trm_shell_drop (trm_tensor *t);

/* How many scopes the thread has open; close those above DEPTH.  */
extern int trm_scope_depth (void);
extern void trm_scope_close_to (int depth);

/* shape.c: the number of elements, -1 when it, times 8, is more than an
   int64_t; strides of a contiguous tensor; AXIS counted from the front, -1
   with a message "NAME: ..." when T's rank has no such axis; the shape that A
   and B broadcast to, in EXTENT, its rank, -1 with a message; the strides of T
   seen with that shape (0 where it stretches).  */
extern int64_t trm_shape_count (int rank, const int64_t *extent);
extern void trm_shape_strides (int rank, const int64_t *extent,
                               int64_t *stride);
extern int trm_axis (const char *name, int rank, int axis);
extern int trm_broadcast (const char *name, const trm_tensor *a,
                          const trm_tensor *b, int64_t extent[TRM_RANK]);
extern void trm_broadcast_strides (const trm_tensor *t, int rank,
                                   int64_t stride[TRM_RANK]);

/* The type of an operation on A and B (trm-tensor.h); whether it is floating;
   f32 for what is computed as f32, else TYPE.  */
extern trm_type trm_type_common (trm_type a, trm_type b);
extern bool trm_type_is_float (trm_type type);
extern trm_type trm_type_computed (trm_type type);

/* copy.c: element by element between any two types and strides; no overlap.
   EXTENT of both.  */
extern void trm_copy_elements (int rank, const int64_t *extent, trm_type to,
                               void *to_at, const int64_t *to_stride,
                               trm_type from, const void *from_at,
                               const int64_t *from_stride);

/* TO[0..BYTES) := FROM, on threads where there is much and it is of words.  */
extern void trm_copy_bytes (int64_t bytes, void *to, const void *from);

/* Whether the elements of A and B may share bytes: the stretches of memory that
   they lie in do.  Storages do not tell, since two may be of one array of the
   caller's.  */
extern bool trm_may_overlap (const trm_tensor *a, const trm_tensor *b);

/* One element.  */
extern double trm_element_get (trm_type type, const void *at);
extern void trm_element_set (trm_type type, void *at, double value);
extern int64_t trm_element_get_int (trm_type type, const void *at);

/* add.c: TO += FROM, broadcast to TO's shape, or where TO's shape is that of
   FROM with extents of 1, or without axes in front, summed over these; in one
   order for any number of threads.  TO may have strides of 0.  */
extern trm_status trm_accumulate (trm_tensor *to, const trm_tensor *from);

/* hook.c: free LIST.  */
extern void trm_hooks_free (struct trm_hook_list *list);

/* tape.c: whether an operation on IN[0..n) has to be written down now.  */
extern bool trm_is_recording (int n, trm_tensor *const *in);

#endif
