/* What readers and writers of files share: bytes of a file, arrays in them,
   and files that are replaced at once.  Not installed.  */

#ifndef TRM_FILE_OWN_H
#define TRM_FILE_OWN_H

#include "tensor.h"

/* file.c: the bytes of a file, of a part of one, or of what a part was unpacked
   to.  Parts and tensors hold references.

   who     the function that the user called, which begins messages
   path    what messages name
   at      the first of BYTES bytes; they may be changed, the file stays
   freed   called with OWNER when the last reference goes  */
typedef struct trm_file
{
  int64_t references;
  const char *who;
  char *path;
  char *at;
  int64_t bytes;
  void (*freed) (struct trm_file *file);
  void *owner;
} trm_file;

/* The file at PATH; BYTES bytes from AT on of FILE, which lie inside of it, as
   "PATH, NAME"; BYTES bytes of new memory called like that.  NULL with a
   message.  One reference less; FILE may be NULL.  */
extern trm_file *trm_file_open (const char *who, const char *path);
extern trm_file *trm_file_part (trm_file *file, const char *name, int64_t at,
                                int64_t bytes);
extern trm_file *trm_file_unpacked (const trm_file *file, const char *name,
                                    int64_t bytes);
extern void trm_file_close (trm_file *file);

/* Fail with "WHO: PATH: words"; what cannot be printed becomes '?', a long
   path is cut.  Gives NULL.  */
extern void *trm_file_bad (const trm_file *file, trm_status status,
                           const char *format, ...)
  __attribute__ ((format (printf, 3, 4)));

/* An array as a file describes it.

   columns  the first axis moves fastest (Fortran order)
   swapped  the bytes of an element stand in the other order  */
typedef struct trm_array
{
  trm_type type;
  int rank;
  int64_t extent[TRM_RANK];
  bool columns;
  bool swapped;
} trm_array;

/* Put EXTENT behind the extents of A; false with a message when A has as many
   axes as a tensor may have.  */
extern bool trm_array_extend (const trm_file *file, trm_array *a,
                              int64_t extent);

/* The bytes of A, -1 with a message when that is no shape.  */
extern int64_t trm_array_bytes (const trm_file *file, const trm_array *a);

/* The elements of A, which begin at byte AT of FILE, as a tensor: FILE's own
   bytes where they are aligned and not swapped, else a copy.  NULL with a
   message, also where they do not lie inside of FILE.  */
extern trm_tensor *trm_file_tensor (trm_file *file, const trm_array *a,
                                    int64_t at);

/* The tensors that READ puts to names from the file at PATH; what it made of
   tensors goes.  Put T, NULL after a failure, to NAMES as NAME.  On failure
   NULL, and false, with a message.  */
extern trm_names *trm_file_names (const char *who, const char *path,
                                  bool (*read) (trm_file *file,
                                                trm_names *names));
extern bool trm_file_put (const trm_file *file, trm_names *names,
                          const char *name, trm_tensor *t);

/* The whole number that begins at *AT, before END, in decimal digits without a
   sign; *AT moves behind it.  False when there is none, or it is above
   INT64_MAX.  */
extern bool trm_read_whole (const char **at, const char *end, int64_t *value);

/* file-write.c: the new contents of the file at PATH, in a file of its own
   beside until trm_writer_close.  NULL, with a message, when that cannot be
   made; then all that follows does nothing and closing gives the failure.

   put    what fails is remembered until closing
   at     bytes put so far
   close  with STATUS other than TRM_OK, that of the caller's failure, or when
          something failed before, the old file stays; else the new one takes
          its place.  Gives what failed.  */
typedef struct trm_writer trm_writer;
extern trm_writer *trm_writer_open (const char *who, const char *path);
extern void trm_writer_put (trm_writer *w, const void *bytes, int64_t n);
extern int64_t trm_writer_at (const trm_writer *w);
extern trm_status trm_writer_close (trm_writer *w, trm_status status);

/* The elements of T one after the other: T's, or a copy, which is for
   trm_storage_drop (*COPY); *COPY may become NULL.  NULL with a message.  */
extern const void *trm_plain_elements (const trm_tensor *t, trm_storage **copy);

/* Whether a writer called WHO was given a path and something to write; if not,
   why, unless NULL was given for what failed before.  */
extern bool trm_may_write (const char *who, const char *path, const void *what);

/* library.c: the address of each of NAME[0..n), in order, in the shared
   library called LIBRARY.  False when something is missing.  */
extern bool trm_library_open (const char *library, int n,
                              const char *const *name, void **address);

/* crc32.c: the CRC-32 of what had CRC, 0 of nothing, and BYTES bytes more.  */
extern uint32_t trm_crc32 (uint32_t crc, const void *bytes, int64_t n);

/* inflate.c: unpack FROM's bytes, deflated, to TO, which they must fill.  False
   with a message; TRM_NOT_HERE without zlib.  */
extern bool trm_inflate (const trm_file *from, const trm_file *to);

/* npy.c: the array of a .npy file, which ends with it.  The head of T's .npy
   in HEAD, its bytes; 0 with a message when NumPy has no name for T's type.  */
#define TRM_NPY_HEAD 256
extern trm_tensor *trm_npy_tensor (trm_file *file);
extern int trm_npy_head (char head[TRM_NPY_HEAD], const char *who,
                         const trm_tensor *t);

/* png.c: the picture in FILE; T, u8 and of 1, 3 or 4 channels, as a PNG in
   memory for free (), its *BYTES.  TRM_NOT_HERE without libpng.  */
extern trm_tensor *trm_png_tensor (const trm_file *file);
extern void *trm_png_bytes (const trm_tensor *t, int64_t *bytes);

#endif
