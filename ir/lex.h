/* Tokens of the IR's text form.  */

#ifndef TNS_IR_LEX_H
#define TNS_IR_LEX_H

#include <stdbool.h>
#include <stddef.h>

/* NAME    letters, digits, _
   NUMBER  from its first digit to behind its type: 3, 3i32, 1.5e3f32
   STRING  with its quotes
   SIGN    one of the operators, the longest that fits
   BAD     a character that starts no token  */
typedef enum tns_word_kind
{
  TNS_WORD_END,
  TNS_WORD_NAME,
  TNS_WORD_NUMBER,
  TNS_WORD_STRING,
  TNS_WORD_SIGN,
  TNS_WORD_BAD
} tns_word_kind;

typedef struct tns_word
{
  tns_word_kind kind;
  const char *start;
  size_t length;
  int line;
  int column;
} tns_word;

/* token  the current one; at: behind it  */
typedef struct tns_lexer
{
  tns_word token;
  const char *at;
  int line;
  const char *line_start;
} tns_lexer;

/* A lexer whose current token is the first one of CHARS.  */
extern tns_lexer tns_lexer_new (const char *chars, int line);

/* Go on to the next token.  */
extern void tns_lexer_next (tns_lexer *lexer);

/* Whether TOKEN is the name or operator CHARS.  */
extern bool tns_word_is (const tns_word *token, const char *chars);

#endif
