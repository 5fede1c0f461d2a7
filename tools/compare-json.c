/* A reader of JSON, enough for what the plugin and the runtime write, and a
   writer of the same.  */

#include "compare.h"

#include <stdlib.h>
#include <string.h>

#define DEEPEST 64

static compare_json *read_value (const char **text, int depth);

/* Step over blanks; the character there.  */
static char
skip_blanks (const char **text)
{
  *text += strspn (*text, " \t\r\n");
  return **text;
}

/* A value of KIND.  */
static compare_json *
new_value (char kind)
{
  compare_json *value = calloc (1, sizeof *value);
  if (!value)
    compare_fail ("no memory");
  value->kind = kind;
  return value;
}

/* Append the character with the code that four digits at TEXT give.  */
static char *
put_code (char *to, const char *text)
{
  char digits[5] = { 0 };
  memcpy (digits, text, strnlen (text, 4));
  unsigned long code = strtoul (digits, NULL, 16);
  if (code < 0x80)
    *to++ = (char) code;
  else if (code < 0x800)
    {
      *to++ = (char) (0xc0 | code >> 6);
      *to++ = (char) (0x80 | (code & 0x3f));
    }
  else
    {
      *to++ = (char) (0xe0 | code >> 12);
      *to++ = (char) (0x80 | (code >> 6 & 0x3f));
      *to++ = (char) (0x80 | (code & 0x3f));
    }
  return to;
}

/* The escape at TEXT, behind the backslash; how many characters it has.  */
static int
read_escape (char **to, const char *text)
{
  static const char from[] = "nrtbf", into[] = "\n\r\t\b\f";
  const char *at = *text ? strchr (from, *text) : NULL;
  if (*text == 'u')
    {
      *to = put_code (*to, text + 1);
      return 1 + (int) strnlen (text + 1, 4);
    }
  *(*to)++ = at ? into[at - from] : *text;
  return *text ? 1 : 0;
}

/* The string that begins at the quote; NULL when it does not end.  */
static char *
read_string (const char **text)
{
  if (**text != '"')
    return NULL;
  const char *from = *text + 1;
  char *string = malloc (strlen (from) + 1), *to = string;
  if (!string)
    compare_fail ("no memory");
  while (*from && *from != '"')
    if (*from == '\\')
      from += 1 + read_escape (&to, from + 1);
    else
      *to++ = *from++;
  *to = 0;
  if (*from != '"')
    return NULL;
  *text = from + 1;
  return string;
}

/* Append ITEM under KEY.  */
static void
add_item (compare_json *value, char *key, compare_json *item)
{
  size_t n = (size_t) value->n + 1;
  value->key = realloc (value->key, n * sizeof *value->key);
  value->item = realloc (value->item, n * sizeof *value->item);
  if (!value->key || !value->item)
    compare_fail ("no memory");
  value->key[value->n] = key;
  value->item[value->n++] = item;
}

/* One member of VALUE, up to the comma or the end; false when malformed.  */
static bool
read_member (compare_json *value, const char **text, int depth)
{
  char *key = NULL;
  skip_blanks (text);
  if (value->kind == 'o')
    {
      key = read_string (text);
      if (!key || skip_blanks (text) != ':')
        return false;
      ++*text;
    }
  compare_json *item = read_value (text, depth + 1);
  if (item)
    add_item (value, key, item);
  return item != NULL;
}

/* An array or object, *TEXT behind its bracket, up to END.  */
static compare_json *
read_members (const char **text, char end, int depth)
{
  compare_json *value = new_value (end == '}' ? 'o' : 'a');
  if (depth > DEEPEST)
    return NULL;
  if (skip_blanks (text) != end)
    for (;;)
      {
        if (!read_member (value, text, depth))
          return NULL;
        if (skip_blanks (text) != ',')
          break;
        ++*text;
      }
  if (**text != end)
    return NULL;
  ++*text;
  return value;
}

/* true, false or null.  */
static compare_json *
read_word (const char **text)
{
  static const char *const word[] = { "null", "false", "true" };
  for (int i = 0; i < 3; i++)
    if (strncmp (*text, word[i], strlen (word[i])) == 0)
      {
        compare_json *value = new_value (i ? 'b' : 'n');
        value->number = i == 2;
        *text += strlen (word[i]);
        return value;
      }
  return NULL;
}

/* A number.  */
static compare_json *
read_number (const char **text)
{
  char *end;
  double number = strtod (*text, &end);
  if (end == *text)
    return NULL;
  compare_json *value = new_value ('d');
  value->number = number;
  *text = end;
  return value;
}

/* Any value.  */
static compare_json *
read_value (const char **text, int depth)
{
  char c = skip_blanks (text);
  if (c == '{' || c == '[')
    {
      ++*text;
      return read_members (text, c == '{' ? '}' : ']', depth);
    }
  if (c == '"')
    {
      compare_json *value = new_value ('s');
      value->string = read_string (text);
      return value->string ? value : NULL;
    }
  compare_json *word = read_word (text);
  return word ? word : read_number (text);
}

compare_json *
compare_json_read (const char **text)
{
  return read_value (text, 0);
}

compare_json *
compare_json_get (const compare_json *object, const char *key)
{
  for (int i = 0; object && object->kind == 'o' && i < object->n; i++)
    if (strcmp (object->key[i], key) == 0)
      return object->item[i];
  return NULL;
}

double
compare_json_number (const compare_json *object, const char *key)
{
  const compare_json *value = compare_json_get (object, key);
  return value ? value->number : 0;
}

const char *
compare_json_string (const compare_json *object, const char *key)
{
  const compare_json *value = compare_json_get (object, key);
  return value && value->string ? value->string : "";
}

void
compare_json_print_string (FILE *file, const char *string)
{
  fputc ('"', file);
  for (const unsigned char *c = (const unsigned char *) string; *c; c++)
    if (*c == '"' || *c == '\\')
      fprintf (file, "\\%c", *c);
    else if (*c < 0x20)
      fprintf (file, "\\u%04x", *c);
    else
      fputc (*c, file);
  fputc ('"', file);
}

/* The members of VALUE between OPEN and CLOSE.  */
static void
print_members (FILE *file, const compare_json *value, char open, char close)
{
  fputc (open, file);
  for (int i = 0; i < value->n; i++)
    {
      if (i)
        fputs (", ", file);
      if (value->key[i])
        {
          compare_json_print_string (file, value->key[i]);
          fputs (": ", file);
        }
      compare_json_print (file, value->item[i]);
    }
  fputc (close, file);
}

void
compare_json_print (FILE *file, const compare_json *value)
{
  if (!value || value->kind == 'n')
    fputs ("null", file);
  else if (value->kind == 'b')
    fputs (value->number ? "true" : "false", file);
  else if (value->kind == 'd')
    fprintf (file, "%.17g", value->number);
  else if (value->kind == 's')
    compare_json_print_string (file, value->string);
  else if (value->kind == 'a')
    print_members (file, value, '[', ']');
  else
    print_members (file, value, '{', '}');
}
