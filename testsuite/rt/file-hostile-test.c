/* Files that are not what they should be: each reader says what is wrong, and
   reads nothing outside of the file.

     file-hostile-test [COUNT [SEED]]

   First files that are wrong in one way each; then COUNT mutations of valid
   ones, which must be read or refused.  Under AddressSanitizer a file is not
   mapped but read to memory of its own, so that a byte too far is seen.  */

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "file-sample.h"

#ifdef __SANITIZE_ADDRESS__

static void *mapped[64];

void *
mmap (void *at, size_t bytes, int rights, int flags, int file, off_t from)
{
  int i = 0;
  while (i < 64 && mapped[i])
    i++;
  if (file < 0 || rights != (PROT_READ | PROT_WRITE) || i == 64)
    return (void *) syscall (SYS_mmap, at, bytes, rights, flags, file, from);
  mapped[i] = malloc (bytes);
  if (!mapped[i] || pread (file, mapped[i], bytes, from) != (ssize_t) bytes)
    abort ();
  return mapped[i];
}

int
munmap (void *at, size_t bytes)
{
  int i = 0;
  while (i < 64 && mapped[i] != at)
    i++;
  if (i == 64)
    return (int) syscall (SYS_munmap, at, bytes);
  free (mapped[i]);
  mapped[i] = NULL;
  return 0;
}

#endif

/* Whether nothing was read, because of STATUS and WORDS; else it is told which
   case that is.  */
static bool
refused (bool read, trm_status status, const char *words)
{
  char told[600];
  snprintf (told, sizeof told, "%s", trm_message ());
  bool right = !read && expect_failed (status, words);
  if (!right)
    printf ("  %s, not \"%s\": %s\n", read ? "read" : "refused", words, told);
  return right;
}

#define NPY(type, order, shape)                                                \
  "{'descr': '" type "', 'fortran_order': " order ", 'shape': " shape ", }"

static const struct
{
  const char *text;
  trm_status status;
  const char *words;
} heads[] = {
  { NPY ("<f4", "False", "(3,)"), TRM_BAD_FILE,
    "16 bytes of elements, not 12" },
  { NPY ("<f4", "False", "(5,)"), TRM_BAD_FILE,
    "16 bytes of elements, not 20" },
  { NPY ("<f4", "False", "(4611686018427387904, 4)"), TRM_BAD_FILE,
    "no shape" },
  { NPY ("<f4", "False", "(4294967296, 4294967296)"), TRM_BAD_FILE,
    "no shape" },
  { NPY ("<f4", "True", "(0, 4611686018427387904, 4611686018427387904)"),
    TRM_BAD_FILE, "no shape" },
  { NPY ("<f4", "False", "(18446744073709551620,)"), TRM_BAD_FILE,
    "an extent" },
  { NPY ("<f4", "False", "(-4,)"), TRM_BAD_FILE, "an extent" },
  { NPY ("<f4", "False", "(1,1,1,1,1,1,1,1,4)"), TRM_BAD_SHAPE, "8 axes" },
  { NPY ("<f4", "False", "(4)"), TRM_BAD_FILE, "behind a single extent" },
  { NPY ("<f4", "False", "(,)"), TRM_BAD_FILE, "an extent" },
  { NPY ("<f4", "False", "(2 2)"), TRM_BAD_FILE, "an extent" },
  { NPY ("<f4", "False", "[4]"), TRM_BAD_FILE, "expected (" },
  { NPY ("<f4", "False", "(4,"), TRM_BAD_FILE, "an extent" },
  { NPY ("<f4", "0", "(4,)"), TRM_BAD_FILE, "True or False" },
  { NPY ("<c8", "False", "(2,)"), TRM_BAD_TYPE, "'<c8'" },
  { NPY ("<i2", "False", "(8,)"), TRM_BAD_TYPE, "'<i2'" },
  { NPY ("|O", "False", "(2,)"), TRM_BAD_TYPE, "'|O'" },
  { NPY ("\x1b[31m", "False", "(2,)"), TRM_BAD_TYPE, "'?[31m'" },
  { "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (4,)}",
    TRM_BAD_TYPE, "no plain one" },
  { "{'descr': '<f4', 'fortran_order': False}", TRM_BAD_FILE, "one of descr" },
  { "{'descr': '<f4', 'descr': '<f4', 'shape': (4,)}", TRM_BAD_FILE,
    "each once" },
  { "{'descr': '<f4', 'x': 1}", TRM_BAD_FILE, "each once" },
  { "{'descr': '<f4' 'shape': (4,)}", TRM_BAD_FILE, ", or }" },
  { "{'descr", TRM_BAD_FILE, "each once" },
  { "'descr'", TRM_BAD_FILE, "expected {" },
  { "", TRM_BAD_FILE, "expected {" },
  { NPY ("<f4", "False", "(4,)") " x", TRM_BAD_FILE, "the end of the head" },
};

static void
test_npy (void)
{
  static const char sixteen[16];
  bool all = true;
  for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
    all &= refused (
      trm_npy_read (sample_npy (1, heads[i].text, 128, sixteen, 16)),
      heads[i].status, heads[i].words);
  expect (all, "npy: heads that are wrong");
  const char *path
    = sample_npy (4, NPY ("|u1", "False", "(16,)"), 128, sixteen, 16);
  all = refused (trm_npy_read (path), TRM_BAD_FILE, "version 4.0");
  path = sample_npy (1, NPY ("|b1", "False", "(2,)"), 128, "\1\2", 2);
  all &= refused (trm_npy_read (path), TRM_BAD_FILE, "not 0 or 1");
  sample_write (path, "\x93NUMPY\1\0\377\377{", 11);
  all &= refused (trm_npy_read (path), TRM_BAD_FILE, "ends inside");
  sample_write (path, "\x93NUMPY\2\0\377\377\377\377{", 13);
  all &= refused (trm_npy_read (path), TRM_BAD_FILE, "ends inside");
  sample_write (path, "\x93NUMPX\1\0\1\0{", 11);
  all &= refused (trm_npy_read (path), TRM_BAD_FILE, "is no .npy");
  expect (all, "npy: versions, lengths and bools that are wrong");
}

#define ST(name, type, shape, offsets)                                         \
  "\"" name "\":{\"dtype\":\"" type "\",\"shape\":[" shape                     \
  "],\"data_offsets\":[" offsets "]}"
#define X(shape, offsets) "{" ST ("x", "F32", shape, offsets) "}"
#define TEN               "[[[[[[[[[["

static const struct
{
  const char *text;
  trm_status status;
  const char *words;
} safe[] = {
  { X ("3", "0,12"), TRM_BAD_FILE, "do not fill the 16 bytes" },
  { X ("5", "0,20"), TRM_BAD_FILE, "do not fill" },
  { X ("3", "4,16"), TRM_BAD_FILE, "do not fill" },
  { X ("3", "0,16"), TRM_BAD_FILE, "'x' needs 12 bytes, not 16" },
  { X ("4", "16,0"), TRM_BAD_FILE, "do not fill" },
  { X ("4", "0,18446744073709551632"), TRM_BAD_FILE, "a whole number" },
  { X ("4", "-1,15"), TRM_BAD_FILE, "a whole number" },
  { X ("4", "00,16"), TRM_BAD_FILE, "a whole number" },
  { X ("4", "0.0,16"), TRM_BAD_FILE, "','" },
  { X ("4", "0,16,16"), TRM_BAD_FILE, "']'" },
  { X ("4294967296,4294967296", "0,16"), TRM_BAD_FILE, "no shape" },
  { X ("0,9223372036854775807,9223372036854775807", "0,0"), TRM_BAD_FILE,
    "do not fill" },
  { X ("1,1,1,1,1,1,1,1,4", "0,16"), TRM_BAD_SHAPE, "8 axes" },
  { X ("4,", "0,16"), TRM_BAD_FILE, "a whole number" },
  { "{" ST ("x", "F32", "2", "0,8") "," ST ("y", "F32", "3", "4,16") "}",
    TRM_BAD_FILE, "do not fill" },
  { "{" ST ("x", "F32", "1", "0,4") "," ST ("y", "F32", "2", "8,16") "}",
    TRM_BAD_FILE, "do not fill" },
  { "{" ST ("x", "F32", "2", "0,8") "," ST ("x", "F32", "2", "8,16") "}",
    TRM_BAD_FILE, "two are called 'x'" },
  { "{" ST ("x", "F32", "4", "0,16") ",}", TRM_BAD_FILE, "'\"'" },
  { "{" ST ("x", "F32", "4", "0,16") "} }", TRM_BAD_FILE, "nothing more" },
  { "{" ST ("x", "F8", "4", "0,16") "}", TRM_BAD_TYPE, "the type 'F8'" },
  { "{" ST ("x\\u0000", "F32", "4", "0,16") "}", TRM_BAD_FILE, "in UTF-8" },
  { "{" ST ("x\\ud800", "F32", "4", "0,16") "}", TRM_BAD_FILE, "in UTF-8" },
  { "{" ST ("x\\ud800\\u0041", "F32", "4", "0,16") "}", TRM_BAD_FILE,
    "in UTF-8" },
  { "{" ST ("x\\udc00", "F32", "4", "0,16") "}", TRM_BAD_FILE, "in UTF-8" },
  { "{" ST ("x\xc0\x80", "F32", "4", "0,16") "}", TRM_BAD_FILE, "in UTF-8" },
  { "{" ST ("x\xed\xa0\x80", "F32", "4", "0,16") "}", TRM_BAD_FILE,
    "in UTF-8" },
  { "{" ST ("x\xf4\x90\x80\x80", "F32", "4", "0,16") "}", TRM_BAD_FILE,
    "in UTF-8" },
  { "{" ST ("x\n", "F32", "4", "0,16") "}", TRM_BAD_FILE, "in UTF-8" },
  { "{" ST ("x\\q", "F32", "4", "0,16") "}", TRM_BAD_FILE, "in UTF-8" },
  { "{\"x\":{\"dtype\":\"F32\",\"shape\":[4]}}", TRM_BAD_FILE,
    "dtype, shape and data_offsets" },
  { "{\"x\":{\"shape\":[4],\"shape\":[4]}}", TRM_BAD_FILE, "each key once" },
  { "{\"x\":{\"y\":" TEN TEN "1]]}}", TRM_BAD_FILE, "within each other" },
  { "{\"x\":{\"y\":tru}}", TRM_BAD_FILE, "a whole number" },
  { "{\"__metadata__\":{\"meta\":1}}", TRM_BAD_FILE, "'\"'" },
  { "{\"__metadata__\":{},\"__metadata__\":{}}", TRM_BAD_FILE, "once" },
  { "{\"__metadata__\":{\"meta\":\"\",\"meta\":\"\"}}", TRM_BAD_FILE,
    "each key once" },
  { "{\"x\xf0\x9f\x98", TRM_BAD_FILE, "in UTF-8" },
  { "{\"x\\u00", TRM_BAD_FILE, "in UTF-8" },
  { "{\"x\\ud83d\\u", TRM_BAD_FILE, "in UTF-8" },
  { "{\"x", TRM_BAD_FILE, "in UTF-8" },
  { "{\"x\\", TRM_BAD_FILE, "in UTF-8" },
  { "{", TRM_BAD_FILE, "'\"'" },
  { "", TRM_BAD_FILE, "'{'" },
};

/* Write a safetensors file of N bytes of the head TEXT, which says that it has
   LENGTH bytes, and 16 of elements; its path.  */
static const char *
write_safe (const char *text, size_t n, int64_t length)
{
  char file[1000];
  memset (file, ' ', sizeof file);
  memcpy (file, &length, 8);
  memcpy (file + 8, text, n);
  const char *path = sample_path ("hostile.safetensors");
  sample_write (path, file, n + 24);
  return path;
}

static void
test_safetensors (void)
{
  bool all = true;
  for (size_t i = 0; i < sizeof safe / sizeof *safe; i++)
    {
      size_t n = strlen (safe[i].text);
      trm_names *names
        = trm_safetensors_read (write_safe (safe[i].text, n, (int64_t) n));
      all &= refused (names, safe[i].status, safe[i].words);
      trm_names_free (names);
    }
  expect (all, "safetensors: heads that are wrong");
  all = true;
  static const char right[] = X ("4", "0,16");
  const size_t n = sizeof right - 1;
  const int64_t lengths[]
    = { INT64_MAX, INT64_MIN, -1, -8, (int64_t) n + 17, 100000001 };
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
    all &= refused (trm_safetensors_read (write_safe (right, n, lengths[i])),
                    TRM_BAD_FILE, "no safetensors");
  expect (all, "safetensors: lengths of the head that are wrong");
}

/* Heads that end anywhere, with the file.  */
static void
test_safetensors_cut (void)
{
  bool all = true;
  for (size_t i = 0; i < sizeof safe / sizeof *safe; i++)
    for (size_t n = 0; n <= strlen (safe[i].text); n++)
      {
        const char *path = write_safe (safe[i].text, n, (int64_t) n);
        all &= !truncate (path, (off_t) n + 8);
        trm_forget_error ();
        trm_names *names = trm_safetensors_read (path);
        all &= !names && trm_error () != TRM_OK;
        trm_names_free (names);
      }
  expect (all, "safetensors: heads that end too early");
}

/* Samples that end anywhere: only a table may be one still.  */
static void
test_cut (void)
{
  for (int s = 0; s < n_samples; s++)
    {
      const char *path = sample_path (samples[s].name);
      bool table = !strcmp (samples[s].name, "table.csv"), all = true;
      size_t bytes = 0;
      char *file = samples[s].make (path) ? NULL : sample_read (path, &bytes);
      for (size_t n = 0; n < bytes; n++)
        {
          sample_write (path, file, n);
          trm_forget_error ();
          all &= !samples[s].read (path, &samples[s]) || table;
          all &= table || trm_error () == TRM_BAD_FILE
                 || trm_error () == TRM_NOT_HERE;
        }
      all &= file && !samples[s].make (path)
             && samples[s].read (path, &samples[s]);
      free (file);
      expect (all || trm_error () == TRM_NOT_HERE,
              "%s: whole is read, cut at every length is not", samples[s].name);
    }
}

/* Patches of samples: at WHERE bytes behind the N-th MARK, BYTES.  */
static const struct
{
  int sample;
  const char *mark;
  int n;
  int where;
  const char *bytes;
  int n_bytes;
  const char *words;
} patches[] = {
  { 3, "\x93NUMPY", 1, 130, "\x55", 1, "the CRC-32 differs" },
  { 3, "PK\1\2", 1, 10, "\x0c", 1, "neither stored nor deflated" },
  { 3, "PK\1\2", 1, 8, "\1", 1, "neither stored nor deflated" },
  { 3, "PK\1\2", 1, 20, "\1\0", 2, "do not go together" },
  { 3, "PK\1\2", 1, 20, "\0\0\0\1\0\0\0\1", 8, "reaches the directory" },
  { 3, "PK\1\2", 1, 28, "\xff\xff", 2, "reaches the end" },
  { 3, "PK\1\2", 1, 42, "\1", 1, "there is no member" },
  { 3, "PK\1\2", 1, 42, "\xf0\xff\xff\xff", 4, "there is no member" },
  { 3, "PK\1\2", 1, 42, "\xff\xff\xff\xff", 4, "a length is missing" },
  { 3, "PK\1\2", 1, 46, "x", 1, "two names" },
  { 3, "PK\3\4", 1, 26, "\0\1", 2, "two names" },
  { 3, "PK\3\4", 1, 28, "\xff\xff", 2, "reaches the directory" },
  { 3, "PK\5\6", 1, 10, "\1", 1, "several disks" },
  { 3, "PK\5\6", 1, 8, "\2\0\2", 3, "more entries than are counted" },
  { 3, "PK\5\6", 1, 8, "\4\0\4", 3, "not where it should" },
  { 3, "PK\1\2", 2, 0, "x", 1, "no entry" },
  { 3, "PK\5\6", 1, 8, "\xff\xff\xff\xff", 4, "not where it should" },
  { 3, "PK\5\6", 1, 16, "\1", 1, "not where it should" },
  { 3, "PK\5\6", 1, 20, "\1", 1, "is no zip" },
  { 4, "PK\1\2", 1, 24, "\xff\xff\xff\x7f", 4, "do not go together" },
  { 4, "PK\1\2", 1, 24, "\xb1", 1, "cannot be unpacked" },
  { 4, "PK\1\2", 1, 24, "\xaf", 1, "cannot be unpacked" },
  { 4, "PK\1\2", 1, 16, "\0", 1, "the CRC-32 differs" },
  { 5, "PK\6\7", 1, 8, "\0", 1, "not where it should" },
  { 5, "PK\6\7", 1, 8, "\xff\xff\xff\xff\xff\xff\xff\x7f", 8,
    "not where it should" },
  { 5, "PK\6\6", 1, 40, "\xff\xff\xff\xff\xff\xff\xff\xff", 8,
    "not where it should" },
  { 5, "PK\6\6", 1, 32, "\xff\xff\xff\xff\xff\xff\xff\x7f", 8,
    "several disks" },
  { 5, "PK\1\2", 1, 55, "\xff\xff\xff\xff\xff\xff\xff\xff", 8,
    "a length is missing" },
  { 5, "PK\1\2", 1, 71, "\xff\xff\xff\xff\xff\xff\xff\x7f", 8,
    "there is no member" },
  { 5, "PK\1\2", 1, 53, "\4", 1, "a length is missing" },
};

/* The N-th MARK in FILE, NULL when there is none.  */
static char *
find_mark (char *file, size_t bytes, const char *mark, int n)
{
  size_t length = strlen (mark);
  for (size_t i = 0; i + length <= bytes; i++)
    if (!memcmp (file + i, mark, length) && --n == 0)
      return file + i;
  return NULL;
}

static void
test_zip (void)
{
  const char *path = sample_path ("hostile.npz");
  bool all = true;
  for (size_t i = 0; i < sizeof patches / sizeof *patches; i++)
    {
      size_t bytes;
      samples[patches[i].sample].make (path);
      char *file = sample_read (path, &bytes);
      char *at = find_mark (file, bytes, patches[i].mark, patches[i].n);
      memcpy (at + patches[i].where, patches[i].bytes,
              (size_t) patches[i].n_bytes);
      sample_write (path, file, bytes);
      free (file);
      trm_names *names = trm_npz_read (path);
      if (!names && trm_error () == TRM_NOT_HERE)
        continue;
      all &= refused (names, TRM_BAD_FILE, patches[i].words);
      trm_names_free (names);
    }
  expect (all, "npz: directories and heads that are wrong");
}

/* Two members of one name, and two of one place.  */
static void
test_zip_twice (void)
{
  const char *path = sample_path ("twice.npz");
  trm_names *names = trm_names_new ();
  trm_tensor *t = sample_tensor (TRM_U8, TRM_SHAPE (9));
  trm_names_put (names, "a", t);
  trm_names_put (names, "b", t);
  trm_drop (t);
  trm_npz_write (path, names);
  trm_names_free (names);
  size_t bytes;
  char *file = sample_read (path, &bytes);
  char *first = find_mark (file, bytes, "PK\1\2", 1);
  char *second = find_mark (file, bytes, "PK\1\2", 2);
  *find_mark (file, bytes, "b.npy", 1) = 'a';
  second[46] = 'a';
  sample_write (path, file, bytes);
  bool all = refused (trm_npz_read (path), TRM_BAD_FILE, "two are called 'a'");
  memcpy (second, first, (size_t) (second - first));
  sample_write (path, file, bytes);
  free (file);
  all &= refused (trm_npz_read (path), TRM_BAD_FILE, "members that overlap");
  expect (all, "npz: members of one name, or of one place");
}

static void
test_image (void)
{
  static const struct
  {
    const char *text;
    int n;
    trm_status status;
    const char *words;
  } cases[] = {
    { "P5 2 2 255 abc", 14, TRM_BAD_FILE, "3 bytes of values, not 4" },
    { "P5 2 2 255 abcde", 16, TRM_BAD_FILE, "5 bytes of values, not 4" },
    { "P6 2147483647 2147483647 255 abc", 32, TRM_BAD_FILE, "no shape" },
    { "P5 99999999999 1 255 abc", 24, TRM_BAD_FILE, "the head" },
    { "P5 0 2 255 ", 11, TRM_BAD_FILE, "the head" },
    { "P5 2 2 0 abcd", 13, TRM_BAD_FILE, "the head" },
    { "P5 -2 2 255 abcd", 16, TRM_BAD_FILE, "the head" },
    { "P52 2 255 abcd", 14, TRM_BAD_FILE, "the head" },
    { "P5 2 2 255", 10, TRM_BAD_FILE, "the head" },
    { "P5 2 2 255abcd", 14, TRM_BAD_FILE, "the head" },
    { "P5 2 # 2 255 abcd", 17, TRM_BAD_FILE, "the head" },
    { "P5 2 2 65535 abcdefgh", 21, TRM_BAD_TYPE, "65535" },
    { "P5 2 2 9 \1\2\3\xa", 13, TRM_BAD_FILE, "above 9" },
    { "P4 2 2 \1", 8, TRM_BAD_FILE, "no PGM, PPM or PNG" },
    { "P5", 2, TRM_BAD_FILE, "no PGM, PPM or PNG" },
  };
  const char *path = sample_path ("hostile.pgm");
  bool all = true;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      sample_write (path, cases[i].text, (size_t) cases[i].n);
      all &= refused (trm_image_read (path), cases[i].status, cases[i].words);
    }
  expect (all, "image: heads that are wrong");
}

static void
test_no_files (void)
{
  const char *fifo = sample_path ("fifo");
  const char *nothing = sample_path ("nothing");
  const char *const paths[]
    = { sample_path ("missing"), sample_path (""), fifo };
  sample_write (nothing, "", 0);
  bool all = !mkfifo (fifo, 0600), none = true;
  for (int s = 0; s < n_samples; s++)
    {
      for (int i = 0; i < 3; i++)
        all &= refused (samples[s].read (paths[i], &samples[s]), TRM_NO_FILE,
                        i ? "is no regular file" : "No such file");
      trm_forget_error ();
      none &= !samples[s].read (nothing, &samples[s])
              || !strcmp (samples[s].name, "table.csv");
    }
  expect (all, "what is no file is no file, and nobody waits for it");
  expect (none, "an empty file is only a table");
}

static uint64_t state;

/* A random number below N.  */
static size_t
below (size_t n)
{
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return n ? (size_t) ((state * 0x2545f4914f6cdd1du >> 33) % n) : 0;
}

/* A file that is changed.  */
typedef struct victim
{
  size_t n;
  char at[4096];
} victim;

/* Put N bytes of TEXT in place of OLD bytes from I on.  */
static void
replace (victim *v, size_t i, size_t old, const char *text, size_t n)
{
  if (i + old > v->n || v->n - old + n > sizeof v->at)
    return;
  memmove (v->at + i + n, v->at + i + old, v->n - i - old);
  memmove (v->at + i, text, n);
  v->n += n - old;
}

/* Put another number in place of one written in digits.  */
static void
change_digits (victim *v)
{
  static const char *const numbers[] = { "0",
                                         "1",
                                         "-1",
                                         "2",
                                         "007",
                                         "8",
                                         "255",
                                         "65536",
                                         "4294967296",
                                         "4611686018427387904",
                                         "9223372036854775807",
                                         "18446744073709551616",
                                         "1e5",
                                         "0x1",
                                         "" };
  size_t i = below (v->n), end;
  while (i < v->n && (v->at[i] < '0' || v->at[i] > '9'))
    i++;
  for (end = i; end < v->n && v->at[end] >= '0' && v->at[end] <= '9';)
    end++;
  const char *number = numbers[below (sizeof numbers / sizeof *numbers)];
  replace (v, i, end - i, number, strlen (number));
}

/* Put one of the numbers at borders in place of 1, 2, 4 or 8 bytes.  */
static void
change_binary (victim *v)
{
  static const uint64_t numbers[]
    = { 0,       1,         0x7f,       0x80,      0xff,       0xffff,
        0x10000, INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX, UINT64_MAX - 7 };
  size_t bytes = (size_t) 1 << below (4);
  uint64_t number = numbers[below (sizeof numbers / sizeof *numbers)];
  if (v->n >= bytes)
    memcpy (v->at + below (v->n - bytes + 1), &number, bytes);
}

/* Change V once.  */
static void
mutate (victim *v)
{
  static const char signs[] = "{}[](),:;'\"\\#.-+ \n\r\tLP\0\xff\xc3u";
  size_t i = below (v->n), n = below (v->n - i + 1) % 64;
  switch (below (9))
    {
    case 0:
      v->at[i] ^= (char) (1 << below (8));
      break;
    case 1:
      v->at[i] = signs[below (sizeof signs)];
      break;
    case 2:
      change_digits (v);
      break;
    case 3:
      change_binary (v);
      break;
    case 4:
      replace (v, i, n, "", 0);
      break;
    case 5:
      replace (v, i, 0, v->at + below (v->n - n + 1), n);
      break;
    case 6:
      v->n = below (4) ? v->n : i;
      break;
    case 7:
      v->at[i] = (char) (v->at[i] + (below (2) ? 1 : -1));
      break;
    default:
      replace (v, i, 0, &signs[below (sizeof signs)], 1);
    }
}

/* The sample S as it should be.  */
static victim
valid (const sample *s)
{
  victim v = { 0 };
  const char *path = sample_path (s->name);
  if (s->make (path))
    return v;
  char *bytes = sample_read (path, &v.n);
  memcpy (v.at, bytes, v.n);
  free (bytes);
  return v;
}

/* Mutations COUNT times, from SEED on.  */
static void
fuzz (long count, uint64_t seed)
{
  static victim whole[32];
  long read = 0, refused_ones = 0, strange = 0;
  for (int s = 0; s < n_samples; s++)
    whole[s] = valid (&samples[s]);
  trm_memory_limit (trm_memory_now ().bytes + ((int64_t) 64 << 20));
  for (long i = 0; i < count; i++)
    {
      const sample *s = &samples[i % n_samples];
      static victim v;
      const char *path = sample_path (s->name);
      v = whole[i % n_samples];
      state = (seed * 1000003 + (uint64_t) i + 1) * 0x9e3779b97f4a7c15;
      for (size_t k = 1 + below (4); v.n && k > 0; k--)
        mutate (&v);
      sample_write (path, v.at, v.n);
      trm_forget_error ();
      if (s->read (path, s))
        read++;
      else if (trm_error () && trm_message ()[0])
        refused_ones++;
      else
        strange++;
      if (strange == 1)
        printf ("  mutation %ld of seed %llu: %s\n", i,
                (unsigned long long) seed, s->name);
    }
  trm_memory_limit (0);
  printf ("  %ld mutations: %ld read, %ld refused\n", count, read,
          refused_ones);
  expect (strange == 0 && read > 0 && refused_ones > count / 4,
          "mutations are read or refused");
}

int
main (int argc, char **argv)
{
  long count = argc > 1 ? atol (argv[1]) : 4400;
  uint64_t seed = argc > 2 ? strtoull (argv[2], NULL, 10) : 1;
  test_npy ();
  test_safetensors ();
  test_safetensors_cut ();
  test_cut ();
  test_zip ();
  test_zip_twice ();
  test_image ();
  test_no_files ();
  fuzz (count, seed);
  return expect_status ();
}
