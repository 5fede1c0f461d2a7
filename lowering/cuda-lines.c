/* Lines of the user's, as lowering/cuda-lines.h says.  */

#include "lowering/cuda-lines.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char mark[] = "#line ";

/* A kernel's lines.

   wanted  the user's line that what follows comes of, 0: none
   now     the line that a compiler takes the next one for, 0: none of the
           user's  */
typedef struct lines
{
  tns_text *text;
  const char *file;
  long wanted;
  long now;
} lines;

/* #line N "FILE"  */
static void
add_mark (tns_text *text, long n, const char *file)
{
  tns_text_format (text, "%s%ld ", mark, n);
  tns_text_quoted (text, file);
  tns_text_add (text, "\n");
}

/* The line from AT on, LENGTH characters, has a subscript.  */
static bool
has_subscript (const char *at, int length)
{
  for (int k = 0; k + 1 < length; k++)
    if (at[k] == '[' && at[k + 1] != ']' && at[k + 1] != '&')
      return true;
  return false;
}

/* Append the line from AT on, LENGTH characters.  */
static void
add_line (lines *l, const char *at, int length)
{
  if (strncmp (at, mark, strlen (mark)) == 0)
    {
      l->wanted = atol (at + strlen (mark));
      return;
    }
  if (l->wanted && l->wanted != l->now && has_subscript (at, length))
    {
      add_mark (l->text, l->wanted, l->file);
      l->now = l->wanted;
    }
  tns_text_format (l->text, "%.*s\n", length, at);
  l->now += l->now > 0;
}

/* How many lines TEXT has.  */
static long
count_lines (const tns_text *text)
{
  long n = 0;
  for (const char *at = tns_text_chars (text); (at = strchr (at, '\n')); at++)
    n++;
  return n;
}

void
tns_cuda_lines (tns_text *text, const char *kernel, const char *file,
                const char *name)
{
  lines l = { text, file, 0, 0 };
  while (*kernel)
    {
      int length = (int) strcspn (kernel, "\n");
      add_line (&l, kernel, length);
      kernel += length + (kernel[length] == '\n');
    }
  if (l.now)
    add_mark (text, count_lines (text) + 2, name);
}
