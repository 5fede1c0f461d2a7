/* Compiled kernels, kept on disk:

     $XDG_CACHE_HOME/gcc-tensor/KEY.cubin     $HOME/.cache where that is unset

     head | code      the head has the key, the length and a CRC of the code

   A file is written beside, under a name of its own, and renamed: whoever reads
   finds all of it, and where two processes write, the same.  Whatever is wrong
   with a file makes it a miss.  The folder must be the user's own, and nobody
   else's to write, since what is in it will run.

   Reading a file makes it new.  Past the limit, TRM_CUDA_CACHE megabytes or
   256, the oldest go, by whoever holds the lock of the folder then; 0: there is
   no cache.

   Nothing here fails: a cache that cannot be used is empty.  */

#include "file.h"

#include "cuda-unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIMIT 256
#define END   ".cubin"
#define MAGIC "tensor1\n"

typedef struct head
{
  char magic[8];
  char key[64];
  uint64_t bytes;
  uint64_t crc;
} head;

/* A file of the cache: its name, when it was used, how long it is.  */
typedef struct kept
{
  char name[80];
  struct timespec used;
  int64_t bytes;
} kept;

/* How many bytes may be kept.  */
static int64_t
limit (void)
{
  const char *asked = getenv ("TRM_CUDA_CACHE");
  char *end = NULL;
  long long megabytes = asked && *asked ? strtoll (asked, &end, 10) : LIMIT;
  if (megabytes < 0 || megabytes > 1 << 20 || (end && *end))
    megabytes = LIMIT;
  return (int64_t) megabytes << 20;
}

/* Whether FOLDER, which is open, is the user's own.  */
static bool
is_own (int folder)
{
  struct stat s;
  return fstat (folder, &s) == 0 && S_ISDIR (s.st_mode)
         && s.st_uid == geteuid () && !(s.st_mode & 022);
}

/* The cache's folder, opened; -1 when there is none.  It is made.  */
static int
open_folder (void)
{
  const char *cache = getenv ("XDG_CACHE_HOME"), *home = getenv ("HOME");
  char path[4096];
  bool given = cache && *cache == '/';
  if (limit () == 0 || (!given && (!home || *home != '/')))
    return -1;
  int n = given ? snprintf (path, sizeof path, "%s", cache)
                : snprintf (path, sizeof path, "%s/.cache", home);
  if (n < 0 || n + 12 >= (int) sizeof path)
    return -1;
  mkdir (path, 0700);
  strcpy (path + n, "/gcc-tensor");
  mkdir (path, 0700);
  int folder = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (folder >= 0 && !is_own (folder))
    {
      close (folder);
      folder = -1;
    }
  return folder;
}

/* Read N bytes; whether there were as many.  */
static bool
read_all (int file, void *to, size_t n)
{
  for (char *at = to; n > 0;)
    {
      ssize_t got = read (file, at, n);
      if (got < 0 && errno == EINTR)
        continue;
      if (got <= 0)
        return false;
      at += got;
      n -= (size_t) got;
    }
  return true;
}

/* Write N bytes, likewise.  */
static bool
write_all (int file, const void *from, size_t n)
{
  for (const char *at = from; n > 0;)
    {
      ssize_t put = write (file, at, n);
      if (put < 0 && errno == EINTR)
        continue;
      if (put <= 0)
        return false;
      at += put;
      n -= (size_t) put;
    }
  return true;
}

/* The code of FILE, whose key is KEY; NULL when something is wrong.  */
static void *
read_code (int file, const char *key, size_t *bytes)
{
  head h;
  struct stat s;
  if (fstat (file, &s) || !S_ISREG (s.st_mode) || !read_all (file, &h, sizeof h)
      || memcmp (h.magic, MAGIC, sizeof h.magic)
      || memcmp (h.key, key, sizeof h.key) || h.bytes == 0
      || h.bytes != (uint64_t) s.st_size - sizeof h)
    return NULL;
  void *code = malloc (h.bytes);
  if (code
      && (!read_all (file, code, h.bytes)
          || trm_crc32 (0, code, (int64_t) h.bytes) != h.crc))
    {
      free (code);
      code = NULL;
    }
  *bytes = h.bytes;
  return code;
}

/* The file of KEY, to NAME.  */
static void
name_of (const char *key, char *name, size_t room)
{
  snprintf (name, room, "%.64s" END, key);
}

bool
trm_cuda_cache_get (const char *key, void **code, size_t *bytes)
{
  char name[80];
  int folder = open_folder ();
  name_of (key, name, sizeof name);
  int file = folder < 0
               ? -1
               : openat (folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  *code = file < 0 ? NULL : read_code (file, key, bytes);
  if (*code)
    futimens (file, NULL);
  if (file >= 0)
    close (file);
  if (folder >= 0)
    close (folder);
  return *code;
}

/* Order of files: the newest first.  */
static int
newer_first (const void *a, const void *b)
{
  const kept *x = a, *y = b;
  if (x->used.tv_sec != y->used.tv_sec)
    return x->used.tv_sec > y->used.tv_sec ? -1 : 1;
  if (x->used.tv_nsec != y->used.tv_nsec)
    return x->used.tv_nsec > y->used.tv_nsec ? -1 : 1;
  return strcmp (x->name, y->name);
}

/* Read file NAME of FOLDER into *K, when it may be the cache's.  */
static bool
look_at (int folder, const char *name, kept *k)
{
  struct stat s;
  if (!strstr (name, END) || strlen (name) >= sizeof k->name
      || fstatat (folder, name, &s, AT_SYMLINK_NOFOLLOW)
      || !S_ISREG (s.st_mode))
    return false;
  strcpy (k->name, name);
  k->used = s.st_mtim;
  k->bytes = s.st_size;
  return true;
}

/* The files of FOLDER, and how many; NULL when there are none.  */
static kept *
list_files (DIR *folder, int *n)
{
  kept *list = NULL, *longer, next;
  struct dirent *d;
  while ((d = readdir (folder)))
    if (look_at (dirfd (folder), d->d_name, &next))
      {
        longer = realloc (list, ((size_t) *n + 1) * sizeof *list);
        if (!longer)
          break;
        list = longer;
        list[(*n)++] = next;
      }
  return list;
}

/* Let the oldest files of FOLDER go, unless another process does that.  */
static void
evict (int folder)
{
  int n = 0, copy = openat (folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int64_t sum = 0;
  if (copy < 0)
    return;
  DIR *files = flock (copy, LOCK_EX | LOCK_NB) == 0 ? fdopendir (copy) : NULL;
  if (!files)
    {
      close (copy);
      return;
    }
  kept *list = list_files (files, &n);
  if (list)
    qsort (list, (size_t) n, sizeof *list, newer_first);
  for (int i = 0; i < n; i++)
    {
      sum += list[i].bytes;
      if (sum > limit ())
        unlinkat (folder, list[i].name, 0);
    }
  free (list);
  closedir (files);
}

/* Write the file of KEY under another name, and rename it.  */
static void
write_file (int folder, const char *key, const void *code, size_t bytes)
{
  static int serial;
  char name[80], beside[128];
  head h = { .magic = MAGIC,
             .bytes = bytes,
             .crc = trm_crc32 (0, code, (int64_t) bytes) };
  memcpy (h.key, key, sizeof h.key);
  name_of (key, name, sizeof name);
  snprintf (beside, sizeof beside, "%.16s-%ld-%d" END, key, (long) getpid (),
            __atomic_add_fetch (&serial, 1, __ATOMIC_RELAXED));
  int file
    = openat (folder, beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0)
    return;
  bool written
    = write_all (file, &h, sizeof h) && write_all (file, code, bytes);
  written = close (file) == 0 && written;
  if (!written || renameat (folder, beside, folder, name))
    unlinkat (folder, beside, 0);
}

void
trm_cuda_cache_put (const char *key, const void *code, size_t bytes)
{
  int folder = open_folder ();
  if (folder < 0)
    return;
  write_file (folder, key, code, bytes);
  evict (folder);
  close (folder);
}
