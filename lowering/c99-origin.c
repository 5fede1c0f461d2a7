/* Comments that say which statements of the user a part of the text comes of:

     Lines 12 to 19.                     the function's own work, again
     Adjoint of line 19: y[j] /= sum;    what a gradient does for it

   Statements that follow each other and are of one kind, and of one line
   where they are adjoints, have one comment, in front of the outermost loop
   that holds nothing else.  */

#include "lowering/c99-text.h"

#include <string.h>

#include "ir/walk.h"

enum
{
  LONGEST_LINE = 79,
  LEAST_WORDS = 16
};

/* What the statements of a node come of: lines FIRST to LAST.
   some      there are such statements
   is_back   they are adjoints, IS_MIXED: some are  */
typedef struct origin
{
  const tns_c99 *c;
  bool some;
  bool is_back;
  bool is_mixed;
  tns_loc first;
  int last;
} origin;

/* The visitor that finds an adjoint.  */
static bool
note_adjoint (tns_expr *expr, void *self)
{
  bool *found = self;
  *found |= expr->sym && (expr->sym->flags & TNS_SYM_ADJOINT);
  return !*found;
}

/* NODE's statement handles adjoints.  */
static bool
is_back (const tns_node *node)
{
  bool found = false;
  tns_expr_walk (node->target, note_adjoint, &found);
  tns_expr_walk (node->value, note_adjoint, &found);
  return found;
}

/* The visitor that adds NODE's statement to SELF.  */
static bool
add_origin (tns_node *node, void *self)
{
  origin *o = self;
  int line = node->loc.line;
  if (node->kind != TNS_ASSIGN || line == 0
      || (o->c->source->derived && line == o->c->region->line))
    return true;
  bool back = is_back (node);
  if (!o->some)
    *o = (origin){ o->c, true, back, false, node->loc, line };
  o->is_mixed |= back != o->is_back || (back && line != o->first.line);
  if (line < o->first.line)
    o->first = node->loc;
  o->last = line > o->last ? line : o->last;
  return true;
}

/* What NODE comes of.  */
static origin
origin_of (const tns_c99 *c, tns_node *node)
{
  origin o = { .c = c };
  if (node->kind != TNS_LOCAL)
    tns_node_walk (node, add_origin, &o);
  return o;
}

/* A and B have one comment.  */
static bool
is_same (const origin *a, const origin *b)
{
  return a->is_back == b->is_back
         && (!a->is_back || a->first.line == b->first.line);
}

/* What the user wrote at LOC, without what a comment cannot hold, ROOM
   characters at most, or NULL.  */
static const char *
words_at (const tns_c99 *c, tns_loc loc, int room)
{
  const char *words = c->source && c->source->words
                        ? c->source->words (c->source->self, loc)
                        : NULL;
  if (!words)
    return NULL;
  words += strspn (words, " \t");
  size_t length = strlen (words);
  const char *comment = strstr (words, "/*");
  const char *rest = strstr (words, "//");
  if (comment && (size_t) (comment - words) < length)
    length = (size_t) (comment - words);
  if (rest && (size_t) (rest - words) < length)
    length = (size_t) (rest - words);
  while (length > 0 && strchr (" \t\r", words[length - 1]))
    length--;
  words = tns_arena_format (c->text->arena, "%.*s", (int) length, words);
  if (length == 0 || strstr (words, "*/") || room < LEAST_WORDS)
    return NULL;
  return (int) length <= room
           ? words
           : tns_arena_format (c->text->arena, "%.*s ...", room - 4, words);
}

/* The comment of O.  */
static void
add_comment (tns_c99 *c, const origin *o)
{
  const char *head = !o->is_back          ? ""
                     : c->source->forward ? "Tangent of "
                                          : "Adjoint of ";
  const char *place = tns_arena_format (c->text->arena, "%s%s %d", head,
                                        *head ? "line" : "Line", o->first.line);
  if (o->first.line != o->last)
    {
      tns_text_line (c->text, "/* %s%s %d to %d.  */", head,
                     *head ? "lines" : "Lines", o->first.line, o->last);
      return;
    }
  int room = LONGEST_LINE - c->text->indent - (int) strlen (place)
             - (int) strlen ("/* :   */");
  const char *words = words_at (c, o->first, room);
  tns_text_line (c->text, words ? "/* %s: %s  */" : "/* %s.  */", place, words);
}

/* What BLOCK's kid K and those after it that have one comment with it come
   of.  */
static origin
run_from (const tns_c99 *c, const tns_node *block, int k)
{
  origin run = origin_of (c, block->kid[k]);
  for (int n = k + 1; n < block->n_kids; n++)
    {
      origin next = origin_of (c, block->kid[n]);
      if (!next.some)
        continue;
      if (next.is_mixed || !is_same (&run, &next))
        break;
      tns_node_walk (block->kid[n], add_origin, &run);
    }
  return run;
}

bool
tns_c99_comment (tns_c99 *c, const tns_node *block, int k)
{
  if (!c->source || c->is_told)
    return false;
  origin now = origin_of (c, block->kid[k]);
  if (!now.some || now.is_mixed)
    return false;
  for (int n = k - 1; n >= 0; n--)
    {
      origin before = origin_of (c, block->kid[n]);
      if (before.some && !before.is_mixed && is_same (&before, &now))
        return true;
      if (before.some)
        break;
    }
  now = run_from (c, block, k);
  add_comment (c, &now);
  return true;
}
