/* Reading a pragma's tokens one after another.  */

#include "pragmas/cursor.h"

#include <string.h>

#include "base/text.h"

const tns_token *
tns_cursor_ahead (const tns_cursor *cursor, int ahead)
{
  int k = cursor->at + ahead;
  return &cursor->token[k < cursor->n ? k : cursor->n - 1];
}

const tns_token *
tns_cursor_peek (const tns_cursor *cursor)
{
  return tns_cursor_ahead (cursor, 0);
}

void
tns_cursor_next (tns_cursor *cursor)
{
  if (cursor->at < cursor->n - 1)
    cursor->at++;
}

bool
tns_cursor_is (const tns_cursor *cursor, const char *punct)
{
  const tns_token *token = tns_cursor_peek (cursor);
  return token->kind == TNS_TOKEN_PUNCT && strcmp (token->text, punct) == 0;
}

bool
tns_cursor_accept (tns_cursor *cursor, const char *punct)
{
  if (cursor->failed || !tns_cursor_is (cursor, punct))
    return false;
  tns_cursor_next (cursor);
  return true;
}

const char *
tns_token_shown (tns_arena *arena, const tns_token *token)
{
  if (token->kind == TNS_TOKEN_END)
    return "end of line";
  if (token->kind == TNS_TOKEN_STRING)
    return tns_arena_format (arena, "\"%s\"", token->text);
  return tns_arena_format (arena, "'%s'", token->text);
}

const char *
tns_cursor_spelling (const tns_cursor *cursor, int from, const char *between)
{
  tns_text text = tns_text_new (cursor->arena);
  for (int k = from; k < cursor->at; k++)
    {
      tns_text_add (&text, k > from ? between : "");
      tns_text_add (&text, cursor->token[k].text);
    }
  return tns_text_chars (&text);
}

bool
tns_cursor_fail (tns_cursor *cursor, const tns_token *token, const char *meant,
                 const char *format, ...)
{
  if (cursor->failed)
    return false;
  va_list args;
  va_start (args, format);
  cursor->error->words = tns_arena_vformat (cursor->arena, format, args);
  va_end (args);
  cursor->error->loc = token->loc;
  cursor->error->meant = meant;
  cursor->failed = true;
  return false;
}

bool
tns_cursor_expect (tns_cursor *cursor, const char *punct)
{
  if (tns_cursor_accept (cursor, punct))
    return true;
  const tns_token *token = tns_cursor_peek (cursor);
  return tns_cursor_fail (cursor, token, NULL, "expected '%s' before %s", punct,
                          tns_token_shown (cursor->arena, token));
}
