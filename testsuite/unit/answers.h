/* Questions about texts, and their answers in words: unit tests that are
   tables.  */

#ifndef TNS_TESTSUITE_ANSWERS_H
#define TNS_TESTSUITE_ANSWERS_H

#include "verdict.h"

/* The answer to a question about TEXT, in CTX's arena.  */
typedef const char *(*question) (tns_ctx *ctx, const char *text);

/* shown   what the row shows
   ask     the question
   text    what it is asked about
   answer  what it says, blanks and line ends all being one blank; "..." stands
           for anything  */
typedef struct answer_row
{
  const char *shown;
  question ask;
  const char *text;
  const char *answer;
} answer_row;

/* Say of each of ROW[0..n) whether it is answered so; the exit status.  */
extern int answers_check (const answer_row *row, size_t n);

/* "yes" or "no".  */
extern const char *answer_bool (bool is_so);

/* The text of EXPR; "none" of NULL.  */
extern const char *answer_expr (tns_ctx *ctx, const tns_expr *expr);

/* What was said in CTX: the names of reasons and words; "nothing".  */
extern const char *answer_said (tns_ctx *ctx);

/* The text of REGION with BODY in the place of its own; of NULL what was
   said.  */
extern const char *answer_body (tns_ctx *ctx, const tns_region *region,
                                tns_node *body);

/* The first loop with iterator NAME, assignment called NAME in REGION's body,
   or NULL.  */
extern tns_node *answer_node (tns_region *region, const char *name);

#define MAIN_OF_ANSWERS(rows)                                                  \
  int main (void)                                                              \
  {                                                                            \
    return answers_check (rows, sizeof (rows) / sizeof *(rows));               \
  }

#endif
