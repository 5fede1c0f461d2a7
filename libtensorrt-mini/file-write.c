/* Files that are replaced at once.

     NAME.tmp-PID   is written beside NAME, and forced to the disk
     NAME           becomes it, by one rename; the folder is forced, too

   Whatever happens between, NAME is the old file or the new one.  A name that
   is taken, by another thread or by a process that was stopped, gets a number
   more: two writers never write to one file, and the later rename stays.  Where
   NAME is a symbolic link, the link is replaced.

   What fails first is remembered; what follows does nothing.  */

#include "file.h"

#include "abi-cuda.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER     65536
#define MOST_NAMES 1000

/* beside: the name of the file that is written; is_there: it is to be removed;
   n: bytes in BUFFER; put: bytes so far.  */
struct trm_writer
{
  const char *who;
  const char *path;
  char *beside;
  int descriptor;
  bool is_there;
  trm_status status;
  int64_t put;
  int64_t n;
  char buffer[BUFFER];
};

/* Remember that the system did not do WHAT, and why.  */
static void
fail (trm_writer *w, const char *what)
{
  if (!w->status)
    w->status = trm_fail (TRM_NO_FILE, "%s: %.200s: cannot %s: %m", w->who,
                          w->path, what);
}

/* Make a file beside W's; false when that is not possible.  */
static bool
open_beside (trm_writer *w, size_t room)
{
  for (int i = 0; i < MOST_NAMES && w->descriptor < 0; i++)
    {
      int n
        = snprintf (w->beside, room, "%s.tmp-%ld", w->path, (long) getpid ());
      if (i > 0)
        snprintf (w->beside + n, room - (size_t) n, "-%d", i);
      w->descriptor
        = open (w->beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (w->descriptor < 0 && errno != EEXIST)
        break;
    }
  if (w->descriptor < 0)
    fail (w, "make a file beside");
  w->is_there = w->descriptor >= 0;
  return w->is_there;
}

/* Let the new file have the rights of the old one; false, with a message, when
   there is something there that is no file.  */
static bool
follow_old (trm_writer *w)
{
  struct stat old;
  if (stat (w->path, &old))
    return true;
  if (!S_ISREG (old.st_mode))
    trm_fail (TRM_NO_FILE, "%s: %.200s: is no regular file", w->who, w->path);
  else if (fchmod (w->descriptor, old.st_mode & 0777))
    fail (w, "set the rights");
  return S_ISREG (old.st_mode);
}

/* W goes, and the file beside where it is still there.  */
static void
free_writer (trm_writer *w)
{
  if (w->descriptor >= 0)
    close (w->descriptor);
  if (w->is_there)
    unlink (w->beside);
  free (w->beside);
  free (w);
}

trm_writer *
trm_writer_open (const char *who, const char *path)
{
  size_t room = strlen (path) + 48;
  trm_writer *w = malloc (sizeof *w);
  char *beside = malloc (room);
  if (!w || !beside)
    {
      free (w);
      free (beside);
      return trm_fail_null (TRM_NO_MEMORY, "%s: no memory", who);
    }
  w->who = who;
  w->path = path;
  w->beside = beside;
  w->descriptor = -1;
  w->is_there = false;
  w->status = TRM_OK;
  w->put = 0;
  w->n = 0;
  if (open_beside (w, room) && follow_old (w))
    return w;
  free_writer (w);
  return NULL;
}

/* Write N bytes to W's file, which a device may have.  */
static void
write_all (trm_writer *w, const char *bytes, int64_t n)
{
  trm_cuda_host ((char *) bytes, n, TRM_CUDA_READ);
  while (n > 0 && !w->status)
    {
      ssize_t written = write (w->descriptor, bytes, (size_t) n);
      if (written < 0 && errno == EINTR)
        continue;
      if (written <= 0)
        fail (w, "write");
      bytes += written;
      n -= written;
    }
}

/* Write what is in the buffer.  */
static void
flush (trm_writer *w)
{
  write_all (w, w->buffer, w->n);
  w->n = 0;
}

void
trm_writer_put (trm_writer *w, const void *bytes, int64_t n)
{
  if (!w || n == 0)
    return;
  w->put += n;
  if (n > BUFFER - w->n)
    flush (w);
  if (n > BUFFER)
    {
      write_all (w, bytes, n);
      return;
    }
  memcpy (w->buffer + w->n, bytes, (size_t) n);
  w->n += n;
}

int64_t
trm_writer_at (const trm_writer *w)
{
  return w ? w->put : 0;
}

/* Force the folder of W's file to the disk, where folders can be.  */
static void
force_folder (trm_writer *w)
{
  char *slash = strrchr (w->beside, '/');
  if (slash)
    slash[slash == w->beside] = 0;
  int folder
    = open (slash ? w->beside : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0)
    return;
  if (fsync (folder) && errno != EINVAL && errno != EROFS)
    fail (w, "force the folder to the disk");
  close (folder);
}

trm_status
trm_writer_close (trm_writer *w, trm_status status)
{
  if (!w)
    return status ? status : trm_error ();
  if (!w->status)
    w->status = status;
  flush (w);
  if (!w->status && fsync (w->descriptor))
    fail (w, "force to the disk");
  if (close (w->descriptor))
    fail (w, "close");
  w->descriptor = -1;
  if (!w->status && rename (w->beside, w->path))
    fail (w, "rename");
  if (!w->status)
    {
      w->is_there = false;
      force_folder (w);
    }
  status = w->status;
  free_writer (w);
  return status;
}

const void *
trm_plain_elements (const trm_tensor *t, trm_storage **copy)
{
  int64_t stride[TRM_RANK];
  *copy = NULL;
  if (trm_is_contiguous (t))
    return t->at;
  *copy = trm_storage_new (trm_count (t) * (int64_t) trm_type_bytes (t->type));
  if (!*copy)
    return NULL;
  trm_shape_strides (t->rank, t->extent, stride);
  trm_copy_elements (t->rank, t->extent, t->type, (*copy)->memory, stride,
                     t->type, t->at, t->stride);
  return (*copy)->memory;
}

bool
trm_may_write (const char *who, const char *path, const void *what)
{
  if (what && !path)
    trm_fail (TRM_BAD_ARGUMENT, "%s: no path", who);
  return what && path;
}
