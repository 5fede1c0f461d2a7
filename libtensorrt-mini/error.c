/* Why the thread's last call that failed did.  */

#include "tensor.h"

#include <stdarg.h>
#include <string.h>

#define TEXT_BYTES 512

static _Thread_local trm_status status;
static _Thread_local char text[TEXT_BYTES];

/* Remember S and the text of FORMAT.  The text may name the one before.  */
static void
remember (trm_status s, const char *format, va_list arguments)
{
  char next[TEXT_BYTES];
  vsnprintf (next, sizeof next, format, arguments);
  memcpy (text, next, sizeof text);
  status = s;
}

trm_status
trm_fail (trm_status s, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  remember (s, format, arguments);
  va_end (arguments);
  return s;
}

void *
trm_fail_null (trm_status s, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  remember (s, format, arguments);
  va_end (arguments);
  return NULL;
}

trm_status
trm_error (void)
{
  return status;
}

const char *
trm_message (void)
{
  return text;
}

void
trm_forget_error (void)
{
  status = TRM_OK;
  text[0] = 0;
}

const char *
trm_shape_text (char shape[TRM_SHAPE_TEXT], int rank, const int64_t *extent)
{
  int n = snprintf (shape, TRM_SHAPE_TEXT, "[");
  for (int i = 0; i < rank; i++)
    n += snprintf (shape + n, (size_t) (TRM_SHAPE_TEXT - n), "%s%lld",
                   i ? ", " : "", (long long) extent[i]);
  snprintf (shape + n, (size_t) (TRM_SHAPE_TEXT - n), "]");
  return shape;
}
