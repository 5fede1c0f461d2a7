/* Tables of numbers as text.

   Two walks over the mapped file: the first counts rows and fields, so that the
   second can store into a tensor of the right size.  Lines may end with \r\n;
   empty ones are left out.  Blanks around a number are none of it.

   Numbers are written with few digits, and more of them until they give the
   same element when they are read again.  The C locale is the thread's
   meanwhile: a point is a point.  */

#include "file.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_FIELD 500
#define MOST_TEXT  64

/* What is read.  at, end: what is left of it; line: counted from 1, the one
   that ended last.  */
typedef struct table
{
  const trm_file *file;
  trm_type type;
  char separator;
  const char *at;
  const char *end;
  int64_t line;
} table;

/* Text in a file, from BEGIN up to END.  */
typedef struct piece
{
  const char *begin;
  const char *end;
} piece;

/* Whether C means nothing; SEPARATOR always does.  */
static bool
is_blank (char c, char separator)
{
  return (c == ' ' || c == '\t') && c != separator;
}

/* P without blanks around it.  */
static piece
trim (piece p, char separator)
{
  while (p.begin < p.end && is_blank (*p.begin, separator))
    p.begin++;
  while (p.begin < p.end && is_blank (p.end[-1], separator))
    p.end--;
  return p;
}

/* The next line that is not empty; false at the end.  */
static bool
next_line (table *t, piece *line)
{
  while (t->at < t->end)
    {
      const char *stop = memchr (t->at, '\n', (size_t) (t->end - t->at));
      *line = (piece){ t->at, stop ? stop : t->end };
      t->at = stop ? stop + 1 : t->end;
      t->line++;
      if (line->begin < line->end && line->end[-1] == '\r')
        line->end--;
      *line = trim (*line, t->separator);
      if (line->begin < line->end)
        return true;
    }
  return false;
}

/* The fields of LINE.  */
static int64_t
count_fields (piece line, char separator)
{
  int64_t n = 1;
  for (const char *c = line.begin; c < line.end; c++)
    n += *c == separator;
  return n;
}

/* EXTENT := the rows and columns of T; false with a message where rows differ
   in length.  */
static bool
count_rows (table t, int64_t extent[2])
{
  piece line;
  extent[0] = 0;
  extent[1] = 0;
  while (next_line (&t, &line))
    {
      int64_t n = count_fields (line, t.separator);
      if (extent[0]++ == 0)
        extent[1] = n;
      if (n != extent[1])
        return trm_file_bad (
          t.file, TRM_BAD_FILE, "line %lld has %lld fields, not %lld",
          (long long) t.line, (long long) n, (long long) extent[1]);
    }
  return true;
}

/* Digits with a point at most, and few of them: the quotient of two numbers
   that a double holds exactly is the nearest one.  False for all others.  */
static bool
read_short (piece p, double *value)
{
  double mantissa = 0, scale = 1;
  bool negative = p.begin < p.end && *p.begin == '-', point = false;
  const char *c = p.begin + negative;
  if (p.end - c > 15 || c >= p.end || (*c == '.' && p.end - c == 1))
    return false;
  for (; c < p.end; c++)
    if (*c >= '0' && *c <= '9')
      {
        mantissa = mantissa * 10 + (*c - '0');
        scale = point ? scale * 10 : 1;
      }
    else if (*c == '.' && !point)
      point = true;
    else
      return false;
  *value = (negative ? -mantissa : mantissa) / scale;
  return true;
}

/* Any number, nothing is NaN; false when it is none.  */
static bool
read_number (piece p, double *value)
{
  char text[MOST_FIELD + 1], *stop;
  size_t n = (size_t) (p.end - p.begin);
  *value = NAN;
  if (n == 0 || read_short (p, value))
    return true;
  if (n > MOST_FIELD)
    return false;
  memcpy (text, p.begin, n);
  text[n] = 0;
  if (strpbrk (text, "xX( \t\n\v\f\r"))
    return false;
  *value = strtod (text, &stop);
  return stop == text + n;
}

/* The least and the greatest number of each whole type, in their order.  */
static const int64_t limits[][2] = { { 0, 1 },
                                     { 0, UINT8_MAX },
                                     { INT8_MIN, INT8_MAX },
                                     { INT32_MIN, INT32_MAX },
                                     { INT64_MIN, INT64_MAX } };

/* A whole number of TYPE, which may be written as a floating one.  */
static bool
read_whole (piece p, trm_type type, int64_t *value)
{
  bool negative = p.begin < p.end && *p.begin == '-';
  const char *c = p.begin + negative;
  double number;
  if (trm_read_whole (&c, p.end, value) && c == p.end)
    *value = negative ? -*value : *value;
  else if (read_number (p, &number) && number >= -0x1p63 && number < 0x1p63
           && number == trunc (number))
    *value = (int64_t) number;
  else
    return false;
  return *value >= limits[type][0] && *value <= limits[type][1];
}

/* Store P as an element of TYPE at TO; false when it is none.  */
static bool
store (piece p, trm_type type, void *to)
{
  double number = 0;
  int64_t whole = 0;
  bool right = trm_type_is_float (type) ? read_number (p, &number)
                                        : read_whole (p, type, &whole);
  if (right && type == TRM_I64)
    memcpy (to, &whole, sizeof whole);
  else if (right)
    trm_element_set (type, to,
                     trm_type_is_float (type) ? number : (double) whole);
  return right;
}

/* Store the fields of LINE one after the other from TO on; false with a
   message.  */
static bool
store_line (const table *t, piece line, char *to)
{
  const char *at = line.begin;
  for (int64_t field = 1; at <= line.end; field++)
    {
      const char *stop = memchr (at, t->separator, (size_t) (line.end - at));
      piece p = trim ((piece){ at, stop ? stop : line.end }, t->separator);
      if (!store (p, t->type, to))
        return trm_file_bad (
          t->file, TRM_BAD_FILE, "line %lld, field %lld: '%.*s' is no %s",
          (long long) t->line, (long long) field,
          (int) (p.end - p.begin < 40 ? p.end - p.begin : 40), p.begin,
          trm_type_name (t->type));
      at = stop ? stop + 1 : line.end + 1;
      to += trm_type_bytes (t->type);
    }
  return true;
}

/* The numbers of T, read from where it stands.  */
static trm_tensor *
read_table (table *t)
{
  int64_t extent[2];
  piece line;
  trm_tensor *out
    = count_rows (*t, extent) ? trm_empty (t->type, 2, extent) : NULL;
  char *to = out ? out->at : NULL;
  int64_t step = extent[1] * (int64_t) trm_type_bytes (t->type);
  for (; out && next_line (t, &line); to += step)
    if (!store_line (t, line, to))
      return NULL;
  return out;
}

/* Whether SEPARATOR can stand between numbers.  */
static bool
is_separator (const char *who, char separator)
{
  bool fits
    = separator == '\t'
      || (separator >= ' ' && separator <= '~' && !strchr ("+-.", separator)
          && !(separator >= '0' && separator <= '9')
          && !((separator | 32) >= 'a' && (separator | 32) <= 'z'));
  return fits
         || trm_fail_null (TRM_BAD_ARGUMENT,
                           "%s: the character %d cannot be a separator", who,
                           separator);
}

/* The C locale for this thread, what it had before in *BEFORE; 0 with a message
   when there is no memory.  */
static locale_t
enter_locale (const char *who, locale_t *before)
{
  locale_t plain = newlocale (LC_ALL_MASK, "C", (locale_t) 0);
  if (plain)
    *before = uselocale (plain);
  else
    trm_fail (TRM_NO_MEMORY, "%s: no memory", who);
  return plain;
}

/* The thread has BEFORE again.  */
static void
leave_locale (locale_t plain, locale_t before)
{
  uselocale (before);
  freelocale (plain);
}

/* The table in FILE behind SKIP lines; a tensor of a scope.  */
static trm_tensor *
read_file (const trm_file *file, trm_type type, char separator, int skip)
{
  locale_t before;
  table t = { .file = file,
              .type = type,
              .separator = separator,
              .at = file->at,
              .end = file->at + file->bytes };
  for (; skip > 0 && t.at < t.end; skip--)
    {
      const char *stop = memchr (t.at, '\n', (size_t) (t.end - t.at));
      t.at = stop ? stop + 1 : t.end;
      t.line++;
    }
  locale_t plain = enter_locale ("csv_read", &before);
  if (!plain)
    return NULL;
  trm_tensor *out = read_table (&t);
  leave_locale (plain, before);
  return out;
}

trm_tensor *
trm_csv_read (const char *path, trm_type type, char separator, int skip)
{
  if (!is_separator ("csv_read", separator))
    return NULL;
  if (skip < 0)
    return trm_fail_null (TRM_BAD_ARGUMENT, "csv_read: skip is %d", skip);
  trm_file *file = trm_file_open ("csv_read", path);
  trm_tensor *out = NULL;
  if (file && !trm_scope_open ())
    {
      out = trm_scope_give (read_file (file, type, separator, skip));
      trm_scope_close ();
    }
  trm_file_close (file);
  return out;
}

/* The digits that are tried first, by type, of floating ones.  */
static const int first_digits[]
  = { [TRM_BF16] = 2, [TRM_F16] = 3, [TRM_F32] = 6, [TRM_F64] = 15 };

/* Write the element AT of TYPE to TEXT; its length.  */
static int
print_element (char text[MOST_TEXT], trm_type type, const void *at)
{
  if (!trm_type_is_float (type))
    return snprintf (text, MOST_TEXT, "%lld",
                     (long long) trm_element_get_int (type, at));
  double value = trm_element_get (type, at);
  if (!isfinite (value))
    return snprintf (text, MOST_TEXT, "%s",
                     isnan (value) ? "nan"
                     : value < 0   ? "-inf"
                                   : "inf");
  int n = 0;
  bool same = false;
  for (int digits = first_digits[type]; digits <= 17 && !same; digits++)
    {
      char again[sizeof (double)];
      n = snprintf (text, MOST_TEXT, "%.*g", digits, value);
      trm_element_set (type, again, strtod (text, NULL));
      same = memcmp (again, at, trm_type_bytes (type)) == 0;
    }
  return n;
}

/* Write T, a matrix, or a vector as a column, to W.  */
static void
put_table (trm_writer *w, const trm_tensor *t, char separator)
{
  char text[MOST_TEXT + 1];
  int64_t columns = t->rank == 2 ? t->extent[1] : 1;
  int64_t size = (int64_t) trm_type_bytes (t->type);
  for (int64_t i = 0; i < t->extent[0]; i++)
    for (int64_t j = 0; j < columns; j++)
      {
        int64_t at = i * t->stride[0] + (t->rank == 2 ? j * t->stride[1] : 0);
        int n = print_element (text, t->type, (const char *) t->at + at * size);
        text[n] = j + 1 < columns ? separator : '\n';
        trm_writer_put (w, text, n + 1);
      }
}

trm_status
trm_csv_write (const char *path, const trm_tensor *t, char separator)
{
  char text[TRM_SHAPE_TEXT];
  locale_t before;
  if (!trm_may_write ("csv_write", path, t)
      || !is_separator ("csv_write", separator))
    return TRM_BAD_ARGUMENT;
  if (t->rank != 1 && t->rank != 2)
    return trm_fail (TRM_BAD_SHAPE, "csv_write: %s is no table",
                     trm_shape_text (text, t->rank, t->extent));
  locale_t plain = enter_locale ("csv_write", &before);
  if (!plain)
    return TRM_NO_MEMORY;
  trm_writer *w = trm_writer_open ("csv_write", path);
  if (w)
    put_table (w, t, separator);
  leave_locale (plain, before);
  return trm_writer_close (w, TRM_OK);
}
