/* Tensors: arrays of numbers with an extent and a stride for each axis.

   A tensor is a view of a storage.  Several tensors may share one: transpose,
   slice and their like copy nothing.  Strides count elements and may be 0
   (expand) or negative (slice with a negative step).

   Errors.  A function that gives a tensor gives NULL when it fails; one that
   gives a trm_status gives other than TRM_OK.  trm_message () then says why,
   with both shapes where shapes disagree.  NULL as a tensor argument gives
   NULL, or TRM_BAD_ARGUMENT, and keeps the message of what failed first: a
   chain of calls needs one test, at its end.

     trm_tensor *y = trm_relu (trm_linear (x, w, b));
     if (!y)
       puts (trm_message ());

   Ownership.  Each new tensor has one reference.  While a scope is open in the
   thread it is the scope's, and goes when the scope closes, unless trm_keep
   has added another; else it is the caller's, for trm_drop.  Arguments stay
   the caller's.

   Threads.  Tensors may be shared by threads that only read them; references
   may be kept and dropped from any thread.  Scopes, tapes and messages are the
   thread's own.  */

#ifndef TRM_TENSOR_H
#define TRM_TENSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
#  include <initializer_list>
extern "C"
{
#endif
#pragma GCC visibility push(default)

  typedef enum trm_status
  {
    TRM_OK,
    TRM_NO_MEMORY,    /* the system, or trm_memory_limit, gives no more */
    TRM_BAD_ARGUMENT, /* outside of what the function takes */
    TRM_BAD_SHAPE,    /* extents that do not go together */
    TRM_BAD_TYPE,     /* element types that do not go together */
    TRM_BAD_INDEX,    /* an index outside of its axis */
    TRM_BAD_FILE,     /* a file that is not what it should be */
    TRM_NO_FILE,      /* a file that cannot be opened, read or written */
    TRM_CHANGED,      /* a saved tensor was changed before backward */
    TRM_NO_GRADIENT,  /* something that has no gradient */
    TRM_NOT_HERE      /* this build, or this machine, lacks a part */
  } trm_status;

  /* Of the thread: why its last call that failed did, TRM_OK and "" when none
   has since trm_forget_error ().  The text is the thread's until its next
   failure.  */
  extern trm_status trm_error (void);
  extern const char *trm_message (void);
  extern void trm_forget_error (void);

  /* Element types, in the order in which they give way: an operation on two
   types is one on the later of them, of bf16 and f16 on f32, of u8 and i8 on
   i32.  */
  typedef enum trm_type
  {
    TRM_BOOL,
    TRM_U8,
    TRM_I8,
    TRM_I32,
    TRM_I64,
    TRM_BF16,
    TRM_F16,
    TRM_F32,
    TRM_F64
  } trm_type;

  /* Bytes of an element; its name, "f32".  */
  extern size_t trm_type_bytes (trm_type type);
  extern const char *trm_type_name (trm_type type);

#define TRM_RANK 8

  /* Read what stands here, never write it.

     at      address of the element whose subscripts are all 0
     extent  of axis 0 to rank - 1, each 0 or more
     stride  elements from one subscript to the next
     own     the library's: storage, references, gradient  */
  typedef struct trm_tensor
  {
    void *at;
    trm_type type;
    int rank;
    int64_t extent[TRM_RANK];
    int64_t stride[TRM_RANK];
    struct trm_own_tensor *own;
  } trm_tensor;

/* Two arguments each, a count and an array: extents, axes, subscripts.  They
   live until the statement ends.  */
#ifdef __cplusplus
#  define TRM_LIST(E, ...)                                                     \
    (int) std::initializer_list<E>{ __VA_ARGS__ }.size (),                     \
      std::initializer_list<E>{ __VA_ARGS__ }.begin ()
#else
#  define TRM_LIST(E, ...)                                                     \
    (int) (sizeof ((E[]){ __VA_ARGS__ }) / sizeof (E)), (const E[])            \
    {                                                                          \
      __VA_ARGS__                                                              \
    }
#endif
#define TRM_SHAPE(...) TRM_LIST (int64_t, __VA_ARGS__)
#define TRM_AXES(...)  TRM_LIST (int, __VA_ARGS__)
#define TRM_ALL        0, (const int *) 0
#define TRM_SCALAR     0, (const int64_t *) 0

/* The elements of T as rows of an array that plain loops name A[i][j]; T must
   be contiguous and of element type E.  TRM_VIEW2 (float, A, t) declares
   float (*A)[t->extent[1]].  */
#define TRM_VIEW1(E, A, T) E *A = (E *) (T)->at
#define TRM_VIEW2(E, A, T) E (*A)[(T)->extent[1]] = (void *) (T)->at
#define TRM_VIEW3(E, A, T)                                                     \
  E (*A)[(T)->extent[1]][(T)->extent[2]] = (void *) (T)->at
#define TRM_VIEW4(E, A, T)                                                     \
  E (*A)[(T)->extent[1]][(T)->extent[2]][(T)->extent[3]] = (void *) (T)->at

  /* One more reference to T, which is given back; one less, NULL is given
   back.  The last one frees.  */
  extern trm_tensor *trm_keep (trm_tensor *t);
  extern trm_tensor *trm_drop (trm_tensor *t);

  /* Tensors made from here on belong to a scope of this thread until it
   closes.  Scopes nest.  trm_scope_give lets T, of the innermost scope, belong
   to the one around it, or to the caller where there is none; gives T.  */
  extern trm_status trm_scope_open (void);
  extern void trm_scope_close (void);
  extern trm_tensor *trm_scope_give (trm_tensor *t);

  /* How many elements; whether they lie one after the other in the order of
   the last axis first; whether A and B have the same shape.  */
  extern int64_t trm_count (const trm_tensor *t);
  extern bool trm_is_contiguous (const trm_tensor *t);
  extern bool trm_same_shape (const trm_tensor *a, const trm_tensor *b);

  /* New tensors, contiguous.

     empty     what the elements hold is not defined
     full      all are VALUE
     arange    begin, begin + step, ... before END
     linspace  N numbers from BEGIN to END, both included
     eye       [n][n], ones on the diagonal
     from      a copy of the contiguous elements at DATA
     wrap      a view of the caller's memory, which must outlive all that
               shares it; NULL for STRIDE is contiguous.  FREED (MEMORY), when
               not NULL, is called when the last view goes, not on failure
     number    rank 0  */
  extern trm_tensor *trm_empty (trm_type type, int rank, const int64_t *extent);
  extern trm_tensor *trm_zeros (trm_type type, int rank, const int64_t *extent);
  extern trm_tensor *trm_full (trm_type type, int rank, const int64_t *extent,
                               double value);
  extern trm_tensor *trm_arange (trm_type type, double begin, double end,
                                 double step);
  extern trm_tensor *trm_linspace (trm_type type, double begin, double end,
                                   int64_t n);
  extern trm_tensor *trm_eye (trm_type type, int64_t n);
  extern trm_tensor *trm_from (trm_type type, int rank, const int64_t *extent,
                               const void *data);
  extern trm_tensor *trm_wrap (trm_type type, int rank, const int64_t *extent,
                               const int64_t *stride, void *data,
                               void (*freed) (void *memory), void *memory);
  extern trm_tensor *trm_number (trm_type type, double value);

  /* One element as a double, and as a whole number; of rank 0, or of count 1,
   when RANK is 0.  On failure NaN and 0, with a message.  */
  extern double trm_get (const trm_tensor *t, int rank, const int64_t *at);
  extern int64_t trm_get_int (const trm_tensor *t, int rank, const int64_t *at);
  extern trm_status trm_set (trm_tensor *t, int rank, const int64_t *at,
                             double value);

  /* Views: they share T's storage.  Axes may be counted from the end, -1 is
   the last one.

     transpose  axes A and B change places; trm_t the last two
     permute    axis i of the result is AXIS[i] of T
     slice      of AXIS the subscripts BEGIN, BEGIN + STEP, ... before END (for
                STEP < 0: above END); ends count from the end when negative and
                are cut to the axis, as in Python; TRM_END leaves one out
     select     subscript I of AXIS, which goes
     expand     extents of 1 become EXTENT by stride 0; new axes come first
     squeeze    AXIS, of extent 1, goes; unsqueeze: one comes before AXIS
     reshape    a view where the strides allow, else a copy; one extent may be
                -1, what is left
     diagonal   of the last two axes  */
#define TRM_END INT64_MAX
  extern trm_tensor *trm_transpose (trm_tensor *t, int a, int b);
  extern trm_tensor *trm_t (trm_tensor *t);
  extern trm_tensor *trm_permute (trm_tensor *t, int rank, const int *axis);
  extern trm_tensor *trm_slice (trm_tensor *t, int axis, int64_t begin,
                                int64_t end, int64_t step);
  extern trm_tensor *trm_select (trm_tensor *t, int axis, int64_t i);
  extern trm_tensor *trm_expand (trm_tensor *t, int rank,
                                 const int64_t *extent);
  extern trm_tensor *trm_squeeze (trm_tensor *t, int axis);
  extern trm_tensor *trm_unsqueeze (trm_tensor *t, int axis);
  extern trm_tensor *trm_reshape (trm_tensor *t, int rank,
                                  const int64_t *extent);
  extern trm_tensor *trm_diagonal (trm_tensor *t);

  /* T itself when it is contiguous (one more reference), else a copy; a copy;
   a copy of element type TYPE: floating numbers are rounded to nearest even,
   cut towards 0 to whole ones, which wrap.  */
  extern trm_tensor *trm_contiguous (trm_tensor *t);
  extern trm_tensor *trm_copy (trm_tensor *t);
  extern trm_tensor *trm_cast (trm_tensor *t, trm_type type);

  /* In place.  TO := FROM, broadcast and cast, also where both overlap;
   all elements VALUE.  */
  extern trm_status trm_copy_to (trm_tensor *to, const trm_tensor *from);
  extern trm_status trm_fill (trm_tensor *t, double value);

  /* Advanced indexing, as NumPy's.  INDEX[0..n) stand for the first n axes of
   T; NULL leaves an axis whole; the others, of whole numbers or bool, are
   broadcast together and replace their axes, in the place of the first where
   they stand side by side, else in front.  A negative index counts from the
   end.  A bool tensor of rank r stands for r axes, for those of its elements
   that are true.

     index      t[index]
     index_put  t[index] := value; of an element named twice the last one
     index_add  t[index] += value, in the order of the index: the same bits for
                any number of threads
     nonzero    i64 [count][rank], the subscripts of each element that is not
                0, in order  */
  extern trm_tensor *trm_index (trm_tensor *t, int n, trm_tensor **index);
  extern trm_status trm_index_put (trm_tensor *t, int n, trm_tensor **index,
                                   const trm_tensor *value);
  extern trm_status trm_index_add (trm_tensor *t, int n, trm_tensor **index,
                                   const trm_tensor *value);
  extern trm_tensor *trm_nonzero (const trm_tensor *t);

  /* Tensors one after the other along AXIS, and along a new one before AXIS;
   N parts of AXIS, the last one shorter.  */
  extern trm_tensor *trm_concat (int n, trm_tensor **part, int axis);
  extern trm_tensor *trm_stack (int n, trm_tensor **part, int axis);
  extern trm_status trm_split (trm_tensor *t, int axis, int n,
                               trm_tensor **part);

  /* Sorted along AXIS, stable, NaN above all numbers; *AT, when not NULL,
   becomes the i64 tensor of where each element stood.  topk: the K greatest,
   in descending order, of equal ones the first.  */
  extern trm_tensor *trm_sort (trm_tensor *t, int axis, bool descending,
                               trm_tensor **at);
  extern trm_tensor *trm_topk (trm_tensor *t, int64_t k, int axis,
                               trm_tensor **at);

  /* Random numbers by Philox 4x32-10 (Salmon et al., SC 2011): element i of a
   call is a function of seed, counter and i, so that the same numbers come
   whatever the number of threads.  A call moves the counter on.

     uniform      from LOW up to, not including, HIGH
     normal       MEAN, DEVIATION
     integers     i64, from LOW up to, not including, HIGH
     bernoulli    bool, true with PROBABILITY
     permutation  i64, 0 to n - 1 in random order  */
  typedef struct trm_random
  {
    uint64_t seed;
    uint64_t counter;
  } trm_random;
  extern trm_tensor *trm_uniform (trm_random *random, trm_type type, int rank,
                                  const int64_t *extent, double low,
                                  double high);
  extern trm_tensor *trm_normal (trm_random *random, trm_type type, int rank,
                                 const int64_t *extent, double mean,
                                 double deviation);
  extern trm_tensor *trm_integers (trm_random *random, int rank,
                                   const int64_t *extent, int64_t low,
                                   int64_t high);
  extern trm_tensor *trm_bernoulli (trm_random *random, int rank,
                                    const int64_t *extent, double probability);
  extern trm_tensor *trm_permutation (trm_random *random, int64_t n);

  /* T as NumPy prints it.  */
  extern void trm_print (FILE *file, const trm_tensor *t);

  /* T, and the views that are made of it, reside on the device as well as on
   the host from here on, where regions with target (cuda) or (auto) use one:
   what such a region reads is copied there when the host wrote it since, what
   it writes when the host touches it, each once, and not when the region ends.
   Elements are read and written as ever, by whatever functions and loops; the
   thread that does waits for them.  T moves: T->at changes.  That of a tensor
   with views, or of the caller's memory, cannot: TRM_BAD_ARGUMENT.

   System calls and CUDA itself do not wait: an address given to read (2) fails
   there, unless trm_to_host brought T's storage back just before; WRITTEN: to
   be written, too.  The library's own files do that.  A program that handles
   SIGSEGV sets its handler before its first tensor resides.  */
  extern trm_status trm_reside (trm_tensor *t);
  extern void trm_to_host (const trm_tensor *t, bool written);

  /* Memory of all tensors: bytes now, the most at one moment, allocations
   since the start, those of them that asked the system; a limit (0: none)
   above which trm_empty fails.  trm_memory_reset_peak begins anew.  */
  typedef struct trm_memory
  {
    int64_t bytes;
    int64_t peak;
    int64_t allocations;
    int64_t from_system;
    int64_t limit;
  } trm_memory;
  extern trm_memory trm_memory_now (void);
  extern void trm_memory_limit (int64_t bytes);
  extern void trm_memory_reset_peak (void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
