/* A text that grows by doubling inside its arena.  */

#include "base/text.h"

#include <stdio.h>
#include <string.h>

tns_text
tns_text_new (tns_arena *arena)
{
  return (tns_text){ .arena = arena };
}

/* Make room for BYTES more and the zero; false when memory is gone.  */
static int
reserve (tns_text *text, size_t bytes)
{
  size_t need = text->length + bytes + 1;
  if (need <= text->room)
    return 1;
  size_t room = need < 128 ? 256 : 2 * need;
  char *chars = tns_arena_grow (text->arena, text->chars, text->length, room);
  if (!chars)
    return 0;
  text->chars = chars;
  text->room = room;
  return 1;
}

void
tns_text_add (tns_text *text, const char *string)
{
  size_t bytes = strlen (string);
  if (!reserve (text, bytes))
    return;
  memcpy (text->chars + text->length, string, bytes + 1);
  text->length += bytes;
}

void
tns_text_format (tns_text *text, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  char *added = tns_arena_vformat (text->arena, format, args);
  va_end (args);
  if (added)
    tns_text_add (text, added);
}

void
tns_text_begin (tns_text *text)
{
  for (int i = 0; i < text->indent; i++)
    tns_text_add (text, " ");
}

void
tns_text_line (tns_text *text, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  char *added = tns_arena_vformat (text->arena, format, args);
  va_end (args);
  tns_text_begin (text);
  if (added)
    tns_text_add (text, added);
  tns_text_add (text, "\n");
}

/* Append C as JSON and C both read it.  */
static void
add_escaped (tns_text *text, unsigned char c)
{
  if (c == '"' || c == '\\')
    tns_text_format (text, "\\%c", c);
  else if (c == '\n')
    tns_text_add (text, "\\n");
  else if (c == '\t')
    tns_text_add (text, "\\t");
  else if (c < 32)
    tns_text_format (text, "\\u%04x", c);
  else
    tns_text_format (text, "%c", c);
}

void
tns_text_quoted (tns_text *text, const char *string)
{
  tns_text_add (text, "\"");
  for (; *string; string++)
    add_escaped (text, (unsigned char) *string);
  tns_text_add (text, "\"");
}

const char *
tns_text_chars (const tns_text *text)
{
  return text->chars ? text->chars : "";
}
