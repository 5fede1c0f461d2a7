/* Reading a pragma's tokens one after another; what the parsers of clauses
   and of conditions share.  */

#ifndef TNS_PRAGMAS_CURSOR_H
#define TNS_PRAGMAS_CURSOR_H

#include "base/arena.h"
#include "pragmas/parse.h"

/* token[0..n), the last END; at is the next one.  Once failed is set, *error
   is set, and nothing more is read.  */
typedef struct tns_cursor
{
  tns_arena *arena;
  const tns_token *token;
  int n;
  int at;
  bool failed;
  tns_pragma_error *error;
} tns_cursor;

/* The next token, left there; the one that is AHEAD of it by so many.  */
extern const tns_token *tns_cursor_peek (const tns_cursor *cursor);
extern const tns_token *tns_cursor_ahead (const tns_cursor *cursor, int ahead);

/* Step over a token.  */
extern void tns_cursor_next (tns_cursor *cursor);

/* The next token is the punctuation PUNCT.  accept: and step over it.
   expect: it must be.  */
extern bool tns_cursor_is (const tns_cursor *cursor, const char *punct);
extern bool tns_cursor_accept (tns_cursor *cursor, const char *punct);
extern bool tns_cursor_expect (tns_cursor *cursor, const char *punct);

/* The spelling of the tokens from FROM to the next one, BETWEEN them.  */
extern const char *tns_cursor_spelling (const tns_cursor *cursor, int from,
                                        const char *between);

/* TOKEN is wrong, as the words say; MEANT, or NULL, was probably meant.  Only
   the first failure counts.  Always returns false.  */
extern bool tns_cursor_fail (tns_cursor *cursor, const tns_token *token,
                             const char *meant, const char *format, ...)
  __attribute__ ((format (printf, 4, 5)));

/* TOKEN as messages show it: "'foo'", "end of line".  */
extern const char *tns_token_shown (tns_arena *arena, const tns_token *token);

#endif
