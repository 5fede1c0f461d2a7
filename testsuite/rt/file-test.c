/* Files of tensors, tables and pictures: what is written is read again, of all
   types and shapes; .npy files of all versions and orders; mapped files are not
   copied and never changed; names, numbers and texts of all sorts.

   What is wrong with a file is for file-hostile-test.c, what is wrong with the
   machine for file-fault-test.c.  */

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "file-sample.h"

#define N_TYPES (TRM_F64 + 1)

/* Whether A and B are the same; both go.  */
static bool
is_same (trm_tensor *a, trm_tensor *b)
{
  bool same = expect_close (a, b, 0);
  trm_drop (a);
  trm_drop (b);
  return same;
}

/* T and READ of what WRITE made of it.  */
static bool
comes_back (trm_tensor *t, const char *path,
            trm_status (*write) (const char *path, const trm_tensor *t),
            trm_tensor *(*read) (const char *path))
{
  return !write (path, t) && is_same (read (path), trm_keep (t));
}

static const int64_t shapes[][TRM_RANK + 1]
  = { { 0 },          { 1, 7 },
      { 1, 0 },       { 2, 3, 5 },
      { 3, 2, 0, 4 }, { 4, 2, 3, 1, 4 },
      { 3, 1, 1, 1 }, { 8, 2, 1, 2, 1, 3, 1, 2, 2 } };
#define N_SHAPES ((int) (sizeof shapes / sizeof *shapes))

static void
test_npy_round_trip (void)
{
  const char *path = sample_path ("a.npy");
  bool all = true;
  for (int type = 0; type < N_TYPES; type++)
    for (int s = 0; s < N_SHAPES && type != TRM_BF16; s++)
      {
        trm_tensor *t
          = sample_tensor ((trm_type) type, (int) shapes[s][0], shapes[s] + 1);
        all &= comes_back (t, path, trm_npy_write, trm_npy_read);
        trm_drop (t);
      }
  expect (all, "npy: all types and shapes come back");
  trm_tensor *t = sample_tensor (TRM_BF16, TRM_SHAPE (2));
  expect (trm_npy_write (path, t) && expect_failed (TRM_BAD_TYPE, "bf16"),
          "npy: bf16 has no name there");
  trm_drop (t);
}

static void
test_views (void)
{
  trm_tensor *t = sample_tensor (TRM_F64, TRM_SHAPE (4, 6));
  trm_tensor *views[] = { trm_t (t), trm_slice (t, 1, 5, TRM_END, -2),
                          trm_select (t, 0, 2), NULL, NULL };
  views[3] = trm_expand (views[2], TRM_SHAPE (3, 6));
  views[4] = trm_diagonal (t);
  bool npy = true, csv = true;
  for (int i = 0; i < 5; i++)
    {
      npy &= comes_back (views[i], sample_path ("view.npy"), trm_npy_write,
                         trm_npy_read);
      csv &= !trm_csv_write (sample_path ("view.csv"), views[i], ',');
      trm_tensor *back
        = trm_csv_read (sample_path ("view.csv"), TRM_F64, ',', 0);
      if (views[i]->rank == 1)
        csv
          &= is_same (trm_reshape (back, TRM_SHAPE (-1)), trm_keep (views[i]));
      else
        csv &= expect_close (back, views[i], 0);
      trm_drop (back);
      trm_drop (views[i]);
    }
  trm_drop (t);
  expect (npy && csv, "views are written as what they show");
}

/* What is read of a .npy, as sample_npy writes it.  */
static trm_tensor *
read_text (int major, const char *text, int bytes, const void *elements, int n)
{
  return trm_npy_read (sample_npy (major, text, bytes, elements, n));
}

static void
test_npy_heads (void)
{
  static const float x[] = { 1, 2, 3, 4, 5, 6 };
  static const char *const text[] = {
    "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
    "{'shape':(2,3),'descr':'=f4','fortran_order':False}",
    "{\"fortran_order\": False, \"shape\": (2L, 3L,), 'descr': '<f4'}",
    " { 'descr' : '<f4' , 'shape' : ( 2 , 3 ) , 'fortran_order' : False }"
  };
  trm_tensor *want = trm_from (TRM_F32, TRM_SHAPE (2, 3), x);
  bool all = true, unaligned = true;
  for (int major = 1; major <= 3; major++)
    for (int i = 0; i < 4; i++)
      {
        all &= is_same (read_text (major, text[i], 128, x, sizeof x),
                        trm_keep (want));
        unaligned &= is_same (read_text (major, text[i], 117, x, sizeof x),
                              trm_keep (want));
      }
  expect (all, "npy: versions 1 to 3, keys in any order");
  expect (unaligned, "npy: elements that are not aligned");
  trm_tensor *turned
    = read_text (1, "{'descr': '<f4', 'fortran_order': True, 'shape': (3, 2)}",
                 128, x, sizeof x);
  trm_tensor *back = trm_t (turned);
  expect (turned && turned->stride[0] == 1 && turned->stride[1] == 3
            && expect_close (back, want, 0),
          "npy: Fortran order is a transposed view");
  trm_drop (turned);
  trm_drop (back);
  trm_drop (want);
}

static void
test_npy_swapped (void)
{
  static const int64_t at[] = { 2, 1 };
  static const struct
  {
    const char *descr;
    trm_type type;
    const char *bytes;
  } cases[] = { { ">i8", TRM_I64, "\0\0\0\0\0\0\1\2" },
                { ">i4", TRM_I32, "\0\0\1\2" },
                { ">f2", TRM_F16, "\x5c\x08" },
                { ">f4", TRM_F32, "\x43\x81\0\0" },
                { ">f8", TRM_F64, "\x40\x70\x20\0\0\0\0\0" },
                { ">u1", TRM_U8, "\x2a" },
                { "|i1", TRM_I8, "\x2a" } };
  bool all = true;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      char text[100], elements[64] = "";
      int size = (int) trm_type_bytes (cases[i].type);
      snprintf (text, sizeof text,
                "{'descr': '%s', 'fortran_order': True, 'shape': (3, 2)}",
                cases[i].descr);
      memcpy (elements + 5 * size, cases[i].bytes, (size_t) size);
      trm_tensor *t = read_text (1, text, 128, elements, 6 * size);
      all &= t && t->type == cases[i].type
             && trm_get (t, 2, at) == (size == 1 ? 42 : 258)
             && trm_get (t, TRM_SHAPE (0, 1)) == 0;
      trm_drop (t);
    }
  expect (all, "npy: bytes in the other order");
}

/* Seconds of a clock that only goes forward.  */
static double
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* The file at PATH gets BYTES bytes more, of which the disk sees none.  */
static bool
stretch (const char *path, int64_t bytes)
{
  struct stat is;
  return !stat (path, &is) && !truncate (path, is.st_size + bytes);
}

#define GIGA ((int64_t) 1 << 30)

static void
test_mapped_npy (void)
{
  const char *path = sample_path ("giga.npy");
  trm_tensor *none = trm_empty (TRM_F32, TRM_SHAPE (0));
  trm_npy_write (path, none);
  size_t n;
  char *head = sample_read (path, &n);
  memcpy (strstr (head + 10, "(0,), } "), "(268435456,), }", 15);
  sample_write (path, head, n);
  free (head);
  trm_drop (none);
  if (!stretch (path, GIGA))
    {
      printf ("UNSUPPORTED: a file of 1 GB\n");
      return;
    }
  int64_t before = trm_memory_now ().bytes;
  double begin = now ();
  trm_tensor *t = trm_npy_read (path);
  double took = now () - begin;
  expect (t && took < 0.5 && trm_memory_now ().bytes == before,
          "npy: opening 1 GB copies nothing");
  expect (t && trm_get (t, TRM_SHAPE (GIGA / 4 - 1)) == 0
            && !trm_set (t, TRM_SHAPE (GIGA / 4 - 1), 5)
            && trm_get (t, TRM_SHAPE (GIGA / 4 - 1)) == 5,
          "npy: mapped elements are read and changed");
  trm_tensor *again = trm_npy_read (path);
  expect (again && trm_get (again, TRM_SHAPE (GIGA / 4 - 1)) == 0,
          "npy: changes never reach the file");
  trm_drop (t);
  trm_drop (again);
  unlink (path);
}

static void
test_mapped_safetensors (void)
{
  static const char head[]
    = "{\"x\":{\"dtype\":\"BF16\",\"shape\":[2,268435456],"
      "\"data_offsets\":[0,1073741824]}}       ";
  const char *path = sample_path ("giga.safetensors");
  char file[200];
  int64_t n = (sizeof head - 1) & ~(size_t) 7;
  memcpy (file, &n, 8);
  memcpy (file + 8, head, sizeof head);
  sample_write (path, file, (size_t) n + 8);
  if (!stretch (path, GIGA))
    {
      printf ("UNSUPPORTED: a file of 1 GB\n");
      return;
    }
  int64_t before = trm_memory_now ().bytes;
  double begin = now ();
  trm_names *names = trm_safetensors_read (path);
  double took = now () - begin;
  trm_tensor *t = names ? trm_names_get (names, "x") : NULL;
  expect (t && took < 0.5 && trm_memory_now ().bytes == before
            && trm_get (t, TRM_SHAPE (1, 268435455)) == 0,
          "safetensors: opening 1 GB copies nothing");
  trm_names_free (names);
  unlink (path);
}

/* Every type but SKIPPED, as a matrix and transposed, by its type's name.  */
static trm_names *
all_types (int skipped)
{
  trm_names *names = trm_names_new ();
  trm_scope_open ();
  for (int type = 0; type < N_TYPES; type++)
    {
      char turned[20];
      trm_tensor *t = sample_tensor ((trm_type) type, TRM_SHAPE (3, 5));
      snprintf (turned, sizeof turned, "%s.turned",
                trm_type_name ((trm_type) type));
      if (type == skipped)
        continue;
      trm_names_put (names, trm_type_name ((trm_type) type), t);
      trm_names_put (names, turned, trm_t (t));
    }
  trm_scope_close ();
  return names;
}

/* Whether A and B hold the same in the same order; both go.  */
static bool
are_same (trm_names *a, trm_names *b)
{
  bool same = a && b && trm_names_count (a) == trm_names_count (b);
  for (int i = 0; same && i < trm_names_count (a); i++)
    same = !strcmp (trm_names_name (a, i), trm_names_name (b, i))
           && expect_close (trm_names_at (a, i), trm_names_at (b, i), 0);
  trm_names_free (a);
  trm_names_free (b);
  return same;
}

static void
test_npz (void)
{
  const char *path = sample_path ("all.npz");
  trm_names *names = all_types (TRM_BF16);
  trm_npz_write (path, names);
  int64_t before = trm_memory_now ().bytes;
  trm_names *back = trm_npz_read (path);
  expect (back && trm_memory_now ().bytes == before,
          "npz: our stored members are mapped");
  expect (are_same (back, names), "npz: all types come back");
  names = trm_names_new ();
  trm_npz_write (path, names);
  expect (are_same (trm_npz_read (path), names), "npz: without members");
  for (int i = 3; i <= 5; i++)
    samples[i].make (sample_path (samples[i].name));
  names = trm_npz_read (sample_path ("large.npz"));
  expect (names && trm_get (trm_names_get (names, "a"), TRM_SHAPE (2)) == 2,
          "npz: zip64 fields");
  trm_names_free (names);
  names = trm_npz_read (sample_path ("deflated.npz"));
  if (!names && trm_error () == TRM_NOT_HERE)
    printf ("UNSUPPORTED: npz: deflated members, without zlib\n");
  else
    expect (names
              && trm_get (trm_names_get (names, "a"), TRM_SHAPE (2, 3)) == 11
              && trm_names_get (names, "b")->type == TRM_BOOL,
            "npz: deflated members");
  trm_names_free (names);
}

static void
test_many_members (void)
{
  enum
  {
    MANY = 66000
  };
  const char *path = sample_path ("many.npz");
  trm_names *names = trm_names_new ();
  trm_tensor *t = trm_number (TRM_U8, 7);
  for (int i = 0; i < MANY; i++)
    {
      char name[20];
      snprintf (name, sizeof name, "%d", i);
      trm_names_put (names, name, t);
    }
  trm_drop (t);
  trm_npz_write (path, names);
  trm_names_free (names);
  names = trm_npz_read (path);
  expect (names && trm_names_count (names) == MANY
            && trm_get (trm_names_get (names, "65999"), TRM_SCALAR) == 7,
          "npz: more than 65535 members");
  trm_names_free (names);
  unlink (path);
}

static void
test_safetensors (void)
{
  static const char meta[] = "{\"step\": 5}\n\t\\ \xe2\x82\xac \x1f";
  const char *path = sample_path ("all.safetensors");
  trm_names *names = all_types (-1);
  trm_safetensors_write (path, names, meta);
  trm_names *back = trm_safetensors_read (path);
  bool aligned = back;
  for (int i = 0; i < trm_names_count (back); i++)
    {
      const trm_tensor *t = trm_names_at (back, i);
      aligned &= (uintptr_t) t->at % trm_type_bytes (t->type) == 0;
    }
  expect (are_same (back, names), "safetensors: all types come back");
  expect (aligned, "safetensors: each tensor is aligned");
  char *text = trm_safetensors_meta (path);
  expect (text && !strcmp (text, meta), "safetensors: the text comes back");
  free (text);
  samples[6].make (path);
  names = trm_safetensors_read (path);
  expect (names && trm_names_count (names) == 3
            && trm_names_get (names, "\xc3\xa4 \"x\"")
            && trm_names_get (names, "layer.0/b"),
          "safetensors: names of all sorts");
  trm_names_free (names);
  names = trm_names_new ();
  trm_forget_error ();
  expect (!trm_safetensors_write (path, names, NULL)
            && !trm_safetensors_meta (path) && !trm_error ()
            && are_same (trm_safetensors_read (path), names),
          "safetensors: without tensors and text");
}

static void
test_safetensors_foreign (void)
{
  static const char head[]
    = " {\"a\\u0062\\ud83d\\ude00\":{\"data_offsets\":[1,5],\"extra\":"
      "{\"x\":[1,\"]\",[]]},\"shape\":[1],\"dtype\":\"F32\"},\n"
      "\"__metadata__\":{\"format\":\"pt\"} , "
      "\"c\" : {\"dtype\":\"U8\",\"shape\":[1,1],\"data_offsets\":[0,1]}} ";
  char file[400];
  float x = 1.5;
  int64_t n = sizeof head - 1;
  memcpy (file, &n, 8);
  memcpy (file + 8, head, (size_t) n);
  file[8 + n] = 9;
  memcpy (file + 9 + n, &x, 4);
  const char *path = sample_path ("foreign.safetensors");
  sample_write (path, file, (size_t) n + 13);
  trm_names *names = trm_safetensors_read (path);
  expect (names
            && trm_get (trm_names_get (names, "ab\xf0\x9f\x98\x80"), TRM_SCALAR)
                 == 1.5
            && trm_get (trm_names_get (names, "c"), TRM_SCALAR) == 9,
          "safetensors: escapes, unknown keys, unaligned elements");
  trm_names_free (names);
}

/* The table TEXT as TYPE.  */
static trm_tensor *
read_csv (const char *text, trm_type type, char separator, int skip)
{
  const char *path = sample_path ("text.csv");
  sample_write (path, text, strlen (text));
  return trm_csv_read (path, type, separator, skip);
}

static void
test_csv_numbers (void)
{
  static const double want[]
    = { 1, -2.5, NAN, INFINITY, 1e-300, 0.1, -0.0, 123456789012345678., 5 };
  expect (is_same (read_csv ("a,b,c\n1, -2.5 ,\r\n\r\n"
                             "inf,1E-300,.1\n-0,123456789012345678,\t5.",
                             TRM_F64, ',', 1),
                   trm_from (TRM_F64, TRM_SHAPE (3, 3), want)),
          "csv: numbers, blanks, empty fields and lines");
  static const int64_t whole[] = { INT64_MIN, INT64_MAX, 9007199254740993, -3 };
  expect (is_same (read_csv ("-9223372036854775808\t9223372036854775807\n"
                             "9007199254740993\t-3.0\n",
                             TRM_I64, '\t', 0),
                   trm_from (TRM_I64, TRM_SHAPE (2, 2), whole)),
          "csv: whole numbers are exact");
  expect (is_same (read_csv ("", TRM_F32, ',', 0),
                   trm_empty (TRM_F32, TRM_SHAPE (0, 0)))
            && is_same (read_csv ("x\ny", TRM_F32, ',', 7),
                        trm_empty (TRM_F32, TRM_SHAPE (0, 0))),
          "csv: without rows");
}

/* Random bits as numbers of TYPE: all that there are, NaN left out.  */
static trm_tensor *
random_bits (trm_type type)
{
  trm_tensor *t = trm_empty (type, TRM_SHAPE (200, 3));
  unsigned char *at = t->at;
  uint64_t state = 88172645463325252u;
  for (size_t i = 0; i < 600 * trm_type_bytes (type); i++)
    {
      state ^= state << 13;
      state ^= state >> 7;
      state ^= state << 17;
      at[i] = (unsigned char) (type == TRM_BOOL ? state & 1 : state);
    }
  for (int64_t i = 0; i < 600; i++)
    if (isnan (trm_get (t, TRM_SHAPE (i / 3, i % 3))))
      trm_set (t, TRM_SHAPE (i / 3, i % 3), 1);
  return t;
}

static void
test_csv_round_trip (void)
{
  const char *path = sample_path ("bits.csv");
  bool all = true;
  for (int type = 0; type < N_TYPES; type++)
    {
      trm_tensor *t = random_bits ((trm_type) type);
      all &= !trm_csv_write (path, t, ' ')
             && is_same (trm_csv_read (path, (trm_type) type, ' ', 0), t);
    }
  expect (all, "csv: all types come back to the bit");
  float tenth = 0.1f;
  trm_tensor *t = trm_from (TRM_F32, TRM_SHAPE (1), &tenth);
  size_t n;
  trm_csv_write (path, t, ',');
  char *text = sample_read (path, &n);
  expect (n == 4 && !memcmp (text, "0.1\n", 4), "csv: few digits");
  free (text);
  trm_drop (t);
}

static void
test_csv_locale (void)
{
  static const char *const names[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "de_DE" };
  int i = 0;
  while (i < 3 && !setlocale (LC_ALL, names[i]))
    i++;
  if (i == 3)
    {
      printf ("UNSUPPORTED: csv: a locale with a comma\n");
      return;
    }
  trm_tensor *t = trm_full (TRM_F64, TRM_SHAPE (1, 2), 0.12345678901234567);
  const char *path = sample_path ("locale.csv");
  expect (!trm_csv_write (path, t, ',')
            && is_same (trm_csv_read (path, TRM_F64, ',', 0), t)
            && localeconv ()->decimal_point[0] == ',',
          "csv: a locale with a comma changes nothing");
  setlocale (LC_ALL, "C");
}

static void
test_csv_wrong (void)
{
  static const struct
  {
    const char *text;
    trm_type type;
    const char *words;
  } cases[] = { { "1,2\n3\n", TRM_F32, "line 2 has 1 fields, not 2" },
                { "1,2\n\n3,x\n", TRM_F32, "line 3, field 2: 'x' is no f32" },
                { "1,0x10\n", TRM_F64, "'0x10' is no f64" },
                { "1,2 3\n", TRM_F64, "'2 3'" },
                { "1,.\n", TRM_F64, "'.'" },
                { "1,--2\n", TRM_F64, "'--2'" },
                { "1,\n", TRM_I32, "field 2: '' is no i32" },
                { "256\n", TRM_U8, "'256' is no u8" },
                { "-129\n", TRM_I8, "'-129' is no i8" },
                { "2.5\n", TRM_I64, "'2.5' is no i64" },
                { "1e19\n", TRM_I64, "'1e19' is no i64" },
                { "2\n", TRM_BOOL, "'2' is no bool" } };
  bool all = true;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    all &= !read_csv (cases[i].text, cases[i].type, ',', 0)
           && expect_failed (TRM_BAD_FILE, cases[i].words);
  expect (all, "csv: what is no number is told with its place");
  all = true;
  for (const char *c = "a7.+-\n"; *c; c++)
    all &= !read_csv ("1\n", TRM_F32, *c, 0)
           && expect_failed (TRM_BAD_ARGUMENT, "separator");
  expect (all, "csv: what cannot separate");
}

static void
test_pnm (void)
{
  const char *path = sample_path ("a.PPM");
  trm_tensor *t = sample_tensor (TRM_U8, TRM_SHAPE (4, 5, 3));
  expect (comes_back (t, path, trm_image_write, trm_image_read),
          "image: PPM comes back");
  trm_tensor *one = trm_slice (t, 2, 1, 2, 1);
  expect (
    comes_back (one, sample_path ("a.pgm"), trm_image_write, trm_image_read),
    "image: PGM comes back");
  expect (trm_image_write (sample_path ("b.pgm"), t)
            && expect_failed (TRM_BAD_SHAPE, "[4, 5, 3]")
            && trm_image_write (sample_path ("b.gif"), t)
            && expect_failed (TRM_BAD_ARGUMENT, ".pgm, .ppm, .png"),
          "image: what a file cannot hold");
  trm_drop (one);
  trm_drop (t);
  samples[7].make (path);
  t = trm_image_read (path);
  expect (t && t->extent[0] == 2 && t->extent[1] == 3
            && trm_get (t, TRM_SHAPE (0, 1, 0)) == 36
            && trm_get (t, TRM_SHAPE (1, 1, 0)) == 146
            && trm_get (t, TRM_SHAPE (1, 2, 0)) == 255,
          "image: comments, and values stretched to 255");
  trm_drop (t);
}

static void
test_png (void)
{
  static const int64_t channels[] = { 1, 3, 4 };
  const char *path = sample_path ("a.png");
  bool all = true;
  for (int i = 0; i < 3 && all; i++)
    {
      trm_tensor *t = sample_tensor (TRM_U8, TRM_SHAPE (6, 5, channels[i]));
      all = comes_back (t, path, trm_image_write, trm_image_read);
      trm_drop (t);
    }
  if (!all && trm_error () == TRM_NOT_HERE)
    printf ("UNSUPPORTED: image: PNG, without libpng\n");
  else
    expect (all, "image: PNG of 1, 3 and 4 channels comes back");
}

static void
test_names (void)
{
  trm_names *names = trm_names_new ();
  trm_tensor *t = trm_number (TRM_F32, 1);
  bool all = true;
  for (int i = 0; i < 1000; i++)
    {
      char name[20];
      snprintf (name, sizeof name, "n%d", i);
      all &= !trm_names_put (names, name, t);
    }
  trm_drop (t);
  expect (all && trm_names_count (names) == 1000
            && trm_names_get (names, "n999") == trm_names_at (names, 999)
            && !strcmp (trm_names_name (names, 500), "n500"),
          "names: a thousand are found");
  expect (
    trm_names_put (names, "n7", t)
      && expect_failed (TRM_BAD_ARGUMENT, "'n7' already")
      && !trm_names_get (names, "x")
      && expect_failed (TRM_BAD_ARGUMENT, "no 'x'")
      && !trm_names_at (names, 1000) && expect_failed (TRM_BAD_INDEX, "1000")
      && !trm_names_name (names, -1) && expect_failed (TRM_BAD_INDEX, "-1"),
    "names: are unique, and inside");
  trm_names_free (names);
}

static void
test_null (void)
{
  trm_tensor *t = trm_number (TRM_F32, 1);
  trm_select (t, 0, 5);
  expect (trm_npy_write (sample_path ("n"), NULL) && trm_npz_write ("n", NULL)
            && trm_safetensors_write ("n", NULL, NULL)
            && trm_csv_write ("n", NULL, ',') && trm_image_write ("n", NULL)
            && trm_names_put (NULL, "n", t) && !trm_names_get (NULL, "n")
            && expect_failed (TRM_BAD_ARGUMENT, "select"),
          "nothing in keeps the first message");
  expect (!trm_npy_read (NULL) && expect_failed (TRM_BAD_ARGUMENT, "no path")
            && trm_npy_write (NULL, t)
            && expect_failed (TRM_BAD_ARGUMENT, "no path"),
          "no path is told");
  trm_drop (t);
}

static void
test_scope (void)
{
  int64_t before = trm_memory_now ().bytes;
  trm_scope_open ();
  trm_tensor *t = trm_csv_read (sample_path ("bits.csv"), TRM_F64, ' ', 0);
  trm_names *names = trm_npz_read (sample_path ("all.npz"));
  trm_tensor *kept = trm_keep (trm_npy_read (sample_path ("a.npy")));
  trm_scope_close ();
  bool there = t && names && kept;
  trm_names_free (names);
  trm_drop (kept);
  expect (there && trm_memory_now ().bytes == before,
          "tensors that are read belong to the scope");
}

int
main (void)
{
  test_npy_round_trip ();
  test_views ();
  test_npy_heads ();
  test_npy_swapped ();
  test_mapped_npy ();
  test_mapped_safetensors ();
  test_npz ();
  test_many_members ();
  test_safetensors ();
  test_safetensors_foreign ();
  test_csv_numbers ();
  test_csv_round_trip ();
  test_csv_locale ();
  test_csv_wrong ();
  test_pnm ();
  test_png ();
  test_names ();
  test_null ();
  test_scope ();
  return expect_status ();
}
