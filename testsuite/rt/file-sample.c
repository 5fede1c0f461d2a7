/* Small valid files of each kind (file-sample.h).  */

#include "file-sample.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[200];

/* Remove the folder and what is in it.  */
static void
remove_folder (void)
{
  DIR *dir = opendir (folder);
  struct dirent *file;
  char path[600];
  while (dir && (file = readdir (dir)))
    {
      snprintf (path, sizeof path, "%s/%s", folder, file->d_name);
      unlink (path);
    }
  if (dir)
    closedir (dir);
  rmdir (folder);
}

/* Make the folder, in memory where that is possible.  */
static void
make_folder (void)
{
  const char *where = getenv ("TMPDIR");
  if (!where || !*where)
    where = access ("/dev/shm", W_OK) ? "/tmp" : "/dev/shm";
  snprintf (folder, sizeof folder, "%.150s/trm-file-XXXXXX", where);
  if (!mkdtemp (folder))
    {
      printf ("FAIL: a folder %s\n", folder);
      exit (1);
    }
  atexit (remove_folder);
}

const char *
sample_path (const char *name)
{
  static char path[8][300];
  static int last;
  if (!folder[0])
    make_folder ();
  last = (last + 1) % 8;
  snprintf (path[last], sizeof path[last], "%s/%.90s", folder, name);
  return path[last];
}

int
sample_count (void)
{
  int n = 0;
  DIR *dir = opendir (folder);
  while (dir && readdir (dir))
    n++;
  if (dir)
    closedir (dir);
  return n - 2;
}

void
sample_write (const char *path, const void *bytes, size_t n)
{
  FILE *file = fopen (path, "wb");
  if (!file || fwrite (bytes, 1, n, file) != n || fclose (file))
    {
      printf ("FAIL: writing %s\n", path);
      exit (1);
    }
}

char *
sample_read (const char *path, size_t *n)
{
  struct stat is;
  FILE *file = fopen (path, "rb");
  *n = 0;
  if (!file)
    return NULL;
  fstat (fileno (file), &is);
  char *bytes = malloc ((size_t) is.st_size + 1);
  if (bytes)
    *n = fread (bytes, 1, (size_t) is.st_size, file);
  fclose (file);
  return bytes;
}

const char *
sample_npy (int major, const char *text, int bytes, const void *elements, int n)
{
  char file[1000];
  int front = major > 1 ? 12 : 10;
  memset (file, ' ', sizeof file);
  memcpy (file, "\x93NUMPY", 6);
  file[6] = (char) major;
  file[7] = 0;
  file[8] = (char) (bytes - front);
  file[9] = (char) ((bytes - front) >> 8);
  if (major > 1)
    memset (file + 10, 0, 2);
  memcpy (file + front, text, strlen (text));
  file[bytes - 1] = '\n';
  memcpy (file + bytes, elements, (size_t) n);
  const char *path = sample_path ("text.npy");
  sample_write (path, file, (size_t) (bytes + n));
  return path;
}

trm_tensor *
sample_tensor (trm_type type, int rank, const int64_t *extent)
{
  trm_tensor *t = trm_empty (type, rank, extent);
  char *at = t->at;
  size_t bytes = trm_type_bytes (type);
  trm_scope_open ();
  for (int64_t i = 0; i < trm_count (t); i++)
    memcpy (at + (size_t) i * bytes,
            trm_number (type, type == TRM_BOOL ? i % 3 == 0 : i % 100 + 1)->at,
            bytes);
  trm_scope_close ();
  return t;
}

/* Look at each byte of T's elements, which lie without gaps; how many there
   are.  */
static int64_t
look (const trm_tensor *t)
{
  static volatile unsigned char seen;
  int64_t n = trm_count (t) * (int64_t) trm_type_bytes (t->type);
  for (int64_t i = 0; i < n; i++)
    seen ^= ((const unsigned char *) t->at)[i];
  return n;
}

/* Whether the file at PATH can hold BYTES bytes of elements.  */
static bool
holds (const char *path, const sample *s, int64_t bytes)
{
  struct stat is;
  return !stat (path, &is) && bytes <= is.st_size * (s->unpacks ? 40000 : 1);
}

/* The claims of a sample's read, of T, which goes.  */
static bool
look_at (const char *path, const sample *s, trm_tensor *t)
{
  bool right = t && holds (path, s, look (t));
  trm_drop (t);
  return right;
}

/* The same of NAMES.  */
static bool
look_at_names (const char *path, const sample *s, trm_names *names)
{
  int64_t bytes = 0;
  for (int i = 0; i < trm_names_count (names); i++)
    bytes += look (trm_names_at (names, i));
  bool right = names && holds (path, s, bytes);
  trm_names_free (names);
  return right;
}

/* T written by WRITE; it goes.  */
static trm_status
put (const char *path, trm_tensor *t,
     trm_status (*write) (const char *path, const trm_tensor *t))
{
  trm_status status = write (path, t);
  trm_drop (t);
  return status;
}

static trm_status
make_f32 (const char *path)
{
  return put (path, sample_tensor (TRM_F32, TRM_SHAPE (3, 4)), trm_npy_write);
}

static trm_status
make_bool (const char *path)
{
  return put (path, sample_tensor (TRM_BOOL, TRM_SHAPE (2, 3, 2)),
              trm_npy_write);
}

static const char columns[]
  = "\x93NUMPY\2\0\x50\0\0\0"
    "{'shape': (2L, 3), 'fortran_order': True, 'descr': \">i4\"}"
    "                      \n"
    "\0\0\0\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0\5\0\0\0\6";

static trm_status
make_columns (const char *path)
{
  sample_write (path, columns, sizeof columns - 1);
  return TRM_OK;
}

static bool
read_npy (const char *path, const sample *s)
{
  return look_at (path, s, trm_npy_read (path));
}

/* Three tensors, one of them empty.  */
static trm_names *
three_names (void)
{
  static const char *const name[] = { "w", "layer.0/b", "\xc3\xa4 \"x\"" };
  trm_tensor *t[] = { sample_tensor (TRM_I8, TRM_SHAPE (5)),
                      sample_tensor (TRM_F64, TRM_SHAPE (2, 2)),
                      sample_tensor (TRM_F16, TRM_SHAPE (0, 7)) };
  trm_names *names = trm_names_new ();
  for (int i = 0; i < 3; i++)
    {
      trm_names_put (names, name[i], t[i]);
      trm_drop (t[i]);
    }
  return names;
}

static trm_status
make_stored (const char *path)
{
  trm_names *names = three_names ();
  trm_status status = trm_npz_write (path, names);
  trm_names_free (names);
  return status;
}

/* What NumPy 2.4 makes by savez_compressed of a f32 [3, 4] and b bool [3].  */
static const unsigned char deflated[] = {
  80,  75,  3,   4,   45,  0,   0,   0,   8,   0,   0,   0,   33,  0,   45,
  111, 34,  38,  255, 255, 255, 255, 255, 255, 255, 255, 5,   0,   20,  0,
  97,  46,  110, 112, 121, 1,   0,   16,  0,   176, 0,   0,   0,   0,   0,
  0,   0,   102, 0,   0,   0,   0,   0,   0,   0,   155, 236, 23,  234, 27,
  16,  201, 200, 80,  198, 80,  173, 158, 146, 90,  156, 92,  164, 110, 165,
  160, 110, 147, 102, 162, 174, 163, 160, 158, 150, 95,  84,  82,  148, 152,
  23,  159, 95,  148, 146, 10,  18,  119, 75,  204, 41,  78,  5,   138, 23,
  103, 36,  22,  164, 2,   249, 26,  198, 58,  10,  38,  154, 58,  10,  181,
  10,  100, 3,   46,  6,   48,  104, 176, 7,   18,  14,  64,  4,   196, 13,
  64,  188, 0,   136, 15,  0,   241, 3,   32,  102, 112, 100, 96,  16,  0,
  98,  5,   32,  54,  112, 4,   0,   80,  75,  3,   4,   45,  0,   0,   0,
  8,   0,   0,   0,   33,  0,   22,  147, 140, 187, 255, 255, 255, 255, 255,
  255, 255, 255, 5,   0,   20,  0,   98,  46,  110, 112, 121, 1,   0,   16,
  0,   131, 0,   0,   0,   0,   0,   0,   0,   71,  0,   0,   0,   0,   0,
  0,   0,   155, 236, 23,  234, 27,  16,  201, 200, 80,  198, 80,  173, 158,
  146, 90,  156, 92,  164, 110, 165, 160, 94,  147, 100, 168, 174, 163, 160,
  158, 150, 95,  84,  82,  148, 152, 23,  159, 95,  148, 146, 10,  18,  119,
  75,  204, 41,  78,  5,   138, 23,  103, 36,  22,  164, 2,   249, 26,  198,
  58,  154, 58,  10,  181, 10,  20,  0,   46,  70,  6,   70,  0,   80,  75,
  1,   2,   45,  3,   45,  0,   0,   0,   8,   0,   0,   0,   33,  0,   45,
  111, 34,  38,  102, 0,   0,   0,   176, 0,   0,   0,   5,   0,   0,   0,
  0,   0,   0,   0,   0,   0,   0,   0,   128, 1,   0,   0,   0,   0,   97,
  46,  110, 112, 121, 80,  75,  1,   2,   45,  3,   45,  0,   0,   0,   8,
  0,   0,   0,   33,  0,   22,  147, 140, 187, 71,  0,   0,   0,   131, 0,
  0,   0,   5,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   128,
  1,   157, 0,   0,   0,   98,  46,  110, 112, 121, 80,  75,  5,   6,   0,
  0,   0,   0,   2,   0,   2,   0,   102, 0,   0,   0,   27,  1,   0,   0,
  0,   0,
};

static trm_status
make_deflated (const char *path)
{
  sample_write (path, deflated, sizeof deflated);
  return TRM_OK;
}

/* One member, a i32 [3], all lengths and places in zip64 fields.  */
static const unsigned char large[] = {
  80,  75,  3,   4,   45,  0,   0,   0,   0,   0,   0,   0,   33,  0,   2,
  236, 189, 169, 255, 255, 255, 255, 255, 255, 255, 255, 5,   0,   20,  0,
  97,  46,  110, 112, 121, 1,   0,   16,  0,   140, 0,   0,   0,   0,   0,
  0,   0,   140, 0,   0,   0,   0,   0,   0,   0,   147, 78,  85,  77,  80,
  89,  1,   0,   118, 0,   123, 39,  100, 101, 115, 99,  114, 39,  58,  32,
  39,  60,  105, 52,  39,  44,  32,  39,  102, 111, 114, 116, 114, 97,  110,
  95,  111, 114, 100, 101, 114, 39,  58,  32,  70,  97,  108, 115, 101, 44,
  32,  39,  115, 104, 97,  112, 101, 39,  58,  32,  40,  51,  44,  41,  44,
  32,  125, 32,  32,  32,  32,  32,  32,  32,  32,  32,  32,  32,  32,  32,
  32,  32,  32,  32,  32,  32,  32,  32,  32,  32,  32,  32,  32,  32,  32,
  32,  32,  32,  32,  32,  32,  32,  32,  32,  32,  32,  32,  32,  32,  32,
  32,  32,  32,  32,  32,  32,  32,  32,  32,  32,  32,  32,  32,  32,  32,
  32,  32,  10,  0,   0,   0,   0,   1,   0,   0,   0,   2,   0,   0,   0,
  80,  75,  1,   2,   45,  0,   45,  0,   0,   0,   0,   0,   0,   0,   33,
  0,   2,   236, 189, 169, 255, 255, 255, 255, 255, 255, 255, 255, 5,   0,
  28,  0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   255, 255, 255,
  255, 97,  46,  110, 112, 121, 1,   0,   24,  0,   140, 0,   0,   0,   0,
  0,   0,   0,   140, 0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,
  0,   0,   0,   0,   80,  75,  6,   6,   44,  0,   0,   0,   0,   0,   0,
  0,   45,  0,   45,  0,   0,   0,   0,   0,   0,   0,   0,   0,   1,   0,
  0,   0,   0,   0,   0,   0,   1,   0,   0,   0,   0,   0,   0,   0,   79,
  0,   0,   0,   0,   0,   0,   0,   195, 0,   0,   0,   0,   0,   0,   0,
  80,  75,  6,   7,   0,   0,   0,   0,   18,  1,   0,   0,   0,   0,   0,
  0,   1,   0,   0,   0,   80,  75,  5,   6,   0,   0,   0,   0,   255, 255,
  255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0,   0,
};

static trm_status
make_large (const char *path)
{
  sample_write (path, large, sizeof large);
  return TRM_OK;
}

static bool
read_npz (const char *path, const sample *s)
{
  return look_at_names (path, s, trm_npz_read (path));
}

static trm_status
make_safetensors (const char *path)
{
  trm_names *names = three_names ();
  trm_status status = trm_safetensors_write (path, names, "a \"text\"\n");
  trm_names_free (names);
  return status;
}

static bool
read_safetensors (const char *path, const sample *s)
{
  free (trm_safetensors_meta (path));
  return look_at_names (path, s, trm_safetensors_read (path));
}

static trm_status
make_grey (const char *path)
{
  static const char text[] = "P5 # a comment\n 3\n#another\n2 7\n\0\1\2\3\4\7";
  sample_write (path, text, sizeof text - 1);
  return TRM_OK;
}

static trm_status
make_colour (const char *path)
{
  return put (path, sample_tensor (TRM_U8, TRM_SHAPE (4, 5, 3)),
              trm_image_write);
}

static bool
read_image (const char *path, const sample *s)
{
  return look_at (path, s, trm_image_read (path));
}

static trm_status
make_table (const char *path)
{
  static const char text[] = "x;y;z\r\n1;2.5;-3e-2\r\n\r\n nan; ;inf\r\n"
                             "0.1;1234567890123456789;-7\r\n";
  sample_write (path, text, sizeof text - 1);
  return TRM_OK;
}

static bool
read_table (const char *path, const sample *s)
{
  trm_drop (trm_csv_read (path, TRM_I64, ';', 1));
  return look_at (path, s, trm_csv_read (path, TRM_F64, ';', 1));
}

const sample samples[] = {
  { "f32.npy", false, make_f32, read_npy },
  { "bool.npy", false, make_bool, read_npy },
  { "columns.npy", false, make_columns, read_npy },
  { "stored.npz", false, make_stored, read_npz },
  { "deflated.npz", true, make_deflated, read_npz },
  { "large.npz", false, make_large, read_npz },
  { "names.safetensors", false, make_safetensors, read_safetensors },
  { "grey.pgm", false, make_grey, read_image },
  { "colour.ppm", false, make_colour, read_image },
  { "picture.png", true, make_colour, read_image },
  { "table.csv", true, make_table, read_table },
};

const int n_samples = sizeof samples / sizeof *samples;
