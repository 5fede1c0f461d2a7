/* Members of zip files (PKWARE's APPNOTE 6.3), stored and deflated.  Not
   installed.

     member      | head | name | extra | bytes |
     ...
     directory   | entry of a member | ... | end of the directory |

   Lengths and places of 4 GB and more, and 65535 members and more, stand in
   extra fields and a second end (zip64).  */

#ifndef TRM_ZIP_H
#define TRM_ZIP_H

#include "file.h"

/* A member: its name, without an end mark, of NAME_BYTES; PACKED bytes from AT
   on in the file, which are BYTES when they are unpacked.  head: where its head
   begins.  */
typedef struct trm_zip_member
{
  const char *name;
  int name_bytes;
  bool deflated;
  uint32_t crc;
  int64_t packed;
  int64_t bytes;
  int64_t head;
  int64_t at;
} trm_zip_member;

/* zip.c: a walk over a directory.

   count, seen     members there are, and so far
   directory, end  where the entries begin and end
   next            where the next one begins
   taken           bytes of members so far  */
typedef struct trm_zip
{
  trm_file *file;
  int64_t count;
  int64_t seen;
  int64_t directory;
  int64_t next;
  int64_t end;
  int64_t taken;
} trm_zip;

/* Begin a walk over FILE, which stays the caller's; false with a message.  The
   next member; false with a message when there is no valid one: call it COUNT
   times.  The contents of a member, checked, as a file called NAME.  */
extern bool trm_zip_begin (trm_zip *zip, trm_file *file);
extern bool trm_zip_next (trm_zip *zip, trm_zip_member *member);
extern trm_file *trm_zip_open (const trm_zip *zip, const trm_zip_member *member,
                               const char *name);

/* zip-write.c: write the head of MEMBER, whose bytes come next and begin at a
   multiple of 64; name, name_bytes, crc and bytes are given, head is filled.
   Write the directory of MEMBER[0..n).  */
extern void trm_zip_put_head (trm_writer *w, trm_zip_member *member);
extern void trm_zip_put_directory (trm_writer *w, int n,
                                   const trm_zip_member *member);

/* Marks, and values that mean: see the extra field.  */
#define TRM_ZIP_HEAD     0x04034b50
#define TRM_ZIP_ENTRY    0x02014b50
#define TRM_ZIP_END      0x06054b50
#define TRM_ZIP_END_64   0x06064b50
#define TRM_ZIP_WHERE_64 0x07064b50
#define TRM_ZIP_EXTRA_64 1
#define TRM_ZIP_MANY     0xffff
#define TRM_ZIP_LARGE    0xffffffff

#endif
