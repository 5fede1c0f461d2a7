/* Long lines of the C text, broken as one would by hand.

     if (!tensor_apart (dx_from, dx_to, x_from, x_to)
         || n > 7)                        inside the same parentheses
     y[j] = a * b
            + c;                          behind the =
     #pragma omp parallel for \
         schedule(static)

   The outermost place that fits is taken, of several the last one.  */

#include "lowering/c99-text.h"

#include <string.h>

enum
{
  LONGEST = 79,
  STEP = 4,
  MOST_DEPTH = 64
};

/* What a line may begin with, behind a blank, or end with, before one; places
   that are WORSE are taken where there are no others inside as many
   parentheses.  */
static const struct
{
  const char *words;
  bool ends;
  int worse;
} breaks[] = {
  { "; ", true, 0 },          { ", ", true, 0 },    { " && ", false, 0 },
  { " || ", false, 0 },       { " ? ", false, 0 },  { " : ", false, 0 },
  { " schedule(", false, 0 }, { " if(", false, 0 }, { " reduction(", false, 0 },
  { " + ", false, 2 },        { " - ", false, 2 },  { " * ", false, 3 },
  { " / ", false, 3 },        { " <= ", false, 1 }, { " >= ", false, 1 },
  { " < ", false, 1 },        { " > ", false, 1 },  { " == ", false, 1 },
};

enum
{
  N_BREAKS = sizeof breaks / sizeof *breaks,
  WORST = 4
};

/* Where a line may be broken: it ends at END, the next one begins at NEXT, in
   column COLUMN; of two places the one of less COST is better.  */
typedef struct place
{
  size_t end;
  size_t next;
  size_t column;
  int cost;
} place;

/* The line may be broken at AT of LINE, inside of DEPTH parentheses.  */
static bool
find_place (const char *line, size_t at, int depth, place *found)
{
  for (int k = 0; k < N_BREAKS; k++)
    if (!strncmp (line + at, breaks[k].words, strlen (breaks[k].words)))
      {
        found->end = at + breaks[k].ends;
        found->next = found->end + 1;
        found->cost = WORST * depth + breaks[k].worse;
        return true;
      }
  return false;
}

/* The best place of LINE, which begins in column FIRST; false: none.  Lines
   after it begin in column REST where nothing is open.  */
static bool
best_place (const char *line, size_t first, size_t rest, place *best)
{
  size_t open[MOST_DEPTH];
  int depth = 0;
  bool some = false;
  for (size_t at = first; line[at] && at < LONGEST; at++)
    {
      place now;
      if ((line[at] == '(' || line[at] == '[') && depth < MOST_DEPTH)
        open[depth++] = at + 1;
      else if ((line[at] == ')' || line[at] == ']') && depth > 0)
        depth--;
      else if (!strncmp (line + at, " = ", 3) && depth == 0)
        rest = at + 3;
      now.column = depth ? open[depth - 1] : rest;
      if (find_place (line, at, depth, &now) && now.end <= LONGEST - 2
          && (!some || now.cost <= best->cost))
        {
          *best = now;
          some = true;
        }
    }
  return some;
}

/* Append LINE, of LENGTH, to TEXT, in several where it is long.  */
static void
wrap_line (tns_text *text, const char *line, size_t length)
{
  tns_arena *arena = text->arena;
  const char *rest = tns_arena_format (arena, "%.*s", (int) length, line);
  size_t first = strspn (rest, " ");
  size_t next = first + STEP;
  bool is_pragma = rest[first] == '#';
  bool is_comment = !strncmp (rest + first, "/*", 2);
  place at;
  while (strlen (rest) > LONGEST && !is_comment
         && best_place (rest, first, next, &at))
    {
      size_t column = is_pragma || at.column > LONGEST / 2 ? next : at.column;
      tns_text_format (text, "%.*s%s\n", (int) at.end, rest,
                       is_pragma ? " \\" : "");
      rest
        = tns_arena_format (arena, "%*s%s", (int) column, "", rest + at.next);
      first = next = column;
    }
  tns_text_format (text, "%s\n", rest);
}

void
tns_c99_wrap (tns_text *text, const char *chars)
{
  while (*chars)
    {
      size_t length = strcspn (chars, "\n");
      wrap_line (text, chars, length);
      chars += length + (chars[length] == '\n');
    }
}
