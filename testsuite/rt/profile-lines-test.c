/* Lines of addresses: tables of DWARF 2 to 5 that are written here, functions
   of this program, and 100,000 tables with wrong bytes, which end before a page
   that cannot be read.  */

#define _GNU_SOURCE

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "profile.h"

#include "expect.h"
#include "object.h"

#define MUTANTS 100000
#define ROOM    512

/* Bytes that are being written.  */
typedef struct text
{
  unsigned char byte[ROOM];
  size_t n;
} text;

/* Append N bytes.  */
static void
put (text *t, const void *bytes, size_t n)
{
  memcpy (t->byte + t->n, bytes, n);
  t->n += n;
}

/* Append VALUE in N bytes.  */
static void
put_number (text *t, uint64_t value, int n)
{
  for (int i = 0; i < n; i++)
    t->byte[t->n++] = (unsigned char) (value >> 8 * i);
}

/* Set the N bytes before position AT to how many follow AT.  */
static void
set_length (text *t, size_t at, int n)
{
  text length = { .n = 0 };
  put_number (&length, t->n - at, n);
  memcpy (t->byte + at - n, length.byte, (size_t) n);
}

/* The lists of folders and files: src/b.c is file 2 of VERSION.  */
static void
put_files (text *t, int version, bool wide)
{
  static const unsigned char folders[] = { 1, 1, 0x1f, 2 };
  static const unsigned char files[] = { 3, 1, 0x08, 2, 0x0b, 5, 0x1e, 3 };
  if (version < 5)
    {
      put (t, "src\0\0a.c\0\0\0\0b.c\0\1\0\0", 20);
      return;
    }
  put (t, folders, sizeof folders);
  put_number (t, 0, wide ? 8 : 4);
  put_number (t, 5, wide ? 8 : 4);
  put (t, files, sizeof files);
  for (int i = 0; i < 3; i++)
    {
      put (t, i < 2 ? "a.c" : "b.c", 4);
      put_number (t, i == 2, 1);
      put (t, "0123456789abcdef", 16);
    }
}

/* Rows: 0x1000 line 7 of file 1, 0x1010 line 9 of file 2, 0x1020 line 9, 0x1024
   line 400, 0x1100 nothing; a sequence that the linker left out.  */
static void
put_rows (text *t)
{
  static const unsigned char program[]
    = { 0, 9, 2,    0,    0x10, 0,  0, 0,    0,    0,    0, 3,    6, 1,    4,
        2, 2, 0x10, 3,    2,    1,  9, 0x10, 0,    6,    1, 0x4e, 3, 0x83, 3,
        1, 8, 2,    0xcb, 1,    0,  1, 1,    0,    9,    2, 0,    0, 0,    0,
        0, 0, 0,    0,    3,    99, 1, 2,    0x80, 0x40, 0, 1,    1 };
  put (t, program, sizeof program);
}

/* A unit of VERSION with offsets of four bytes, or eight when WIDE.  Special
   opcode 0x4e is 4 addresses and 4 lines on.  */
static void
put_unit (text *t, int version, bool wide)
{
  static const unsigned char lengths[] = { 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1 };
  int bytes = wide ? 8 : 4;
  if (wide)
    put_number (t, 0xffffffff, 4);
  put_number (t, 0, bytes);
  size_t unit = t->n;
  put_number (t, (uint64_t) version, 2);
  if (version >= 5)
    put_number (t, 8, 2);
  put_number (t, 0, bytes);
  size_t head = t->n;
  put_number (t, 1, 1);
  if (version >= 4)
    put_number (t, 1, 1);
  put_number (t, 1, 1);
  put_number (t, 0xfb, 1);
  put_number (t, 14, 1);
  put_number (t, 13, 1);
  put (t, lengths, sizeof lengths);
  put_files (t, version, wide);
  set_length (t, head, bytes);
  put_rows (t);
  set_length (t, unit, bytes);
}

static const unsigned char line_strings[] = "/top\0src";

/* Find the lines of LINE[0..n) in the N bytes at TABLE.  */
static void
find (const unsigned char *table, size_t bytes, trm_line *line, int n)
{
  trm_lines_find ((trm_stretch){ table, bytes },
                  (trm_stretch){ line_strings, sizeof line_strings },
                  (trm_stretch){ NULL, 0 }, line, n);
}

/* Whether LINE is line NUMBER of the file called FILE, or of nothing.  */
static bool
is_line (const trm_line *line, const char *file, int number)
{
  return line->line == number && strcmp (line->file, file) == 0;
}

static void
test_tables (void)
{
  for (int i = 0; i < 8; i++)
    {
      text t = { .n = 0 };
      int version = 2 + i / 2;
      trm_line l[] = { { .at = 0x10 },   { .at = 0xfff },  { .at = 0x1000 },
                       { .at = 0x100f }, { .at = 0x1010 }, { .at = 0x1023 },
                       { .at = 0x1024 }, { .at = 0x10ff }, { .at = 0x1100 } };
      put_unit (&t, 9, false);
      put_unit (&t, version, i % 2);
      find (t.byte, t.n, l, 9);
      expect (!l[0].line && !l[1].line && !l[8].line && !*l[8].file,
              "version %d%s: what has no line", version, i % 2 ? ", wide" : "");
      expect (is_line (&l[2], "a.c", 7) && is_line (&l[3], "a.c", 7)
                && is_line (&l[4], "b.c", 9) && is_line (&l[5], "b.c", 9),
              "lines of two files");
      expect (is_line (&l[6], "b.c", 400) && is_line (&l[7], "b.c", 400)
                && strcmp (l[6].folder, "src") == 0,
              "the last line of a sequence, and its folder");
    }
}

/* Where this is called, and the line of that.  */
static __attribute__ ((noinline)) const void *
caller (void)
{
  return (const char *) __builtin_return_address (0) - 1;
}

static __attribute__ ((noinline)) void
test_places (void)
{
  int here = __LINE__ + 1;
  trm_place p[3] = { { .at = caller () }, { .at = getenv }, { .at = &here } };
  trm_places_find (p, 3);
  trm_object *o = trm_object_at (p[0].at);
  bool has_lines = trm_object_section (o, ".debug_line").at;
  expect (strcmp (p[0].function, "test_places") == 0
            && strcmp (p[0].object, "the program") == 0 && !p[0].own,
          "a function of the program");
  expect (
    !has_lines
      || (p[0].line == here && strcmp (p[0].file, "profile-lines-test.c") == 0),
    "and its line");
  expect (strncmp (p[1].object, "libc", 4) == 0 && !p[1].own,
          "a function of a library");
  expect (strcmp (p[2].function, "unknown") == 0 && !p[2].line,
          "what is in no object");
  p[0].at = trm_version;
  trm_places_find (p, 1);
  expect (p[0].own, "one of this library");
  trm_places_free ();
}

/* The next of some numbers.  */
static uint32_t
next (uint32_t *state)
{
  *state = *state * 1664525 + 1013904223;
  return *state >> 8;
}

static void
test_mutants (void)
{
  size_t page = (size_t) sysconf (_SC_PAGESIZE);
  unsigned char *room = mmap (NULL, 2 * page, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED || mprotect (room + page, page, PROT_NONE))
    exit (2);
  uint32_t state = 1;
  int64_t told = 0;
  for (int i = 0; i < MUTANTS; i++)
    {
      text t = { .n = 0 };
      trm_line l[] = { { .at = 0x1000 }, { .at = 0x1011 }, { .at = 0x1080 } };
      put_unit (&t, 2 + i % 4, i / 4 % 2);
      for (uint32_t k = 0; k <= next (&state) % 4; k++)
        t.byte[next (&state) % t.n] = (unsigned char) next (&state);
      size_t n = i % 3 ? t.n : next (&state) % t.n;
      unsigned char *at = room + page - n;
      memcpy (at, t.byte, n);
      find (at, n, l, 3);
      for (int k = 0; k < 3; k++)
        told += l[k].line + (int64_t) strlen (l[k].file);
    }
  munmap (room, 2 * page);
  expect (told > 0, "wrong bytes give other lines, or none, and end nothing");
}

int
main (void)
{
  test_tables ();
  test_places ();
  test_mutants ();
  return expect_status ();
}
