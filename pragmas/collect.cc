/* GCC's tokens of a pragma -> ours, with macros expanded where they may be.

   A user's macro may be called like a clause:

     #define temp 17
     #define SIZE 32
     #pragma tensor temp(a) tile(i: SIZE)

   The pragma is registered with expansion, so that arguments are expanded by
   the preprocessor itself.  GCC 11 and 12 hand a pragma over before they
   read what follows its name, and read one token at a time: so while a
   clause is expected, every macro that is called like a directive or a
   clause is hidden (its node of the preprocessor's table is made an ordinary
   name), and within a clause that takes words (fp, fuse, off ...) those
   words are.  Everything else is expanded, a macro that stands for whole
   clauses too.

   With -E the preprocessor prints a line as a whole.  There every word of
   the tables is hidden for the whole line: a macro that is called like one
   of them is not expanded as an argument either.  */

#include "pragmas/collect.hh"

extern "C"
{
#include "pragmas/clause.h"
}

/* A macro that is hidden, and what it is in truth.  */
typedef struct hidden_macro
{
  cpp_hashnode *node;
  enum node_type type;
} hidden_macro;

enum
{
  MAX_HIDDEN = 4 * (TNS_N_CLAUSES + TNS_N_DIRECTIVES)
};

/* depth    of parentheses
   clause   the row of the clause we are in, or -1  */
typedef struct collector
{
  tns_arena *arena;
  tns_token *tokens;
  int n;
  int room;
  int depth;
  int clause;
  int n_hidden;
  hidden_macro hidden[MAX_HIDDEN];
} collector;

/* Make every hidden macro what it was.  */
static void
show_all (collector *c)
{
  while (c->n_hidden > 0)
    {
      const hidden_macro *hidden = &c->hidden[--c->n_hidden];
      hidden->node->type = hidden->type;
    }
}

/* Hide the macro called like the LENGTH letters at WORD, if there is one.  */
static void
hide (collector *c, const char *word, int length)
{
  cpp_hashnode *node
    = cpp_lookup (parse_in, (const unsigned char *) word, length);
  if (!cpp_macro_p (node) || c->n_hidden == MAX_HIDDEN)
    return;
  c->hidden[c->n_hidden].node = node;
  c->hidden[c->n_hidden++].type = node->type;
  node->type = NT_VOID;
}

/* Hide all directives and clauses.  */
static void
hide_clauses (collector *c)
{
  for (int id = 0; id < TNS_N_CLAUSES; id++)
    hide (c, tns_clause_row (id)->word, strlen (tns_clause_row (id)->word));
  for (int id = 0; id < TNS_N_DIRECTIVES; id++)
    hide (c, tns_directive_row (id)->word,
          strlen (tns_directive_row (id)->word));
}

/* Hide the choices of CLAUSE.  */
static void
hide_choices (collector *c, const tns_clause *clause)
{
  tns_choice choice;
  for (int k = 0; tns_clause_choice (clause, k, &choice); k++)
    hide (c, choice.word, choice.length);
}

/* Hide the words that may come next, and only those.  */
static void
hide_expected (collector *c)
{
  show_all (c);
  if (c->depth == 0)
    hide_clauses (c);
  else if (c->depth == 1 && c->clause >= 0)
    hide_choices (c, tns_clause_row (c->clause));
}

/* A place for one more token.  */
static tns_token *
new_token (collector *c)
{
  if (c->n == c->room)
    {
      int room = 2 * c->room + 16;
      c->tokens = (tns_token *) tns_arena_grow (c->arena, c->tokens,
                                                sizeof (tns_token) * c->room,
                                                sizeof (tns_token) * room);
      c->room = room;
    }
  return &c->tokens[c->n++];
}

/* LOC as ours; columns as diagnostics count them.  */
static tns_loc
loc_of (location_t loc)
{
  expanded_location place = expand_location (loc);
  tns_loc ours = { loc, place.line, place.column };
  return ours;
}

/* VALUE, a number, into TOKEN.  What is no whole number, or too large, stays
   as punctuation, which no clause takes.  */
static void
set_number (tns_arena *arena, tns_token *token, tree value)
{
  token->kind = TNS_TOKEN_PUNCT;
  token->text = "number";
  if (TREE_CODE (value) != INTEGER_CST || !tree_fits_shwi_p (value))
    return;
  token->kind = TNS_TOKEN_NUMBER;
  token->number = tree_to_shwi (value);
  token->text = tns_arena_format (arena, "%ld", token->number);
}

/* The token of TYPE and VALUE at LOC.  */
static void
add_token (collector *c, enum cpp_ttype type, tree value, location_t loc)
{
  tns_token *token = new_token (c);
  token->loc = loc_of (loc);
  token->kind = TNS_TOKEN_PUNCT;
  if (type == CPP_NAME)
    {
      token->kind = TNS_TOKEN_NAME;
      token->text = tns_arena_string (c->arena, IDENTIFIER_POINTER (value));
    }
  else if (type == CPP_NUMBER)
    set_number (c->arena, token, value);
  else if (type == CPP_STRING && value && TREE_CODE (value) == STRING_CST)
    {
      token->kind = TNS_TOKEN_STRING;
      token->text = tns_arena_string (c->arena, TREE_STRING_POINTER (value));
    }
  else
    token->text = cpp_type2name (type, 0);
}

/* Know where we are after the last token of TYPE.  */
static void
follow (collector *c, enum cpp_ttype type)
{
  if (c->depth == 0 && type == CPP_NAME)
    c->clause = tns_clause_find (c->tokens[c->n - 1].text);
  else if (type == CPP_OPEN_PAREN)
    c->depth++;
  else if (type == CPP_CLOSE_PAREN && c->depth > 0)
    c->depth--;
  hide_expected (c);
}

tns_token *
tns_pragma_collect (tns_arena *arena, int *n)
{
  collector c = {};
  tree value;
  location_t loc;
  enum cpp_ttype type;
  c.arena = arena;
  c.clause = -1;
  hide_expected (&c);
  while ((type = pragma_lex (&value, &loc)) != CPP_EOF)
    {
      add_token (&c, type, value, loc);
      follow (&c, type);
    }
  show_all (&c);
  tns_token *end = new_token (&c);
  end->kind = TNS_TOKEN_END;
  end->text = "";
  end->loc = loc_of (loc);
  *n = c.n;
  return c.tokens;
}

void
tns_pragma_print (cpp_reader *reader)
{
  collector c = {};
  if (!cpp_get_callbacks (reader)->def_pragma)
    return;
  hide_clauses (&c);
  for (int id = 0; id < TNS_N_CLAUSES; id++)
    hide_choices (&c, tns_clause_row (id));
  _cpp_backup_tokens (reader, 1);
  cpp_get_callbacks (reader)->def_pragma (reader, line_table->highest_line);
  show_all (&c);
}
