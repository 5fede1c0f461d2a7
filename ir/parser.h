/* What the two halves of the parser share: ir/parse-expr.c reads
   expressions, ir/parse.c the rest.  */

#ifndef TNS_IR_PARSER_H
#define TNS_IR_PARSER_H

#include <setjmp.h>

#include "ir/lex.h"
#include "ir/parse.h"

/* failed  where an error jumps to
   depth   of nesting, limited so that no text exhausts the stack  */
typedef struct tns_parser
{
  tns_arena *arena;
  tns_region *region;
  tns_lexer lexer;
  tns_parse_error *error;
  jmp_buf failed;
  int depth;
} tns_parser;

/* Say WORDS about the current token and give up.  */
extern _Noreturn void tns_parser_fail (tns_parser *p, const char *words);

/* One level of nesting more; it ends with p->depth--.  */
extern void tns_parser_enter (tns_parser *p);

/* Whether the current token is CHARS; then go on behind it.  */
extern bool tns_parser_take (tns_parser *p, const char *chars);

/* The same for a token that must stand there.  */
extern void tns_parser_expect (tns_parser *p, const char *chars);

/* A name that must stand there, as a string of the arena.  */
extern const char *tns_parser_name (tns_parser *p);

/* An I64 constant without a type that must stand there.  */
extern long long tns_parser_number (tns_parser *p);

/* A type that must stand there: f32, f32x16.  */
extern tns_type tns_parser_type (tns_parser *p);

/* The place of the current token.  */
extern tns_loc tns_parser_loc (const tns_parser *p);

/* One expression; one block.  */
extern tns_expr *tns_parser_expr (tns_parser *p);
extern tns_node *tns_parser_block (tns_parser *p);

#endif
