/* A text that grows: what printers write to before it goes anywhere.  */

#ifndef TNS_BASE_TEXT_H
#define TNS_BASE_TEXT_H

#include "base/arena.h"

/* chars   zero-terminated, owned by the arena, never NULL after the first
           append
   length  without the zero
   room    bytes at chars
   indent  spaces that tns_text_line puts in front  */
typedef struct tns_text
{
  tns_arena *arena;
  char *chars;
  size_t length;
  size_t room;
  int indent;
} tns_text;

/* An empty text in ARENA.  */
extern tns_text tns_text_new (tns_arena *arena);

/* Append.  tns_text_line adds the indentation and a newline.  */
extern void tns_text_add (tns_text *text, const char *string);
extern void tns_text_format (tns_text *text, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));
extern void tns_text_line (tns_text *text, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));

/* Append the indentation alone.  */
extern void tns_text_begin (tns_text *text);

/* Append STRING between quotes, escaped so that it is valid in JSON and
   in C.  */
extern void tns_text_quoted (tns_text *text, const char *string);

/* What was written so far; "" when nothing was.  */
extern const char *tns_text_chars (const tns_text *text);

#endif
