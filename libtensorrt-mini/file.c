/* Bytes of files, and tensors in them.

   A file is mapped privately: opening a large one costs a system call, pages
   come when they are read, and what a tensor changes stays in this process.

     file     | head | pad | elements of a | elements of b ... |
                           ^ a->at         ^ b->at
     trm_file   one reference each of a's and b's storages

   Elements that do not lie at a multiple of their size, or whose bytes stand
   in the other order, are copied.

   All bounds are those of the length that the file had when it was opened.
   Nothing helps against a file that another process makes shorter while it is
   mapped; our writers never do that (file-write.c).  */

#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "elements are written as they lie in memory");

#define PATH_SHOWN  160
#define WORDS_SHOWN 300

void *
trm_file_bad (const trm_file *file, trm_status status, const char *format, ...)
{
  char words[WORDS_SHOWN];
  va_list arguments;
  va_start (arguments, format);
  vsnprintf (words, sizeof words, format, arguments);
  va_end (arguments);
  for (char *c = words; *c; c++)
    if (*c < ' ' || *c > '~')
      *c = '?';
  size_t length = strlen (file->path);
  bool cut = length > PATH_SHOWN;
  return trm_fail_null (status, "%s: %s%s: %s", file->who, cut ? "..." : "",
                        file->path + (cut ? length - PATH_SHOWN : 0), words);
}

/* A file without bytes called "PATH, NAME", or PATH when NAME is NULL.  */
static trm_file *
new_file (const char *who, const char *path, const char *name)
{
  size_t room = strlen (path) + (name ? strlen (name) : 0) + 3;
  trm_file *file = malloc (sizeof *file);
  char *called = malloc (room);
  if (!file || !called)
    {
      free (file);
      free (called);
      return trm_fail_null (TRM_NO_MEMORY, "%s: no memory", who);
    }
  snprintf (called, room, name ? "%s, %s" : "%s", path, name);
  static char nothing[1];
  *file
    = (trm_file){ .references = 1, .who = who, .path = called, .at = nothing };
  return file;
}

/* The bytes of FILE are mapped no more.  */
static void
unmap (trm_file *file)
{
  munmap (file->at, (size_t) file->bytes);
}

/* FILE's bytes are those of the file open as DESCRIPTOR; false with a
   message.  */
static bool
map (trm_file *file, int descriptor)
{
  struct stat is;
  if (fstat (descriptor, &is))
    return trm_file_bad (file, TRM_NO_FILE, "%m");
  if (!S_ISREG (is.st_mode))
    return trm_file_bad (file, TRM_NO_FILE, "is no regular file");
  if (is.st_size == 0)
    return true;
  void *at = mmap (NULL, (size_t) is.st_size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_NORESERVE, descriptor, 0);
  if (at == MAP_FAILED)
    return trm_file_bad (file, errno == ENOMEM ? TRM_NO_MEMORY : TRM_NO_FILE,
                         "cannot be mapped: %m");
  file->at = at;
  file->bytes = is.st_size;
  file->freed = unmap;
  return true;
}

trm_file *
trm_file_open (const char *who, const char *path)
{
  if (!path)
    return trm_fail_null (TRM_BAD_ARGUMENT, "%s: no path", who);
  trm_file *file = new_file (who, path, NULL);
  if (!file)
    return NULL;
  int descriptor = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  bool mapped = descriptor >= 0 && map (file, descriptor);
  if (descriptor < 0)
    trm_file_bad (file, TRM_NO_FILE, "%m");
  else
    close (descriptor);
  if (mapped)
    return file;
  trm_file_close (file);
  return NULL;
}

/* One more reference to FILE.  */
static trm_file *
keep (trm_file *file)
{
  __atomic_add_fetch (&file->references, 1, __ATOMIC_RELAXED);
  return file;
}

/* The file that FILE is a part of has one reference less.  */
static void
close_whole (trm_file *file)
{
  trm_file_close (file->owner);
}

trm_file *
trm_file_part (trm_file *file, const char *name, int64_t at, int64_t bytes)
{
  trm_file *part = new_file (file->who, file->path, name);
  if (!part)
    return NULL;
  part->at = file->at + at;
  part->bytes = bytes;
  part->owner = keep (file);
  part->freed = close_whole;
  return part;
}

/* The memory of FILE goes.  */
static void
drop_memory (trm_file *file)
{
  trm_storage_drop (file->owner);
}

trm_file *
trm_file_unpacked (const trm_file *file, const char *name, int64_t bytes)
{
  trm_file *unpacked = new_file (file->who, file->path, name);
  trm_storage *storage = unpacked ? trm_storage_new (bytes) : NULL;
  if (!storage)
    {
      trm_file_close (unpacked);
      return NULL;
    }
  unpacked->at = storage->memory;
  unpacked->bytes = bytes;
  unpacked->owner = storage;
  unpacked->freed = drop_memory;
  return unpacked;
}

void
trm_file_close (trm_file *file)
{
  if (!file || __atomic_sub_fetch (&file->references, 1, __ATOMIC_ACQ_REL) > 0)
    return;
  if (file->freed)
    file->freed (file);
  free (file->path);
  free (file);
}

bool
trm_array_extend (const trm_file *file, trm_array *a, int64_t extent)
{
  if (a->rank == TRM_RANK)
    return trm_file_bad (file, TRM_BAD_SHAPE, "an array of more than %d axes",
                         TRM_RANK);
  a->extent[a->rank++] = extent;
  return true;
}

int64_t
trm_array_bytes (const trm_file *file, const trm_array *a)
{
  int64_t count = trm_shape_count (a->rank, a->extent);
  if (count >= 0)
    return count * (int64_t) trm_type_bytes (a->type);
  char text[TRM_SHAPE_TEXT];
  trm_file_bad (file, TRM_BAD_FILE, "%s is no shape",
                trm_shape_text (text, a->rank, a->extent));
  return -1;
}

/* The reference of a tensor to the file ARGUMENT goes.  */
static void
close_file (void *argument)
{
  trm_file_close (argument);
}

/* The bytes from AT on of FILE as a storage.  */
static trm_storage *
share_bytes (trm_file *file, char *at)
{
  trm_storage *storage = trm_storage_wrap (at, close_file, file);
  if (storage)
    keep (file);
  return storage;
}

/* TO := FROM, COUNT elements of SIZE bytes, which change their order.  */
static void
swap_elements (char *to, const char *from, int64_t count, int64_t size)
{
  for (int64_t i = 0; i < count * size; i += size)
    for (int64_t k = 0; k < size; k++)
      to[i + k] = from[i + size - 1 - k];
}

/* The elements of A, which begin at AT, copied to a storage, each in our order
   of bytes.  */
static trm_storage *
copy_bytes (const trm_file *file, const trm_array *a, const char *at)
{
  int64_t bytes = trm_array_bytes (file, a);
  int64_t size = (int64_t) trm_type_bytes (a->type);
  trm_storage *storage = trm_storage_new (bytes);
  if (storage && a->swapped)
    swap_elements (storage->memory, at, bytes / size, size);
  else if (storage)
    memcpy (storage->memory, at, (size_t) bytes);
  return storage;
}

/* The strides of A.  */
static void
array_strides (const trm_array *a, int64_t *stride)
{
  int64_t turned[TRM_RANK], back[TRM_RANK];
  trm_shape_strides (a->rank, a->extent, stride);
  if (!a->columns)
    return;
  for (int i = 0; i < a->rank; i++)
    turned[i] = a->extent[a->rank - 1 - i];
  trm_shape_strides (a->rank, turned, back);
  for (int i = 0; i < a->rank; i++)
    stride[i] = back[a->rank - 1 - i];
}

/* Whether each of N bytes is 0 or 1.  */
static bool
are_bools (const char *at, int64_t n)
{
  unsigned seen = 0;
  for (int64_t i = 0; i < n; i++)
    seen |= (unsigned char) at[i];
  return seen <= 1;
}

trm_tensor *
trm_file_tensor (trm_file *file, const trm_array *a, int64_t at)
{
  int64_t stride[TRM_RANK];
  int64_t bytes = trm_array_bytes (file, a);
  if (bytes < 0 || at < 0 || at > file->bytes || bytes > file->bytes - at)
    return bytes < 0
             ? NULL
             : trm_file_bad (file, TRM_BAD_FILE, "ends inside of an array");
  char *begin = file->at + at;
  if (a->type == TRM_BOOL && !are_bools (begin, bytes))
    return trm_file_bad (file, TRM_BAD_FILE, "a bool that is not 0 or 1");
  bool aligned = (uintptr_t) begin % trm_type_bytes (a->type) == 0;
  trm_storage *storage = aligned && !a->swapped ? share_bytes (file, begin)
                                                : copy_bytes (file, a, begin);
  array_strides (a, stride);
  return trm_tensor_new (a->type, a->rank, a->extent, stride, storage,
                         storage ? storage->memory : NULL);
}

bool
trm_read_whole (const char **at, const char *end, int64_t *value)
{
  const char *begin = *at;
  *value = 0;
  for (; *at < end && **at >= '0' && **at <= '9'; (*at)++)
    if (__builtin_mul_overflow (*value, 10, value)
        || __builtin_add_overflow (*value, **at - '0', value))
      return false;
  return *at > begin;
}

bool
trm_file_put (const trm_file *file, trm_names *names, const char *name,
              trm_tensor *t)
{
  trm_status status = t ? trm_names_put (names, name, t) : TRM_OK;
  if (status == TRM_BAD_ARGUMENT)
    trm_file_bad (file, TRM_BAD_FILE, "two are called '%s'", name);
  return t && !status;
}

trm_names *
trm_file_names (const char *who, const char *path,
                bool (*read) (trm_file *file, trm_names *names))
{
  trm_file *file = trm_file_open (who, path);
  trm_names *names = file ? trm_names_new () : NULL;
  bool done = false;
  if (names && !trm_scope_open ())
    {
      done = read (file, names);
      trm_scope_close ();
    }
  trm_file_close (file);
  if (done)
    return names;
  trm_names_free (names);
  return NULL;
}
