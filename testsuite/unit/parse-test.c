/* The parser of clauses over tokens: what each line becomes, and which
   lines are errors, where, and with which word meant.  */

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "pragmas/clause.h"
#include "pragmas/condition.h"
#include "pragmas/lex.h"
#include "pragmas/near.h"
#include "pragmas/parse.h"
#include "pragmas/section.h"

/* line    what follows #pragma tensor
   wish    how the wish that it becomes is printed below  */
typedef struct good_line
{
  const char *line;
  const char *wish;
} good_line;

/* line    what follows #pragma tensor
   column  where the error is
   words   what it says
   meant   the word that is suggested, or NULL  */
typedef struct bad_line
{
  const char *line;
  int column;
  const char *words;
  const char *meant;
} bad_line;

static const good_line good_lines[] = {
  { "", "" },
  { "name(\"rows\")", "name=rows" },
  { "temp(a, b)", "temp=a,b" },
  { "temp(a) temp(b)", "temp=a,b" },
  { "noalias", "noalias=" },
  { "noalias(p, q)", "noalias=p,q" },
  { "noalias fp(fast)", "noalias= fp=2" },
  { "fp(strict)", "fp=0" },
  { "fp(fast) fuse(max)", "fp=2 fuse=1" },
  { "fuse(auto)", "" },
  { "fuse(none)", "fuse=2" },
  { "tile(i: 32, j: 64)", "tile=i:32,j:64" },
  { "tile(off)", "tile=off" },
  { "tile(off: 8)", "tile=off:8" },
  { "tile(i: 0x10)", "tile=i:16" },
  { "simd(off)", "simd=off" },
  { "parallel(i) simd(j)", "simd=j parallel=i" },
  { "parallel(off)", "parallel=off" },
  { "parallel(off, i)", "parallel=off,i" },
  { "unroll(k: 4)", "unroll=k:4" },
  { "interchange(k, j)", "interchange=k,j" },
  { "require(transform, contract(x))", "require=transform,contract:x" },
  { "require(contract(x), contract(y))", "require=contract:x,contract:y" },
  { "require(simd) require(simd)", "require=simd" },
  { "target(cpu)", "" },
  { "data x", "data both:x" },
  { "data a, b[0:n] copyin(c)", "data both:a both:b[:] in:c" },
  { "data copyin(x[:n], y) copyout(s->w[2:4])",
    "data in:x[:] in:y out:s->w[:]" },
  { "data present(x) x2 y2", "data present:x both:x2 both:y2" },
  { "check profile", "check profile" },
  { "assume(n > 0)", "assume (n > 0)" },
  { "assume(n > 0, m % 16 == 0)", "assume (n > 0) assume ((m % 16) == 0)" },
  { "assume(a + b * c - 1 < d)", "assume (((a + (b * c)) - 1) < d)" },
  { "assume(a - b - c == -d)", "assume (((a - b) - c) == (- d))" },
  { "assume((n & 7) == 0 && m || !k)",
    "assume ((((n & 7) == 0) && m) || (! k))" },
  { "assume(t->n >= s.m.k)", "assume ((t->n) >= ((s.m).k))" },
  { "assume((a < b ? a : b) > 3)", "assume (((a < b) ? a : b) > 3)" },
  { "function", "function" },
};

static const bad_line bad_lines[] = {
  { "tmep(a)", 1, "unknown clause 'tmep'", "temp" },
  { "paralel(i)", 1, "unknown clause 'paralel'", "parallel" },
  { "fp(fast) simdd(i)", 10, "unknown clause 'simdd'", "simd" },
  { "banana", 1, "unknown clause 'banana'", NULL },
  { "functoin", 1, "unknown clause 'functoin'", "function" },
  { "temp", 5, "expected '(' before end of line", NULL },
  { "temp(", 6, "expected a name before end of line", NULL },
  { "temp()", 6, "expected a name before ')'", NULL },
  { "temp(a", 7, "expected ')' before end of line", NULL },
  { "temp(a b)", 8, "expected ')' before 'b'", NULL },
  { "temp(a,)", 8, "expected a name before ')'", NULL },
  { "temp(3)", 6, "expected a name before '3'", NULL },
  { "temp(a, a)", 9, "'a' is named twice in 'temp'", NULL },
  { "temp(a) temp(a)", 14, "'a' is named twice in 'temp'", NULL },
  { "temp(a), fp(fast)", 8, "expected a clause before ','", NULL },
  { "\"x\"", 1, "expected a clause before \"x\"", NULL },
  { "name(rows)", 6, "expected a string that is not empty", NULL },
  { "name(\"\")", 6, "expected a string that is not empty", NULL },
  { "name(\"a\") name(\"b\")", 11, "clause 'name' is given twice", NULL },
  { "fp(fats)", 4, "unknown word 'fats' in 'fp'", "fast" },
  { "fp(xyzzy)", 4, "unknown word 'xyzzy' in 'fp'", NULL },
  { "fp()", 4, "expected a name before ')'", NULL },
  { "fp(fast) fp(strict)", 10, "clause 'fp' is given twice", NULL },
  { "fuse(of)", 6, "unknown word 'of' in 'fuse'", NULL },
  { "fuse(off)", 6, "unknown word 'off' in 'fuse'", NULL },
  { "tile(i)", 7, "expected ':' before ')'", NULL },
  { "tile(i: 0)", 9, "expected a whole number greater than 0", NULL },
  { "tile(i: n)", 9, "expected a whole number greater than 0", NULL },
  { "tile(i: -4)", 9, "expected a whole number greater than 0", NULL },
  { "tile(off) tile(i: 4)", 16,
    "'tile(off)' contradicts the loops named in 'tile'", NULL },
  { "parallel(i) parallel(off)", 22,
    "'parallel(off)' contradicts the loops named in 'parallel'", NULL },
  { "parallel(off) require(parallel)", 23,
    "'require(parallel)' contradicts 'parallel(off)'", NULL },
  { "require(simd, fuse) fuse(none)", 15,
    "'require(fuse)' contradicts 'fuse(none)'", NULL },
  { "noalias noalias(a)", 9,
    "'noalias' for all and for some is a contradiction", NULL },
  { "noalias(a) noalias", 12,
    "'noalias' for all and for some is a contradiction", NULL },
  { "interchange(i)", 1, "'interchange' needs two loops or more", NULL },
  { "require(contract)", 17, "expected '(' before ')'", NULL },
  { "require(simdd)", 9, "unknown word 'simdd' in 'require'", "simd" },
  { "check(1)", 6, "'check' takes no argument", NULL },
  { "check check", 7, "clause 'check' is given twice", NULL },
  { "assume()", 8, "expected a name or a number before ')'", NULL },
  { "assume(n >)", 11, "expected a name or a number before ')'", NULL },
  { "assume(f(n))", 9, "expected ')' before '('", NULL },
  { "assume(n = 3)", 10, "expected ')' before '='", NULL },
  { "assume(t->3)", 11, "expected the name of a member before '3'", NULL },
  { "assume(a ? b)", 13, "expected ':' before ')'", NULL },
  { "function temp(a)", 10,
    "'function' takes no clauses, but 'temp' follows it", NULL },
  { "temp(a) function", 9, "'function' must stand first", NULL },
  { "gradient(f)", 10, "a gradient needs 'of'", NULL },
  { "gradient(f) of(y: dy)", 10, "a gradient needs 'wrt'", NULL },
  { "gradient of(y: dy)", 10, "expected '(' before 'of'", NULL },
  { "of(y: dy)", 1, "'of' is for gradients", NULL },
  { "given(y)", 1, "'given' is for gradients", NULL },
  { "tangent(f)", 9, "a tangent needs 'of'", NULL },
  { "derivative(f)", 12, "a derivative needs 'of'", NULL },
  { "data", 5, "expected a name before end of line", NULL },
  { "data copyn(a)", 6, "unknown clause 'copyn' of data", "copyin" },
  { "data temp(a)", 6, "'temp' is not for data", NULL },
  { "data a copyin(a)", 15, "'a' is named twice in 'data'", NULL },
  { "data a[3]", 9, "expected ':' before ']'", NULL },
  { "data a[0:n", 11, "expected ']' before end of line", NULL },
  { "data copyin(a", 14, "expected ')' before end of line", NULL },
  { "present(a)", 1, "'present' is for data", NULL },
  { "fp(fast) data a", 10, "'data' must stand first", NULL },
};

static const char *const near_pairs[][2] = {
  { "temp", "temp" },      { "tmep", "temp" },
  { "reprot", "report" },  { "rep", NULL },
  { "x", NULL },           { "", NULL },
  { "reports", "report" }, { "a-word-of-more-than-31-letters-here", NULL },
};

static int n_failures;

/* Say that the line WHERE is not as it should be.  */
static void
complain (const char *where, const char *got, const char *expected)
{
  printf ("FAIL: %.60s: got [%s], expected [%s]\n", where, got, expected);
  n_failures++;
}

/* Append CONDITION, every operator between parentheses.  */
static void
print_condition (tns_text *text, const tns_condition *condition)
{
  bool is_member = condition->kind == TNS_CONDITION_MEMBER;
  switch (condition->kind)
    {
    case TNS_CONDITION_NAME:
      tns_text_add (text, condition->name);
      break;
    case TNS_CONDITION_NUMBER:
      tns_text_format (text, "%ld", condition->number);
      break;
    case TNS_CONDITION_MEMBER:
    case TNS_CONDITION_POINTED:
      tns_text_add (text, "(");
      print_condition (text, condition->arg[0]);
      tns_text_format (text, "%s%s)", is_member ? "." : "->", condition->name);
      break;
    case TNS_CONDITION_UNARY:
      tns_text_format (text, "(%s ", condition->name);
      print_condition (text, condition->arg[0]);
      tns_text_add (text, ")");
      break;
    case TNS_CONDITION_CAST:
      tns_text_format (text, "(cast %s ", condition->name);
      print_condition (text, condition->arg[0]);
      tns_text_add (text, ")");
      break;
    case TNS_CONDITION_BINARY:
      tns_text_add (text, "(");
      print_condition (text, condition->arg[0]);
      tns_text_format (text, " %s ", condition->name);
      print_condition (text, condition->arg[1]);
      tns_text_add (text, ")");
      break;
    case TNS_CONDITION_CHOICE:
      tns_text_add (text, "(");
      print_condition (text, condition->arg[0]);
      tns_text_add (text, " ? ");
      print_condition (text, condition->arg[1]);
      tns_text_add (text, " : ");
      print_condition (text, condition->arg[2]);
      tns_text_add (text, ")");
      break;
    }
}

/* Append LIST, when it was asked for, as WORD=names.  */
static void
print_list (tns_text *text, const char *word, const tns_wish_list *list)
{
  if (!list->asked)
    return;
  tns_text_format (text, " %s=%s", word, list->off ? "off" : "");
  for (int k = 0; k < list->n; k++)
    {
      tns_text_format (text, "%s%s", k ? "," : "", list->names[k].name);
      if (list->names[k].number)
        tns_text_format (text, ":%ld", list->names[k].number);
    }
}

/* Append the arrays of data.  */
static void
print_sections (tns_text *text, const tns_wish *wish)
{
  static const char *const uses[] = { "both", "in", "out", "present" };
  for (int k = 0; k < wish->n_sections; k++)
    {
      const tns_wish_section *section = &wish->sections[k];
      tns_text_format (text, " %s:%s%s", uses[section->use], section->name,
                       section->count ? "[:]" : "");
    }
}

/* What of WISH is not as by default, and DIRECTIVE, as a text.  */
static const char *
wish_text (tns_arena *arena, const tns_wish *wish, tns_directive directive)
{
  tns_text text = tns_text_new (arena);
  if (directive == TNS_DIRECTIVE_FUNCTION)
    tns_text_add (&text, " function");
  if (directive == TNS_DIRECTIVE_DATA)
    tns_text_add (&text, " data");
  if (wish->name)
    tns_text_format (&text, " name=%s", wish->name);
  print_list (&text, "temp", &wish->temp);
  print_list (&text, "noalias", &wish->noalias);
  if (wish->fp != TNS_FP_REASSOC)
    tns_text_format (&text, " fp=%d", wish->fp);
  if (wish->fuse != TNS_FUSE_AUTO)
    tns_text_format (&text, " fuse=%d", wish->fuse);
  print_list (&text, "tile", &wish->tile);
  print_list (&text, "simd", &wish->simd);
  print_list (&text, "parallel", &wish->parallel);
  print_list (&text, "unroll", &wish->unroll);
  print_list (&text, "interchange", &wish->interchange);
  print_list (&text, "require", &wish->require);
  tns_text_add (&text, wish->check ? " check" : "");
  tns_text_add (&text, wish->profile ? " profile" : "");
  print_sections (&text, wish);
  for (int k = 0; k < wish->n_facts; k++)
    {
      tns_text_add (&text, " assume ");
      print_condition (&text, (const tns_condition *) wish->facts[k].tree);
    }
  const char *chars = tns_text_chars (&text);
  return *chars == ' ' ? chars + 1 : chars;
}

/* LINE must be right and become its wish.  */
static void
test_good (tns_arena *arena, const good_line *line)
{
  tns_wish defaults = tns_wish_default ();
  tns_wish wish;
  tns_directive directive;
  tns_pragma_error error;
  int n;
  tns_token *tokens = tns_pragma_lex (arena, line->line, &n);
  if (!tns_pragma_parse (arena, tokens, n, &defaults, &directive, &wish,
                         &error))
    {
      complain (line->line, error.words, line->wish);
      return;
    }
  const char *text = wish_text (arena, &wish, directive);
  if (strcmp (text, line->wish) != 0)
    complain (line->line, text, line->wish);
}

/* Arrays are read up to the end of the line, each with its bounds.  */
static void
test_sections (tns_arena *arena)
{
  tns_wish wish = tns_wish_default ();
  tns_pragma_error error;
  int n;
  tns_token *tokens = tns_pragma_lex (arena, "x[2:n] copyout(y)", &n);
  tns_cursor cursor = { arena, tokens, n, 0, false, &error };
  bool read = tns_sections_parse (&cursor, &wish) && wish.n_sections == 2;
  const tns_wish_section *section = wish.sections;
  if (!read || section[0].first->number != 2
      || strcmp (section[0].count->name, "n") != 0 || section[1].count
      || section[1].use != TNS_SECTION_OUT)
    complain ("x[2:n] copyout(y)", "other arrays", "x and y");
}

/* LINE must be an error, with its words at its place.  */
static void
test_bad (tns_arena *arena, const bad_line *line)
{
  tns_wish defaults = tns_wish_default ();
  tns_wish wish;
  tns_directive directive;
  tns_pragma_error error;
  int n;
  tns_token *tokens = tns_pragma_lex (arena, line->line, &n);
  if (tns_pragma_parse (arena, tokens, n, &defaults, &directive, &wish, &error))
    {
      complain (line->line, "no error", line->words);
      return;
    }
  if (strcmp (error.words, line->words) != 0)
    complain (line->line, error.words, line->words);
  if (error.loc.column != line->column)
    complain (line->line, tns_arena_format (arena, "%d", error.loc.column),
              tns_arena_format (arena, "column %d", line->column));
  const char *meant = error.meant ? error.meant : "none";
  if (strcmp (meant, line->meant ? line->meant : "none") != 0)
    complain (line->line, meant, line->meant ? line->meant : "none");
}

/* A clause replaces what the command line says, and only that.  */
static void
test_defaults (tns_arena *arena)
{
  tns_wish defaults = tns_wish_default ();
  tns_wish wish;
  tns_directive directive;
  tns_pragma_error error;
  int n;
  defaults.tile = (tns_wish_list){ .asked = true, .off = true };
  defaults.parallel = defaults.tile;
  defaults.fuse = TNS_FUSE_NONE;
  tns_token *tokens = tns_pragma_lex (arena, "tile(i: 8) fuse(max)", &n);
  tns_pragma_parse (arena, tokens, n, &defaults, &directive, &wish, &error);
  const char *text = wish_text (arena, &wish, directive);
  const char *expected = "fuse=1 tile=i:8 parallel=off";
  if (strcmp (text, expected) != 0)
    complain ("defaults", text, expected);
}

/* No depth of parentheses exhausts the stack.  */
static void
test_depth (tns_arena *arena)
{
  enum
  {
    DEPTH = 100000
  };
  char *line = TNS_NEW_ARRAY (arena, char, DEPTH + 20);
  strcpy (line, "assume(");
  memset (line + 7, '(', DEPTH);
  test_bad (arena, &(bad_line){ line, 109, "the condition is too deep", NULL });
  memset (line + 7, '-', DEPTH);
  test_bad (arena, &(bad_line){ line, 109, "the condition is too deep", NULL });
}

/* Which word is near which.  */
static void
test_near (void)
{
  static const char *const known[] = { "report", "temp", "repeat" };
  for (size_t k = 0; k < sizeof near_pairs / sizeof *near_pairs; k++)
    {
      const char *got = tns_near (near_pairs[k][0], known, 3);
      const char *expected = near_pairs[k][1];
      got = got ? got : "none";
      expected = expected ? expected : "none";
      if (strcmp (got, expected) != 0)
        complain (near_pairs[k][0], got, expected);
    }
}

/* Each LATER clause of the table is an error that says so.  */
static void
test_later (tns_arena *arena)
{
  for (int id = 0; id < TNS_N_CLAUSES; id++)
    {
      const tns_clause *row = tns_clause_row (id);
      if (row->later)
        test_bad (arena, &(bad_line){
                           row->word, 1,
                           tns_arena_format (
                             arena, "clause '%s' is not there yet", row->word),
                           NULL });
    }
}

int
main (void)
{
  tns_arena *arena = tns_arena_new (tns_allocator_malloc ());
  for (size_t k = 0; k < sizeof good_lines / sizeof *good_lines; k++)
    test_good (arena, &good_lines[k]);
  for (size_t k = 0; k < sizeof bad_lines / sizeof *bad_lines; k++)
    test_bad (arena, &bad_lines[k]);
  test_defaults (arena);
  test_depth (arena);
  test_near ();
  test_sections (arena);
  test_later (arena);
  tns_arena_free (arena);
  if (n_failures == 0)
    printf ("PASS: parse-test\n");
  return n_failures != 0;
}
