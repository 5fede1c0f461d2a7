/* The arrays of #pragma tensor data.

     line    = item { [ "," ] item }
     item    = section | clause "(" section { "," section } ")"
     section = place [ "[" [ condition ] ":" condition "]" ]

   An item without a clause is copied both ways.  x[0:n] are n elements of x
   from number 0 on, as OpenACC and OpenMP spell it.  Names are not looked up
   here.  */

#include "pragmas/section.h"

#include <string.h>

#include "pragmas/clause.h"
#include "pragmas/condition.h"
#include "pragmas/near.h"

/* What the clause ID does with its arrays.  */
static tns_section_use
use_of (int id)
{
  switch (id)
    {
    case TNS_CLAUSE_ID_COPYIN:
      return TNS_SECTION_IN;
    case TNS_CLAUSE_ID_COPYOUT:
      return TNS_SECTION_OUT;
    case TNS_CLAUSE_ID_PRESENT:
      return TNS_SECTION_PRESENT;
    default:
      return TNS_SECTION_BOTH;
    }
}

/* Put SECTION behind the others.  */
static void
add_section (tns_arena *arena, tns_wish *wish, tns_wish_section section)
{
  tns_wish_section *sections
    = TNS_NEW_ARRAY (arena, tns_wish_section, wish->n_sections + 1);
  if (wish->n_sections > 0)
    memcpy (sections, wish->sections,
            sizeof *sections * (size_t) wish->n_sections);
  sections[wish->n_sections++] = section;
  wish->sections = sections;
}

/* [first:count], where it stands.  */
static bool
parse_bounds (tns_cursor *cursor, tns_wish_section *section)
{
  if (!tns_cursor_accept (cursor, "["))
    return true;
  if (!tns_cursor_is (cursor, ":")
      && !(section->first = tns_condition_parse (cursor)))
    return false;
  return tns_cursor_expect (cursor, ":")
         && (section->count = tns_condition_parse (cursor))
         && tns_cursor_expect (cursor, "]");
}

/* One section for USE.  */
static bool
parse_section (tns_cursor *cursor, tns_wish *wish, tns_section_use use)
{
  const tns_token *token = tns_cursor_peek (cursor);
  tns_wish_section section = { .use = use, .loc = token->loc };
  int from = cursor->at;
  section.place = tns_place_parse (cursor);
  if (!section.place)
    return false;
  section.name = tns_cursor_spelling (cursor, from, "");
  for (int k = 0; k < wish->n_sections; k++)
    if (strcmp (wish->sections[k].name, section.name) == 0)
      return tns_cursor_fail (cursor, token, NULL,
                              "'%s' is named twice in 'data'", section.name);
  if (!parse_bounds (cursor, &section))
    return false;
  add_section (cursor->arena, wish, section);
  return true;
}

/* The next tokens are a word and a parenthesis.  */
static bool
is_clause (const tns_cursor *cursor)
{
  return tns_cursor_peek (cursor)->kind == TNS_TOKEN_NAME
         && strcmp (tns_cursor_ahead (cursor, 1)->text, "(") == 0;
}

/* A clause.  */
static bool
parse_clause (tns_cursor *cursor, tns_wish *wish)
{
  static const char *const known[] = { "copyin", "copyout", "present" };
  const tns_token *token = tns_cursor_peek (cursor);
  int id = tns_clause_find (token->text);
  if (id < 0)
    return tns_cursor_fail (cursor, token, tns_near (token->text, known, 3),
                            "unknown clause '%s' of data", token->text);
  if (tns_clause_row (id)->kind != TNS_CLAUSE_SECTIONS)
    return tns_cursor_fail (cursor, token, NULL, "'%s' is not for data",
                            token->text);
  tns_cursor_next (cursor);
  tns_cursor_next (cursor);
  do
    if (!parse_section (cursor, wish, use_of (id)))
      return false;
  while (tns_cursor_accept (cursor, ","));
  return tns_cursor_expect (cursor, ")");
}

bool
tns_sections_parse (tns_cursor *cursor, tns_wish *wish)
{
  do
    if (!(is_clause (cursor) ? parse_clause (cursor, wish)
                             : parse_section (cursor, wish, TNS_SECTION_BOTH)))
      return false;
  while (tns_cursor_accept (cursor, ",")
         || tns_cursor_peek (cursor)->kind != TNS_TOKEN_END);
  return true;
}
