/* NumPy's .npy files, versions 1.0, 2.0 and 3.0.

     "\x93NUMPY"  major  minor  length (2 bytes, from version 2.0 on 4)
     {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }  blanks \n
     elements

   The head is a Python dictionary of these three keys, in any order.  We write
   1.0, filled up with blanks so that elements begin at a multiple of 64.  */

#include "file.h"

#include <string.h>

#define MAGIC       "\x93NUMPY"
#define MAGIC_BYTES 6
#define ALIGNMENT   64

/* A type's name behind the order of bytes.  */
static const struct
{
  char name[3];
  trm_type type;
} types[] = { { "b1", TRM_BOOL }, { "u1", TRM_U8 },  { "i1", TRM_I8 },
              { "i4", TRM_I32 },  { "i8", TRM_I64 }, { "f2", TRM_F16 },
              { "f4", TRM_F32 },  { "f8", TRM_F64 } };

#define N_TYPES (sizeof types / sizeof *types)

/* The head, read from AT to END.  seen: a bit for each key.  */
typedef struct head
{
  const trm_file *file;
  const char *at;
  const char *end;
  unsigned seen;
  trm_array array;
} head;

/* Fail: WHAT should stand at this place of the head.  */
static bool
expected (const head *h, const char *what)
{
  return trm_file_bad (h->file, TRM_BAD_FILE, "byte %lld: expected %s",
                       (long long) (h->at - h->file->at), what);
}

/* Go over blanks.  */
static void
skip_blanks (head *h)
{
  while (h->at < h->end && (*h->at == ' ' || *h->at == '\n'))
    h->at++;
}

/* Go over blanks, and over C when it comes next.  */
static bool
take (head *h, char c)
{
  skip_blanks (h);
  bool comes = h->at < h->end && *h->at == c;
  h->at += comes;
  return comes;
}

/* Go over WORD when it comes next.  */
static bool
take_word (head *h, const char *word)
{
  size_t n = strlen (word);
  skip_blanks (h);
  bool comes = (size_t) (h->end - h->at) >= n && !memcmp (h->at, word, n);
  h->at += comes ? n : 0;
  return comes;
}

/* The length of the string *TEXT that comes next; -1 when there is none.  */
static int
take_string (head *h, const char **text)
{
  char quote = take (h, '\'') ? '\'' : take (h, '"') ? '"' : 0;
  *text = h->at;
  if (!quote)
    return -1;
  while (h->at < h->end && *h->at != quote && *h->at != '\\')
    h->at++;
  if (h->at >= h->end || *h->at != quote || h->at - *text > 1000)
    return -1;
  return (int) (h->at++ - *text);
}

/* 'descr': the order of bytes and the name of a type.  */
static bool
read_type (head *h)
{
  const char *text;
  int n = take_string (h, &text);
  if (n < 0)
    return trm_file_bad (h->file, TRM_BAD_TYPE,
                         "the type of elements is no plain one");
  for (size_t i = 0; i < N_TYPES; i++)
    if (n == 3 && strchr ("<>|=", text[0]) && text[0]
        && !memcmp (text + 1, types[i].name, 2))
      {
        h->array.type = types[i].type;
        h->array.swapped = text[0] == '>' && text[2] > '1';
        return true;
      }
  return trm_file_bad (h->file, TRM_BAD_TYPE, "there is no element type '%.*s'",
                       n, text);
}

/* 'fortran_order'.  */
static bool
read_order (head *h)
{
  h->array.columns = take_word (h, "True");
  return h->array.columns || take_word (h, "False")
         || expected (h, "True or False");
}

/* 'shape': a tuple; numbers may end with L, as old writers let them.  */
static bool
read_shape (head *h)
{
  bool more = true;
  if (!take (h, '('))
    return expected (h, "(");
  while (!take (h, ')'))
    {
      int64_t extent;
      if (!more || !trm_read_whole (&h->at, h->end, &extent))
        return expected (h, "an extent");
      take (h, 'L');
      more = take (h, ',');
      if (!trm_array_extend (h->file, &h->array, extent))
        return false;
    }
  return h->array.rank != 1 || more || expected (h, ", behind a single extent");
}

static const struct
{
  const char *name;
  bool (*read) (head *h);
} keys[] = { { "descr", read_type },
             { "fortran_order", read_order },
             { "shape", read_shape } };

#define N_KEYS (sizeof keys / sizeof *keys)

/* One key and its value.  */
static bool
read_item (head *h)
{
  const char *text;
  int n = take_string (h, &text);
  size_t k = 0;
  while (k < N_KEYS
         && (n != (int) strlen (keys[k].name)
             || memcmp (text, keys[k].name, (size_t) n)))
    k++;
  if (k == N_KEYS || h->seen >> k & 1)
    return expected (h, "descr, fortran_order or shape, each once");
  h->seen |= 1u << k;
  if (!take (h, ':'))
    return expected (h, ":");
  return keys[k].read (h);
}

/* The dictionary.  */
static bool
read_head (head *h)
{
  bool more = true;
  if (!take (h, '{'))
    return expected (h, "{");
  while (!take (h, '}'))
    {
      if (!more)
        return expected (h, ", or }");
      if (!read_item (h))
        return false;
      more = take (h, ',');
    }
  if (h->seen != (1u << N_KEYS) - 1)
    return expected (h, "one of descr, fortran_order and shape");
  skip_blanks (h);
  return h->at == h->end || expected (h, "the end of the head");
}

/* Where the head of FILE begins, and its length in *BYTES; 0 with a message
   when that is no .npy.  */
static int64_t
find_head (const trm_file *file, int64_t *bytes)
{
  const unsigned char *at = (const unsigned char *) file->at;
  int64_t begin = MAGIC_BYTES + 4;
  if (file->bytes < begin || memcmp (at, MAGIC, MAGIC_BYTES))
    return trm_file_bad (file, TRM_BAD_FILE, "is no .npy"), 0;
  int major = at[MAGIC_BYTES], minor = at[MAGIC_BYTES + 1];
  if (major < 1 || major > 3 || minor)
    return trm_file_bad (file, TRM_BAD_FILE, "a .npy of version %d.%d", major,
                         minor),
           0;
  *bytes = at[MAGIC_BYTES + 2] | at[MAGIC_BYTES + 3] << 8;
  if (major > 1)
    {
      begin += 2;
      if (file->bytes >= begin)
        *bytes |= (int64_t) at[MAGIC_BYTES + 4] << 16
                  | (int64_t) at[MAGIC_BYTES + 5] << 24;
    }
  if (file->bytes < begin || *bytes > file->bytes - begin)
    return trm_file_bad (file, TRM_BAD_FILE, "ends inside of its head"), 0;
  return begin;
}

trm_tensor *
trm_npy_tensor (trm_file *file)
{
  int64_t bytes;
  int64_t begin = find_head (file, &bytes);
  head h = { .file = file, .at = file->at + begin };
  h.end = h.at + (begin ? bytes : 0);
  if (!begin || !read_head (&h))
    return NULL;
  int64_t want = trm_array_bytes (file, &h.array);
  int64_t have = file->bytes - begin - bytes;
  if (want < 0)
    return NULL;
  if (want != have)
    return trm_file_bad (file, TRM_BAD_FILE,
                         "holds %lld bytes of elements, not %lld",
                         (long long) have, (long long) want);
  return trm_file_tensor (file, &h.array, begin + bytes);
}

/* Write the head of T, of type number TYPE, into TEXT; its length.  */
static int
print_dictionary (char *text, size_t room, const trm_tensor *t, size_t type)
{
  int n = snprintf (text, room,
                    "{'descr': '%c%s', 'fortran_order': False, 'shape': (",
                    types[type].name[1] == '1' ? '|' : '<', types[type].name);
  for (int i = 0; i < t->rank; i++)
    n += snprintf (text + n, room - (size_t) n, i ? ", %lld" : "%lld",
                   (long long) t->extent[i]);
  n += snprintf (text + n, room - (size_t) n, t->rank == 1 ? ",), }" : "), }");
  return n;
}

int
trm_npy_head (char text[TRM_NPY_HEAD], const char *who, const trm_tensor *t)
{
  const int front = MAGIC_BYTES + 4;
  size_t type = 0;
  while (type < N_TYPES && types[type].type != t->type)
    type++;
  if (type == N_TYPES)
    return trm_fail (TRM_BAD_TYPE, "%s: NumPy has no name for %s", who,
                     trm_type_name (t->type)),
           0;
  memset (text, ' ', TRM_NPY_HEAD);
  int n
    = front + print_dictionary (text + front, TRM_NPY_HEAD - front, t, type);
  text[n] = ' ';
  int bytes = (n + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
  text[bytes - 1] = '\n';
  memcpy (text, MAGIC "\1", MAGIC_BYTES + 2);
  text[MAGIC_BYTES + 2] = (char) ((bytes - front) & 0xff);
  text[MAGIC_BYTES + 3] = (char) ((bytes - front) >> 8);
  return bytes;
}

trm_tensor *
trm_npy_read (const char *path)
{
  trm_file *file = trm_file_open ("npy_read", path);
  trm_tensor *t = file ? trm_npy_tensor (file) : NULL;
  trm_file_close (file);
  return t;
}

trm_status
trm_npy_write (const char *path, const trm_tensor *t)
{
  char text[TRM_NPY_HEAD];
  trm_storage *copy = NULL;
  if (!trm_may_write ("npy_write", path, t))
    return TRM_BAD_ARGUMENT;
  int bytes = trm_npy_head (text, "npy_write", t);
  const void *elements = bytes ? trm_plain_elements (t, &copy) : NULL;
  if (!elements)
    return trm_error ();
  trm_writer *w = trm_writer_open ("npy_write", path);
  trm_writer_put (w, text, bytes);
  trm_writer_put (w, elements,
                  trm_count (t) * (int64_t) trm_type_bytes (t->type));
  trm_storage_drop (copy);
  return trm_writer_close (w, TRM_OK);
}
