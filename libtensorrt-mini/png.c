/* PNG pictures, by libpng where it is there.

   libpng 1.6 is opened at first use.  Of its simplified interface, which sets
   nothing but one record, what we need is declared here; the version is asked
   before anything else.  It does not look behind the last row, so that we ask
   for the chunk that ends a picture.  16 bits become 8 (WIDE_SRGB: without
   another gamma), palettes colours, and grey with alpha four channels.  */

#include "file.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY    "libpng16.so.16"
#define OFFERED    106
#define RECORD     1
#define ALPHA      1u
#define COLOUR     2u
#define WIDE_SRGB  4u
#define MOST_RATIO 1032
#define LAST       "\0\0\0\0IEND\xae\x42\x60\x82"
#define LAST_BYTES 12

/* A png_image.  */
typedef struct picture
{
  void *control;
  uint32_t version;
  uint32_t width;
  uint32_t height;
  uint32_t format;
  uint32_t flags;
  uint32_t colours;
  uint32_t failed;
  char message[64];
} picture;

static struct
{
  uint32_t (*version) (void);
  int (*begin) (picture *p, const void *memory, size_t bytes);
  int (*finish) (picture *p, const void *background, void *values,
                 int32_t stride, void *colours);
  int (*write) (picture *p, void *memory, size_t *bytes, int convert,
                const void *values, int32_t stride, const void *colours);
  void (*release) (picture *p);
} png;

static bool is_there;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Look for libpng.  */
static void
find_png (void)
{
  static const char *const names[]
    = { "png_access_version_number", "png_image_begin_read_from_memory",
        "png_image_finish_read", "png_image_write_to_memory",
        "png_image_free" };
  void *address[5];
  if (!trm_library_open (LIBRARY, 5, names, address))
    return;
  png.version = (uint32_t (*) (void)) address[0];
  png.begin = (int (*) (picture *, const void *, size_t)) address[1];
  png.finish
    = (int (*) (picture *, const void *, void *, int32_t, void *)) address[2];
  png.write = (int (*) (picture *, void *, size_t *, int, const void *, int32_t,
                        const void *)) address[3];
  png.release = (void (*) (picture *)) address[4];
  is_there = png.version () / 100 == OFFERED;
}

/* Whether libpng is there; if not, a message from WHO.  */
static bool
has_png (const char *who)
{
  pthread_once (&once, find_png);
  return is_there
         || trm_fail_null (TRM_NOT_HERE, "%s: there is no " LIBRARY, who);
}

/* What P's message means.  */
static trm_status
status_of (const picture *p)
{
  return strstr (p->message, "memory") ? TRM_NO_MEMORY : TRM_BAD_FILE;
}

/* Whether FILE ends as a PNG.  */
static bool
is_whole (const trm_file *file)
{
  return file->bytes >= LAST_BYTES
         && !memcmp (file->at + file->bytes - LAST_BYTES, LAST, LAST_BYTES);
}

/* A tensor for the picture of P, which was begun from BYTES bytes; NULL with a
   message when these cannot hold as many values.  */
static trm_tensor *
new_tensor (const trm_file *file, picture *p)
{
  int64_t n = (int64_t) p->width * p->height;
  int64_t channels = p->format & ALPHA ? 4 : p->format & COLOUR ? 3 : 1;
  p->flags |= WIDE_SRGB;
  p->format = channels == 4 ? ALPHA | COLOUR : p->format & COLOUR;
  if (n / MOST_RATIO / 8 > file->bytes)
    return trm_file_bad (file, TRM_BAD_FILE, "too short for %u by %u values",
                         p->width, p->height);
  return trm_empty (TRM_U8, TRM_SHAPE (p->height, p->width, channels));
}

/* The picture in FILE, of which libpng is there; a tensor of a scope.  */
static trm_tensor *
read_picture (const trm_file *file)
{
  picture p = { .version = RECORD };
  if (!is_whole (file))
    return trm_file_bad (file, TRM_BAD_FILE, "does not end as a PNG");
  if (!png.begin (&p, file->at, (size_t) file->bytes))
    return trm_file_bad (file, status_of (&p), "%.63s", p.message);
  trm_tensor *t = new_tensor (file, &p);
  if (!t)
    {
      png.release (&p);
      return NULL;
    }
  if (png.finish (&p, NULL, t->at, 0, NULL))
    return t;
  return trm_file_bad (file, status_of (&p), "%.63s", p.message);
}

trm_tensor *
trm_png_tensor (const trm_file *file)
{
  if (!has_png (file->who) || trm_scope_open ())
    return NULL;
  trm_tensor *t = trm_scope_give (read_picture (file));
  trm_scope_close ();
  return t;
}

void *
trm_png_bytes (const trm_tensor *t, int64_t *bytes)
{
  picture p = { .version = RECORD,
                .width = (uint32_t) t->extent[1],
                .height = (uint32_t) t->extent[0],
                .format = t->extent[2] == 1   ? 0
                          : t->extent[2] == 3 ? COLOUR
                                              : COLOUR | ALPHA };
  trm_storage *copy = NULL;
  int64_t raw = t->extent[0] + trm_count (t);
  size_t room = (size_t) (raw + raw / 4 + 65536);
  if (!has_png ("image_write"))
    return NULL;
  const void *values = trm_plain_elements (t, &copy);
  void *memory = values ? malloc (room) : NULL;
  bool done = memory && png.write (&p, memory, &room, 0, values, 0, NULL);
  trm_storage_drop (copy);
  *bytes = (int64_t) room;
  if (done)
    return memory;
  if (values)
    trm_fail (TRM_NO_MEMORY, "image_write: %.63s",
              memory ? p.message : "no memory");
  free (memory);
  return NULL;
}
