/* Characters -> tokens.  Blanks and comments (# to the end of the line)
   separate.  */

#include "ir/lex.h"

#include <ctype.h>
#include <string.h>

/* Signs of more than one character; any that is the head of another stands
   behind it.  */
static const char *const long_signs[]
  = { "<<=", ">>=", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
      "+=",  "-=",  "*=", "/=", "%=", "&=", "|=", "^=", NULL };

/* Skip what stands between two tokens.  */
static void
skip_blanks (tns_lexer *lexer)
{
  for (;; lexer->at++)
    {
      if (*lexer->at == '#')
        while (*lexer->at && *lexer->at != '\n')
          lexer->at++;
      if (!isspace ((unsigned char) *lexer->at))
        return;
      if (*lexer->at == '\n')
        {
          lexer->line++;
          lexer->line_start = lexer->at + 1;
        }
    }
}

/* Whether C may stand inside a name.  */
static bool
is_word (char c)
{
  return isalnum ((unsigned char) c) || c == '_';
}

/* The end of the number at AT: letters, digits, points, and a sign behind
   an exponent's letter.  */
static const char *
number_end (const char *at)
{
  bool is_hex = at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
  for (;; at++)
    {
      bool is_exponent
        = is_hex ? *at == 'p' || *at == 'P' : *at == 'e' || *at == 'E';
      if (is_exponent && (at[1] == '+' || at[1] == '-'))
        at++;
      else if (!is_word (*at) && *at != '.')
        return at;
    }
}

/* Behind the closing quote of the string at AT, or NULL when its line ends
   before.  */
static const char *
string_end (const char *at)
{
  for (at++; *at && *at != '\n'; at++)
    {
      if (*at == '"')
        return at + 1;
      if (*at == '\\' && at[1] && at[1] != '\n')
        at++;
    }
  return NULL;
}

/* Behind the operator at AT, or NULL.  */
static const char *
sign_end (const char *at)
{
  for (int k = 0; long_signs[k]; k++)
    if (!strncmp (at, long_signs[k], strlen (long_signs[k])))
      return at + strlen (long_signs[k]);
  return strchr ("+-*/%&|^~!<>=?:;,()[]{}", *at) ? at + 1 : NULL;
}

/* The kind of the token at AT, and in *END where it ends.  */
static tns_word_kind
classify (const char *at, const char **end)
{
  *end = at;
  if (!*at)
    return TNS_WORD_END;
  if (isdigit ((unsigned char) *at))
    {
      *end = number_end (at);
      return TNS_WORD_NUMBER;
    }
  if (is_word (*at))
    {
      while (is_word (**end))
        ++*end;
      return TNS_WORD_NAME;
    }
  const char *behind = *at == '"' ? string_end (at) : sign_end (at);
  *end = behind ? behind : at + 1;
  if (!behind)
    return TNS_WORD_BAD;
  return *at == '"' ? TNS_WORD_STRING : TNS_WORD_SIGN;
}

void
tns_lexer_next (tns_lexer *lexer)
{
  skip_blanks (lexer);
  const char *start = lexer->at;
  tns_word_kind kind = classify (start, &lexer->at);
  lexer->token
    = (tns_word){ kind, start, (size_t) (lexer->at - start), lexer->line,
                  (int) (start - lexer->line_start) + 1 };
}

tns_lexer
tns_lexer_new (const char *chars, int line)
{
  tns_lexer lexer = { .at = chars, .line = line, .line_start = chars };
  tns_lexer_next (&lexer);
  return lexer;
}

bool
tns_word_is (const tns_word *token, const char *chars)
{
  return (token->kind == TNS_WORD_NAME || token->kind == TNS_WORD_SIGN)
         && token->length == strlen (chars)
         && !memcmp (token->start, chars, token->length);
}
