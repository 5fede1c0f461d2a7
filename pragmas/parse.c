/* The clauses of #pragma tensor: tokens -> wish.

     line      = [ directive ] { clause }
     clause    = word [ "(" argument ")" ]

   What an argument looks like is the kind of the clause's row in clause.def;
   one function reads each kind.  Steps:

     1. the directive, if the first word is one
     2. each clause: find its row, read its argument by kind, store it
     3. look for clauses that contradict each other

   The first error ends the reading.  A clause replaces the default of the
   command line; the same list twice in one pragma is joined.  Names are not
   looked up here.  */

#include "pragmas/parse.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "pragmas/clause.h"
#include "pragmas/condition.h"
#include "pragmas/near.h"
#include "pragmas/cursor.h"
#include "pragmas/section.h"

/* No bound of bytes is greater.  */
#define MOST_BYTES (1LL << 60)

/* cursor   where we are
   wish     what was read so far
   word     the clause that is being read, its token and number
   again    it was met before
   seen     clauses that were read, by number: their tokens  */
typedef struct parse
{
  tns_cursor cursor;
  tns_wish *wish;
  const tns_token *word;
  int id;
  bool again;
  const tns_token *seen[TNS_N_CLAUSES];
} parse;

/* The row of the clause that is being read.  */
static const tns_clause *
row_of (const parse *p)
{
  return tns_clause_row (p->id);
}

/* The list of WISH that clause ID fills, or NULL.  */
static tns_wish_list *
list_of (tns_wish *wish, int id)
{
  switch (id)
    {
    case TNS_CLAUSE_ID_TEMP:
      return &wish->temp;
    case TNS_CLAUSE_ID_NOALIAS:
      return &wish->noalias;
    case TNS_CLAUSE_ID_INDEPENDENT:
      return &wish->independent;
    case TNS_CLAUSE_ID_TILE:
      return &wish->tile;
    case TNS_CLAUSE_ID_SIMD:
      return &wish->simd;
    case TNS_CLAUSE_ID_PARALLEL:
      return &wish->parallel;
    case TNS_CLAUSE_ID_UNROLL:
      return &wish->unroll;
    case TNS_CLAUSE_ID_INTERCHANGE:
      return &wish->interchange;
    case TNS_CLAUSE_ID_REQUIRE:
      return &wish->require;
    case TNS_CLAUSE_ID_OF:
      return &wish->derived.of;
    case TNS_CLAUSE_ID_WRT:
      return &wish->derived.wrt;
    case TNS_CLAUSE_ID_DIRECTIONS:
      return &wish->derived.directions;
    case TNS_CLAUSE_ID_GIVEN:
      return &wish->derived.given;
    case TNS_CLAUSE_ID_CLEAR:
      return &wish->derived.clear;
    case TNS_CLAUSE_ID_STORE:
      return &wish->derived.store;
    case TNS_CLAUSE_ID_RECOMPUTE:
      return &wish->derived.recompute;
    default:
      return NULL;
    }
}

/* Append NAME to LIST.  */
static void
list_add (tns_arena *arena, tns_wish_list *list, tns_wish_name name)
{
  tns_wish_name *names = TNS_NEW_ARRAY (arena, tns_wish_name, list->n + 1);
  if (list->n > 0)
    memcpy (names, list->names, sizeof *names * (size_t) list->n);
  names[list->n++] = name;
  list->names = names;
}

/* LIST holds NAME.  */
static bool
list_holds (const tns_wish_list *list, const char *name)
{
  for (int k = 0; k < list->n; k++)
    if (strcmp (list->names[k].name, name) == 0)
      return true;
  return false;
}

/* A name must come next; its token, or NULL.  */
static const tns_token *
expect_name (parse *p)
{
  const tns_token *token = tns_cursor_peek (&p->cursor);
  if (token->kind == TNS_TOKEN_NAME)
    {
      tns_cursor_next (&p->cursor);
      return token;
    }
  tns_cursor_fail (&p->cursor, token, NULL, "expected a name before %s",
                   tns_token_shown (p->cursor.arena, token));
  return NULL;
}

/* A number greater than 0 must come next.  */
static bool
expect_size (parse *p, long *number)
{
  const tns_token *token = tns_cursor_peek (&p->cursor);
  if (token->kind != TNS_TOKEN_NUMBER || token->number < 1)
    return tns_cursor_fail (&p->cursor, token, NULL,
                            "expected a whole number greater than 0");
  *number = token->number;
  tns_cursor_next (&p->cursor);
  return true;
}

/* A place, and its adjoint's behind a colon where it is one of PAIRS: in of
   alone, the result may have none.  */
static bool
expect_place (parse *p, tns_wish_name *name, bool pairs)
{
  int from = p->cursor.at;
  name->place = tns_place_parse (&p->cursor);
  name->name = tns_cursor_spelling (&p->cursor, from, "");
  bool is_one = p->id == TNS_CLAUSE_ID_OF && !p->wish->derived.forward
                && !strcmp (name->name, "return")
                && !tns_cursor_is (&p->cursor, ":");
  if (!name->place || !pairs || is_one)
    return name->place != NULL;
  if (tns_cursor_expect (&p->cursor, ":"))
    name->adjoint = tns_place_parse (&p->cursor);
  return name->adjoint != NULL;
}

/* A name, with its number where SIZED.  */
static bool
expect_sized (parse *p, tns_wish_name *name, bool sized)
{
  const tns_token *token = expect_name (p);
  if (!token)
    return false;
  name->name = token->text;
  return !sized
         || (tns_cursor_expect (&p->cursor, ":")
             && expect_size (p, &name->number));
}

/* One name of LIST, with its number where SIZED.  */
static bool
parse_name (parse *p, tns_wish_list *list, bool sized)
{
  const tns_token *token = tns_cursor_peek (&p->cursor);
  tns_wish_name name = { .loc = token->loc };
  bool pairs = row_of (p)->kind == TNS_CLAUSE_PAIRS;
  bool places = pairs || row_of (p)->kind == TNS_CLAUSE_PLACES;
  if (!(places ? expect_place (p, &name, pairs)
               : expect_sized (p, &name, sized)))
    return false;
  if (list_holds (list, name.name))
    return tns_cursor_fail (&p->cursor, token, NULL,
                            "'%s' is named twice in '%s'", name.name,
                            row_of (p)->word);
  list_add (p->cursor.arena, list, name);
  return true;
}

/* The next tokens are off and a parenthesis, in a clause that takes it.  */
static bool
is_off (const parse *p)
{
  const tns_token *token = tns_cursor_peek (&p->cursor);
  return row_of (p)->choices[0] && token->kind == TNS_TOKEN_NAME
         && tns_clause_choice_find (row_of (p), token->text) >= 0
         && strcmp (tns_cursor_ahead (&p->cursor, 1)->text, ")") == 0;
}

/* The names of a clause up to the closing parenthesis.  */
static bool
parse_names (parse *p, tns_wish_list *list, bool sized)
{
  do
    if (!parse_name (p, list, sized))
      return false;
  while (tns_cursor_accept (&p->cursor, ","));
  return true;
}

/* ( off ) or ( names ) into LIST.  */
static bool
parse_list (parse *p, tns_wish_list *list, bool sized)
{
  if (!tns_cursor_expect (&p->cursor, "("))
    return false;
  const tns_token *first = tns_cursor_peek (&p->cursor);
  bool off = is_off (p);
  if ((off && list->n > 0) || (!off && list->off))
    return tns_cursor_fail (&p->cursor, first, NULL,
                            "'%s(off)' contradicts the loops named in '%s'",
                            row_of (p)->word, row_of (p)->word);
  list->off = off;
  if (off)
    tns_cursor_next (&p->cursor);
  else if (!parse_names (p, list, sized))
    return false;
  return tns_cursor_expect (&p->cursor, ")");
}

/* The choice that TOKEN names, or -1 with the error set.  */
static int
find_choice (parse *p, const tns_token *token)
{
  const char *known[16];
  tns_choice choice;
  int n = 0;
  int index = tns_clause_choice_find (row_of (p), token->text);
  if (index >= 0)
    return index;
  while (n < 16 && tns_clause_choice (row_of (p), n, &choice))
    known[n++]
      = tns_arena_format (p->cursor.arena, "%.*s", choice.length, choice.word);
  tns_cursor_fail (&p->cursor, token, tns_near (token->text, known, n),
                   "unknown word '%s' in '%s'", token->text, row_of (p)->word);
  return -1;
}

/* Store choice number INDEX of a WORD clause.  */
static void
store_choice (parse *p, int index)
{
  switch (p->id)
    {
    case TNS_CLAUSE_ID_FP:
      p->wish->fp = (tns_fp) index;
      break;
    case TNS_CLAUSE_ID_FUSE:
      p->wish->fuse = (tns_fuse) index;
      break;
    case TNS_CLAUSE_ID_TARGET:
      p->wish->target = (tns_target) index;
      break;
    case TNS_CLAUSE_ID_DEVICES:
      p->wish->devices = true;
      break;
    case TNS_CLAUSE_ID_PRECISION:
      p->wish->precision = (tns_precision) (index + 1);
      break;
    case TNS_CLAUSE_ID_WITH:
      p->wish->derived.primal = true;
      break;
    default:
      break;
    }
}

/* ( word ).  */
static bool
parse_word (parse *p)
{
  if (!tns_cursor_expect (&p->cursor, "("))
    return false;
  const tns_token *token = expect_name (p);
  int index = token ? find_choice (p, token) : -1;
  if (index < 0 || !tns_cursor_expect (&p->cursor, ")"))
    return false;
  store_choice (p, index);
  return true;
}

/* One wish of require (...).  */
static bool
parse_wish (parse *p, tns_wish_list *list)
{
  const tns_token *token = expect_name (p);
  int index = token ? find_choice (p, token) : -1;
  if (index < 0)
    return false;
  tns_choice choice;
  tns_clause_choice (row_of (p), index, &choice);
  tns_wish_name name = { .name = token->text, .loc = token->loc };
  if (choice.takes_name)
    {
      const tns_token *of
        = tns_cursor_expect (&p->cursor, "(") ? expect_name (p) : NULL;
      if (!of || !tns_cursor_expect (&p->cursor, ")"))
        return false;
      name.loc = of->loc;
      name.name
        = tns_arena_format (p->cursor.arena, "%s:%s", token->text, of->text);
    }
  if (!list_holds (list, name.name))
    list_add (p->cursor.arena, list, name);
  return true;
}

/* ( wish, wish ).  */
static bool
parse_wishes (parse *p, tns_wish_list *list)
{
  if (!tns_cursor_expect (&p->cursor, "("))
    return false;
  do
    if (!parse_wish (p, list))
      return false;
  while (tns_cursor_accept (&p->cursor, ","));
  return tns_cursor_expect (&p->cursor, ")");
}

/* One condition of assume (...).  */
static bool
parse_fact (parse *p)
{
  int from = p->cursor.at;
  tns_condition *condition = tns_condition_parse (&p->cursor);
  if (!condition)
    return false;
  tns_wish *wish = p->wish;
  tns_wish_fact *facts
    = TNS_NEW_ARRAY (p->cursor.arena, tns_wish_fact, wish->n_facts + 1);
  if (wish->n_facts > 0)
    memcpy (facts, wish->facts, sizeof *facts * (size_t) wish->n_facts);
  facts[wish->n_facts++]
    = (tns_wish_fact){ .text = tns_cursor_spelling (&p->cursor, from, " "),
                       .tree = condition,
                       .loc = condition->loc };
  wish->facts = facts;
  return true;
}

/* ( condition, condition ).  */
static bool
parse_facts (parse *p)
{
  if (!tns_cursor_expect (&p->cursor, "("))
    return false;
  do
    if (!parse_fact (p))
      return false;
  while (tns_cursor_accept (&p->cursor, ","));
  return tns_cursor_expect (&p->cursor, ")");
}

/* ( "text" ).  */
static bool
parse_string (parse *p)
{
  if (!tns_cursor_expect (&p->cursor, "("))
    return false;
  const tns_token *token = tns_cursor_peek (&p->cursor);
  if (token->kind != TNS_TOKEN_STRING || token->text[0] == '\0')
    return tns_cursor_fail (&p->cursor, token, NULL,
                            "expected a string that is not empty");
  p->wish->name = token->text;
  tns_cursor_next (&p->cursor);
  return tns_cursor_expect (&p->cursor, ")");
}

/* ( 8 ), of checkpoint.  */
static bool
parse_number (parse *p)
{
  return tns_cursor_expect (&p->cursor, "(")
         && expect_size (p, &p->wish->derived.checkpoint)
         && tns_cursor_expect (&p->cursor, ")");
}

/* The number of bytes that TEXT says, 64M, or 0 where it does not say one.  */
static long
bytes_of (const char *text)
{
  static const char letters[] = "KMG";
  char *end = NULL;
  long long number
    = isdigit ((unsigned char) *text) ? strtoll (text, &end, 10) : 0;
  int shift = 0;
  for (int k = 0; number > 0 && letters[k]; k++)
    if (*end == letters[k])
      shift = 10 * (k + 1);
  if (number <= 0 || end[shift > 0] || number > MOST_BYTES >> shift)
    return 0;
  return (long) (number << shift);
}

/* ( "64M" ), of memory.  */
static bool
parse_bytes (parse *p)
{
  if (!tns_cursor_expect (&p->cursor, "("))
    return false;
  const tns_token *token = tns_cursor_peek (&p->cursor);
  long bytes = token->kind == TNS_TOKEN_STRING ? bytes_of (token->text) : 0;
  if (bytes == 0)
    return tns_cursor_fail (&p->cursor, token, NULL,
                            "expected bytes in a string, as \"64M\"");
  p->wish->derived.memory = bytes;
  p->wish->derived.memory_loc = token->loc;
  tns_cursor_next (&p->cursor);
  return tns_cursor_expect (&p->cursor, ")");
}

/* A clause without argument.  */
static bool
parse_flag (parse *p)
{
  if (tns_cursor_is (&p->cursor, "("))
    return tns_cursor_fail (&p->cursor, tns_cursor_peek (&p->cursor), NULL,
                            "'%s' takes no argument", row_of (p)->word);
  bool *flag = p->id == TNS_CLAUSE_ID_CHECK     ? &p->wish->check
               : p->id == TNS_CLAUSE_ID_PROFILE ? &p->wish->profile
                                                : &p->wish->derived.workspace;
  *flag = true;
  return true;
}

/* Nothing: all; or ( names ).  Both in one pragma are too much.  */
static bool
parse_names_if (parse *p, tns_wish_list *list)
{
  bool named = tns_cursor_is (&p->cursor, "(");
  if (p->again && (list->n == 0 || !named))
    return tns_cursor_fail (&p->cursor, p->word, NULL,
                            "'%s' for all and for some is a contradiction",
                            row_of (p)->word);
  return !named || parse_list (p, list, false);
}

/* The argument of the clause that is being read.  */
static bool
parse_argument (parse *p)
{
  tns_wish_list *list = list_of (p->wish, p->id);
  switch (row_of (p)->kind)
    {
    case TNS_CLAUSE_FLAG:
      return parse_flag (p);
    case TNS_CLAUSE_STRING:
      return parse_string (p);
    case TNS_CLAUSE_WORD:
      return parse_word (p);
    case TNS_CLAUSE_NAMES_IF:
      return parse_names_if (p, list);
    case TNS_CLAUSE_NAMES:
    case TNS_CLAUSE_PLACES:
    case TNS_CLAUSE_PAIRS:
    case TNS_CLAUSE_SWITCH:
      return parse_list (p, list, false);
    case TNS_CLAUSE_SIZES:
    case TNS_CLAUSE_SIZES_OFF:
      return parse_list (p, list, true);
    case TNS_CLAUSE_FACTS:
      return parse_facts (p);
    case TNS_CLAUSE_WISHES:
      return parse_wishes (p, list);
    case TNS_CLAUSE_NUMBER:
      return parse_number (p);
    case TNS_CLAUSE_BYTES:
      return parse_bytes (p);
    case TNS_CLAUSE_SECTIONS:
    case TNS_CLAUSE_ANY:
      break;
    }
  return false;
}

/* The clause is met for the first time: forget the default.  Met again, it
   must be a list.  */
static bool
begin_clause (parse *p)
{
  tns_wish_list *list = list_of (p->wish, p->id);
  bool joins = list || p->id == TNS_CLAUSE_ID_ASSUME;
  p->again = p->seen[p->id] != NULL;
  if (p->again && !joins)
    return tns_cursor_fail (&p->cursor, p->word, NULL,
                            "clause '%s' is given twice", row_of (p)->word);
  if (!p->again && list)
    *list = (tns_wish_list){ .asked = true, .loc = p->word->loc };
  p->seen[p->id] = p->word;
  return true;
}

/* The clause whose word TOKEN is.  */
static bool
parse_clause (parse *p, const tns_token *token)
{
  if (token->kind != TNS_TOKEN_NAME)
    return tns_cursor_fail (&p->cursor, token, NULL,
                            "expected a clause before %s",
                            tns_token_shown (p->cursor.arena, token));
  p->word = token;
  p->id = tns_clause_find (token->text);
  if (p->id < 0 && tns_directive_find (token->text) >= 0)
    return tns_cursor_fail (&p->cursor, token, NULL, "'%s' must stand first",
                            token->text);
  if (p->id < 0)
    return tns_cursor_fail (&p->cursor, token, tns_clause_near (token->text),
                            "unknown clause '%s'", token->text);
  if (row_of (p)->later)
    return tns_cursor_fail (&p->cursor, token, NULL,
                            "clause '%s' is not there yet", token->text);
  if (row_of (p)->kind == TNS_CLAUSE_SECTIONS)
    return tns_cursor_fail (&p->cursor, token, NULL, "'%s' is for data",
                            token->text);
  tns_cursor_next (&p->cursor);
  return begin_clause (p) && parse_argument (p);
}

/* LIST requires WHAT: then FAULT, at that place.  */
static void
check_required (parse *p, const char *what, bool excluded, const char *fault)
{
  const tns_wish_list *list = &p->wish->require;
  for (int k = 0; excluded && k < list->n; k++)
    if (strcmp (list->names[k].name, what) == 0)
      {
        tns_token at = { .loc = list->names[k].loc };
        tns_cursor_fail (&p->cursor, &at, NULL,
                         "'require(%s)' contradicts '%s'", what, fault);
      }
}

/* Clauses that cannot be met together.  */
static void
check_contradictions (parse *p)
{
  const tns_wish *wish = p->wish;
  check_required (p, "parallel", wish->parallel.off, "parallel(off)");
  check_required (p, "simd", wish->simd.off, "simd(off)");
  check_required (p, "fuse", wish->fuse == TNS_FUSE_NONE, "fuse(none)");
  if (wish->fp == TNS_FP_STRICT && p->seen[TNS_CLAUSE_ID_PRECISION])
    tns_cursor_fail (&p->cursor, p->seen[TNS_CLAUSE_ID_PRECISION], NULL,
                     "'precision' contradicts 'fp(strict)'");
  if (wish->interchange.asked && wish->interchange.n < 2)
    tns_cursor_fail (&p->cursor, p->seen[TNS_CLAUSE_ID_INTERCHANGE], NULL,
                     "'interchange' needs two loops or more");
}

/* ( function ), behind directive ID: gradient, tangent, derivative.  */
static tns_directive
parse_derived (parse *p, int id)
{
  const tns_token *token
    = tns_cursor_expect (&p->cursor, "(") ? expect_name (p) : NULL;
  if (token && tns_cursor_expect (&p->cursor, ")"))
    {
      p->wish->derived.function = token->text;
      p->wish->derived.loc = token->loc;
      p->wish->derived.forward = id == TNS_DIRECTIVE_ID_TANGENT;
      p->wish->derived.own = id == TNS_DIRECTIVE_ID_DERIVATIVE;
    }
  return TNS_DIRECTIVE_GRADIENT;
}

/* A gradient, tangent or derivative is of something and with respect to
   something, nothing else is.  */
static void
check_derived (parse *p)
{
  static const int needed[] = { TNS_CLAUSE_ID_OF, TNS_CLAUSE_ID_WRT };
  static const int taken[] = {
    TNS_CLAUSE_ID_GIVEN,     TNS_CLAUSE_ID_CLEAR,      TNS_CLAUSE_ID_STORE,
    TNS_CLAUSE_ID_RECOMPUTE, TNS_CLAUSE_ID_CHECKPOINT, TNS_CLAUSE_ID_MEMORY
  };
  static const int shared[] = { TNS_CLAUSE_ID_WITH, TNS_CLAUSE_ID_WORKSPACE };
  bool is_derived = p->wish->derived.function != NULL;
  tns_token at = { .loc = p->wish->derived.loc };
  for (int k = 0; k < 2; k++)
    if (is_derived && !p->seen[needed[k]])
      tns_cursor_fail (&p->cursor, &at, NULL, "a %s needs '%s'",
                       tns_wish_mode (p->wish),
                       tns_clause_row (needed[k])->word);
    else if (!is_derived && p->seen[needed[k]])
      tns_cursor_fail (&p->cursor, p->seen[needed[k]], NULL,
                       "'%s' is for gradients",
                       tns_clause_row (needed[k])->word);
  bool is_gradient
    = is_derived && !p->wish->derived.forward && !p->wish->derived.own;
  for (size_t k = 0; k < sizeof taken / sizeof *taken; k++)
    if (!is_gradient && p->seen[taken[k]])
      tns_cursor_fail (&p->cursor, p->seen[taken[k]], NULL,
                       "'%s' is for gradients",
                       tns_clause_row (taken[k])->word);
  bool is_written = is_derived && !p->wish->derived.own;
  for (int k = 0; k < 2; k++)
    if (!is_written && p->seen[shared[k]])
      tns_cursor_fail (&p->cursor, p->seen[shared[k]], NULL,
                       "'%s' is for gradients",
                       tns_clause_row (shared[k])->word);
  if (p->wish->derived.primal && p->seen[TNS_CLAUSE_ID_GIVEN])
    tns_cursor_fail (&p->cursor, p->seen[TNS_CLAUSE_ID_GIVEN], NULL,
                     "'given' contradicts 'with(primal)'");
  const tns_token *directions = p->seen[TNS_CLAUSE_ID_DIRECTIONS];
  if (directions && !p->wish->derived.forward)
    tns_cursor_fail (&p->cursor, directions, NULL,
                     "'directions' is for tangents");
  if (directions && p->wish->derived.directions.n > 1)
    tns_cursor_fail (&p->cursor, directions, NULL,
                     "'directions' takes one name");
}

/* The directive that the line begins with, if it does.  */
static tns_directive
parse_directive (parse *p)
{
  const tns_token *token = tns_cursor_peek (&p->cursor);
  int id
    = token->kind == TNS_TOKEN_NAME ? tns_directive_find (token->text) : -1;
  if (id < 0)
    return TNS_DIRECTIVE_REGION;
  tns_cursor_next (&p->cursor);
  if (id == TNS_DIRECTIVE_ID_GRADIENT || id == TNS_DIRECTIVE_ID_TANGENT
      || id == TNS_DIRECTIVE_ID_DERIVATIVE)
    return parse_derived (p, id);
  if (id == TNS_DIRECTIVE_ID_DATA)
    return TNS_DIRECTIVE_DATA;
  if (!tns_directive_row (id)->later)
    return TNS_DIRECTIVE_FUNCTION;
  tns_cursor_fail (&p->cursor, token, NULL, "directive '%s' is not there yet",
                   token->text);
  return TNS_DIRECTIVE_LATER;
}

/* Nothing may follow a directive that takes no clauses.  */
static void
expect_end (parse *p)
{
  const tns_token *token = tns_cursor_peek (&p->cursor);
  if (token->kind != TNS_TOKEN_END)
    tns_cursor_fail (&p->cursor, token, NULL,
                     "'function' takes no clauses, but %s follows it",
                     tns_token_shown (p->cursor.arena, token));
}

bool
tns_pragma_parse (tns_arena *arena, const tns_token *token, int n,
                  const tns_wish *defaults, tns_directive *directive,
                  tns_wish *wish, tns_pragma_error *error)
{
  *wish = *defaults;
  *error = (tns_pragma_error){ .words = "" };
  parse p = { .cursor = { arena, token, n, 0, false, error }, .wish = wish };
  *directive = parse_directive (&p);
  if (*directive == TNS_DIRECTIVE_FUNCTION)
    expect_end (&p);
  if (*directive == TNS_DIRECTIVE_DATA)
    return tns_sections_parse (&p.cursor, wish);
  while (!p.cursor.failed && tns_cursor_peek (&p.cursor)->kind != TNS_TOKEN_END
         && parse_clause (&p, tns_cursor_peek (&p.cursor)))
    continue;
  if (!p.cursor.failed)
    check_contradictions (&p);
  if (!p.cursor.failed)
    check_derived (&p);
  return !p.cursor.failed;
}
