/* NumPy's .npz files: a zip with a member NAME.npy for each tensor.  */

#include "json.h"
#include "zip.h"

#include <stdlib.h>
#include <string.h>

#define END       ".npy"
#define END_BYTES 4
#define MOST_NAME 60000

/* The name of MEMBER without its end, for free (); NULL with a message.  */
static char *
tensor_name (const trm_file *file, const trm_zip_member *member)
{
  int n = member->name_bytes;
  if (memchr (member->name, 0, (size_t) n))
    return trm_file_bad (file, TRM_BAD_FILE, "a name with a zero in it");
  if (n >= END_BYTES && !memcmp (member->name + n - END_BYTES, END, END_BYTES))
    n -= END_BYTES;
  char *name = strndup (member->name, (size_t) n);
  return name ? name : trm_file_bad (file, TRM_NO_MEMORY, "no memory");
}

/* Put the tensor of MEMBER to NAMES; false with a message.  */
static bool
read_member (const trm_zip *zip, const trm_zip_member *member, trm_names *names)
{
  char *name = tensor_name (zip->file, member);
  trm_file *file = name ? trm_zip_open (zip, member, name) : NULL;
  bool done
    = file && trm_file_put (zip->file, names, name, trm_npy_tensor (file));
  trm_file_close (file);
  free (name);
  return done;
}

/* Put the tensors of FILE to NAMES; false with a message.  */
static bool
read_members (trm_file *file, trm_names *names)
{
  trm_zip zip;
  trm_zip_member member;
  if (!trm_zip_begin (&zip, file))
    return false;
  for (int64_t i = 0; i < zip.count; i++)
    if (!trm_zip_next (&zip, &member) || !read_member (&zip, &member, names))
      return false;
  return true;
}

trm_names *
trm_npz_read (const char *path)
{
  return trm_file_names ("npz_read", path, read_members);
}

/* NAME and the end of members' names, for free (); NULL with a message.  */
static char *
member_name (const char *name)
{
  size_t n = strlen (name);
  if (n > MOST_NAME || !trm_is_utf8 (name))
    return trm_fail_null (TRM_BAD_ARGUMENT,
                          "npz_write: '%.60s' is too long or no UTF-8", name);
  char *whole = malloc (n + END_BYTES + 1);
  if (!whole)
    return trm_fail_null (TRM_NO_MEMORY, "npz_write: no memory");
  memcpy (whole, name, n);
  memcpy (whole + n, END, END_BYTES + 1);
  return whole;
}

/* Write T as the member called NAME, and fill MEMBER.  */
static trm_status
write_member (trm_writer *w, const char *name, const trm_tensor *t,
              trm_zip_member *member)
{
  char head[TRM_NPY_HEAD];
  trm_storage *copy = NULL;
  char *whole = member_name (name);
  int head_bytes = whole ? trm_npy_head (head, "npz_write", t) : 0;
  const void *elements = head_bytes ? trm_plain_elements (t, &copy) : NULL;
  member->name = whole;
  if (!elements)
    return trm_error ();
  int64_t bytes = trm_count (t) * (int64_t) trm_type_bytes (t->type);
  member->name_bytes = (int) strlen (whole);
  member->crc = trm_crc32 (trm_crc32 (0, head, head_bytes), elements, bytes);
  member->packed = head_bytes + bytes;
  member->bytes = member->packed;
  trm_zip_put_head (w, member);
  trm_writer_put (w, head, head_bytes);
  trm_writer_put (w, elements, bytes);
  trm_storage_drop (copy);
  return TRM_OK;
}

/* Write NAMES as MEMBER[0..n).  */
static trm_status
write_members (trm_writer *w, const trm_names *names, trm_zip_member *member)
{
  int n = trm_names_count (names);
  trm_status status = TRM_OK;
  for (int i = 0; i < n && !status; i++)
    status = write_member (w, trm_names_name (names, i),
                           trm_names_at (names, i), &member[i]);
  if (!status)
    trm_zip_put_directory (w, n, member);
  for (int i = 0; i < n; i++)
    free ((char *) member[i].name);
  return status;
}

trm_status
trm_npz_write (const char *path, const trm_names *names)
{
  if (!trm_may_write ("npz_write", path, names))
    return TRM_BAD_ARGUMENT;
  size_t n = (size_t) trm_names_count (names);
  trm_zip_member *member = calloc (n + 1, sizeof *member);
  if (!member)
    return trm_fail (TRM_NO_MEMORY, "npz_write: no memory");
  trm_writer *w = trm_writer_open ("npz_write", path);
  trm_status status = w ? write_members (w, names, member) : TRM_OK;
  free (member);
  return trm_writer_close (w, status);
}
