/* Writing zip files of stored members.

   Bytes of members begin at multiples of 64, so that a reader may map them: an
   extra field fills the head up (the one that programs for packages use, of
   number 0xd935: the alignment, then zeros).  Dates are those of the first day
   that there is, so that the same members give the same file.  */

#include "zip.h"

#include <string.h>

#define ALIGNMENT   64
#define FILL        0xd935
#define HEAD_BYTES  30
#define ENTRY_BYTES 46
#define PLAIN       20
#define WITH_64     45
#define UTF_8       0x800
#define UNIX        0x300
#define PLAIN_FILE  0x81a40000
#define FIRST_DAY   0x21
#define FILL_FRONT  6
#define MOST_EXTRA  (4 + 24 + 6 + ALIGNMENT)

/* Bytes that grow at their end.  */
typedef struct record
{
  int n;
  char at[ENTRY_BYTES + MOST_EXTRA];
} record;

/* Put BYTES bytes of VALUE.  */
static void
put (record *r, uint64_t value, int bytes)
{
  memcpy (r->at + r->n, &value, (size_t) bytes);
  r->n += bytes;
}

/* VALUE for a field of four bytes, or that it stands elsewhere.  */
static uint64_t
small (int64_t value)
{
  return value < TRM_ZIP_LARGE ? (uint64_t) value : TRM_ZIP_LARGE;
}

/* What a head and an entry have in common, from the version that a reader needs
   to the length of the name.  */
static void
put_common (record *r, const trm_zip_member *member, bool with_64)
{
  bool ascii = true;
  for (int i = 0; i < member->name_bytes; i++)
    ascii &= (unsigned char) member->name[i] < 128;
  put (r, with_64 ? WITH_64 : PLAIN, 2);
  put (r, ascii ? 0 : UTF_8, 2);
  put (r, 0, 4);
  put (r, FIRST_DAY, 2);
  put (r, member->crc, 4);
  put (r, small (member->bytes), 4);
  put (r, small (member->bytes), 4);
  put (r, (uint64_t) member->name_bytes, 2);
}

/* The front of an extra field for zip64 with BYTES bytes, and the lengths of
   MEMBER where they are large.  */
static void
put_extra_64 (record *r, const trm_zip_member *member, int bytes)
{
  put (r, TRM_ZIP_EXTRA_64, 2);
  put (r, (uint64_t) bytes, 2);
  if (member->bytes >= TRM_ZIP_LARGE)
    {
      put (r, (uint64_t) member->bytes, 8);
      put (r, (uint64_t) member->bytes, 8);
    }
}

/* Write R and, behind its first FRONT bytes, the name of MEMBER.  */
static void
write_record (trm_writer *w, const record *r, int front,
              const trm_zip_member *member)
{
  trm_writer_put (w, r->at, front);
  trm_writer_put (w, member->name, member->name_bytes);
  trm_writer_put (w, r->at + front, r->n - front);
}

void
trm_zip_put_head (trm_writer *w, trm_zip_member *member)
{
  record r = { .n = 0 };
  bool large = member->bytes >= TRM_ZIP_LARGE;
  int extra = large ? 20 : 0;
  member->head = trm_writer_at (w);
  int64_t least
    = member->head + HEAD_BYTES + member->name_bytes + extra + FILL_FRONT;
  int fill = (int) (-least & (ALIGNMENT - 1));
  put (&r, TRM_ZIP_HEAD, 4);
  put_common (&r, member, large);
  put (&r, (uint64_t) (extra + FILL_FRONT + fill), 2);
  if (large)
    put_extra_64 (&r, member, 16);
  put (&r, FILL, 2);
  put (&r, (uint64_t) (2 + fill), 2);
  put (&r, ALIGNMENT, 2);
  memset (r.at + r.n, 0, (size_t) fill);
  r.n += fill;
  write_record (w, &r, HEAD_BYTES, member);
}

/* Write the entry of MEMBER.  */
static void
put_entry (trm_writer *w, const trm_zip_member *member)
{
  record r = { .n = 0 };
  bool far = member->head >= TRM_ZIP_LARGE;
  int extra = (member->bytes >= TRM_ZIP_LARGE ? 16 : 0) + (far ? 8 : 0);
  put (&r, TRM_ZIP_ENTRY, 4);
  put (&r, UNIX | (extra ? WITH_64 : PLAIN), 2);
  put_common (&r, member, extra);
  put (&r, extra ? (uint64_t) extra + 4 : 0, 2);
  put (&r, 0, 6);
  put (&r, PLAIN_FILE, 4);
  put (&r, small (member->head), 4);
  if (extra)
    put_extra_64 (&r, member, extra);
  if (far)
    put (&r, (uint64_t) member->head, 8);
  write_record (w, &r, ENTRY_BYTES, member);
}

/* Write the second end of a directory of N members, BYTES bytes at PLACE, and
   where it stands.  */
static void
put_end_64 (trm_writer *w, int n, int64_t bytes, int64_t place)
{
  record r = { .n = 0 };
  put (&r, TRM_ZIP_END_64, 4);
  put (&r, 44, 8);
  put (&r, WITH_64, 2);
  put (&r, WITH_64, 2);
  put (&r, 0, 8);
  put (&r, (uint64_t) n, 8);
  put (&r, (uint64_t) n, 8);
  put (&r, (uint64_t) bytes, 8);
  put (&r, (uint64_t) place, 8);
  put (&r, TRM_ZIP_WHERE_64, 4);
  put (&r, 0, 4);
  put (&r, (uint64_t) (place + bytes), 8);
  put (&r, 1, 4);
  trm_writer_put (w, r.at, r.n);
}

void
trm_zip_put_directory (trm_writer *w, int n, const trm_zip_member *member)
{
  record r = { .n = 0 };
  int64_t place = trm_writer_at (w);
  for (int i = 0; i < n; i++)
    put_entry (w, &member[i]);
  int64_t bytes = trm_writer_at (w) - place;
  uint64_t count = n < TRM_ZIP_MANY ? (uint64_t) n : TRM_ZIP_MANY;
  if (count == TRM_ZIP_MANY || place + bytes >= TRM_ZIP_LARGE)
    put_end_64 (w, n, bytes, place);
  put (&r, TRM_ZIP_END, 4);
  put (&r, 0, 4);
  put (&r, count, 2);
  put (&r, count, 2);
  put (&r, small (bytes), 4);
  put (&r, small (place), 4);
  put (&r, 0, 2);
  trm_writer_put (w, r.at, r.n);
}
