/* Tokens of a text.

     name     a letter or _, then letters, digits, _
     number   digits, as C reads them (0x10, 010); too large: the greatest
     string   "..." without escapes
     punct    one of the operators of two letters, else one letter  */

#include "pragmas/lex.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The length of the punctuation at AT.  */
static size_t
punct_length (const char *at)
{
  static const char *const pairs[]
    = { "->", "<=", ">=", "==", "!=", "&&", "||", "<<", ">>" };
  for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
    if (strncmp (at, pairs[k], 2) == 0)
      return 2;
  return 1;
}

/* The length of the run at AT of letters, digits and _.  */
static size_t
word_length (const char *at)
{
  size_t length = 0;
  while (isalnum ((unsigned char) at[length]) || at[length] == '_')
    length++;
  return length;
}

/* LENGTH letters at AT, in ARENA.  */
static const char *
copy_of (tns_arena *arena, const char *at, size_t length)
{
  return tns_arena_format (arena, "%.*s", (int) length, at);
}

/* The string that begins at AT, into TOKEN; its length with quotes.  */
static size_t
lex_string (tns_arena *arena, const char *at, tns_token *token)
{
  size_t length = strcspn (at + 1, "\"");
  token->kind = TNS_TOKEN_STRING;
  token->text = copy_of (arena, at + 1, length);
  return length + 1 + (at[length + 1] == '"');
}

/* The token that begins at AT, into TOKEN; its length.  */
static size_t
lex_one (tns_arena *arena, const char *at, tns_token *token)
{
  if (*at == '"')
    return lex_string (arena, at, token);
  size_t length = word_length (at);
  token->kind = TNS_TOKEN_NAME;
  if (length == 0)
    {
      length = punct_length (at);
      token->kind = TNS_TOKEN_PUNCT;
    }
  token->text = copy_of (arena, at, length);
  if (isdigit ((unsigned char) *at))
    {
      char *end;
      token->number = strtol (token->text, &end, 0);
      token->kind = *end ? TNS_TOKEN_PUNCT : TNS_TOKEN_NUMBER;
    }
  return length;
}

tns_token *
tns_pragma_lex (tns_arena *arena, const char *text, int *n)
{
  tns_token *tokens = TNS_NEW_ARRAY (arena, tns_token, strlen (text) + 1);
  size_t at = 0;
  *n = 0;
  for (;;)
    {
      while (isspace ((unsigned char) text[at]))
        at++;
      tns_token *token = &tokens[(*n)++];
      token->loc = (tns_loc){ .line = 1, .column = (int) at + 1 };
      token->text = "";
      if (!text[at])
        return tokens;
      at += lex_one (arena, text + at, token);
    }
}
