/* base/ and the readers of texts: memory, plans, reasons, tokens, pragmas'
   places, the pieces of the parser.  */

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "answers.h"
#include "base/section.h"
#include "base/text.h"
#include "ir/parser.h"
#include "pragmas/condition.h"
#include "pragmas/cursor.h"
#include "pragmas/lex.h"

/* An allocator that gives *SELF blocks, then none.  */
static void *
get_some (void *self, size_t bytes)
{
  int *left = self;
  tns_allocator whole = tns_allocator_malloc ();
  return (*left)-- > 0 ? whole.get (whole.self, bytes) : NULL;
}

static void
put_back (void *self, void *block)
{
  (void) self;
  tns_allocator whole = tns_allocator_malloc ();
  whole.put (whole.self, block);
}

static void
leave (void *self)
{
  longjmp (*(jmp_buf *) self, 1);
}

/* An arena of TEXT's many blocks: what becomes of a request that is larger
   than all of them.  */
static const char *
memory (tns_ctx *ctx, const char *text)
{
  (void) ctx;
  int left = text[0] - '0';
  jmp_buf gone;
  tns_allocator some = { get_some, put_back, &left };
  tns_arena *arena = tns_arena_new (some);
  if (!arena)
    return "no arena";
  const char *volatile said = "had";
  void *plain = tns_arena_get (arena, 1 << 24);
  if (setjmp (gone) == 0)
    {
      tns_arena_on_no_memory (arena, leave, &gone);
      tns_arena_get (arena, 1 << 24);
    }
  else
    said = plain ? "once" : "NULL, then told";
  tns_arena_free (arena);
  return said;
}

/* What TEXT becomes that has grown.  */
static const char *
grown (tns_ctx *ctx, const char *text)
{
  size_t n = strlen (text);
  char *more = tns_arena_grow (ctx->arena, text, n, 3 * n);
  bool zero = true;
  for (size_t k = n; k < 3 * n; k++)
    zero = zero && !more[k];
  return zero && (uintptr_t) more % 16 == 0 ? more : "not zero or not aligned";
}

/* What the plan TEXT says of the region "two".  */
static const char *
section (tns_ctx *ctx, const char *text)
{
  ctx->plan_text = text;
  if (!tns_plan_is_given (ctx, "two"))
    return "none";
  const char *first = tns_plan_line (ctx, "two", "fuse");
  return tns_arena_format (
    ctx->arena, "%s, parallel i: %s", first ? first : "no fuse",
    answer_bool (tns_plan_has_line (ctx, "two", "parallel i")));
}

/* Note LINE; go on unless it is "stop".  */
static bool
note_line (const char *line, void *self)
{
  tns_text_format (self, "[%s]", line);
  return strcmp (line, "stop") != 0;
}

/* Its lines, one after the other.  */
static const char *
section_lines (tns_ctx *ctx, const char *text)
{
  tns_text lines = tns_text_new (ctx->arena);
  ctx->plan_text = text;
  bool all = tns_plan_lines (ctx, "two", note_line, &lines);
  return tns_arena_format (ctx->arena, "%s %s", tns_text_chars (&lines),
                           answer_bool (all));
}

/* How many of the steps TEXT are parallel, and are there at all.  */
static const char *
steps (tns_ctx *ctx, const char *text)
{
  return tns_arena_format (ctx->arena, "%d of %d, simd j: %s",
                           tns_plan_count (text, "parallel"),
                           tns_plan_count (text, NULL),
                           answer_bool (tns_plan_step_is (text, "simd j")));
}

/* The first reason whose row is not as why.def says: a name of its own, words,
   an outcome; "all are".  */
static const char *
reasons (tns_ctx *ctx, const char *text)
{
  (void) text;
  for (int k = TNS_WHY_NONE + 1; k < TNS_N_WHYS; k++)
    for (int l = 0; l < k; l++)
      if (!strcmp (tns_why_name ((tns_why) k), tns_why_name ((tns_why) l))
          || !tns_why_words ((tns_why) k)[0])
        return tns_why_name ((tns_why) k);
  return tns_arena_format (
    ctx->arena, "all are, %d %d %d", tns_why_status (TNS_WHY_KEPT),
    tns_why_status (TNS_WHY_WRAP), tns_why_status (TNS_WHY_BUDGET));
}

/* A cursor over TEXT.  */
static tns_cursor
cursor_over (tns_ctx *ctx, const char *text)
{
  int n;
  tns_token *token = tns_pragma_lex (ctx->arena, text, &n);
  return (tns_cursor){ .arena = ctx->arena,
                       .token = token,
                       .n = n,
                       .error = TNS_NEW (ctx->arena, tns_pragma_error) };
}

/* The error of CURSOR in words.  */
static const char *
error_of (const tns_cursor *cursor)
{
  return tns_arena_format (cursor->arena, "%d: %s", cursor->error->loc.column,
                           cursor->error->words);
}

/* TEXT read as NAME ( NAME , ... ), up to what is none.  */
static const char *
names (tns_ctx *ctx, const char *text)
{
  tns_cursor cursor = cursor_over (ctx, text);
  tns_text read = tns_text_new (ctx->arena);
  tns_cursor_next (&cursor);
  if (!tns_cursor_expect (&cursor, "("))
    return error_of (&cursor);
  do
    {
      tns_text_format (
        &read, "%s%s ", tns_token_shown (ctx->arena, tns_cursor_peek (&cursor)),
        tns_cursor_ahead (&cursor, 1)->kind == TNS_TOKEN_END ? " last" : "");
      tns_cursor_next (&cursor);
    }
  while (tns_cursor_accept (&cursor, ","));
  if (!tns_cursor_is (&cursor, ")"))
    tns_cursor_fail (&cursor, tns_cursor_peek (&cursor), NULL, "no %s", ")");
  tns_cursor_fail (&cursor, tns_cursor_peek (&cursor), NULL, "not this one");
  return cursor.error->words[0] == 'n' && cursor.error->words[2] == ' '
           ? error_of (&cursor)
           : tns_text_chars (&read);
}

/* CONDITION as a call of its parts.  */
static const char *
condition_words (tns_arena *arena, const tns_condition *c)
{
  static const char *const kinds[] = { "name",  "number", "member", "pointed",
                                       "unary", "cast",   "binary", "choice" };
  const char *words = tns_arena_format (
    arena, "%s %s", kinds[c->kind],
    c->kind == TNS_CONDITION_NUMBER ? tns_arena_format (arena, "%ld", c->number)
    : c->name                       ? c->name
                                    : "");
  for (int k = 0; k < 3 && c->arg[k]; k++)
    words = tns_arena_format (arena, "%s (%s)", words,
                              condition_words (arena, c->arg[k]));
  return words;
}

/* TEXT as a condition, or as a place, and where that ends.  */
static const char *
read_as (tns_ctx *ctx, const char *text,
         tns_condition *(*read) (struct tns_cursor *) )
{
  tns_cursor cursor = cursor_over (ctx, text);
  const tns_condition *c = read (&cursor);
  return c ? tns_arena_format (
           ctx->arena, "%s before %s", condition_words (ctx->arena, c),
           tns_token_shown (ctx->arena, tns_cursor_peek (&cursor)))
           : error_of (&cursor);
}

static const char *
condition (tns_ctx *ctx, const char *text)
{
  return read_as (ctx, text, tns_condition_parse);
}

static const char *
place (tns_ctx *ctx, const char *text)
{
  return read_as (ctx, text, tns_place_parse);
}

/* The tokens of the IR's TEXT.  */
static const char *
tokens (tns_ctx *ctx, const char *text)
{
  tns_text read = tns_text_new (ctx->arena);
  tns_lexer lexer = tns_lexer_new (text, 7);
  for (; lexer.token.kind != TNS_WORD_END; tns_lexer_next (&lexer))
    {
      tns_text_format (&read, "%c%d.%d:%.*s ", "eNnsSB"[lexer.token.kind],
                       lexer.token.line, lexer.token.column,
                       (int) lexer.token.length, lexer.token.start);
      if (tns_word_is (&lexer.token, "for"))
        tns_text_add (&read, "(for) ");
      if (lexer.token.kind == TNS_WORD_BAD)
        break;
    }
  return tns_text_chars (&read);
}

/* TEXT read as NAME = NUMBER TYPE ; by the parser's pieces, as deep as NUMBER
   says.  */
static const char *
pieces (tns_ctx *ctx, const char *text)
{
  tns_parse_error error = { 0 };
  tns_parser p = { .arena = ctx->arena,
                   .region = tns_region_new (ctx->arena, "r"),
                   .error = &error };
  p.lexer = tns_lexer_new (text, 1);
  if (setjmp (p.failed))
    return tns_arena_format (ctx->arena, "%d: %s", error.column, error.words);
  const char *name = tns_parser_name (&p);
  tns_parser_expect (&p, "=");
  long long number = tns_parser_number (&p);
  for (long long k = 0; k < number; k++)
    tns_parser_enter (&p);
  int column = tns_parser_loc (&p).column;
  tns_type type = tns_parser_type (&p);
  if (!tns_parser_take (&p, ";"))
    tns_parser_fail (&p, "no end");
  return tns_arena_format (ctx->arena, "%s %d %s %d at %d", name, p.depth,
                           tns_elem_name (type.elem), type.lanes, column);
}

static const answer_row rows[] = {
  { "no memory for an arena", memory, "0", "no arena" },
  { "no memory for a block", memory, "1", "NULL, then told" },
  { "memory", memory, "9", "had" },
  { "memory that grows is zero behind", grown, "abc", "abc" },
  { "a plan's first line", section,
    "plan one\n fuse A B at i\n\nplan two\n  fuse C D at j\n  parallel i\n",
    "fuse C D at j, parallel i: yes" },
  { "comments and the end of a section", section,
    "plan two # a\n  simd i\n;;\n  parallel i\n", "no fuse, parallel i: no" },
  { "a comment behind a line", section,
    "plan two \n  # fuse C D\n  parallel i \t# fuse C D\n",
    "no fuse, parallel i: yes" },
  { "no section", section, "plan twofold\n  parallel i\n", "none" },
  { "lines until one says stop", section_lines,
    "plan two\n a b\n\n stop\n c\nplan one\n d\n", "[a b][stop] no" },
  { "all lines", section_lines, "plan two\n a b # c\n d\n", "[a b][d] yes" },
  { "no section has no lines", section_lines, "plan one\n a\n", "yes" },
  { "steps are counted by their word", steps, "parallel i\nparallels\nsimd j\n",
    "1 of 3, simd j: yes" },
  { "a step is a whole line", steps, "simd j in S1\n", "0 of 1, simd j: no" },
  { "reasons", reasons, "", "all are, 0 1 2" },

  { "names of a clause", names, "temp (a, b)", "'a' 'b'" },
  { "only the first failure counts", names, "temp (a b)", "9: no )" },
  { "no parenthesis", names, "temp a", "6: expected '(' before 'a'" },
  { "a condition", condition, "a->n < 2 * b && !c, d",
    "binary && (binary < (pointed n (name a)) (binary * (number 2) (name b))) "
    "(unary ! (name c)) before ','" },
  { "a choice", condition, "a ? 1 : s.k",
    "choice ? (name a) (number 1) (member k (name s)) before end of line" },
  { "a cast", condition, "(unsigned long) a * (b) - (c)",
    "binary - (binary * (cast unsigned long (name a)) (name b)) (name c) "
    "before "
    "end of line" },
  { "half a condition", condition, "a < )", "5: ..." },
  { "a place", place, "s->y.z) 3", "member z (pointed y (name s)) before ')'" },
  { "a number is no place", place, "3", "1: ..." },

  { "tokens of the IR", tokens, "for i\n = 3i32 .. <= \"a b\" $",
    "N7.1:for (for) N7.5:i S8.2:= n8.4:3i32 B8.9:." },
  { "the longest operator", tokens,
    "a<<=b max=", "N7.1:a S7.2:<<= N7.5:b N7.7:max S7.10:=" },
  { "the pieces of a line", pieces, "n = 3 f32x8;", "n 3 f32 8 at 7" },
  { "a name must stand there", pieces, "3 = 3", "1: ..." },
  { "a sign must stand there", pieces, "n 3", "3: expected =" },
  { "a type must stand there", pieces, "n = 3 g32;",
    "7: there is no such type" },
  { "the end must stand there", pieces, "n = 3 f32 }", "11: no end" },
  { "no text is deeper than the stack", pieces, "n = 100000 f32;", "...: ..." },
};

MAIN_OF_ANSWERS (rows)
