/* Lines of plans, as base/section.h says.  */

#include "base/section.h"

#include <string.h>

/* How long LINE is without a comment and the blanks before it.  */
static int
length_of (const char *line)
{
  size_t length = strcspn (line, "#\r\n");
  while (length > 0 && strchr (" \t", line[length - 1]))
    length--;
  return (int) length;
}

/* LINE begins the section of region NAME, of another (or ends one), or none:
   1, 0, -1.  */
static int
section_of (const char *line, const char *name)
{
  size_t length = strlen (name);
  if (!strncmp (line, ";;", 2))
    return 0;
  if (strncmp (line, "plan ", 5))
    return -1;
  return !strncmp (line + 5, name, length)
         && length_of (line + 5 + length) == 0;
}

/* The first line of CTX's plans, without the blanks before it, or NULL.  */
static const char *
first_line (const tns_ctx *ctx)
{
  const char *at = ctx->plan_text;
  return at ? at + strspn (at, " \t") : NULL;
}

/* The same of the line behind AT.  */
static const char *
next_line (const char *at)
{
  at = strchr (at, '\n');
  return at ? at + 1 + strspn (at + 1, " \t") : NULL;
}

bool
tns_plan_is_given (const tns_ctx *ctx, const char *name)
{
  for (const char *at = first_line (ctx); at; at = next_line (at))
    if (section_of (at, name) == 1)
      return true;
  return false;
}

bool
tns_plan_lines (const tns_ctx *ctx, const char *name, tns_line_visitor visit,
                void *self)
{
  bool inside = false;
  bool on = true;
  for (const char *at = first_line (ctx); at && on; at = next_line (at))
    {
      int section = section_of (at, name);
      int length = length_of (at);
      if (section >= 0)
        inside = section == 1;
      else if (inside && length > 0)
        on = visit (tns_arena_format (ctx->arena, "%.*s", length, at), self);
    }
  return on;
}

/* What a line is compared with, to its end where WHOLE, and the first that is
   like it.  */
typedef struct search
{
  const char *start;
  bool whole;
  const char *found;
} search;

/* Note LINE where it is what is searched for; go on where not.  */
static bool
compare_line (const char *line, void *self)
{
  search *s = self;
  size_t length = strlen (s->start);
  if (!strncmp (line, s->start, length) && (!s->whole || !line[length]))
    s->found = line;
  return !s->found;
}

const char *
tns_plan_line (const tns_ctx *ctx, const char *name, const char *start)
{
  search s = { .start = start };
  tns_plan_lines (ctx, name, compare_line, &s);
  return s.found;
}

bool
tns_plan_has_line (const tns_ctx *ctx, const char *name, const char *line)
{
  search s = { .start = line, .whole = true };
  tns_plan_lines (ctx, name, compare_line, &s);
  return s.found != NULL;
}

bool
tns_plan_step_is (const char *steps, const char *line)
{
  size_t length = strlen (line);
  for (; *steps; steps += *steps == '\n')
    {
      if (strcspn (steps, "\n") == length && !strncmp (steps, line, length))
        return true;
      steps += strcspn (steps, "\n");
    }
  return false;
}

int
tns_plan_count (const char *steps, const char *word)
{
  int n = 0;
  while (*steps)
    {
      size_t length = strcspn (steps, " \n");
      n += !word || (length == strlen (word) && !strncmp (steps, word, length));
      steps += strcspn (steps, "\n");
      steps += *steps == '\n';
    }
  return n;
}
