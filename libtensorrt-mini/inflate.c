/* Deflated members of zip files, unpacked by zlib where it is there.

   zlib is opened at first use.  What we need of it is declared here by its
   binary interface, which has been the same since version 1.0: a stream of 14
   words, checked by its size when it is opened, and three functions.  */

#include "file.h"

#include <pthread.h>

#define LIBRARY    "libz.so.1"
#define OFFERED    "1"
#define RAW        (-15)
#define NO_FLUSH   0
#define STREAM_END 1
#define NO_ROOM    (-4)
#define MOST       ((int64_t) 1 << 30)

/* A z_stream.  */
typedef struct stream
{
  const void *in;
  unsigned in_bytes;
  unsigned long in_total;
  void *out;
  unsigned out_bytes;
  unsigned long out_total;
  const char *message;
  void *state;
  void *(*allocate) (void *opaque, unsigned n, unsigned bytes);
  void (*release) (void *opaque, void *memory);
  void *opaque;
  int kind;
  unsigned long check;
  unsigned long reserved;
} stream;

static struct
{
  int (*begin) (stream *s, int window, const char *version, int bytes);
  int (*step) (stream *s, int flush);
  int (*end) (stream *s);
} zlib;

static bool is_there;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Look for zlib.  */
static void
find_zlib (void)
{
  static const char *const names[]
    = { "inflateInit2_", "inflate", "inflateEnd" };
  void *address[3];
  is_there = trm_library_open (LIBRARY, 3, names, address);
  if (!is_there)
    return;
  zlib.begin = (int (*) (stream *, int, const char *, int)) address[0];
  zlib.step = (int (*) (stream *, int)) address[1];
  zlib.end = (int (*) (stream *)) address[2];
}

/* The part of N bytes that is passed at once.  */
static unsigned
some (int64_t n)
{
  return (unsigned) (n < MOST ? n : MOST);
}

/* Unpack FROM by S to exactly TO; what zlib has no memory for is no fault of
   the file.  */
static trm_status
unpack (stream *s, const trm_file *from, const trm_file *to)
{
  int64_t in = 0, out = 0;
  int status;
  do
    {
      unsigned in_now = some (from->bytes - in);
      unsigned out_now = some (to->bytes - out);
      s->in = from->at + in;
      s->in_bytes = in_now;
      s->out = to->at + out;
      s->out_bytes = out_now;
      status = zlib.step (s, NO_FLUSH);
      in += in_now - s->in_bytes;
      out += out_now - s->out_bytes;
      if (in_now == s->in_bytes && out_now == s->out_bytes)
        break;
    }
  while (status == 0);
  if (status == NO_ROOM)
    return TRM_NO_MEMORY;
  bool whole = status == STREAM_END && in == from->bytes && out == to->bytes;
  return whole ? TRM_OK : TRM_BAD_FILE;
}

bool
trm_inflate (const trm_file *from, const trm_file *to)
{
  stream s = { .in = NULL };
  pthread_once (&once, find_zlib);
  if (!is_there)
    return trm_file_bad (from, TRM_NOT_HERE,
                         "is deflated, and there is no " LIBRARY);
  if (zlib.begin (&s, RAW, OFFERED, sizeof s))
    return trm_file_bad (from, TRM_NO_MEMORY, "zlib cannot begin");
  trm_status status = unpack (&s, from, to);
  zlib.end (&s);
  return !status || trm_file_bad (from, status, "cannot be unpacked");
}
