/* Reading and writing JSON (json.h).  */

#include "json.h"

#include <stdlib.h>
#include <string.h>

#define MOST_DEPTH 16

void
trm_json_wrong (trm_json *json, const char *what)
{
  if (!json->failed)
    trm_file_bad (json->file, TRM_BAD_FILE, "byte %lld: expected %s",
                  (long long) (json->at - json->file->at), what);
  json->failed = true;
}

/* Go over blanks, and over C when it comes next.  */
static bool
take (trm_json *json, char c)
{
  while (json->at < json->end && *json->at && strchr (" \t\r\n", *json->at))
    json->at++;
  bool comes = !json->failed && json->at < json->end && *json->at == c;
  json->at += comes;
  return comes;
}

/* Go over C, which must come next.  */
static void
must_take (trm_json *json, char c)
{
  if (!take (json, c))
    trm_json_wrong (json, (char[]){ '\'', c, '\'', 0 });
}

void
trm_json_open (trm_json *json, char open)
{
  must_take (json, open);
}

bool
trm_json_more (trm_json *json, char close, int64_t i)
{
  if (json->failed || take (json, close))
    return false;
  if (i > 0)
    must_take (json, ',');
  return !json->failed;
}

/* The bytes of the UTF-8 character at AT, which ends before END; 0 when it is
   none.  */
static int
utf8_bytes (const unsigned char *at, const unsigned char *end)
{
  int n = *at < 0x80       ? 1
          : *at >> 5 == 6  ? 2
          : *at >> 4 == 14 ? 3
          : *at >> 3 == 30 ? 4
                           : 0;
  if (n < 2 || end - at < n)
    return n == 1;
  uint32_t code = *at & (0xffu >> (n + 1));
  for (int i = 1; i < n; i++)
    {
      if (at[i] >> 6 != 2)
        return 0;
      code = code << 6 | (at[i] & 0x3f);
    }
  const uint32_t least = n == 2 ? 0x80 : n == 3 ? 0x800 : 0x10000;
  bool is_half = code >> 11 == 0x1b;
  return code < least || code > 0x10ffff || is_half ? 0 : n;
}

bool
trm_is_utf8 (const char *text)
{
  const unsigned char *at = (const unsigned char *) text;
  const unsigned char *end = at + strlen (text);
  while (at < end)
    {
      int n = utf8_bytes (at, end);
      if (!n)
        return false;
      at += n;
    }
  return true;
}

/* Four hexadecimal digits, -1 when there are none.  */
static int
read_hex (trm_json *json)
{
  int value = 0;
  if (json->end - json->at < 4)
    return -1;
  for (int i = 0; i < 4; i++)
    {
      static const char digits[] = "0123456789abcdefABCDEF";
      char c = *json->at++;
      const char *digit = c ? strchr (digits, c) : NULL;
      if (!digit)
        return -1;
      int d = (int) (digit - digits);
      value = value * 16 + (d < 16 ? d : d - 6);
    }
  return value;
}

/* The character of \uXXXX, or of two such halves; the first u was read.  0 when
   it is none.  */
static uint32_t
read_code (trm_json *json)
{
  int code = read_hex (json);
  if (code < 0 || code >> 11 != 0x1b)
    return code < 0 ? 0 : (uint32_t) code;
  if (code >> 10 != 0x36 || json->end - json->at < 6 || json->at[0] != '\\'
      || json->at[1] != 'u')
    return 0;
  json->at += 2;
  int low = read_hex (json);
  if (low >> 10 != 0x37)
    return 0;
  return 0x10000 + ((uint32_t) (code & 0x3ff) << 10 | (uint32_t) (low & 0x3ff));
}

/* Put CODE in UTF-8 to TO; behind it.  */
static char *
put_code (char *to, uint32_t code)
{
  int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  static const unsigned char mark[] = { 0, 0xc0, 0xe0, 0xf0 };
  *to++ = (char) (mark[more] | code >> 6 * more);
  while (more-- > 0)
    *to++ = (char) (0x80 | (code >> 6 * more & 0x3f));
  return to;
}

/* Put what stands behind a backslash to TO; behind it, NULL when that means
   nothing.  */
static char *
read_escape (trm_json *json, char *to)
{
  static const char name[] = "\"\\/bfnrt", meaning[] = "\"\\/\b\f\n\r\t";
  char c = json->at < json->end ? *json->at++ : 0;
  const char *known = c ? strchr (name, c) : NULL;
  uint32_t code = known      ? (uint32_t) meaning[known - name]
                  : c == 'u' ? read_code (json)
                             : 0;
  return code ? put_code (to, code) : NULL;
}

/* Put one character of a string to TO; behind it, NULL when it is none.  */
static char *
read_character (trm_json *json, char *to)
{
  const unsigned char *at = (const unsigned char *) json->at;
  if (*at == '\\')
    {
      json->at++;
      return read_escape (json, to);
    }
  int n = *at >= ' ' ? utf8_bytes (at, (const unsigned char *) json->end) : 0;
  memcpy (to, at, (size_t) n);
  json->at += n;
  return n ? to + n : NULL;
}

/* Where the string from AT on ends; END when it does not.  */
static const char *
find_quote (const char *at, const char *end)
{
  while (at < end && *at != '"')
    at += *at == '\\' && end - at > 1 ? 2 : 1;
  return at;
}

char *
trm_json_string (trm_json *json)
{
  must_take (json, '"');
  if (json->failed)
    return NULL;
  const char *end = find_quote (json->at, json->end);
  char *text = malloc ((size_t) (end - json->at) + 1);
  char *to = text;
  if (!text)
    {
      trm_file_bad (json->file, TRM_NO_MEMORY, "no memory");
      json->failed = true;
      return NULL;
    }
  while (to && json->at < end)
    to = read_character (json, to);
  if (!to || json->at >= json->end)
    {
      free (text);
      trm_json_wrong (json, "a character, in UTF-8");
      return NULL;
    }
  *to = 0;
  json->at++;
  return text;
}

char *
trm_json_key (trm_json *json)
{
  char *key = trm_json_string (json);
  must_take (json, ':');
  if (!json->failed)
    return key;
  free (key);
  return NULL;
}

int64_t
trm_json_whole (trm_json *json)
{
  int64_t value = 0;
  take (json, 0);
  const char *begin = json->at;
  bool right = !json->failed && trm_read_whole (&json->at, json->end, &value)
               && (*begin != '0' || json->at - begin == 1);
  if (!right)
    trm_json_wrong (json, "a whole number");
  return right ? value : 0;
}

/* Go over a value that may hold others, to DEPTH.  */
static void
skip (trm_json *json, int depth)
{
  bool object = take (json, '{');
  if (object || take (json, '['))
    {
      if (depth == 0)
        trm_json_wrong (json, "fewer values within each other");
      for (int64_t i = 0; trm_json_more (json, object ? '}' : ']', i); i++)
        {
          if (object)
            free (trm_json_key (json));
          skip (json, depth - 1);
        }
    }
  else if (json->at < json->end && *json->at == '"')
    free (trm_json_string (json));
  else
    trm_json_whole (json);
}

void
trm_json_skip (trm_json *json)
{
  skip (json, MOST_DEPTH);
}

void
trm_json_end (trm_json *json)
{
  take (json, 0);
  if (json->at < json->end)
    trm_json_wrong (json, "nothing more");
}

/* Put N bytes of TEXT to W; N.  */
static int64_t
put (trm_writer *w, const char *text, int64_t n)
{
  trm_writer_put (w, text, n);
  return n;
}

int64_t
trm_json_put (trm_writer *w, const char *text)
{
  int64_t n = put (w, "\"", 1);
  for (; *text; text++)
    {
      char code[8];
      int length = 1;
      code[0] = *text;
      if ((unsigned char) *text < ' ')
        length = snprintf (code, sizeof code, "\\u%04x", *text);
      else if (*text == '"' || *text == '\\')
        length = snprintf (code, sizeof code, "\\%c", *text);
      n += put (w, code, length);
    }
  return n + put (w, "\"", 1);
}
