/* Pictures: netpbm's binary PGM and PPM, and PNG (png.c).

     P5 width height most \n  bytes        PGM, a channel
     P6 width height most \n  bytes        PPM, three

   Blanks stand between the numbers, and comments from # to the end of a line.
   Where the greatest value is less than 255, values are stretched to it.  A
   file holds one picture.  */

#include "file.h"

#include <string.h>
#include <strings.h>
#include <stdlib.h>

#define MOST_EXTENT INT32_MAX
#define PNG_MAGIC   "\x89PNG\r\n\x1a\n"

/* Whether C stands between numbers.  */
static bool
is_blank (char c)
{
  return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The next number, from 1 to MOST_EXTENT, behind blanks and comments; *AT moves
   behind it.  0 when there is none.  */
static int64_t
read_field (const char **at, const char *end)
{
  int64_t value;
  if (*at >= end || !is_blank (**at))
    return 0;
  while (*at < end && (is_blank (**at) || **at == '#'))
    {
      bool comment = **at == '#';
      while (comment && *at < end && **at != '\n')
        (*at)++;
      *at += *at < end;
    }
  return trm_read_whole (at, end, &value) && value <= MOST_EXTENT ? value : 0;
}

/* The picture A with values up to MOST at FROM, stretched to 255.  */
static trm_tensor *
stretch (const trm_file *file, const trm_array *a, const char *from, int most)
{
  int64_t n = trm_array_bytes (file, a);
  for (int64_t i = 0; i < n; i++)
    if ((unsigned char) from[i] > most)
      return trm_file_bad (file, TRM_BAD_FILE, "a value above %d", most);
  trm_tensor *t = trm_empty (TRM_U8, a->rank, a->extent);
  unsigned char *to = t ? t->at : NULL;
  for (int64_t i = 0; t && i < n; i++)
    to[i] = (unsigned char) (((unsigned char) from[i] * 255 + most / 2) / most);
  return t;
}

/* The PGM or PPM in FILE.  */
static trm_tensor *
read_pnm (trm_file *file)
{
  const char *at = file->at + 2, *end = file->at + file->bytes;
  int64_t width = read_field (&at, end);
  int64_t height = read_field (&at, end);
  int64_t most = read_field (&at, end);
  if (!width || !height || !most || at == end || !is_blank (*at++))
    return trm_file_bad (file, TRM_BAD_FILE, "the head is wrong");
  if (most > 255)
    return trm_file_bad (file, TRM_BAD_TYPE, "values up to %lld are no u8",
                         (long long) most);
  trm_array a = { .type = TRM_U8,
                  .rank = 3,
                  .extent = { height, width, file->at[1] == '6' ? 3 : 1 } };
  int64_t want = trm_array_bytes (file, &a);
  if (want < 0)
    return NULL;
  if (want != end - at)
    return trm_file_bad (file, TRM_BAD_FILE,
                         "holds %lld bytes of values, not %lld",
                         (long long) (end - at), (long long) want);
  return most == 255 ? trm_file_tensor (file, &a, at - file->at)
                     : stretch (file, &a, at, (int) most);
}

/* The picture in FILE, by how it begins.  */
static trm_tensor *
read_picture (trm_file *file)
{
  const char *at = file->at;
  if (file->bytes > 2 && at[0] == 'P' && (at[1] == '5' || at[1] == '6'))
    return read_pnm (file);
  if (file->bytes > 8 && !memcmp (at, PNG_MAGIC, 8))
    return trm_png_tensor (file);
  return trm_file_bad (file, TRM_BAD_FILE, "is no PGM, PPM or PNG");
}

trm_tensor *
trm_image_read (const char *path)
{
  trm_file *file = trm_file_open ("image_read", path);
  trm_tensor *t = file ? read_picture (file) : NULL;
  trm_file_close (file);
  return t;
}

/* The kinds of files, by the ends of their names; channels: 0 is all.  */
static const struct
{
  const char *end;
  int channels;
} kinds[] = { { ".pgm", 1 }, { ".ppm", 3 }, { ".png", 0 } };

#define N_KINDS ((int) (sizeof kinds / sizeof *kinds))

/* The kind of the file at PATH; N_KINDS with a message when there is none for
   T.  */
static int
find_kind (const char *path, const trm_tensor *t)
{
  char text[TRM_SHAPE_TEXT];
  size_t n = strlen (path);
  int kind = 0;
  while (kind < N_KINDS
         && (n < 4 || strcasecmp (path + n - 4, kinds[kind].end)))
    kind++;
  int64_t channels = t->rank == 3 ? t->extent[2] : 0;
  if (kind == N_KINDS)
    trm_fail (TRM_BAD_ARGUMENT,
              "image_write: '%.200s' ends with none of .pgm, .ppm, .png", path);
  else if (t->type != TRM_U8)
    trm_fail (TRM_BAD_TYPE, "image_write: a picture of %s, not u8",
              trm_type_name (t->type));
  else if ((channels != 1 && channels != 3 && channels != 4)
           || (kinds[kind].channels && channels != kinds[kind].channels)
           || trm_count (t) == 0 || t->extent[0] > MOST_EXTENT
           || t->extent[1] > MOST_EXTENT)
    trm_fail (TRM_BAD_SHAPE, "image_write: %s is no picture for a %s",
              trm_shape_text (text, t->rank, t->extent), kinds[kind].end);
  else
    return kind;
  return N_KINDS;
}

/* Write T, as kind KIND, to the file at PATH.  */
static trm_status
write_picture (const char *path, const trm_tensor *t, int kind)
{
  char head[64];
  int64_t bytes = trm_count (t);
  bool png = kinds[kind].channels == 0;
  trm_storage *copy = NULL;
  void *packed = png ? trm_png_bytes (t, &bytes) : NULL;
  const void *values = png ? packed : trm_plain_elements (t, &copy);
  if (!values)
    return trm_error ();
  int n = snprintf (head, sizeof head, "P%c\n%lld %lld\n255\n",
                    kinds[kind].channels == 1 ? '5' : '6',
                    (long long) t->extent[1], (long long) t->extent[0]);
  trm_writer *w = trm_writer_open ("image_write", path);
  trm_writer_put (w, head, png ? 0 : n);
  trm_writer_put (w, values, bytes);
  free (packed);
  trm_storage_drop (copy);
  return trm_writer_close (w, TRM_OK);
}

trm_status
trm_image_write (const char *path, const trm_tensor *t)
{
  if (!trm_may_write ("image_write", path, t))
    return TRM_BAD_ARGUMENT;
  int kind = find_kind (path, t);
  return kind < N_KINDS ? write_picture (path, t, kind) : trm_error ();
}
