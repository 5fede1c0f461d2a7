/* safetensors files.

     length of the head (8 bytes)
     {"__metadata__":{"meta":"text"},
      "w":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}, ...}  blanks
     elements of all, one after the other without gaps

   Reading: tensors share the mapped file; the order of names is the head's.
   Writing: the head lists tensors in the order of their names, and is filled
   up to a multiple of 64; elements lie in the order of their bytes, the largest
   first, so that each tensor is aligned.  */

#include "json.h"

#include <stdlib.h>
#include <string.h>

#define MOST_HEAD 100000000
#define ALIGNMENT 64
#define METADATA  "__metadata__"
#define META      "meta"

/* In the order of trm_type.  */
static const char *const types[]
  = { "BOOL", "U8", "I8", "I32", "I64", "BF16", "F16", "F32", "F64" };

#define N_TYPES ((int) (sizeof types / sizeof *types))

/* A tensor's line of the head.  seen: a bit for each key.  */
typedef struct entry
{
  char *name;
  unsigned seen;
  trm_array array;
  int64_t begin;
  int64_t end;
} entry;

/* The head.  bytes: its own and those of its length; meta: as
   trm_safetensors_meta gives it.  */
typedef struct head
{
  trm_json json;
  int64_t bytes;
  int64_t n, room;
  entry *entry;
  bool has_metadata;
  char *meta;
} head;

/* "dtype".  */
static void
read_type (trm_json *json, entry *e)
{
  char *name = trm_json_string (json);
  int type = 0;
  while (name && type < N_TYPES && strcmp (name, types[type]))
    type++;
  if (name && type == N_TYPES)
    {
      trm_file_bad (json->file, TRM_BAD_TYPE,
                    "'%s' has elements of the type '%s'", e->name, name);
      json->failed = true;
    }
  e->array.type = (trm_type) type;
  free (name);
}

/* "shape".  */
static void
read_shape (trm_json *json, entry *e)
{
  trm_json_open (json, '[');
  for (int64_t i = 0; trm_json_more (json, ']', i); i++)
    {
      int64_t extent = trm_json_whole (json);
      if (!json->failed && !trm_array_extend (json->file, &e->array, extent))
        json->failed = true;
    }
}

/* "data_offsets".  */
static void
read_offsets (trm_json *json, entry *e)
{
  trm_json_open (json, '[');
  e->begin = trm_json_whole (json);
  trm_json_open (json, ',');
  e->end = trm_json_whole (json);
  trm_json_open (json, ']');
}

static const struct
{
  const char *name;
  void (*read) (trm_json *json, entry *e);
} keys[] = { { "dtype", read_type },
             { "shape", read_shape },
             { "data_offsets", read_offsets } };

#define N_KEYS (sizeof keys / sizeof *keys)

/* The value of a tensor's name; other keys than ours mean nothing here.  */
static void
read_entry (trm_json *json, entry *e)
{
  trm_json_open (json, '{');
  for (int64_t i = 0; trm_json_more (json, '}', i); i++)
    {
      size_t k = 0;
      char *key = trm_json_key (json);
      while (key && k < N_KEYS && strcmp (key, keys[k].name))
        k++;
      free (key);
      if (k == N_KEYS)
        trm_json_skip (json);
      else if (e->seen >> k & 1)
        trm_json_wrong (json, "each key once");
      else
        keys[k].read (json, e);
      e->seen |= 1u << k;
    }
  if (!json->failed && (e->seen & 7) != 7)
    trm_json_wrong (json, "dtype, shape and data_offsets");
}

/* An entry of H called NAME, which is taken; NULL with a message.  */
static entry *
add_entry (head *h, char *name)
{
  if (h->n == h->room)
    {
      int64_t room = h->room ? h->room * 2 : 16;
      entry *more = realloc (h->entry, (size_t) room * sizeof *more);
      if (!more)
        {
          free (name);
          h->json.failed = true;
          return trm_file_bad (h->json.file, TRM_NO_MEMORY, "no memory");
        }
      h->entry = more;
      h->room = room;
    }
  h->entry[h->n] = (entry){ .name = name };
  return &h->entry[h->n++];
}

/* The value of "__metadata__": strings with names.  */
static void
read_metadata (head *h)
{
  trm_json *json = &h->json;
  if (h->has_metadata)
    trm_json_wrong (json, METADATA " once");
  h->has_metadata = true;
  trm_json_open (json, '{');
  for (int64_t i = 0; trm_json_more (json, '}', i); i++)
    {
      char *key = trm_json_key (json);
      char *value = trm_json_string (json);
      bool ours = key && value && strcmp (key, META) == 0;
      if (ours && h->meta)
        trm_json_wrong (json, "each key once");
      free (key);
      free (ours ? h->meta : value);
      if (ours)
        h->meta = value;
    }
}

/* What H holds goes.  */
static void
free_head (head *h)
{
  for (int64_t i = 0; i < h->n; i++)
    free (h->entry[i].name);
  free (h->entry);
  free (h->meta);
}

/* Read the head of FILE to H, for free_head in any case; false with a
   message.  */
static bool
read_head (const trm_file *file, head *h)
{
  uint64_t bytes = 0;
  *h = (head){ .json = { .file = file } };
  if (file->bytes >= 8)
    memcpy (&bytes, file->at, 8);
  if (file->bytes < 8 || bytes > MOST_HEAD || (int64_t) bytes > file->bytes - 8)
    return trm_file_bad (file, TRM_BAD_FILE, "is no safetensors file");
  h->bytes = (int64_t) bytes + 8;
  h->json.at = file->at + 8;
  h->json.end = file->at + h->bytes;
  trm_json_open (&h->json, '{');
  for (int64_t i = 0; trm_json_more (&h->json, '}', i); i++)
    {
      char *name = trm_json_key (&h->json);
      if (name && strcmp (name, METADATA) == 0)
        {
          free (name);
          read_metadata (h);
          continue;
        }
      entry *e = name ? add_entry (h, name) : NULL;
      if (e)
        read_entry (&h->json, e);
    }
  trm_json_end (&h->json);
  return !h->json.failed;
}

/* The order of spans by where they begin, empty ones first.  */
static int
compare_spans (const void *a, const void *b)
{
  const int64_t *x = a, *y = b;
  if (x[0] != y[0])
    return x[0] < y[0] ? -1 : 1;
  return x[1] < y[1] ? -1 : x[1] > y[1];
}

/* Whether the tensors of H fill what is behind it, without gaps and overlaps;
   if not, why.  */
static bool
tile_file (const trm_file *file, const head *h)
{
  int64_t reached = 0;
  int64_t (*span)[2] = malloc ((size_t) (h->n + 1) * sizeof *span);
  if (!span)
    return trm_file_bad (file, TRM_NO_MEMORY, "no memory");
  for (int64_t i = 0; i < h->n; i++)
    {
      span[i][0] = h->entry[i].begin;
      span[i][1] = h->entry[i].end;
    }
  qsort (span, (size_t) h->n, sizeof *span, compare_spans);
  for (int64_t i = 0; i < h->n && reached >= 0; i++)
    reached = span[i][0] == reached && span[i][1] >= reached ? span[i][1] : -1;
  free (span);
  if (reached == file->bytes - h->bytes)
    return true;
  return trm_file_bad (file, TRM_BAD_FILE,
                       "tensors do not fill the %lld bytes behind the head",
                       (long long) (file->bytes - h->bytes));
}

/* Put the tensor of E to NAMES; false with a message.  */
static bool
put_entry (trm_file *file, const head *h, const entry *e, trm_names *names)
{
  int64_t bytes = trm_array_bytes (file, &e->array);
  if (bytes < 0)
    return false;
  if (bytes != e->end - e->begin)
    return trm_file_bad (file, TRM_BAD_FILE, "'%s' needs %lld bytes, not %lld",
                         e->name, (long long) bytes,
                         (long long) (e->end - e->begin));
  return trm_file_put (file, names, e->name,
                       trm_file_tensor (file, &e->array, h->bytes + e->begin));
}

/* Put the tensors of FILE to NAMES; false with a message.  */
static bool
read_tensors (trm_file *file, trm_names *names)
{
  head h;
  bool done = read_head (file, &h) && tile_file (file, &h);
  for (int64_t i = 0; i < h.n && done; i++)
    done = put_entry (file, &h, &h.entry[i], names);
  free_head (&h);
  return done;
}

trm_names *
trm_safetensors_read (const char *path)
{
  return trm_file_names ("safetensors_read", path, read_tensors);
}

char *
trm_safetensors_meta (const char *path)
{
  head h;
  trm_file *file = trm_file_open ("safetensors_meta", path);
  if (!file)
    return NULL;
  char *meta = NULL;
  if (read_head (file, &h))
    {
      meta = h.meta;
      h.meta = NULL;
    }
  free_head (&h);
  trm_file_close (file);
  return meta;
}

/* The bytes of T's elements.  */
static int64_t
tensor_bytes (const trm_tensor *t)
{
  return trm_count (t) * (int64_t) trm_type_bytes (t->type);
}

/* Put TEXT to W; its bytes.  */
static int64_t
put (trm_writer *w, const char *text)
{
  int64_t n = (int64_t) strlen (text);
  trm_writer_put (w, text, n);
  return n;
}

/* Put the value of T, whose elements begin at byte BEGIN, to W; its bytes.  */
static int64_t
put_value (trm_writer *w, const trm_tensor *t, int64_t begin)
{
  char text[TRM_SHAPE_TEXT];
  int64_t n = put (w, ":{\"dtype\":\"");
  n += put (w, types[t->type]);
  n += put (w, "\",\"shape\":");
  n += put (w, trm_shape_text (text, t->rank, t->extent));
  snprintf (text, sizeof text, ",\"data_offsets\":[%lld,%lld]}",
            (long long) begin, (long long) (begin + tensor_bytes (t)));
  return n + put (w, text);
}

/* Where tensors come to lie.  order: of the I-th place, the number of the
   tensor there; begin: of the I-th tensor, the first byte of its elements.  */
typedef struct place
{
  int order;
  int64_t begin;
} place;

/* Put the head to W, which may be NULL; its bytes.  */
static int64_t
put_head (trm_writer *w, const trm_names *names, const char *meta,
          const place *places)
{
  int64_t n = put (w, "{");
  if (meta)
    {
      n += put (w, "\"" METADATA "\":{\"" META "\":");
      n += trm_json_put (w, meta);
      n += put (w, "}");
    }
  for (int i = 0; i < trm_names_count (names); i++)
    {
      n += put (w, i || meta ? "," : "");
      n += trm_json_put (w, trm_names_name (names, i));
      n += put_value (w, trm_names_at (names, i), places[i].begin);
    }
  return n + put (w, "}");
}

/* Fill PLACES: tensors in the order of their elements' bytes.  False when they
   are more than any file holds.  */
static bool
place_tensors (const trm_names *names, place *places)
{
  int n = 0;
  int64_t at = 0;
  bool fits = true;
  for (size_t size = 8; size > 0; size /= 2)
    for (int i = 0; i < trm_names_count (names) && fits; i++)
      {
        const trm_tensor *t = trm_names_at (names, i);
        if (trm_type_bytes (t->type) != size)
          continue;
        places[n++].order = i;
        places[i].begin = at;
        fits = !__builtin_add_overflow (at, tensor_bytes (t), &at);
      }
  return fits;
}

/* Whether each of NAMES, and META, can stand in the head; if not, why.  */
static bool
are_names (const trm_names *names, const char *meta)
{
  if (meta && !trm_is_utf8 (meta))
    return trm_fail_null (TRM_BAD_ARGUMENT,
                          "safetensors_write: the text is no UTF-8");
  for (int i = 0; i < trm_names_count (names); i++)
    {
      const char *name = trm_names_name (names, i);
      if (!trm_is_utf8 (name) || strcmp (name, METADATA) == 0)
        return trm_fail_null (TRM_BAD_ARGUMENT,
                              "safetensors_write: '%.60s' cannot be a name",
                              name);
    }
  return true;
}

/* Put the elements of all tensors to W.  */
static trm_status
put_elements (trm_writer *w, const trm_names *names, const place *places)
{
  for (int i = 0; i < trm_names_count (names); i++)
    {
      trm_storage *copy;
      const trm_tensor *t = trm_names_at (names, places[i].order);
      const void *elements = trm_plain_elements (t, &copy);
      if (!elements)
        return trm_error ();
      trm_writer_put (w, elements, tensor_bytes (t));
      trm_storage_drop (copy);
    }
  return TRM_OK;
}

/* Write NAMES, which PLACES has room for, to the file at PATH.  */
static trm_status
write_file (const char *path, const trm_names *names, const char *meta,
            place *places)
{
  static const char blanks[ALIGNMENT + 1] = "                                "
                                            "                                ";
  if (!place_tensors (names, places))
    return trm_fail (TRM_BAD_SHAPE, "safetensors_write: too many elements");
  int64_t bytes = put_head (NULL, names, meta, places);
  int64_t fill = -(bytes + 8) & (ALIGNMENT - 1);
  int64_t whole = bytes + fill;
  if (whole > MOST_HEAD)
    return trm_fail (TRM_BAD_ARGUMENT,
                     "safetensors_write: the head has more than %d bytes",
                     MOST_HEAD);
  trm_writer *w = trm_writer_open ("safetensors_write", path);
  trm_writer_put (w, &whole, 8);
  put_head (w, names, meta, places);
  trm_writer_put (w, blanks, fill);
  return trm_writer_close (w, w ? put_elements (w, names, places) : TRM_OK);
}

trm_status
trm_safetensors_write (const char *path, const trm_names *names,
                       const char *meta)
{
  if (!trm_may_write ("safetensors_write", path, names)
      || !are_names (names, meta))
    return TRM_BAD_ARGUMENT;
  size_t n = (size_t) trm_names_count (names);
  place *places = malloc ((n + 1) * sizeof *places);
  trm_status status
    = places ? write_file (path, names, meta, places)
             : trm_fail (TRM_NO_MEMORY, "safetensors_write: no memory");
  free (places);
  return status;
}
