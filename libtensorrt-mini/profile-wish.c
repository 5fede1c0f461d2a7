/* The words of TRM_PROFILE: a list with commas.

     table[:FILE]  json:FILE  trace:FILE  html:FILE  dot:FILE  sample[:FILE]
     memory[:FILE]  transfers[:FILE]  counters  ranges  peaks  shapes
     sort=self|total|mean|calls|allocated|name
     by=region|name|line|file|shape

   %p in FILE is the number of the process.  What asks for nothing to be
   written asks for the table.  */

#include "profile.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct
{
  const char *word;
  trm_output output;
  bool needs_file;
} outputs[] = {
  { "table", TRM_TABLE, false },   { "json", TRM_JSON, true },
  { "trace", TRM_TRACE, true },    { "html", TRM_HTML, true },
  { "dot", TRM_DOT, true },        { "sample", TRM_SAMPLE, false },
  { "memory", TRM_MEMORY, false }, { "transfers", TRM_TRANSFERS, false },
};

static const char *const orders[]
  = { "self", "total", "mean", "calls", "allocated", "name", NULL };
static const char *const groups[]
  = { "region", "name", "line", "file", "shape", NULL };

/* TEXT with the number of the process for each %p; NULL without memory.  */
static char *
file_name (const char *text)
{
  char *name = malloc (strlen (text) * 10 + 1), *to = name;
  for (; name && *text; text++)
    if (text[0] == '%' && text[1] == 'p')
      {
        to += sprintf (to, "%ld", (long) getpid ());
        text++;
      }
    else
      *to++ = *text;
  if (name)
    *to = 0;
  return name;
}

/* Take WORD when it is an output.  */
static bool
read_output (const char *word, trm_wish *wish)
{
  size_t length = strcspn (word, ":");
  const char *file
    = word[length] && word[length + 1] ? word + length + 1 : NULL;
  for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
    if (strlen (outputs[i].word) == length
        && strncmp (word, outputs[i].word, length) == 0
        && (file || !outputs[i].needs_file))
      {
        trm_output o = outputs[i].output;
        wish->sample |= o == TRM_SAMPLE;
        wish->memory |= o == TRM_MEMORY || o == TRM_HTML;
        wish->peaks |= o == TRM_HTML;
        wish->asked[o] = (o != TRM_SAMPLE && o != TRM_MEMORY) || file;
        free (wish->file[o]);
        wish->file[o] = file ? file_name (file) : NULL;
        return !file || wish->file[o];
      }
  return false;
}

/* The index of TEXT in LIST, or -1.  */
static int
index_in (const char *const *list, const char *text)
{
  for (int i = 0; list[i]; i++)
    if (strcmp (list[i], text) == 0)
      return i;
  return -1;
}

/* Take WORD; false when it is not known.  */
static bool
read_word (const char *word, trm_wish *wish)
{
  int order = strncmp (word, "sort=", 5) ? -1 : index_in (orders, word + 5);
  int by = strncmp (word, "by=", 3) ? -1 : index_in (groups, word + 3);
  if (order >= 0)
    wish->order = (trm_order) order;
  else if (by >= 0)
    wish->by = (trm_group) by;
  else if (strcmp (word, "counters") == 0)
    wish->counters = true;
  else if (strcmp (word, "ranges") == 0)
    wish->ranges = true;
  else if (strcmp (word, "shapes") == 0)
    wish->shapes = true;
  else if (strcmp (word, "peaks") == 0)
    wish->peaks = true;
  else
    return read_output (word, wish);
  return true;
}

bool
trm_wish_writes (const trm_wish *wish)
{
  for (int i = 0; i < TRM_OUTPUTS; i++)
    if (wish->asked[i])
      return true;
  return false;
}

void
trm_wish_free (trm_wish *wish)
{
  for (int i = 0; i < TRM_OUTPUTS; i++)
    {
      free (wish->file[i]);
      wish->file[i] = NULL;
    }
}

bool
trm_wish_read (const char *text, trm_wish *wish)
{
  char *words = strdup (text), *rest = words, *word;
  *wish = (trm_wish){ 0 };
  if (!words)
    snprintf (wish->unknown, sizeof wish->unknown, "%s", text);
  while (rest && (word = strsep (&rest, ",")))
    if (*word && !*wish->unknown && !read_word (word, wish))
      snprintf (wish->unknown, sizeof wish->unknown, "%s", word);
  wish->shapes |= wish->by == TRM_BY_SHAPE;
  if (*text && !*wish->unknown && !trm_wish_writes (wish))
    wish->asked[TRM_TABLE] = true;
  free (words);
  return !*wish->unknown;
}
