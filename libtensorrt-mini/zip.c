/* Reading zip files: the directory first, from the end of the file.

   What a member's own head repeats must agree with the directory, members must
   lie before the directory, and together they must not be longer than the
   file: a directory that names the same bytes again and again is refused.
   Deflate makes at most 1032 bytes of one, so that memory for what is unpacked
   is bounded by the length of the file, too.

   Not read: several disks, encryption, other packings.  */

#include "zip.h"

#include <string.h>

#define HEAD_BYTES     30
#define ENTRY_BYTES    46
#define END_BYTES      22
#define END_64_BYTES   56
#define WHERE_64_BYTES 20
#define MOST_COMMENT   0xffff
#define ENCRYPTED      1
#define STORED         0
#define DEFLATED       8
#define MOST_RATIO     1032

/* N bytes at AT as a number.  */
static uint64_t
number (const char *at, int n)
{
  uint64_t value = 0;
  memcpy (&value, at, (size_t) n);
  return value;
}

/* Fail at byte AT of the directory or a head.  */
static bool
wrong (const trm_zip *zip, int64_t at, const char *what)
{
  return trm_file_bad (zip->file, TRM_BAD_FILE, "byte %lld: %s", (long long) at,
                       what);
}

/* Where the end of the directory begins; -1 when there is none.  */
static int64_t
find_end (const trm_file *file)
{
  int64_t least = file->bytes - END_BYTES - MOST_COMMENT;
  for (int64_t at = file->bytes - END_BYTES; at >= 0 && at >= least; at--)
    if (number (file->at + at, 4) == TRM_ZIP_END
        && (int64_t) number (file->at + at + 20, 2)
             == file->bytes - END_BYTES - at)
      return at;
  return -1;
}

/* Whether the walk's directory, BYTES bytes at PLACE, ends where END says, and
   can hold as many members.  */
static bool
set_directory (trm_zip *zip, uint64_t count, uint64_t bytes, uint64_t place)
{
  uint64_t end = (uint64_t) zip->end;
  if (bytes > end || place != end - bytes || count > bytes / ENTRY_BYTES)
    return wrong (zip, zip->end, "the directory is not where it should be");
  zip->count = (int64_t) count;
  zip->directory = (int64_t) place;
  zip->next = (int64_t) place;
  return true;
}

/* The directory as the second end tells, which WHERE points to.  */
static bool
begin_64 (trm_zip *zip, int64_t where)
{
  const char *at = zip->file->at;
  uint64_t end = number (at + where + 8, 8);
  if (end > (uint64_t) where || (uint64_t) where - end < END_64_BYTES
      || number (at + end, 4) != TRM_ZIP_END_64
      || number (at + end + 4, 8) != (uint64_t) where - end - 12)
    return wrong (zip, where, "the zip64 end is not where it should be");
  at += end;
  zip->end = (int64_t) end;
  if (number (at + 16, 8) || number (at + 24, 8) != number (at + 32, 8))
    return wrong (zip, zip->end, "a zip of several disks");
  return set_directory (zip, number (at + 32, 8), number (at + 40, 8),
                        number (at + 48, 8));
}

bool
trm_zip_begin (trm_zip *zip, trm_file *file)
{
  *zip = (trm_zip){ .file = file, .end = find_end (file) };
  if (zip->end < 0)
    return trm_file_bad (file, TRM_BAD_FILE, "is no zip");
  const char *at = file->at + zip->end;
  int64_t where = zip->end - WHERE_64_BYTES;
  if (where >= 0 && number (file->at + where, 4) == TRM_ZIP_WHERE_64)
    return begin_64 (zip, where);
  if (number (at + 4, 4) || number (at + 8, 2) != number (at + 10, 2))
    return wrong (zip, zip->end, "a zip of several disks");
  return set_directory (zip, number (at + 10, 2), number (at + 12, 4),
                        number (at + 16, 4));
}

/* The zip64 field among the extra fields from AT to END, *BYTES long; NULL when
   there is none.  */
static const char *
find_extra (const char *at, const char *end, int64_t *bytes)
{
  for (; end - at >= 4; at += 4 + *bytes)
    {
      *bytes = (int64_t) number (at + 2, 2);
      if (*bytes > end - at - 4)
        return NULL;
      if (number (at, 2) == TRM_ZIP_EXTRA_64)
        return at + 4;
    }
  return NULL;
}

/* The three numbers that may be too large for an entry: those that are come
   from the extra fields, in this order.  False when they are not there.  */
static bool
read_large (trm_zip_member *member, const char *entry, const char *extra,
            const char *end)
{
  uint64_t value[] = { number (entry + 24, 4), number (entry + 20, 4),
                       number (entry + 42, 4) };
  int64_t left = 0;
  const char *at = find_extra (extra, end, &left);
  for (int i = 0; i < 3; i++)
    if (value[i] == TRM_ZIP_LARGE)
      {
        if (!at || left < 8)
          return false;
        value[i] = number (at, 8);
        at += 8;
        left -= 8;
        if (value[i] > INT64_MAX)
          return false;
      }
  member->bytes = (int64_t) value[0];
  member->packed = (int64_t) value[1];
  member->head = (int64_t) value[2];
  return true;
}

/* Find the bytes of MEMBER behind its own head.  */
static bool
find_bytes (trm_zip *zip, trm_zip_member *member)
{
  int64_t before = zip->directory - HEAD_BYTES;
  const char *head = zip->file->at + member->head;
  if (member->head > before || number (head, 4) != TRM_ZIP_HEAD)
    return wrong (zip, member->head, "there is no member");
  int64_t name_bytes = (int64_t) number (head + 26, 2);
  member->at
    = member->head + HEAD_BYTES + name_bytes + (int64_t) number (head + 28, 2);
  if (member->at > zip->directory
      || member->packed > zip->directory - member->at)
    return wrong (zip, member->head, "a member that reaches the directory");
  if (name_bytes != member->name_bytes
      || memcmp (head + HEAD_BYTES, member->name, (size_t) name_bytes))
    return wrong (zip, member->head, "a member with two names");
  zip->taken += member->at - member->head + member->packed;
  return zip->taken <= zip->directory
         || wrong (zip, member->head, "members that overlap");
}

bool
trm_zip_next (trm_zip *zip, trm_zip_member *member)
{
  const char *at = zip->file->at + zip->next;
  int64_t left = zip->end - zip->next - ENTRY_BYTES;
  if (left < 0 || number (at, 4) != TRM_ZIP_ENTRY)
    return wrong (zip, zip->next, "there is no entry of a member");
  int64_t name = (int64_t) number (at + 28, 2);
  int64_t extra = (int64_t) number (at + 30, 2);
  int64_t comment = (int64_t) number (at + 32, 2);
  if (name + extra + comment > left)
    return wrong (zip, zip->next, "an entry that reaches the end");
  uint64_t packing = number (at + 10, 2);
  if ((packing != STORED && packing != DEFLATED)
      || number (at + 8, 2) & ENCRYPTED)
    return wrong (zip, zip->next, "a member neither stored nor deflated");
  *member = (trm_zip_member){ .name = at + ENTRY_BYTES,
                              .name_bytes = (int) name,
                              .deflated = packing == DEFLATED,
                              .crc = (uint32_t) number (at + 16, 4) };
  const char *extras = member->name + name;
  if (!read_large (member, at, extras, extras + extra))
    return wrong (zip, zip->next, "a length is missing");
  if (member->deflated ? member->bytes / MOST_RATIO > member->packed
                       : member->bytes != member->packed)
    return wrong (zip, zip->next, "lengths that do not go together");
  zip->next += ENTRY_BYTES + name + extra + comment;
  if (++zip->seen == zip->count && zip->next != zip->end)
    return wrong (zip, zip->next, "more entries than are counted");
  return find_bytes (zip, member);
}

trm_file *
trm_zip_open (const trm_zip *zip, const trm_zip_member *member,
              const char *name)
{
  trm_file *file = trm_file_part (zip->file, name, member->at, member->packed);
  if (file && member->deflated)
    {
      trm_file *packed = file;
      file = trm_file_unpacked (zip->file, name, member->bytes);
      if (file && !trm_inflate (packed, file))
        {
          trm_file_close (file);
          file = NULL;
        }
      trm_file_close (packed);
    }
  if (!file || trm_crc32 (0, file->at, file->bytes) == member->crc)
    return file;
  trm_file_bad (file, TRM_BAD_FILE, "the CRC-32 differs");
  trm_file_close (file);
  return NULL;
}
