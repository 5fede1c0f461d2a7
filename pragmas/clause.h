/* The table of directives and clauses.  */

#ifndef TNS_PRAGMAS_CLAUSE_H
#define TNS_PRAGMAS_CLAUSE_H

#include <stdbool.h>

typedef enum tns_clause_kind
{
  TNS_CLAUSE_FLAG,
  TNS_CLAUSE_STRING,
  TNS_CLAUSE_WORD,
  TNS_CLAUSE_NAMES,
  TNS_CLAUSE_SECTIONS,
  TNS_CLAUSE_NAMES_IF,
  TNS_CLAUSE_PLACES,
  TNS_CLAUSE_PAIRS,
  TNS_CLAUSE_SIZES,
  TNS_CLAUSE_SWITCH,
  TNS_CLAUSE_SIZES_OFF,
  TNS_CLAUSE_FACTS,
  TNS_CLAUSE_WISHES,
  TNS_CLAUSE_NUMBER,
  TNS_CLAUSE_BYTES,
  TNS_CLAUSE_ANY
} tns_clause_kind;

typedef enum tns_clause_id
{
#define TNS_CLAUSE(id, word, kind, choices, since, meaning) TNS_CLAUSE_ID_##id,
#include "pragmas/clause.def"
  TNS_N_CLAUSES
} tns_clause_id;

typedef enum tns_directive_id
{
#define TNS_DIRECTIVE(id, word, since, meaning) TNS_DIRECTIVE_ID_##id,
#include "pragmas/clause.def"
  TNS_N_DIRECTIVES
} tns_directive_id;

/* One row; choices and kind as the head of clause.def says.  */
typedef struct tns_clause
{
  const char *word;
  tns_clause_kind kind;
  const char *choices;
  bool later;
  const char *meaning;
} tns_clause;

/* Row ID.  A directive's kind is FLAG, its choices are empty.  */
extern const tns_clause *tns_clause_row (int id);
extern const tns_clause *tns_directive_row (int id);

/* The row of WORD, or -1.  */
extern int tns_clause_find (const char *word);
extern int tns_directive_find (const char *word);

/* A choice of a clause: LENGTH letters at WORD.  */
typedef struct tns_choice
{
  const char *word;
  int length;
  bool takes_name;
} tns_choice;

/* Choice number INDEX of CLAUSE; false when there are not so many.  */
extern bool tns_clause_choice (const tns_clause *clause, int index,
                               tns_choice *choice);

/* The number of choice WORD, or -1.  */
extern int tns_clause_choice_find (const tns_clause *clause, const char *word);

/* The directive or clause nearest to WORD, or NULL.  */
extern const char *tns_clause_near (const char *word);

#endif
