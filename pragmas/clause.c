/* The table of directives and clauses, looked up by word.  */

#include "pragmas/clause.h"

#include <stddef.h>
#include <string.h>

#include "pragmas/near.h"

enum
{
  NOW = 0,
  LATER = 1
};

static const tns_clause clauses[] = {
#define TNS_CLAUSE(id, word, kind, choices, since, meaning)                    \
  { word, TNS_CLAUSE_##kind, choices, since, meaning },
#include "pragmas/clause.def"
};

static const tns_clause directives[] = {
#define TNS_DIRECTIVE(id, word, since, meaning)                                \
  { word, TNS_CLAUSE_FLAG, "", since, meaning },
#include "pragmas/clause.def"
};

const tns_clause *
tns_clause_row (int id)
{
  return &clauses[id];
}

const tns_clause *
tns_directive_row (int id)
{
  return &directives[id];
}

/* The row of WORD among ROW[0..N), or -1.  */
static int
find_row (const tns_clause *row, int n, const char *word)
{
  for (int k = 0; k < n; k++)
    if (strcmp (row[k].word, word) == 0)
      return k;
  return -1;
}

int
tns_clause_find (const char *word)
{
  return find_row (clauses, TNS_N_CLAUSES, word);
}

int
tns_directive_find (const char *word)
{
  return find_row (directives, TNS_N_DIRECTIVES, word);
}

/* Take LENGTH letters at WORD apart into CHOICE.  */
static void
read_choice (const char *word, int length, tns_choice *choice)
{
  choice->word = word;
  choice->length = length;
  choice->takes_name = length > 2 && word[length - 1] == ')';
  if (choice->takes_name)
    choice->length -= 2;
}

bool
tns_clause_choice (const tns_clause *clause, int index, tns_choice *choice)
{
  const char *at = clause->choices;
  for (; *at; index--)
    {
      int length = (int) strcspn (at, "|");
      if (index == 0)
        {
          read_choice (at, length, choice);
          return true;
        }
      at += length + (at[length] == '|');
    }
  return false;
}

int
tns_clause_choice_find (const tns_clause *clause, const char *word)
{
  tns_choice choice;
  for (int k = 0; tns_clause_choice (clause, k, &choice); k++)
    if (strlen (word) == (size_t) choice.length
        && strncmp (word, choice.word, (size_t) choice.length) == 0)
      return k;
  return -1;
}

const char *
tns_clause_near (const char *word)
{
  const char *known[TNS_N_CLAUSES + TNS_N_DIRECTIVES];
  for (int k = 0; k < TNS_N_CLAUSES; k++)
    known[k] = clauses[k].word;
  for (int k = 0; k < TNS_N_DIRECTIVES; k++)
    known[TNS_N_CLAUSES + k] = directives[k].word;
  return tns_near (word, known, TNS_N_CLAUSES + TNS_N_DIRECTIVES);
}
